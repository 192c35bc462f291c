//! The frame of a page: top bar, content, command line.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use novel_app::{Project, history};
use novel_model::{Lang, message};

use super::{icon, key, operation_word};
use crate::{
    ask::{Ask, Theme},
    assets::assets,
    reply::Fault,
    waits::{self, Wait},
};

/// The shapes of all marks and icons, once per page.
const SPRITE: &str = include_str!("sprite.svg");

/// Where a page stands in the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nav {
    Desk,
    Decisions,
    Chapters,
    Board,
    Runs,
    Codex,
    Threads,
    Checks,
    Reports,
    History,
    Search,
    Settings,
}

impl Nav {
    const FIRST: [Self; 5] = [
        Self::Desk,
        Self::Decisions,
        Self::Chapters,
        Self::Board,
        Self::Runs,
    ];
    const MORE: [Self; 6] = [
        Self::Codex,
        Self::Threads,
        Self::Checks,
        Self::Reports,
        Self::History,
        Self::Settings,
    ];

    /// The last part of its address.
    const fn word(self) -> &'static str {
        match self {
            Self::Desk => "",
            Self::Decisions => "decisions",
            Self::Chapters => "chapters",
            Self::Board => "board",
            Self::Runs => "runs",
            Self::Codex => "codex",
            Self::Threads => "threads",
            Self::Checks => "checks",
            Self::Reports => "reports",
            Self::History => "history",
            Self::Search => "search",
            Self::Settings => "settings",
        }
    }

    /// The key after `g`.
    const fn key(self) -> &'static str {
        match self {
            Self::Desk => "d",
            Self::Decisions => "w",
            Self::Chapters => "n",
            Self::Board => "b",
            Self::Runs => "u",
            Self::Codex => "c",
            Self::Threads => "t",
            Self::Checks => "k",
            Self::Reports => "r",
            Self::History => "h",
            Self::Search => "/",
            Self::Settings => "s",
        }
    }

    pub(crate) fn name(self, lang: Lang) -> &'static str {
        let (en, zh) = match self {
            Self::Desk => ("Desk", "书桌"),
            Self::Decisions => ("Decisions", "待处理"),
            Self::Chapters => ("Chapters", "章节"),
            Self::Board => ("Board", "故事板"),
            Self::Runs => ("Runs", "运行"),
            Self::Codex => ("Codex", "设定集"),
            Self::Threads => ("Threads", "伏笔"),
            Self::Checks => ("Checks", "检查"),
            Self::Reports => ("Reports", "报告"),
            Self::History => ("History", "历史"),
            Self::Search => ("Search", "搜索"),
            Self::Settings => ("Settings", "设置"),
        };
        match lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn href(self, book: &str) -> String {
        match self {
            Self::Desk => format!("/b/{book}"),
            _ => format!("/b/{book}/{}", self.word()),
        }
    }
}

/// What the frame says of a book.
pub(crate) struct BookFrame {
    /// Its id.
    pub(crate) id: String,
    /// Its title, or the name of its directory.
    pub(crate) title: String,
    /// How much waits for the author; `None` where it cannot be told.
    pub(crate) waits: Option<usize>,
    /// What waits.
    pub(crate) waiting: Vec<Wait>,
    /// The language of its prose.
    pub(crate) lang: Lang,
}

impl BookFrame {
    /// For a book that can be read.
    pub(crate) fn load(ask: &Ask, project: &Project) -> Result<Self, Fault> {
        let waiting = waits::waiting(ask, project)?;
        let count = waiting.iter().filter(|wait| wait.needs_the_author());
        Ok(Self {
            id: ask.book()?.to_owned(),
            title: title(ask, project),
            waits: Some(count.count()),
            waiting,
            lang: project.config().lang(),
        })
    }

    /// An address in this book.
    pub(crate) fn href(&self, place: &str) -> String {
        format!("/b/{}{place}", self.id)
    }
}

fn title(ask: &Ask, project: &Project) -> String {
    let own = project.config().title.clone();
    own.filter(|title| !title.trim().is_empty())
        .unwrap_or_else(|| ask.t("Untitled book", "未命名作品").to_owned())
}

/// One page.
pub(crate) struct Frame<'a> {
    pub(crate) title: String,
    pub(crate) nav: Nav,
    pub(crate) book: &'a BookFrame,
    /// What the recommended button would type.
    pub(crate) command: String,
    /// Keys of this page and what they do.
    pub(crate) keys: &'a [(&'a str, &'a str)],
    /// Between the top bar and the content.
    pub(crate) bar: Option<Markup>,
    /// The classes of the content.
    pub(crate) class: &'a str,
    pub(crate) main: Markup,
}

/// A page of a book.
pub(crate) fn frame(ask: &Ask, frame: Frame<'_>) -> Markup {
    let lang = ask.lang();
    let book = frame.book;
    let more_here = Nav::MORE.contains(&frame.nav);
    let keys_title = ask.t("Keys", "按键");
    let body = html! {
        a class="skip" href="#main" { (ask.t("Skip to content", "跳到正文")) }
        header class="top" {
            a class="book" href="/" title=(ask.t("Change book", "换一本书")) {
                span { (book.title) }
                svg class="ico s" aria-hidden="true" { use href="#i-down"; }
            }
            nav class="nav" aria-label=(ask.t("Main", "主导航")) {
                ul {
                    @for nav in Nav::FIRST {
                        li {
                            a href=(nav.href(&book.id)) aria-current=[(nav == frame.nav).then_some("page")] data-go=(nav.key()) {
                                (icon(if nav == Nav::Desk { "desk" } else { nav.word() }))
                                (nav.name(lang))
                                @if nav == Nav::Decisions && let Some(count) = book.waits && count > 0 {
                                    " " span class="seal" { (count) span class="vh" { (ask.t(" waiting", " 件待办")) } }
                                }
                            }
                        }
                    }
                    li {
                        details class={ "more" @if more_here { " here" } } name="more" {
                            summary {
                                @if more_here {
                                    (frame.nav.name(lang)) " "
                                    svg class="ico s" aria-hidden="true" { use href="#i-down"; }
                                } @else {
                                    (icon("more")) span class="vh" { (ask.t("More", "更多")) }
                                }
                            }
                            ul {
                                @for nav in Nav::MORE {
                                    li {
                                        a href=(nav.href(&book.id)) aria-current=[(nav == frame.nav).then_some("page")] data-go=(nav.key()) {
                                            (nav.name(lang)) " " kbd { "g " (nav.key()) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (tools(ask, Some(&Nav::Search.href(&book.id))))
        }
        @if let Some(bar) = frame.bar { (bar) }
        main id="main" class=(frame.class) { (undone_note(ask)) (frame.main) }
        footer class="cmdbar" {
            @if !frame.command.is_empty() {
                span { (ask.t("same as", "等同于")) } " "
                code { (frame.command) } " "
                button class="btn quiet" type="button" data-copy=(frame.command) hidden { (ask.t("Copy", "复制")) }
            }
            ul class="keys" aria-label=(keys_title) {
                @if ask.visitor.keys {
                    @for (keys, what) in frame.keys {
                        li { @for name in keys.split(' ') { (key(name)) } " " (what) }
                    }
                    li { (key("/")) " " (ask.t("search", "搜索")) }
                    li { (key("?")) " " (ask.t("all keys", "全部")) }
                }
            }
        }
        (all_keys(ask, frame.keys))
        @if let Some(operation) = ask.query.get("after").and_then(crate::ask::number) {
            (undo_bar(ask, book, u64::from(operation)))
        }
    };
    document(
        ask,
        &format!("{} · {}", frame.title, book.title),
        book_live(book),
        body,
    )
}

fn book_live(book: &BookFrame) -> Option<String> {
    Some(book.href("/live"))
}

/// A page without a book.
pub(crate) fn bare(ask: &Ask, title: &str, class: &str, main: Markup) -> Markup {
    let body = html! {
        a class="skip" href="#main" { (ask.t("Skip to content", "跳到正文")) }
        header class="top" {
            a class="book" href="/" { span { "novel studio" } }
            (tools(ask, None))
        }
        main id="main" class=(class) { (main) }
        footer class="cmdbar keysonly" {
            ul class="keys" aria-label=(ask.t("Keys", "按键")) {
                @if ask.visitor.keys { li { (key("?")) " " (ask.t("all keys", "全部")) } }
            }
        }
        (all_keys(ask, &[]))
    };
    document(ask, title, None, body)
}

fn tools(ask: &Ask, search: Option<&str>) -> Markup {
    let (other, tag, short, long) = match ask.lang() {
        Lang::Zh => ("en", "en", "EN", " English"),
        Lang::En => ("zh", "zh-CN", "中", " 中文"),
    };
    let theme = match ask.visitor.theme {
        Some(Theme::Dark) => Theme::Light,
        Some(Theme::Light) | None => Theme::Dark,
    };
    let path = &ask.path;
    html! {
        div class="tools" {
            @if let Some(search) = search {
                a class="btn quiet icon" href=(search) title=(ask.t("Search", "搜索")) data-go="/" {
                    (icon("search")) span class="vh" { (ask.t("Search", "搜索")) }
                }
            }
            a class="btn quiet icon" href={ (path) "?lang=" (other) } lang=(tag) hreflang=(tag) {
                (short) span class="vh" { (long) }
            }
            a class="btn quiet icon" href={ (path) "?theme=" (theme.word()) } data-theme {
                (icon("theme")) span class="vh" { (ask.t("Light or dark", "浅色或深色")) }
            }
        }
    }
}

fn undone_note(ask: &Ask) -> Markup {
    html! {
        @match ask.query.get("note") {
            Some("busy") => p class="flash" role="status" {
                (ask.t(
                    "Started as a process of its own. This page shows what it has done so far.",
                    "已在独立进程中开始，本页显示目前的进展。",
                ))
            },
            Some("told") => p class="flash" role="status" {
                (ask.t(
                    "Saved: the next call to writer, reviser or planner includes it.",
                    "已记下：下一次写作、修订或规划会带上这条要求。",
                ))
            },
            Some("limit") => p class="flash wait" role="alert" {
                (ask.t(
                    "Nothing was started: set a spending limit, or tick “No limit”.",
                    "没有开始：请写明本次运行的费用上限，或勾选不设上限。",
                ))
            },
            _ => {},
        }
    }
}

/// The keys of the page, opened by `?`.
fn all_keys(ask: &Ask, keys: &[(&str, &str)]) -> Markup {
    let l = ask.lang();
    let jumps = Nav::FIRST.into_iter().chain(Nav::MORE);
    html! {
        dialog id="keys" aria-labelledby="keys-h" {
            h2 class="h-sec" id="keys-h" { (ask.t("Keys", "按键")) }
            dl class="kv" {
                @for (name, what) in keys {
                    dt { @for name in name.split(' ') { (key(name)) " " } } dd { (what) }
                }
                @for nav in jumps { dt { (key("g")) " " (key(nav.key())) } dd { (nav.name(l)) } }
                dt { (key("/")) } dd { (ask.t("Search", "搜索")) }
            }
            form method="dialog" { button class="btn" { (ask.t("Close", "关闭")) } }
        }
    }
}

/// After an act: what was done, and how to take it back.
pub(crate) fn undo_bar(ask: &Ask, book: &BookFrame, operation: u64) -> Markup {
    let newest = ask
        .project()
        .ok()
        .and_then(|project| history::log(&project, 1).ok())
        .and_then(|log| log.answer().operations.into_iter().next())
        .filter(|newest| newest.operation == operation && !newest.undone);
    html! {
        @if let Some(done) = newest {
            div class="undo" role="status" {
                p {
                    (operation_word(ask.lang(), &done.kind)) " " (done.target) " "
                    span class="faint" {
                        @let said = message!(en: "operation {operation}", zh: "操作 {operation}");
                        (said.get(ask.lang()))
                    }
                }
                form method="post" action=(book.href("/undo")) {
                    (hidden(ask))
                    input type="hidden" name="operation" value=(operation);
                    button class="btn" data-key="u" { (ask.t("Undo", "撤销")) " " (key("u")) }
                }
            }
        }
    }
}

/// The proof a form is ours.
pub(crate) fn hidden(ask: &Ask) -> Markup {
    html! { input type="hidden" name="_form" value=(ask.visitor.csrf); }
}

fn document(ask: &Ask, title: &str, live: Option<String>, body: Markup) -> Markup {
    let tag = match ask.lang() {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    };
    html! {
        (DOCTYPE)
        html lang=(tag) class=[ask.visitor.theme.map(Theme::word)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='2' y='2' width='12' height='12' rx='2' fill='%23b03a22'/%3E%3C/svg%3E";
                link rel="stylesheet" href=(assets().style.href());
                script src=(assets().script.href()) type="module" {}
            }
            body data-live=[live] data-keys=(if ask.visitor.keys { "on" } else { "off" }) {
                (body)
                (PreEscaped(SPRITE))
            }
        }
    }
}
