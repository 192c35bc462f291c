//! `novel man`.

use std::path::{Path, PathBuf};

use clap_mangen::Man;
use novel_contract::shell::ManAnswer;
use novel_model::{Explain, Kind, Message, counted, message};

use crate::{
    commands::Cli,
    context::Context,
    output::{CommandResult, Output},
};

/// Print the manual page
///
/// All commands, one page after the other; `novel man | man -l -` shows them. With `--out` each
/// command gets a file of its own.
#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// Directory for the files, one per command
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A manual page could not be written.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be written", path.display())]
struct ManError {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

pub(crate) fn run(context: &Context, args: &ManArgs) -> CommandResult {
    let mut pages = Vec::new();
    let command = Cli::tree(context.lang);
    collect(command, "novel", &mut pages);
    match &args.out {
        None => {
            let text: String = pages.iter().map(|(_, page)| page.as_str()).collect();
            Ok(Output::new(ManAnswer::Page { page: text.clone() }).text(text))
        }
        Some(directory) => {
            let written = write_all(&context.here.join(directory), &pages)?;
            let count = written.len();
            let pages = counted(count, "page");
            Ok(Output::new(ManAnswer::Written { written }).note(message!(
                en: "Wrote {pages}.", zh: "已写入 {count} 个手册页。"
            )))
        }
    }
}

/// The page of a command and those of the commands below it, by file name.
fn collect(command: clap::Command, name: &str, pages: &mut Vec<(String, String)>) {
    let below: Vec<clap::Command> = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set())
        .cloned()
        .collect();
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = Man::new(
        command
            .name(name.to_owned())
            .version(env!("CARGO_PKG_VERSION")),
    )
    .render(&mut page);
    pages.push((
        format!("{name}.1"),
        String::from_utf8_lossy(&page).into_owned(),
    ));
    for sub in below {
        let name = format!("{name}-{}", sub.get_name());
        collect(sub, &name, pages);
    }
}

fn write_all(directory: &Path, pages: &[(String, String)]) -> Result<Vec<String>, ManError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ManError { path, source }
    };
    std::fs::create_dir_all(directory).map_err(failed(directory))?;
    let mut written = Vec::new();
    for (name, page) in pages {
        let path = directory.join(name);
        std::fs::write(&path, page).map_err(failed(&path))?;
        written.push(name.clone());
    }
    Ok(written)
}

impl Explain for ManError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "UNWRITABLE"
    }

    fn message(&self) -> Message {
        let (path, source) = (self.path.display(), &self.source);
        message!(en: "`{path}` cannot be written: {source}", zh: "无法写入 `{path}`：{source}")
    }

    fn hint(&self) -> Option<Message> {
        Some(message!(en: "name another directory with `--out`", zh: "请用 `--out` 换一个目录"))
    }
}
