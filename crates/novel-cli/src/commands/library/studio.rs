//! `novel studio [--port N] [--no-open]`.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};

use novel_contract::shell::StudioAnswer;
use novel_model::{Failure, Message, message};
use novel_studio::{Books, ServeError, Studio};

use crate::{
    context::Context,
    locate::{LocateError, Need},
    output::{CommandResult, Output},
    writing,
};

/// Open the book in a browser
///
/// Serves pages on 127.0.0.1 alone until Ctrl-C. The printed link opens once; each use prints the
/// next one. Every page is read from the files, every button is a command of `novel`, and a run
/// that was started continues when the Studio ends. Without a book it shows the books of the
/// workspace and makes new ones.
#[derive(clap::Args, Debug)]
pub(crate) struct StudioArgs {
    /// Port on 127.0.0.1; any free one by default
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Print the link and open no browser
    #[arg(long)]
    no_open: bool,
}

pub(crate) fn run(context: &Context, args: &StudioArgs) -> CommandResult {
    let book = match context.root(Need::Project) {
        Ok(root) => Some(root),
        Err(LocateError::None { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let opening = if args.no_open {
        Opening::Print
    } else {
        Opening::Browser
    };
    serve(context, book, args.port.unwrap_or(0), opening)
}

/// Whether a browser is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The link is printed only.
    Print,
    /// A browser is opened too.
    Browser,
}

/// Serves the Studio until Ctrl-C.
pub(crate) fn serve(
    context: &Context,
    book: Option<PathBuf>,
    port: u16,
    opening: Opening,
) -> CommandResult {
    let serving = novel_studio::bind(port)?;
    let port = serving.port;
    let printer = context.printer;
    let announce = move |link: &str| {
        let link = link.to_owned();
        printer.note(&message!(en: "for another browser: {link}", zh: "另一个浏览器请用：{link}"));
    };
    let here = context.here.clone();
    let books = Books::new(here, book.map(|root| root.canonicalize().unwrap_or(root)));
    let program = writing::launcher()?;
    let studio = Studio::new(books, program, context.lang, context.clock, port, announce);
    let studio = Arc::new(studio.map_err(ServeError::from)?);
    let link = studio.link();
    printer.say(&format!("{}\n", welcome(&link).get(context.lang)));
    if opening == Opening::Browser {
        open(&link);
    }
    novel_studio::serve(serving, studio).map_err(Failure::from)?;
    Ok(Output::new(StudioAnswer {
        address: format!("http://127.0.0.1:{port}/"),
    })
    .note(message!(en: "The Studio is closed; runs go on.", zh: "Studio 已关闭；运行照常继续。")))
}

fn welcome(link: &str) -> Message {
    message!(
        en: "novel studio: {link}\nThe link opens once. Ctrl-C ends the Studio; runs go on.",
        zh: "novel studio：{link}\n链接只能打开一次。按 Ctrl-C 关闭 Studio，运行照常继续。"
    )
}

/// Opens a browser where there is a screen; the link was printed in any case.
fn open(link: &str) {
    let (program, has_screen) = if cfg!(target_os = "macos") {
        ("open", true)
    } else {
        let screen = ["DISPLAY", "WAYLAND_DISPLAY"];
        (
            "xdg-open",
            screen.iter().any(|name| env::var_os(name).is_some()),
        )
    };
    if has_screen {
        let _ = Command::new(program)
            .arg(link)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}
