//! Inputs that stop a step, with everything needed to repair them.

use novel_model::{Explain, FileError, Kind, Message, Problem, ReadError, RelPath, message};

const MISSING_FILE: &str = "missing_file";

/// Why a context cannot be assembled. Lists every problem found in one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// Files the step needs are not there; what is there is sound.
    #[error("required files are missing: {}", .problems.iter().map(|problem| problem.path.as_str()).collect::<Vec<_>>().join(", "))]
    Missing {
        /// One problem for each missing file.
        problems: Vec<Problem>,
    },
    /// Files the step needs are damaged or contradict each other.
    #[error("{}", .problems.first().map_or_else(String::new, |first| format!("{}: {}", first.location(), first.message)))]
    Broken {
        /// In the order they were found.
        problems: Vec<Problem>,
    },
}

impl ContextError {
    /// The error for these problems; repetitions are listed once.
    #[must_use]
    pub fn new(problems: Vec<Problem>) -> Self {
        let mut unique: Vec<Problem> = Vec::new();
        for problem in problems {
            if !unique.contains(&problem) {
                unique.push(problem);
            }
        }
        if unique.iter().all(|problem| problem.code == MISSING_FILE) {
            Self::Missing { problems: unique }
        } else {
            Self::Broken { problems: unique }
        }
    }

    /// An error, unless `problems` is empty.
    ///
    /// # Errors
    /// With `problems`, if there are any.
    pub fn unless_sound(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self::new(problems))
        }
    }

    /// The single problems.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::Missing { problems } | Self::Broken { problems } => problems,
        }
    }
}

impl Explain for ContextError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "MISSING_INPUT",
            Self::Broken { .. } => "BROKEN_INPUT",
        }
    }

    fn message(&self) -> Message {
        let Some(first) = self.problems().first() else {
            return Message::default();
        };
        let place = first.location();
        let Message { en, zh } = &first.message;
        match self.problems().len() - 1 {
            0 => message!(en: "{place}: {en}", zh: "{place}：{zh}"),
            more => message!(
                en: "{place}: {en} (and {more} more)",
                zh: "{place}：{zh}（另有 {more} 处）"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        self.problems().first().and_then(|first| first.hint.clone())
    }

    fn problems(&self) -> &[Problem] {
        match self {
            Self::Missing { problems } | Self::Broken { problems } => problems,
        }
    }
}

impl From<FileError> for ContextError {
    fn from(error: FileError) -> Self {
        Self::new(problems_of(error))
    }
}

impl From<ReadError> for ContextError {
    fn from(error: ReadError) -> Self {
        Self::from(FileError::Read(error))
    }
}

/// A required file that is not there.
pub fn missing(path: &RelPath, hint: Message) -> Problem {
    let text = message!(en: "the file is missing", zh: "缺少该文件");
    Problem::new(MISSING_FILE, path, text).hint(hint)
}

/// The problems behind a file error.
pub fn problems_of(error: FileError) -> Vec<Problem> {
    match error {
        FileError::Missing { path, hint } => vec![missing(&path, hint)],
        FileError::Broken(broken) => broken.problems().to_vec(),
        FileError::Read(read) => {
            let mut problem = Problem::new("unreadable", read.path(), read.message());
            problem.hint = read.hint();
            vec![problem]
        }
    }
}
