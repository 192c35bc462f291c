//! Editing a chapter: the Markdown with the hash it began with, checks beside it, adoption apart.

use axum::http::StatusCode;
use maud::{Markup, html};
use novel_app::{
    Project,
    care::{check, lint},
    library::{
        manuscripts,
        overview::{self, EditableText},
    },
};
use novel_contract::care::LintAnswer;
use novel_model::{ChapterNo, message};

use crate::{
    act::{self, Command, Input, Outcome, Place},
    ask::Ask,
    assets::assets,
    pages::{
        act_and_go,
        chapter::{self, Facts, Tab},
        error,
    },
    reply::{Fault, Reply},
    session::Nonce,
    view::{
        BookFrame, Frame, Mark, Nav, badge, chapter_name, diff, excerpt, frame, hidden, key,
        side_by_side, tag, thousands,
    },
};

/// Blacklisted phrases that are shown.
const LINTED: usize = 20;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let chapter = ask.chapter()?;
    let text = overview::editable(&project, chapter)?.ok_or(Fault::NotFound)?;
    let nonce = Nonce::new()?;
    let page = sheet(ask, &project, chapter, &text, &nonce)?;
    Ok(Reply::Editor(StatusCode::OK, nonce, page))
}

fn sheet(
    ask: &Ask,
    project: &Project,
    chapter: ChapterNo,
    text: &EditableText,
    nonce: &Nonce,
) -> Result<Markup, Fault> {
    let book = BookFrame::load(ask, project)?;
    let l = ask.lang();
    let n = chapter.get();
    let label = message!(en: "Text of chapter {n}", zh: "第 {n} 章正文");
    let facts = chapter::facts(project, chapter)?;
    let checks = checks(ask, &book, project, chapter, &text.markdown)?;
    let end = html! {
        div class="end savebar" {
            span class="gauge num" data-count=(ask.t(" words", " 字")) { (thousands(words(&text.markdown))) (ask.t(" words", " 字")) }
            (said(ask, facts.edited))
            button class="btn quiet small" type="button" data-plain aria-pressed="false" title=(ask.t("plain text field", "改用普通文本框")) { (ask.t("Plain field", "普通文本框")) " " (key("F2")) }
            button class="btn small" form="editor" data-save { (ask.t("Save", "保存")) " " (key("Ctrl S")) }
            button class="btn small primary" form="adopt" { (ask.t("Adopt", "采纳")) " " span class="price" { (price(ask, project)) } }
        }
    };
    let main = html! {
        section class="margin gutter" aria-label=(ask.t("Checks", "检查")) { (checks) }
        article class="leaf" {
            header { p class="n" { (chapter_name(l, chapter)) } h1 lang=(tag(book.lang)) { (facts.title) } }
            form id="editor" method="post" action=(book.href(&format!("/chapters/{n}/edit"))) {
                (hidden(ask))
                input type="hidden" name="base" value=(text.hash);
                label class="vh" for="text" { (label.get(l)) }
                div class="sheetstack" {
                    textarea class="prose editor" id="text" name="text" lang=(tag(book.lang)) spellcheck="false" autocomplete="off" data-editor data-nonce=(nonce.as_str()) data-words=(words_of_the_editor(ask, label.get(l))) { (text.markdown) }
                }
            }
            (script())
            form id="adopt" method="post" action=(book.href(&format!("/chapters/{n}/adopt"))) { (hidden(ask)) input type="hidden" name="act" value="adopt"; }
        }
        aside class="beside" aria-label=(ask.t("Beside the text", "正文旁")) tabindex="0" {
            @if let Some(planned) = &facts.planned { (chapter::contract(ask, planned, facts.verdict.as_ref())) }
            (after(ask, &facts))
        }
    };
    Ok(frame(
        ask,
        Frame {
            title: format!("{} {n}", ask.t("Edit", "编辑")),
            nav: Nav::Chapters,
            book: &book,
            command: format!("novel adopt {n}"),
            keys: &[
                ("Ctrl S", ask.t("save", "保存")),
                ("F8", ask.t("next check", "下一处检查")),
                ("Esc", ask.t("leave the text", "离开正文")),
            ],
            bar: Some(chapter::bar(ask, &book, &facts, Tab::Edit, end)),
            class: "sheetgrid has-savebar",
            main,
        },
    ))
}

/// What became of the text; the editor shows the one that fits.
fn said(ask: &Ask, edited: bool) -> Markup {
    html! {
        span class="said" role="status" {
            span data-said="saved" hidden[!edited] { (badge(Mark::Edit, ask.t("saved · not adopted", "已存 · 尚未采纳"))) }
            span data-said="same" hidden { (badge(Mark::Ok, ask.t("saved · as in the book", "已存 · 与书中相同"))) }
            span data-said="refused" hidden { (badge(Mark::Wait, ask.t("not saved", "未保存"))) " " span data-why {} }
        }
    }
}

/// The editor, for the pages that have a text to edit.
fn script() -> Markup {
    html! { script src=(assets().editor.href()) type="module" {} }
}

/// What the editor says, by the words its parts know it under.
fn words_of_the_editor(ask: &Ask, label: &str) -> String {
    let words = [
        ("label", label),
        ("line", ask.t("Line $:", "第 $ 行：")),
        (
            "clean",
            ask.t("No checks in the text.", "正文中没有检查结果。"),
        ),
        (
            "gone",
            ask.t(
                "The Studio does not answer; the text is still here.",
                "Studio 没有响应，文字仍在此处。",
            ),
        ),
        ("mine", ask.t("Keep mine", "保留我的")),
        ("theirs", ask.t("Take the file's", "用文件的")),
        ("Find", ask.t("Find", "查找")),
        ("Replace", ask.t("Replace", "替换为")),
        ("next", ask.t("next", "下一处")),
        ("previous", ask.t("previous", "上一处")),
        ("all", ask.t("all", "全选")),
        ("match case", ask.t("match case", "区分大小写")),
        ("regexp", ask.t("regular expression", "正则表达式")),
        ("by word", ask.t("whole words", "整词")),
        ("replace", ask.t("replace", "替换")),
        ("replace all", ask.t("replace all", "全部替换")),
        ("close", ask.t("close", "关闭")),
        ("current match", ask.t("current match", "当前匹配")),
        ("on line", ask.t("on line", "所在行")),
        (
            "replaced match on line $",
            ask.t("replaced match on line $", "已替换第 $ 行的一处"),
        ),
        (
            "replaced $ matches",
            ask.t("replaced $ matches", "已替换 $ 处"),
        ),
        (
            "Selection deleted",
            ask.t("selection deleted", "已删除所选文字"),
        ),
    ];
    let words = words.map(|(name, word)| (name.to_owned(), word.into()));
    serde_json::Value::Object(words.into_iter().collect()).to_string()
}

fn after(ask: &Ask, facts: &Facts) -> Markup {
    let later = facts.written.saturating_sub(facts.chapter.get());
    html! {
        details {
            summary { (ask.t("What adopting does", "采纳之后")) }
            p class="muted" {
                (ask.t("The chapter is summarized again; state, threads and memory follow the new text.", "重做本章摘要，状态、伏笔与记忆随新文更新。"))
                @if later > 0 { " " (message!(en: "{later} later chapters stay as they are; the checks name what no longer fits.", zh: "之后的 {later} 章保持不动，检查会指出不再相符之处。").get(ask.lang())) }
            }
        }
    }
}

/// What adopting costs: one summary.
fn price(ask: &Ask, project: &Project) -> String {
    use novel_app::executor::ExecutorKind;
    match project.config().executor {
        ExecutorKind::Offline => ask.t("free", "免费").to_owned(),
        ExecutorKind::Llm | ExecutorKind::Command => ask.t("one summary", "一次摘要").to_owned(),
    }
}

/// Words as a person counts them: Chinese by character, others by word.
fn words(text: &str) -> u64 {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        let wide = ('\u{3400}'..='\u{9fff}').contains(&c);
        let letter = c.is_alphanumeric() && !wide;
        if wide || (letter && !inside) {
            count += 1;
        }
        inside = letter || (inside && matches!(c, '\'' | '’' | '-'));
    }
    count
}

/// Something to say about a place in the text.
struct Remark {
    kind: Mark,
    name: String,
    text: String,
    /// The words it is about, as they stand in the Markdown.
    quote: Option<String>,
    line: Option<usize>,
    /// Where both sides are shown.
    more: Option<String>,
}

/// The list of findings and blacklisted phrases in the text as it is now, by line; the marks in the editor's
/// gutter link to its entries.
fn checks(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    chapter: ChapterNo,
    markdown: &str,
) -> Result<Markup, Fault> {
    let l = ask.lang();
    let found = check::check_text(project, chapter, markdown)?
        .answer(l)
        .findings;
    let name = chapter_name(l, chapter);
    let linted = lint::lint(project, &[(name, markdown.to_owned())])?.answer();
    let hits = match linted {
        LintAnswer::File(report) => report.hits,
        LintAnswer::Files { .. } => Vec::new(),
    };
    let line_of = |text: &str| {
        let found = markdown.lines().position(|line| line.contains(text));
        found.map(|line| line + 1)
    };
    let mut remarks: Vec<Remark> = Vec::new();
    for checked in found {
        let finding = checked.finding;
        let place = &finding.place;
        // The words that are meant, if they stand in the text once; else the line they are quoted from.
        let first = place.quotation.lines().next().unwrap_or_default().trim();
        let focus = place.focus.as_deref().filter(|focus| {
            !focus.is_empty() && first.contains(focus) && markdown.matches(focus).count() == 1
        });
        let quote = focus.unwrap_or(first);
        let line = line_of(quote).filter(|_| !quote.is_empty());
        remarks.push(Remark {
            kind: Mark::Wait,
            quote: line.map(|_| quote.to_owned()),
            line,
            more: Some(book.href(&format!("/checks#{}", finding.fingerprint))),
            name: finding.code,
            text: finding.message,
        });
    }
    for hit in hits.into_iter().take(LINTED) {
        remarks.push(Remark {
            kind: Mark::Edit,
            name: ask.t("blacklisted phrase", "黑名单用语").to_owned(),
            text: message!(en: "“{}” × {}", zh: "「{}」× {}", hit.word, hit.count)
                .get(l)
                .to_owned(),
            line: line_of(&hit.word),
            quote: Some(hit.word),
            more: None,
        });
    }
    remarks.sort_by_key(|remark| remark.line.unwrap_or(usize::MAX));
    Ok(html! {
        h2 class="h-sec" { (ask.t("Checks", "检查")) }
        @if remarks.is_empty() { p class="muted small" { (ask.t("Nothing found.", "没有发现问题。")) } }
        ul {
            @for remark in &remarks {
                li class={ "check" @if remark.kind == Mark::Wait { " wait" } } data-quote=[remark.quote.as_deref()] data-kind=(remark.kind.word()) {
                    (badge(remark.kind, &remark.name)) " "
                    span data-text { (remark.text) } " "
                    span class="gone" hidden { (ask.t("no longer in the text; saved texts are checked again", "正文中已无此处；保存后重新检查")) }
                    @if let Some(line) = remark.line {
                        span class="small faint num" data-line { (message!(en: "line {line}", zh: "第 {line} 行").get(l)) }
                        button class="btn quiet small" type="button" data-jump hidden { (ask.t("go there", "定位")) } " "
                    }
                    @if let Some(more) = &remark.more { a href=(more) { (ask.t("both sides", "看两边")) } }
                }
            }
        }
    })
}

/// Saves the text, if the file is still what the edit began with.
pub(crate) fn save(ask: &Ask) -> Result<Reply, Fault> {
    let chapter = ask.chapter()?;
    let n = chapter.get();
    let (Some(base), Some(text)) = (ask.form.get("base"), ask.form.get("text")) else {
        return Err(Fault::NotFound);
    };
    let command = Command::new(&format!("chapter save {n}")).option("--base", base);
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let place = Place::Book(&root);
    let quiet = ask.query.get("quiet").is_some();
    let here = format!("/b/{}/chapters/{n}/edit", ask.book()?);
    match act::perform(&ask.studio, place, ask.lang(), &command, Input::Text(text))? {
        Outcome::Done(mut data) if quiet => {
            let edited = overview::is_chapter_edited(&ask.project()?, chapter)?;
            data["edited"] = edited.into();
            Ok(Reply::Json(data))
        }
        Outcome::Done(_) => Ok(Reply::Go(here)),
        Outcome::Refused(refused) if refused.code == "EDIT_CONFLICT" => {
            conflict(ask, chapter, base, text, quiet)
        }
        Outcome::Refused(refused) if quiet => {
            let said =
                serde_json::to_value(&*refused).map_err(|error| command.unreadable(error))?;
            Ok(Reply::JsonWith(StatusCode::UNPROCESSABLE_ENTITY, said))
        }
        Outcome::Refused(refused) => Ok(error::refused(ask, &command, &refused)),
    }
}

/// Three texts: the book's, the file's, the visitor's. Nothing is lost: the visitor's is in the form.
fn conflict(
    ask: &Ask,
    chapter: ChapterNo,
    base: &str,
    mine: &str,
    quiet: bool,
) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let n = chapter.get();
    let there = overview::editable(&project, chapter)?.ok_or(Fault::NotFound)?;
    if quiet {
        let answer = serde_json::json!({ "conflict": true, "found": there.hash, "base": base });
        return Ok(Reply::JsonWith(StatusCode::CONFLICT, answer));
    }
    let shown = novel_app::write::chapter::show(&project, chapter, None)?;
    let committed = shown.markdown(book.lang);
    let mine_normal = mine.replace("\r\n", "\n");
    let facts = chapter::facts(&project, chapter)?;
    let nonce = Nonce::new()?;
    let label = ask.t("Your text, to be joined", "你的文本，在此合并");
    let pieces = manuscripts::difference(&there.markdown, &mine_normal);
    let main = html! {
        div class="pagehead" {
            div {
                p class="eyebrow" { (badge(Mark::Wait, ask.t("Saved elsewhere meanwhile", "期间另有保存"))) " · " code { "EDIT_CONFLICT" } }
                h1 class="h-page" { (message!(en: "Chapter {n} has two edits", zh: "第 {n} 章有两份改动").get(l)) }
            }
        }
        p class="muted" { (ask.t("Nothing was overwritten. Below: the text of the book, the file as it is now, and yours. Join them in the field, then save.", "没有覆盖任何内容。下面是书中正文、文件现状和你的改动。请在文本框里合并后保存。")) }
        section class="sec" {
            header { h2 class="h-sec" { (ask.t("From the file to yours", "从文件现状到你的改动")) } }
            (diff(l, book.lang, &pieces))
        }
        (side_by_side(book.lang, &[
            (ask.t("The book", "书中正文"), &committed),
            (ask.t("The file now", "文件现状"), &there.markdown),
            (ask.t("Yours", "你的改动"), &mine_normal),
        ]))
        form method="post" action=(book.href(&format!("/chapters/{n}/edit"))) class="field" {
            (hidden(ask))
            input type="hidden" name="base" value=(there.hash);
            label for="text" { (label) }
            textarea hidden disabled data-original { (there.markdown) }
            div class="sheetstack" {
                textarea class="input merge" id="text" name="text" rows="18" lang=(tag(book.lang)) data-editor data-nonce=(nonce.as_str()) data-words=(words_of_the_editor(ask, label)) { (mine_normal) }
            }
            div class="acts" {
                button class="btn primary" { (ask.t("Save the joined text", "保存合并后的文本")) }
                a class="btn" href=(book.href(&format!("/chapters/{n}/edit"))) { (ask.t("Take the file as it is", "用文件现状")) }
            }
        }
        (script())
    };
    let page = frame(
        ask,
        Frame {
            title: excerpt(&facts.title, 20),
            nav: Nav::Chapters,
            book: &book,
            command: format!("novel chapter save {n} --base {}", there.hash),
            keys: &[
                ("F8", ask.t("next difference", "下一处不同")),
                ("Ctrl S", ask.t("save", "保存")),
            ],
            bar: Some(chapter::bar(ask, &book, &facts, Tab::Edit, html! {})),
            class: "page stack",
            main,
        },
    );
    Ok(Reply::Editor(StatusCode::CONFLICT, nonce, page))
}

/// The edited Markdown becomes the text of the chapter.
pub(crate) fn adopt(ask: &Ask) -> Result<Reply, Fault> {
    let n = ask.chapter()?.get();
    let command = Command::new(&format!("adopt {n}"));
    act_and_go(ask, &command, &format!("/b/{}/chapters/{n}", ask.book()?))
}
