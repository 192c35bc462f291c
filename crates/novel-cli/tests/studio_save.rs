//! The Studio's server is killed while it saves a chapter: the real binary, a real socket. Afterwards the
//! file holds the old or the new text, the next server shows it, and `doctor` finds a hand edit at most.
//!
//! A save is a process of its own. The server is started from a name that is then given to a script: what
//! the server runs next is under our hand, and dies, or lets the server die, at a system call we choose.

use std::{
    fs::{self, Permissions},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use novel_model::ContentHash;
use novel_testkit::{TestBook, skip};
use tempfile::TempDir;

const FILE: &str = "chapters/chapter-001.md";
/// Calls that change, sync or lock something; the moments between them cannot be told apart on a disk.
const CALLS: &str = "write,pwrite64,writev,fsync,fdatasync,ftruncate,fallocate,copy_file_range,\
    flock,renameat,renameat2,linkat,unlinkat,mkdirat";

/// The name a server is started from, and what is behind it.
struct Launcher {
    directory: TempDir,
}

impl Launcher {
    /// Beside the binary: the names are links, which cannot lead to another file system.
    fn new() -> Self {
        let binary = novel_testkit::binary();
        let directory = tempfile::tempdir_in(binary.parent().unwrap()).unwrap();
        fs::hard_link(binary, directory.path().join("real")).unwrap();
        Self { directory }
    }

    fn real(&self) -> PathBuf {
        self.directory.path().join("real")
    }

    fn name(&self) -> PathBuf {
        self.directory.path().join("novel")
    }

    /// The binary itself is behind the name.
    fn is_binary(&self) {
        // It may not be there yet. A rename of one link over another of the same file would do nothing.
        let _ = fs::remove_file(self.name());
        fs::hard_link(self.real(), self.name()).unwrap();
    }

    /// A save does these lines of shell; `$REAL "$@"` is the save itself, `$PPID` the server.
    fn does(&self, lines: &str) {
        let script = self.directory.path().join("script");
        let text = format!("#!/bin/sh\nREAL='{}'\n{lines}\n", self.real().display());
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        fs::rename(script, self.name()).unwrap();
    }
}

/// A server at work, and a visitor who signed in.
struct Server {
    child: Child,
    host: String,
    cookie: String,
    /// Where the chapter is edited.
    edit: String,
}

/// What a server answered; nothing where it was killed before.
#[derive(Debug)]
struct Answer {
    status: u16,
    text: String,
}

impl Server {
    fn start(launcher: &Launcher, book: &TestBook) -> Self {
        launcher.is_binary();
        // Whatever the server starts inherits 9: the pipe ends when the last of them does.
        let mut command = Command::new("sh");
        book.seal(&mut command);
        let child = command
            .args(["-c", r#"exec "$0" studio --no-open 9>&1"#])
            .arg(launcher.name())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.find(|line| line.as_ref().unwrap().contains("/in#"));
        let line = line.unwrap().unwrap();
        let link = line.split("http://").nth(1).unwrap();
        let (host, code) = link.split_once("/in#").unwrap();
        let mut server = Self {
            child,
            host: host.to_owned(),
            cookie: String::new(),
            edit: String::new(),
        };
        let welcome = server.post("/in", &format!("code={code}")).unwrap();
        assert_eq!(welcome.status, 303, "{}", welcome.text);
        let header = |name: &str| {
            let lines = welcome.text.lines();
            let found = lines.filter_map(|line| line.split_once(": "));
            let mut found = found
                .filter(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned());
            found.next_back().unwrap()
        };
        server.cookie = header("set-cookie").split(';').next().unwrap().to_owned();
        server.edit = format!("{}/chapters/1/edit", header("location"));
        // The rest of what it says, so that it never waits for a reader.
        std::thread::spawn(move || lines.count());
        server
    }

    fn send(&self, request: &str) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A server that is killed may also reset the connection.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let status = text.split(' ').nth(1)?.parse().unwrap();
        Some(Answer { status, text })
    }

    fn get(&self, path: &str) -> String {
        let (host, cookie) = (&self.host, &self.cookie);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        );
        let answer = self.send(&request).unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    }

    fn post(&self, path: &str, body: &str) -> Option<Answer> {
        let (host, cookie, length) = (&self.host, &self.cookie, body.len());
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nOrigin: http://{host}\r\n\
            Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\
            Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }

    /// The text in the editor, and how to save another.
    fn shown(&self) -> (String, String) {
        let page = self.get(&self.edit);
        let value = |name: &str| {
            let field = page.split(&format!("name=\"{name}\" value=\"")).nth(1);
            field.unwrap().split('"').next().unwrap().to_owned()
        };
        let field = page.split("<textarea").nth(1).unwrap();
        let text = field.split_once('>').unwrap().1;
        let text = text.split("</textarea>").next().unwrap();
        let form = format!("_form={}&base={}", value("_form"), value("base"));
        (text.to_owned(), form)
    }

    fn save(&self, form: &str, text: &str) -> Option<Answer> {
        // Letters, blanks and line ends alone: nothing else needs to be encoded.
        let text = text.replace(' ', "+").replace('\n', "%0A");
        self.post(&self.edit, &format!("{form}&text={text}"))
    }

    /// Waits until it and all it has started have ended.
    fn ended(mut self) {
        let mut said = Vec::new();
        let mut stdout = self.child.stdout.take().unwrap();
        stdout.read_to_end(&mut said).unwrap();
        self.child.wait().unwrap();
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.ended();
    }
}

/// A text that is larger than a pipe holds, of plain letters.
fn large(word: &str) -> String {
    let lines = vec![format!("{word} rain"); 12_000];
    format!("{}\n", lines.join("\n\n"))
}

/// What a killed save may leave, besides an edit.
const BUSINESS: [&str; 2] = ["stale_lock", "sealed_journal"];

/// Checks a book whose server was killed; gives whether the new text is there.
#[track_caller]
fn is_saved(launcher: &Launcher, book: &TestBook, old: &str, new: &str, what: &str) -> bool {
    let file = book.text(FILE);
    assert!(
        file == old || file == new,
        "{what}: torn: {} bytes",
        file.len()
    );
    let server = Server::start(launcher, book);
    let (shown, form) = server.shown();
    let saved = shown == new;
    assert!(saved || shown == old, "{what}: shown {} bytes", shown.len());
    // A save that was decided is seen before it is carried out, never the other way about.
    assert!(
        saved || file == old,
        "{what}: the file has what is not shown"
    );

    let codes = |health: &serde_json::Value| -> Vec<String> {
        let findings = health["findings"].as_array().unwrap().iter();
        findings
            .map(|finding| finding["code"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut found = codes(&book.ask(&["doctor", "--fix"]).data());
    found.retain(|code| !BUSINESS.contains(&code.as_str()));
    let edit = if saved {
        vec!["markdown_differs"]
    } else {
        Vec::new()
    };
    assert_eq!(found, edit, "{what}");
    assert_eq!(codes(&book.ask(&["doctor"]).data()), edit, "{what}");
    assert_eq!(book.text(FILE), shown, "{what}");

    // The author saves once more, with what the page has.
    let answer = server.save(&form, new).unwrap();
    assert_eq!(answer.status, 303, "{what}: {}", answer.text);
    assert_eq!(book.text(FILE), new, "{what}");
    server.kill();
    saved
}

#[test]
fn a_server_killed_at_any_call_of_its_save_leaves_the_old_or_the_new_text() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    if !has_strace {
        return skip("strace");
    }
    let start = TestBook::demo(1);
    let old = start.text(FILE);
    let new = "# rain\n\nA new text of some lines\n\nand another\n".to_owned();

    // Which calls there are.
    let counted = start.copy();
    let calls = counted.outside().join("calls");
    let mut command = Command::new("strace");
    counted.seal(&mut command);
    command
        .args([
            "-f",
            "-qq",
            "-e",
            &format!("trace={CALLS}"),
            "-e",
            "signal=none",
            "-o",
        ])
        .arg(&calls)
        .arg(novel_testkit::binary())
        .args(["--json", "chapter", "save", "1", "--base"])
        .arg(ContentHash::of(&old).as_str())
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(new.as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    let calls = fs::read_to_string(calls).unwrap();
    let names = calls.lines().map(|line| {
        let call = line.split_whitespace().nth(1).unwrap();
        call.split('(').next().unwrap().to_owned()
    });
    let mut points: Vec<(String, usize)> = Vec::new();
    for name in names {
        let nth = points.iter().filter(|(known, _)| *known == name).count() + 1;
        points.push((name, nth));
    }

    let launcher = Launcher::new();
    let (mut before, mut after) = (0, 0);
    for (call, nth) in &points {
        let book = start.copy();
        let server = Server::start(&launcher, &book);
        let (shown, form) = server.shown();
        assert_eq!(shown, old);
        launcher.does(&format!(
            "strace -f -qq -o /dev/null -e trace={call} -e inject={call}:signal=SIGKILL:when={nth} \
            \"$REAL\" \"$@\" && exit 1\nkill -9 $PPID"
        ));
        let answer = server.save(&form, &new);
        let what = format!("{call} {nth}");
        assert!(answer.is_none(), "{what}: not killed: {answer:?}");
        server.ended();
        if is_saved(&launcher, &book, &old, &new, &what) {
            after += 1;
        } else {
            before += 1;
        }
    }
    println!(
        "{} kills: {before} left the old text, {after} the new one",
        points.len()
    );
    assert!(before > 0 && after > 0);
}

#[test]
fn a_save_goes_on_whole_when_its_server_is_killed() {
    let start = TestBook::demo(1);
    let old = start.text(FILE);
    let new = large("quiet");
    assert!(new.len() > 2 * 65536, "a pipe could hold it");
    let launcher = Launcher::new();
    for (moment, lines) in [
        (
            "before the save reads",
            "kill -9 $PPID\nexec \"$REAL\" \"$@\"",
        ),
        (
            "before the save is told of",
            "\"$REAL\" \"$@\"\nkill -9 $PPID",
        ),
    ] {
        let book = start.copy();
        let server = Server::start(&launcher, &book);
        let (_, form) = server.shown();
        launcher.does(lines);
        let answer = server.save(&form, &new);
        assert!(answer.is_none(), "{moment}: not killed: {answer:?}");
        server.ended();
        assert_eq!(book.text(FILE).len(), new.len(), "{moment}");
        assert!(is_saved(&launcher, &book, &old, &new, moment), "{moment}");
    }
}
