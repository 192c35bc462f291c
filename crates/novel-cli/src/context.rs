//! What every command gets.

use std::{
    cell::RefCell,
    io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use novel_app::{Clock, Project, Store};
use novel_model::{Failure, Lang, message};

use crate::{
    args::GlobalArgs,
    error::CliError,
    language::{self, Environment},
    locate::{self, LocateError, Need, Wanted},
    ui::printer::Printer,
    ui::wrap,
    usage::UsageError,
};

/// What every command gets.
pub(crate) struct Context {
    /// The language of messages.
    pub(crate) lang: Lang,
    /// The language of messages, if it was asked for by an option.
    pub(crate) asked_lang: Option<Lang>,
    /// For what is shown before the command is done.
    pub(crate) printer: Printer,
    /// How the project was named.
    pub(crate) wanted: Wanted,
    /// The current directory.
    pub(crate) here: PathBuf,
    /// Where the time in files comes from.
    pub(crate) clock: Clock,
    /// The projects the command opened.
    opened: RefCell<Vec<Store>>,
}

impl Context {
    /// From the global options and the environment.
    pub(crate) fn new(global: &GlobalArgs, printer: Printer) -> Result<Self, Failure> {
        Ok(Self {
            lang: printer.lang,
            asked_lang: global.lang,
            printer,
            wanted: wanted(global)?,
            here: here()?,
            clock: clock()?,
            opened: RefCell::default(),
        })
    }

    /// The directory of a project to be made: `dir`, or what the global options name, or else
    /// `default`.
    pub(crate) fn new_place(&self, dir: Option<&Path>, default: &Path) -> Result<PathBuf, Failure> {
        let wanted = match (dir, &self.wanted) {
            (Some(dir), Wanted::Nearest) => Wanted::Directory(dir.to_owned()),
            (None, Wanted::Nearest) => Wanted::Directory(default.to_owned()),
            (None, wanted) => wanted.clone(),
            (Some(_), Wanted::Directory(_) | Wanted::Name(_)) => {
                return Err(UsageError::new(
                    message!(en: "the directory is given twice", zh: "目录给了两次"),
                    message!(
                        en: "give DIR, `--project` or `-p`, but only one of them",
                        zh: "DIR、`--project`、`-p` 只能给其中一个"
                    ),
                )
                .into());
            }
        };
        Ok(locate::place(&wanted, &self.here)?)
    }

    /// A directory as a person here would type it; empty for this one.
    pub(crate) fn shown(&self, directory: &Path) -> String {
        let shown = directory.strip_prefix(&self.here).unwrap_or(directory);
        shown.display().to_string()
    }

    /// The directory of the project.
    pub(crate) fn root(&self, need: Need) -> Result<PathBuf, LocateError> {
        locate::locate(&self.wanted, &self.here, need)
    }

    /// The files of the project.
    pub(crate) fn store(&self, need: Need) -> Result<Store, Failure> {
        self.files(&self.root(need)?)
    }

    /// The files in an existing directory, be it a project or not yet.
    pub(crate) fn files(&self, root: &Path) -> Result<Store, Failure> {
        Ok(self.note(Store::open(root)?))
    }

    /// The files of a project in a directory that is made if it does not exist.
    pub(crate) fn create(&self, root: &Path) -> Result<Store, Failure> {
        Ok(self.note(Store::create(root)?))
    }

    fn note(&self, store: Store) -> Store {
        let store = match cache_home() {
            Some(home) => store.with_cache(&home),
            None => store,
        };
        self.opened.borrow_mut().push(store.clone());
        store
    }

    /// Fails if the command left a lock behind: the next one would find it.
    pub(crate) fn check_released(&self) -> Result<(), Failure> {
        let opened = self.opened.borrow();
        match opened.iter().find_map(Store::take_unreleased) {
            Some(error) => Err(CliError::Unreleased { source: error }.into()),
            None => Ok(()),
        }
    }

    /// The project.
    pub(crate) fn project(&self) -> Result<Project, Failure> {
        self.open(&self.root(Need::Project)?)
    }

    /// The project in a directory.
    pub(crate) fn open(&self, root: &Path) -> Result<Project, Failure> {
        Ok(Project::open(self.files(root)?, self.clock)?)
    }

    /// Prints text for people that brings its own styles; at a terminal its lines fit.
    pub(crate) fn print_styled(&self, text: &str) -> Result<(), Failure> {
        let printed = match wrap::columns(io::stdout()) {
            Some(columns) => self.printer.styled_data(&wrap::wrapped(text, columns, 0)),
            None => self.printer.styled_data(text),
        };
        printed.map_err(|source| CliError::Output { source }.into())
    }
}

/// The cache directory of the user.
fn cache_home() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let set = set.filter(|path| path.is_absolute());
    set.or_else(|| Some(std::env::home_dir()?.join(".cache")))
}

/// The language of messages; `new_book` is that of a book about to be made.
pub(crate) fn language(global: &GlobalArgs, new_book: Option<Lang>) -> Lang {
    language::choose(global.lang, &Environment::read(), || {
        new_book.or_else(|| book_language(global))
    })
}

/// The language of the book; a book that cannot be opened will be complained about later.
fn book_language(global: &GlobalArgs) -> Option<Lang> {
    let root = locate::locate(&wanted(global).ok()?, &here().ok()?, Need::Project).ok()?;
    let project = Project::open(Store::open(&root).ok()?, Clock::Machine).ok()?;
    Some(project.config().lang())
}

fn wanted(global: &GlobalArgs) -> Result<Wanted, UsageError> {
    match (&global.project, &global.project_name) {
        (Some(_), Some(_)) => Err(UsageError::new(
            message!(
                en: "`--project` and `-p` both name a project", zh: "`--project` 与 `-p` 都指定了项目"
            ),
            message!(en: "give one of them", zh: "请只给其中一个"),
        )),
        (Some(directory), None) => Ok(Wanted::Directory(directory.clone())),
        (None, Some(name)) => Ok(Wanted::Name(name.clone())),
        (None, None) => Ok(Wanted::Nearest),
    }
}

fn here() -> Result<PathBuf, CliError> {
    std::env::current_dir().map_err(|source| CliError::NoCurrentDirectory { source })
}

fn clock() -> Result<Clock, CliError> {
    let Some(value) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|value| !value.is_empty())
    else {
        return Ok(Clock::Machine);
    };
    let value = value.to_string_lossy().into_owned();
    let time = value
        .parse()
        .ok()
        .and_then(|second| Timestamp::from_second(second).ok());
    time.map(Clock::Fixed).ok_or(CliError::BadEpoch { value })
}
