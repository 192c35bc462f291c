//! Finds the project a command is about.

use std::path::{Path, PathBuf};

use novel_app::{
    find_project, is_project,
    setup::workspace::{PROJECTS, around, workspaces},
};
use novel_model::{ErrorTable, Kind, Row, message, nearest};

/// How the project was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// `--project DIR`.
    Directory(PathBuf),
    /// `-p NAME`.
    Name(String),
    /// Not at all: the nearest one upwards.
    Nearest,
}

/// What has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// A directory with a checkpoint.
    Project,
    /// A directory; the checkpoint may be lost. For repairs.
    Directory,
}

impl Need {
    fn is_met(self, directory: &Path) -> bool {
        match self {
            // Whether it can be read is for the store to say.
            Self::Project => is_project(directory),
            Self::Directory => directory.is_dir(),
        }
    }
}

/// Why no project was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LocateError {
    /// No directory from here upwards is one.
    #[error("no project in `{}` or above", start.display())]
    None {
        /// Where the search began.
        start: PathBuf,
    },
    /// The named directory is none.
    #[error("`{}` is no project", directory.display())]
    NotAProject {
        /// The directory.
        directory: PathBuf,
    },
    /// No workspace has a project of that name.
    #[error("no project `{name}`")]
    NoSuchName {
        /// What was asked for.
        name: String,
        /// Names in the workspaces around.
        known: Vec<String>,
    },
    /// The name is not a plain directory name.
    #[error("`{name}` is not a valid project name")]
    BadName {
        /// What was asked for.
        name: String,
    },
}

/// Directory of an existing project.
pub(crate) fn locate(wanted: &Wanted, here: &Path, need: Need) -> Result<PathBuf, LocateError> {
    match wanted {
        Wanted::Nearest => find_project(here).ok_or_else(|| LocateError::None {
            start: here.to_owned(),
        }),
        Wanted::Directory(directory) => {
            let directory = here.join(directory);
            if need.is_met(&directory) {
                Ok(directory)
            } else {
                Err(LocateError::NotAProject { directory })
            }
        }
        Wanted::Name(name) => {
            check_name(name)?;
            workspaces(here)
                .map(|projects| projects.join(name))
                .find(|directory| need.is_met(directory))
                .ok_or_else(|| {
                    let known = known_names(here);
                    let name = name.clone();
                    LocateError::NoSuchName { name, known }
                })
        }
    }
}

/// Directory of a project that is about to be made.
pub(crate) fn place(wanted: &Wanted, here: &Path) -> Result<PathBuf, LocateError> {
    match wanted {
        Wanted::Nearest => Ok(here.to_owned()),
        Wanted::Directory(directory) => Ok(here.join(directory)),
        Wanted::Name(name) => {
            check_name(name)?;
            let projects = workspaces(here).next();
            Ok(projects.unwrap_or_else(|| here.join(PROJECTS)).join(name))
        }
    }
}

fn check_name(name: &str) -> Result<(), LocateError> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(std::path::Component::Normal(part)), None) if part == name => Ok(()),
        _ => Err(LocateError::BadName {
            name: name.to_owned(),
        }),
    }
}

/// The nearest workspace's `projects` directory and what in it is a project, or was one.
pub(crate) fn workspace(here: &Path) -> Option<(PathBuf, Vec<String>)> {
    around(here)
}

fn known_names(here: &Path) -> Vec<String> {
    let mut names: Vec<String> = workspaces(here)
        .filter_map(|projects| projects.read_dir().ok())
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| Need::Project.is_met(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

impl ErrorTable for LocateError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::None { start } => row("NO_PROJECT", {
                let start = start.display();
                message!(
                    en: "no novel project in `{start}` or any directory above it",
                    zh: "`{start}` 及其上级目录中没有小说项目"
                )
            }).hint(message!(
                en: "change into the project, name it with `--project DIR`, or start one with `novel init`",
                zh: "请进入项目目录，用 `--project DIR` 指定，或用 `novel init` 新建"
            )),
            Self::NotAProject { directory } => row("NO_PROJECT", {
                let directory = directory.display();
                message!(
                    en: "`{directory}` is not a novel project: it has no `.checkpoint.json`",
                    zh: "`{directory}` 不是小说项目：其中没有 `.checkpoint.json`"
                )
            }).hint(message!(
                en: "name the directory that holds `.checkpoint.json`, or start a project with `novel init DIR`",
                zh: "请指定含有 `.checkpoint.json` 的目录，或用 `novel init DIR` 新建项目"
            )),
            Self::NoSuchName { name, known } => row("NO_PROJECT", message!(
                en: "no workspace here or above has a project `projects/{name}`",
                zh: "当前目录及上级的工作区中没有项目 `projects/{name}`"
            )).hint({
                let list = known.join(", ");
                match nearest(name, known.iter().map(String::as_str)) {
                    Some(known) => {
                        message!(en: "did you mean `-p {known}`?", zh: "是否想写 `-p {known}`？")
                    }
                    None if !known.is_empty() => {
                        message!(en: "there are: {list}", zh: "现有项目：{list}")
                    }
                    None => message!(
                        en: "start one with `novel init -p {name}`", zh: "用 `novel init -p {name}` 新建"
                    ),
                }
            }).fact("known", known),
            Self::BadName { name } => row("BAD_PROJECT_NAME", message!(
                en: "`{name}` is not a valid project name", zh: "`{name}` 不是有效的项目名"
            )).hint(message!(
                en: "give the plain name of a directory below `projects/`, or a path with `--project DIR`",
                zh: "请给出 `projects/` 下的目录名，或用 `--project DIR` 给出路径"
            )),
        }
    }
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
