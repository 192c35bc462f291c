//! Search in text, summaries and notes.

use maud::html;
use novel_app::library::search::{self, Reading, SearchRequest, Shelf};
use novel_contract::library::{SearchHit, Shelf as Place};

use crate::{
    ask::Ask,
    pages::nothing,
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Nav, chapter_name, counts, frame, tag},
};

/// Hits on the page.
const SHOWN: usize = 40;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let words = ask.query.filled("q").unwrap_or_default().to_owned();
    let found = if words.is_empty() {
        None
    } else {
        let request = SearchRequest {
            words: words.clone(),
            reading: Reading::Ranked,
            shelves: vec![Shelf::Chapters, Shelf::Summaries, Shelf::Notes],
            limit: SHOWN,
        };
        Some(search::search(&project, &request)?.answer())
    };
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (ask.t("Search", "搜索")) } }
        form method="get" action=(book.href("/search")) class="searchbar" role="search" {
            label class="vh" for="q" { (ask.t("Words", "词语")) }
            input class="input" id="q" name="q" type="search" value=(words) autofocus placeholder=(ask.t("a name, a thing, a phrase", "人名、物件、一句话"));
            button class="btn primary" { (ask.t("Search", "搜索")) }
        }
        @match &found {
            None => (nothing(ask.t("Text, summaries and notes are searched; names with their aliases.", "在正文、摘要与笔记中查找；人名含别名。"))),
            Some(found) if found.results.is_empty() => (nothing(ask.t("Nothing found.", "没有找到。"))),
            Some(found) => {
                p class="small muted" { (counts(l, found.total, "place", "处")) @for term in &found.terms { @if !term.names.is_empty() { " · " (term.text) " = " (term.names.join("、")) } } }
                ol class="rows hits" {
                    @for hit in &found.results {
                        li {
                            span {
                                @match hit.chapter {
                                    Some(chapter) => a href=(book.href(&format!("/chapters/{}", chapter.get()))) { (chapter_name(l, chapter)) " " (hit.title.clone().unwrap_or_default()) },
                                    None => code { (hit.path) },
                                }
                                " " span class="small faint" { @match hit.r#in { Place::Chapters => (ask.t("text", "正文")), Place::Summaries => (ask.t("summary", "摘要")), Place::Notes => (ask.t("note", "笔记")) } " · " (hit.count) }
                            }
                            blockquote class="serif" lang=(tag(book.lang)) { (snippet(hit)) }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Search", "搜索").to_owned(),
            nav: Nav::Search,
            book: &book,
            command: if words.is_empty() {
                "novel search …".to_owned()
            } else {
                crate::act::Command::new("search").word(words).typed()
            },
            keys: &[],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// The snippet with its places marked; marks count characters.
fn snippet(hit: &SearchHit) -> maud::Markup {
    let characters: Vec<char> = hit.snippet.chars().collect();
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut at = 0;
    for (start, end) in &hit.marks {
        let (start, end) = ((*start).min(characters.len()), (*end).min(characters.len()));
        if start >= at && end > start {
            parts.push((false, characters[at..start].iter().collect()));
            parts.push((true, characters[start..end].iter().collect()));
            at = end;
        }
    }
    parts.push((false, characters[at..].iter().collect()));
    html! { @for (is_marked, text) in parts { @if is_marked { mark { (text) } } @else { (text) } } }
}
