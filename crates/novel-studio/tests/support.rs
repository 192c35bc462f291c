//! A Studio over a book in a temporary directory, asked without a socket.

use std::{
    fs::Permissions,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, StatusCode},
};
use novel_app::{
    Clock, Project, Store,
    executor::{self, CancelToken, ExecutorKind},
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::demo,
    write::run::{Approval, FromError, Goal},
};
use novel_model::Lang;
use novel_studio::{Books, Studio, router};
use novel_testkit::Node;
use tempfile::TempDir;
use tower::ServiceExt;

pub(crate) const PORT: u16 = 4321;
pub(crate) const HOST: &str = "127.0.0.1:4321";
pub(crate) const ORIGIN: &str = "http://127.0.0.1:4321";

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A Studio with one book, `fare`.
pub(crate) struct House {
    directory: TempDir,
    router: Router,
    pub(crate) studio: Arc<Studio>,
    cookie: Option<String>,
}

impl House {
    /// A demo book with so many chapters.
    pub(crate) fn with_chapters(lang: Lang, chapters: u32) -> Self {
        // No act is done: `false` answers nothing and writes nothing.
        Self::with_program(lang, chapters, PathBuf::from("/bin/false"))
    }

    /// The same whose acts are done by the real program.
    pub(crate) fn acting(lang: Lang, chapters: u32) -> Self {
        let mut house = Self::with_program(lang, chapters, novel_testkit::binary());
        house.sign_in();
        house
    }

    /// The same in a home of its own; what the program is told is written down.
    pub(crate) fn overheard(lang: Lang, chapters: u32) -> (Self, Overheard) {
        let home = tempfile::tempdir().unwrap();
        let script = home.path().join("novel");
        let text = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{0}/arguments'\nHOME='{0}' exec '{1}' \"$@\"\n",
            home.path().display(),
            novel_testkit::binary().display(),
        );
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        let mut house = Self::with_program(lang, chapters, script);
        house.sign_in();
        (house, Overheard { home })
    }

    fn with_program(lang: Lang, chapters: u32, program: PathBuf) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("fare");
        let store = Store::create(&root).unwrap();
        drop(demo::create(&store, lang).unwrap());
        if chapters > 0 {
            write(&store, chapters);
        }
        let books = Books::new(directory.path().to_owned(), Some(root));
        let studio = Studio::new(books, program, lang, Clock::Machine, PORT, |_| {}).unwrap();
        let studio = Arc::new(studio);
        Self {
            directory,
            router: router(Arc::clone(&studio)),
            studio,
            cookie: None,
        }
    }

    /// The same, signed in.
    pub(crate) fn signed_in(lang: Lang, chapters: u32) -> Self {
        let mut house = Self::with_chapters(lang, chapters);
        house.sign_in();
        house
    }

    fn sign_in(&mut self) {
        let answer = self.enter();
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        let line = answer.headers["set-cookie"].to_str().unwrap();
        self.cookie = Some(line.split(';').next().unwrap().to_owned());
    }

    /// Sends a form of our own page.
    pub(crate) fn post(&self, path: &str, fields: &str) -> Answer {
        let body = format!("_form={}&{fields}", self.proof());
        self.send(
            own(Method::POST, path).header("cookie", self.cookie()),
            body,
        )
    }

    /// The operations of the book, newest first.
    pub(crate) fn operations(&self) -> Vec<novel_contract::history::Operation> {
        let project = Project::open(Store::open(&self.root()).unwrap(), Clock::Machine).unwrap();
        novel_app::history::log(&project, 100)
            .unwrap()
            .answer()
            .operations
    }

    /// The files of the book that hold a text.
    pub(crate) fn files_with(&self, text: &str) -> Vec<String> {
        let holds = |node: &Node| match node {
            Node::File(bytes) => String::from_utf8_lossy(bytes).contains(text),
            Node::Dir | Node::Link(_) => false,
        };
        let files = novel_testkit::tree(&self.root()).into_iter();
        files
            .filter(|(_, node)| holds(node))
            .map(|(path, _)| path)
            .collect()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("fare")
    }

    /// Uses the link.
    pub(crate) fn enter(&self) -> Answer {
        let link = self.studio.link();
        let code = link.split_once('#').unwrap().1;
        self.send(own(Method::POST, "/in"), format!("code={code}"))
    }

    pub(crate) fn cookie(&self) -> &str {
        self.cookie.as_deref().unwrap()
    }

    /// A page, as the visitor sees it.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(
            own(Method::GET, path).header("cookie", self.cookie()),
            String::new(),
        )
    }

    /// The proof of the visitor's forms.
    pub(crate) fn proof(&self) -> String {
        let page = self.get("/").body;
        let (_, rest) = page.split_once("name=\"_form\" value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    pub(crate) fn send(&self, request: axum::http::request::Builder, body: String) -> Answer {
        let request = request.body(Body::from(body)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let is_stream = parts
                .headers
                .get("content-type")
                .is_some_and(|kind| kind == "text/event-stream");
            // A stream has no end; that it began is enough.
            let bytes = if is_stream {
                axum::body::Bytes::new()
            } else {
                axum::body::to_bytes(body, usize::MAX).await.unwrap()
            };
            Answer {
                status: parts.status,
                headers: parts.headers,
                body: String::from_utf8_lossy(&bytes).into_owned(),
            }
        })
    }
}

/// What a program was told, and its home.
pub(crate) struct Overheard {
    home: TempDir,
}

impl Overheard {
    /// Every argument so far, one a line.
    pub(crate) fn arguments(&self) -> String {
        std::fs::read_to_string(self.home.path().join("arguments")).unwrap_or_default()
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }
}

/// A value as a form sends it.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A request of our own page.
pub(crate) fn own(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", HOST)
        .header("origin", ORIGIN)
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/x-www-form-urlencoded")
}

fn write(store: &Store, chapters: u32) {
    let project = Project::open(store.clone(), Clock::Machine).unwrap();
    let program = PathBuf::from("/bin/false");
    let executor = executor::open(&project, program, Some(ExecutorKind::Offline)).unwrap();
    let runner = Runner {
        project: &project,
        executor: executor.as_ref(),
        watch: &Silent,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    };
    runner
        .run(Goal::Chapters(chapters), FromError::Refuse)
        .unwrap();
}
