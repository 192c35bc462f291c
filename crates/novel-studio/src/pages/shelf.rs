//! The shelf: pick a book, make one, bring one in, look at a sample.

use std::io::Write;

use maud::{Markup, html};
use novel_app::{OpenError, Store, setup::workspace};
use novel_contract::setup::ProjectRow;
use novel_model::{Explain, Kind, Lang, Message, message};

use crate::{
    act::{self, Command, Input, Outcome, Place},
    ask::Ask,
    pages::error,
    reply::{Fault, Reply},
    view::{Mark, badge, bare, counts, hidden, key, thousands, when},
};

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let books = ask.studio.books().all();
    let rows: Vec<(String, ProjectRow)> = books
        .iter()
        .map(|book| {
            let opened = Store::open(&book.root).map_err(OpenError::from);
            let summary = opened.and_then(|store| workspace::summary(store, ask.studio.clock()));
            (
                book.id.clone(),
                workspace::row(&book.name, &summary, ask.lang()),
            )
        })
        .collect();
    let main = html! {
        @if rows.is_empty() {
            div { h1 { (ask.t("No book here yet.", "这里还没有书。")) } }
            p class="lead" { (ask.t("A book is a directory of plain files. Agents write, the program checks, you decide. Anything can be undone.", "一本书就是一个装着普通文件的目录。模型写，程序查，你来定。每一步都可以撤销。")) }
        } @else {
            div { h1 { (ask.t("Shelf", "书架")) } }
            ul class="rows books" { @for (id, row) in &rows { (book_row(ask, id, row)) } }
        }
        (ways(ask))
    };
    Ok(Reply::Page(bare(
        ask,
        ask.t("Shelf · novel studio", "书架 · novel studio"),
        "page center wide",
        main,
    )))
}

fn book_row(ask: &Ask, id: &str, row: &ProjectRow) -> Markup {
    let l = ask.lang();
    match row {
        ProjectRow::Readable(book) => {
            let title = book.title.clone().unwrap_or_else(|| book.name.clone());
            let waits = !book.pending_chapters.is_empty() || book.waits.is_some();
            html! {
                li {
                    span { a class="booktitle" href={ "/b/" (id) } { (title) } " " span class="small faint" { (book.name) } }
                    span class="small muted num" { (counts(l, book.chapters, "chapter", "章")) " · " (counts(l, thousands(book.words), "word", "字")) @if let Some(time) = &book.last_change { " · " (when(time)) } }
                    @if waits { (badge(Mark::Wait, ask.t("waits for you", "等你处理"))) } @else { span {} }
                }
            }
        }
        ProjectRow::Damaged(book) => html! {
            li {
                span { a class="booktitle" href={ "/b/" (id) } { (book.name) } }
                span class="small muted" { (book.error.message) }
                (badge(Mark::Fail, ask.t("cannot be read", "无法读取")))
            }
        },
    }
}

fn ways(ask: &Ask) -> Markup {
    html! {
        div class="ways" {
            form method="post" action="/new" {
                (hidden(ask))
                h2 { (ask.t("Start a new one", "新写一本")) }
                div class="field" { label for="t" { (ask.t("Title", "书名")) } input class="input" id="t" name="title" maxlength="120" placeholder=(ask.t("may be decided later", "可以以后再定")); }
                div class="field" { label for="g" { (ask.t("Genre", "题材")) } input class="input" id="g" name="genre" maxlength="60" placeholder=(ask.t("mystery", "玄幻")); }
                div class="field" { label for="nl" { (ask.t("Language of the book", "作品语言")) }
                    select class="input" id="nl" name="language" { option value="zh" selected[ask.lang() == Lang::Zh] { "中文" } option value="en" selected[ask.lang() == Lang::En] { "English" } } }
                div class="acts" { button class="btn primary" { (ask.t("Create", "新建")) " " (key("↵")) } }
                code { "novel init --genre …" }
            }
            form method="post" action="/import" enctype="multipart/form-data" {
                (hidden(ask))
                h2 { (ask.t("Import one", "导入旧作")) }
                p { (ask.t("TXT, Markdown or EPUB. Split by headings; nothing is sent anywhere.", "TXT、Markdown 或 EPUB。按标题分章，不会外传。")) }
                div class="field" { label for="file" { (ask.t("File", "文件")) } input class="input" id="file" name="file" type="file" accept=".txt,.md,.epub" required; }
                div class="acts" { button class="btn" { (ask.t("Import", "导入")) } }
                code { "novel import book.txt" }
            }
            form method="post" action="/demo" {
                (hidden(ask))
                h2 { (ask.t("Look at a sample", "看看样书")) }
                p { (ask.t("Three chapters in a second, without key or network. The offline author is not a language model: it shows how the program works.", "一秒写成三章，不需要密钥和网络。离线作者不是语言模型，只展示程序如何工作。")) }
                div class="acts" { button class="btn" { (ask.t("Make the sample", "生成样书")) } }
                code { "novel demo" }
            }
        }
    }
}

/// A name for a new directory: the title where it is plain, else `book`, with a number if need be.
fn new_name(ask: &Ask, wish: &str) -> String {
    let plain: String = wish
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let plain: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let mut stem = plain.join("-");
    stem.truncate(32);
    if stem.is_empty() {
        "book".clone_into(&mut stem);
    }
    let taken: Vec<String> = ask
        .studio
        .books()
        .all()
        .into_iter()
        .map(|book| book.name)
        .collect();
    let mut name = stem.clone();
    let mut number = 2;
    while taken.contains(&name) || ask.studio.books().new_root(&name).exists() {
        name = format!("{stem}-{number}");
        number += 1;
    }
    name
}

fn language(ask: &Ask) -> &'static str {
    match ask.form.get("language") {
        Some("en") => "en",
        Some("zh") => "zh-CN",
        _ => match ask.lang() {
            Lang::En => "en",
            Lang::Zh => "zh-CN",
        },
    }
}

fn perform(ask: &Ask, command: &Command, name: &str) -> Result<Reply, Fault> {
    let place = Place::Directory(ask.studio.books().here());
    match act::perform(&ask.studio, place, ask.lang(), command, Input::Nothing)? {
        Outcome::Done(_) => {
            let made = ask
                .studio
                .books()
                .all()
                .into_iter()
                .find(|book| book.name == name);
            Ok(Reply::Go(made.map_or_else(
                || "/".to_owned(),
                |book| format!("/b/{}", book.id),
            )))
        }
        Outcome::Refused(refused) => Ok(error::refused(ask, command, &refused)),
    }
}

pub(crate) fn new_book(ask: &Ask) -> Result<Reply, Fault> {
    let title = ask.form.filled("title").unwrap_or_default();
    let name = new_name(ask, title);
    let mut command = Command::new("init --yes")
        .option("--language", language(ask))
        .option("--project-name", &name);
    if !title.is_empty() {
        command = command.option("--title", title);
    }
    if let Some(genre) = ask.form.filled("genre") {
        command = command.option("--genre", genre);
    }
    perform(ask, &command, &name)
}

pub(crate) fn demo(ask: &Ask) -> Result<Reply, Fault> {
    let name = new_name(ask, "novel-demo");
    let command = Command::new("demo")
        .option("--language", language(ask))
        .option("--project-name", &name);
    perform(ask, &command, &name)
}

/// The file could not be kept for the import.
#[derive(Debug, thiserror::Error)]
#[error("the file could not be kept")]
struct NotKept(#[source] std::io::Error);

impl Explain for NotKept {
    fn kind(&self) -> Kind {
        Kind::Internal
    }

    fn code(&self) -> &'static str {
        "STUDIO_ACT"
    }

    fn message(&self) -> Message {
        let source = &self.0;
        message!(en: "the file could not be kept: {source}", zh: "无法暂存文件：{source}")
    }
}

/// Takes a file in: it lies in a directory of its own while `novel import` reads it.
pub(crate) fn import(ask: &Ask) -> Result<Reply, Fault> {
    let upload = ask.form.upload.as_ref().ok_or(Fault::NotFound)?;
    let (stem, ending) = upload
        .name
        .rsplit_once('.')
        .unwrap_or((&upload.name, "txt"));
    let ending = match ending.to_ascii_lowercase().as_str() {
        "epub" => "epub",
        "md" | "markdown" => "md",
        _ => "txt",
    };
    let directory = tempfile::tempdir().map_err(NotKept)?;
    let path = directory.path().join(format!("book.{ending}"));
    let mut file = std::fs::File::create(&path).map_err(NotKept)?;
    file.write_all(&upload.bytes).map_err(NotKept)?;
    drop(file);
    let name = new_name(ask, stem);
    let command = Command::new("import --yes")
        .option("--project-name", &name)
        .word(path.to_string_lossy());
    perform(ask, &command, &name)
}
