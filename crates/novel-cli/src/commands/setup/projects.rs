//! `novel projects`.

use novel_app::{
    OpenError, Store,
    setup::workspace::{self, BookSummary},
};
use novel_contract::setup::ProjectsAnswer;
use novel_model::{Explain, Lang, message};

use crate::{
    context::Context,
    locate,
    output::{CommandResult, Output},
    ui::labels::UNKNOWN,
    ui::table::{self, Side},
};

/// List the projects of the workspace
///
/// A workspace is a directory with `projects/`, here or above. A damaged project is listed with its
/// error. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct ProjectsArgs {}

pub(crate) fn run(context: &Context, _args: &ProjectsArgs) -> CommandResult {
    let lang = context.lang;
    let Some((workspace, names)) = locate::workspace(&context.here) else {
        return Ok(Output::new(ProjectsAnswer {
            workspace: None,
            projects: Vec::new(),
        })
        .note(message!(
            en: "There is no workspace here or above; `novel init -p NAME` starts one.",
            zh: "当前目录及上级没有工作区；用 `novel init -p NAME` 新建。"
        )));
    };
    let books: Vec<(String, Result<BookSummary, OpenError>)> = names
        .into_iter()
        .map(|name| {
            let opened = Store::open(&workspace.join(&name)).map_err(OpenError::from);
            let summary = opened.and_then(|store| workspace::summary(store, context.clock));
            (name, summary)
        })
        .collect();
    let row =
        |(name, book): &(String, Result<BookSummary, OpenError>)| workspace::row(name, book, lang);
    let output = Output::new(ProjectsAnswer {
        workspace: Some(context.shown(&workspace)),
        projects: books.iter().map(row).collect(),
    });
    Ok(if books.is_empty() {
        output.note(message!(
            en: "The workspace has no project; `novel init -p NAME` starts one.",
            zh: "工作区中还没有项目；用 `novel init -p NAME` 新建。"
        ))
    } else {
        output.text(render(&books, lang))
    })
}

fn render(books: &[(String, Result<BookSummary, OpenError>)], lang: Lang) -> String {
    let head = match lang {
        Lang::En => [
            "project",
            "state",
            "chapters",
            "words",
            "waits",
            "last change",
            "title",
        ],
        Lang::Zh => [
            "项目",
            "状态",
            "章数",
            "字数",
            "待你处理",
            "最近改动",
            "书名",
        ],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, book) in books {
        rows.push(match book {
            Ok(book) => {
                let pending: Vec<String> = book.pending.iter().map(u32::to_string).collect();
                let waits = if pending.is_empty() {
                    book.waits.clone().unwrap_or_else(|| UNKNOWN.to_owned())
                } else {
                    pending.join(", ")
                };
                vec![
                    name.clone(),
                    book.state.word().to_owned(),
                    book.chapters.to_string(),
                    book.words.to_string(),
                    waits,
                    book.last_change
                        .clone()
                        .unwrap_or_else(|| UNKNOWN.to_owned()),
                    book.title.clone().unwrap_or_default(),
                ]
            }
            Err(error) => {
                let damaged = message!(en: "damaged", zh: "损坏");
                let dash = || UNKNOWN.to_owned();
                vec![
                    name.clone(),
                    damaged.get(lang).to_owned(),
                    dash(),
                    dash(),
                    dash(),
                    dash(),
                    format!("{}: {}", error.code(), error.message().get(lang)),
                ]
            }
        });
    }
    let (text, number) = (Side::Left, Side::Right);
    table::columns(&rows, &[text, text, number, number, text, text, text])
}
