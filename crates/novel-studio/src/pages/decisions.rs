//! Decisions: what waits, with its evidence and its answers.

use maud::{Markup, html};
use novel_app::{
    Project,
    care::check::{self, Selection, Waived},
    library::{manuscripts, overview},
    revise::revision,
    setup::start,
};
use novel_contract::{care::CheckedFinding, library::ForeshadowRow, setup::StartAnswer};
use novel_model::{ChapterNo, Lang, files::RevisionTrigger, message};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    act::Command,
    ask::{Ask, number},
    pages::{act_and_go, board, nothing},
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, badge_filled, changed_words, chapter_name, diff,
        excerpt, frame, hidden, key, mark, marked, paragraphs_changed, severity_word, tag,
    },
    waits::Wait,
};

/// Where a decision is taken.
pub(crate) fn href(book: &BookFrame, wait: &Wait) -> String {
    book.href(&format!("/decisions?item={}", wait.id()))
}

/// The place in the text a decision is about, and what of it is meant.
pub(crate) fn first_quotation(project: &Project, wait: &Wait) -> Option<(String, Option<String>)> {
    let Wait::Revision(found) = wait else {
        return None;
    };
    let finding = findings(project, found.chapter_number, Lang::En)
        .ok()?
        .into_iter()
        .next();
    if let Some(finding) = finding {
        let place = finding.finding.place;
        return Some((excerpt(&place.quotation, 160), place.focus));
    }
    let evidence = found
        .issues
        .iter()
        .find_map(|issue| issue.evidence.clone())?;
    Some((excerpt(&evidence, 160), None))
}

/// What the checker finds in one chapter.
fn findings(
    project: &Project,
    chapter: ChapterNo,
    lang: Lang,
) -> Result<Vec<CheckedFinding>, Fault> {
    let selection = Selection::Range(chapter..=chapter);
    Ok(check::check(project, &selection, Waived::Hide)?
        .answer(lang)
        .findings)
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let waiting = &book.waiting;
    let wanted = ask.query.get("item");
    let chosen = waiting
        .iter()
        .position(|wait| wanted == Some(wait.id().as_str()))
        .unwrap_or(0);
    let (detail, answers, command) = match waiting.get(chosen) {
        Some(wait) => detail(ask, &book, &project, wait)?,
        None => (
            html! {
                article class="detail" {
                    h2 class="h-page" { (ask.t("Nothing waits for you", "待你处理：无")) }
                    p class="muted" { (ask.t("What needs your decision appears here: a gate, a revision, a plan, a trial, an edited chapter, a thread that is due.", "需要你决定的事会出现在这里：评审、修订、规划、试写、手改的章节、到期的伏笔。")) }
                    p { a class="btn" href=(book.href("")) { (ask.t("To the desk", "回到书桌")) } }
                }
            },
            html! {},
            "novel start".to_owned(),
        ),
    };
    let previous = chosen.checked_sub(1).and_then(|index| waiting.get(index));
    let next = waiting.get(chosen + 1);
    let main = html! {
        section class="list" aria-labelledby="dl-h" {
            h1 class="h-page" id="dl-h" { (ask.t("Decisions", "待处理")) " " @if let Some(count) = book.waits.filter(|count| *count > 0) { span class="seal" { (count) } } }
            ul {
                @for (index, wait) in waiting.iter().enumerate() {
                    li {
                        a href=(href(&book, wait)) aria-current=[(index == chosen).then_some("true")] data-next=[(index == chosen + 1).then_some("down")] data-previous=[(index + 1 == chosen).then_some("up")] {
                            (mark(wait.mark()))
                            span { span class="vh" { (wait.kind(l)) ": " } (wait.headline(l)) }
                            span class="why" { (excerpt(&wait.why(l), 80)) }
                        }
                    }
                }
            }
            @if waiting.len() > 1 {
                p class="only-narrow small muted" {
                    (chosen + 1) " / " (waiting.len())
                    @if let Some(wait) = previous { " · " a href=(href(&book, wait)) { (ask.t("previous", "上一件")) } }
                    @if let Some(wait) = next { " · " a href=(href(&book, wait)) { (ask.t("next", "下一件")) } }
                }
            }
        }
        (detail)
        (answers)
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Decisions", "待处理").to_owned(),
            nav: Nav::Decisions,
            book: &book,
            command,
            keys: &[
                ("↑ ↓", ask.t("choose", "选择")),
                ("a", ask.t("apply", "采用")),
                ("r", ask.t("keep", "保留")),
                ("n", ask.t("note", "理由")),
            ],
            bar: None,
            class: "page split",
            main,
        },
    )))
}

type Parts = (Markup, Markup, String);

fn detail(ask: &Ask, book: &BookFrame, project: &Project, wait: &Wait) -> Result<Parts, Fault> {
    match wait {
        Wait::Revision(found) => revision_parts(ask, book, project, found.chapter_number),
        Wait::Gate(offered) => gate_parts(ask, book, project, offered),
        Wait::Edited(chapter) => edited_parts(ask, book, project, *chapter),
        Wait::Thread(row) => thread_parts(ask, book, project, wait, row),
    }
}

fn revision_parts(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    chapter: ChapterNo,
) -> Result<Parts, Fault> {
    let l = ask.lang();
    let report = revision::show(project, chapter)?;
    let found = findings(project, chapter, l)?;
    let pieces = report.difference(book.lang);
    let has_candidate = report.status.revised_chapter.is_some();
    let by = match report.status.triggered_by {
        Some(RevisionTrigger::LogicReview) => ask.t("by the logic review", "由逻辑审查提出"),
        _ => ask.t("by the consistency check", "由一致性检查提出"),
    };
    let changed = paragraphs_changed(&pieces);
    let detail = html! {
        article class="detail" aria-labelledby="dd-h" {
            header class="dhead" {
                p class="eyebrow" { (badge(Mark::Wait, ask.t("Pending revision", "待处理的修订"))) " · " (by) " · " a href=(book.href(&format!("/chapters/{}", chapter.get()))) { (ask.t("read the chapter", "读全章")) } }
                h2 class="h-page" id="dd-h" { (chapter_name(l, chapter)) " " (report.text.chapter.chapter_title) }
            }
            @if found.is_empty() {
                @for issue in &report.status.issues {
                    section class="finding" {
                        header { (badge_filled(Mark::Wait, severity_word(l, issue.severity))) h3 { (issue.description) } code class="code" { (issue.issue_type) } }
                        @if let Some(evidence) = &issue.evidence { div class="sides" { div { p class="lab" { (ask.t("The text says", "正文写着")) } blockquote lang=(tag(book.lang)) { (evidence) } } } }
                        @if let Some(fix) = &issue.fix_instructions { p class="fix" { (fix) } }
                    }
                }
            }
            @for finding in &found { (finding_card(ask, book, finding)) }
            @if has_candidate {
                section aria-labelledby="df-h" {
                    div class="pagehead" {
                        h3 class="h-sec" id="df-h" { (ask.t("Candidate against the text", "候选稿与原文")) }
                        span class="small muted num" { (changed_words(l, changed)) }
                    }
                    (diff(l, book.lang, &pieces))
                }
            } @else {
                p class="muted" { (ask.t("There is no candidate yet: ask for one, edit the chapter, or keep the text.", "还没有候选稿：可以生成一稿、自己改，或保留原文。")) }
            }
            @if report.is_stale() { p class="small muted" { (ask.t("The text has changed since; the candidate was made for another one.", "正文此后改过，候选稿对应的是旧文。")) } }
        }
    };
    let first = found
        .first()
        .map(|finding| finding.finding.fingerprint.clone());
    let answers = html! {
        form class="decide" method="post" action=(book.href("/decisions")) aria-label=(ask.t("Decide", "决定")) {
            (hidden(ask))
            input type="hidden" name="kind" value="revision";
            input type="hidden" name="chapter" value=(chapter.get());
            h2 class="h-sec" { (ask.t("Your decision", "你的决定")) }
            div class="acts main" {
                @if has_candidate { button class="btn primary" name="act" value="apply" data-key="a" { (ask.t("Apply it", "采用候选稿")) " " (key("a")) } }
                button class={ "btn" @if !has_candidate { " primary" } } name="act" value="reject" data-key="r" { (ask.t("Keep the text", "保留原文")) " " (key("r")) }
            }
            div class="acts" {
                button class="btn" name="act" value="candidate" data-key="c" { span { @if has_candidate { (ask.t("Another candidate", "再出一稿")) } @else { (ask.t("Have a candidate made", "生成候选稿")) } } " " (key("c")) }
                a class="btn quiet" href=(book.href(&format!("/chapters/{}/edit", chapter.get()))) { (ask.t("Edit it myself", "自己改")) }
            }
            @if let Some(fingerprint) = first {
                input type="hidden" name="fingerprint" value=(fingerprint);
                div class="field" {
                    label for="reason" { (ask.t("Waive with a reason", "写明理由，豁免")) }
                    textarea class="input" id="reason" name="reason" rows="2" placeholder=(ask.t("such as: she is a ghost here", "例如：此处是回忆")) data-focus="n" {}
                }
                div class="acts" { button class="btn quiet" name="act" value="waive" data-key="w" { (ask.t("Waive", "豁免")) " " (key("w")) } }
            }
            p class="after" {
                (message!(en: "Applying it redoes summary and state of this chapter; then chapter {} can be written. Can be undone.", zh: "采用后会重做本章的摘要与状态，然后可以续写第 {} 章。随时可撤销。", chapter.next().get()).get(l))
            }
        }
    };
    let command = if has_candidate {
        format!("novel revision apply {}", chapter.get())
    } else {
        format!("novel revision reject {}", chapter.get())
    };
    Ok((detail, answers, command))
}

/// A line of the state log in words: `petra, status: dead`. What is no such line stays as it is.
fn record(text: &str) -> String {
    let Ok(op) = serde_json::from_str::<serde_json::Value>(text) else {
        return text.to_owned();
    };
    let path = op["path"].as_str().unwrap_or_default();
    let value = match &op["value"] {
        serde_json::Value::String(value) => value.clone(),
        serde_json::Value::Null => return text.to_owned(),
        other => other.to_string(),
    };
    let mut parts = path.split('.').skip(1);
    match (parts.next(), parts.next()) {
        (Some(who), Some(what)) => format!("{who}, {what}: {value}"),
        _ => text.to_owned(),
    }
}

/// Both sides of a contradiction.
pub(crate) fn finding_card(ask: &Ask, book: &BookFrame, checked: &CheckedFinding) -> Markup {
    let l = ask.lang();
    let finding = &checked.finding;
    let kind = match finding.severity {
        novel_model::files::Severity::High => Mark::Wait,
        _ => Mark::Due,
    };
    let place = |side: &novel_contract::care::Side| {
        let mut text = side.path.clone();
        if let Some(line) = side.line {
            text = format!("{text}:{line}");
        }
        text
    };
    let n = finding.chapter.get();
    html! {
        section class="finding" {
            header { (badge_filled(kind, severity_word(l, finding.severity))) h3 { (finding.message) } code class="code" { (finding.code) } }
            div class="sides" {
                div {
                    p class="lab" { (ask.t("The text says", "正文写着")) }
                    blockquote lang=(tag(book.lang)) { (marked(&finding.place.quotation, finding.place.focus.as_deref())) }
                    p class="where" {
                        a href=(book.href(&format!("/chapters/{n}"))) { (chapter_name(l, finding.chapter)) }
                        @if let Some(scene) = finding.place.scene { (message!(en: " · scene {scene}", zh: " · 第 {scene} 场").get(l)) }
                        @if let Some(line) = finding.place.line { (message!(en: ", line {line}", zh: "第 {line} 行").get(l)) }
                    }
                }
                div {
                    p class="lab" { (ask.t("The record says", "记录写着")) }
                    blockquote lang=(tag(book.lang)) { (record(&finding.other_side.quotation)) }
                    p class="where" { (place(&finding.other_side)) }
                }
            }
            @if let Some(fix) = &finding.fix_instructions { p class="fix" { (fix) } }
            @if let Some(reason) = &checked.waived { p class="fix" { (ask.t("Waived: ", "已豁免：")) (reason) } }
        }
    }
}

fn gate_parts(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    offered: &StartAnswer,
) -> Result<Parts, Fault> {
    let over = overview::overview(project)?;
    let staged = manuscripts::staged_newest(project)?;
    let detail = html! {
        article class="detail" aria-labelledby="dd-h" {
            header class="dhead" {
                p class="eyebrow" { (badge(Mark::Wait, ask.t("The book waits", "作品停在此处"))) }
                h2 class="h-page" id="dd-h" { (offered.headline) }
            }
            @if !offered.shown.is_empty() {
                section class="sec" {
                    header { h3 class="h-sec" { (ask.t("What is planned", "规划内容")) } a class="end small" href=(book.href(&format!("/board?volume={}&plan=waiting", over.current.get()))) { (ask.t("on the board", "在故事板上看")) } }
                    ol class="rows small" { @for line in &offered.shown { li { span { (line) } } } }
                }
            }
            @if let Some(verdict) = staged.as_ref().and_then(|staged| staged.verdict.as_ref()) {
                section class="sec" {
                    header { h3 class="h-sec" { (ask.t("The judge", "评审")) " " @if let Some(overall) = verdict.overall { (format!("{overall:.2}")) (crate::pages::chapter::whose_score(ask, verdict.scored_by())) } } }
                    (crate::pages::chapter::scores(ask, verdict))
                }
            }
            @if let Some(staged) = &staged {
                section {
                    div class="pagehead" { h3 class="h-sec" { (ask.t("The text that waits", "等待中的正文")) } }
                    (crate::view::scenes(book.lang, &staged.chapter, |_, _| None))
                }
            }
        }
    };
    let answers = html! {
        div class="decide" {
            h2 class="h-sec" { (ask.t("Your decision", "你的决定")) }
            (choices(ask, book, offered))
            p class="after" { (ask.t("Each of these is an operation; it can be undone.", "每一项都是一次操作，随时可撤销。")) }
        }
    };
    let command = offered
        .choices
        .first()
        .map_or_else(|| "novel start".to_owned(), |choice| choice.command.clone());
    Ok((detail, answers, command))
}

/// Whether a command changes nothing; the Studio has a page for it.
fn only_looks(command: &str) -> bool {
    let looks = ["status", "log", "review show", "revision show", "plan show"];
    let words = command.strip_prefix("novel ").unwrap_or(command);
    looks.iter().any(|look| words.starts_with(look))
}

/// The ways on, each a form of its own. What only looks is a link elsewhere.
pub(crate) fn choices(ask: &Ask, book: &BookFrame, offered: &StartAnswer) -> Markup {
    let keys = ["a", "r", "c", "d"];
    let acts: Vec<_> = offered
        .choices
        .iter()
        .filter(|choice| !only_looks(&choice.command))
        .collect();
    html! {
        @for (index, choice) in acts.iter().enumerate() {
            form class="choice" method="post" action=(book.href("/decisions")) {
                (hidden(ask))
                input type="hidden" name="kind" value="choice";
                input type="hidden" name="choice" value=(choice.id);
                @if choice.asks.iter().any(|what| what == "--phase") {
                    div class="field" {
                        label for={ "phase-" (choice.id) } { (ask.t("Which part", "哪一部分")) }
                        select class="input" id={ "phase-" (choice.id) } name="phase" {
                            option value="world" { (ask.t("world", "世界")) }
                            option value="characters" { (ask.t("cast", "人物")) }
                            option value="style" { (ask.t("style", "文风")) }
                            option value="trial" { (ask.t("trial", "试写")) }
                        }
                    }
                }
                @if choice.asks.iter().any(|what| what == "--note") {
                    div class="field" {
                        label for={ "note-" (choice.id) } { (ask.t("Note", "要求")) }
                        textarea class="input" id={ "note-" (choice.id) } name="note" rows="2" data-focus="n" {}
                    }
                }
                @if choice.asks.iter().any(|what| what == "--chapters") {
                    div class="field" {
                        label for={ "chapters-" (choice.id) } { (ask.t("How many chapters", "写几章")) }
                        input class="input" id={ "chapters-" (choice.id) } name="chapters" type="number" min="1" max="99" value="1";
                    }
                }
                button class={ "btn" @if index == 0 { " primary" } } title=(choice.command) data-key=[keys.get(index)] {
                    (choice.label) @if let Some(name) = keys.get(index) { " " (key(name)) }
                }
            }
        }
        @if acts.is_empty() { (nothing(ask.t("Nothing to choose.", "没有可选项。"))) }
    }
}

fn edited_parts(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    chapter: ChapterNo,
) -> Result<Parts, Fault> {
    let l = ask.lang();
    let edited = manuscripts::edited(project, chapter)?;
    let changed = paragraphs_changed(&edited.difference);
    let n = chapter.get();
    let detail = html! {
        article class="detail" aria-labelledby="dd-h" {
            header class="dhead" {
                p class="eyebrow" { (badge(Mark::Edit, ask.t("Edited by hand", "手改"))) " · " a href=(book.href(&format!("/chapters/{n}/edit"))) { (ask.t("go on editing", "继续改")) } }
                h2 class="h-page" id="dd-h" { (chapter_name(l, chapter)) " " (edited.title) }
            }
            section aria-labelledby="df-h" {
                div class="pagehead" {
                    h3 class="h-sec" id="df-h" { (ask.t("Your text against the book's", "手改与原文")) }
                    span class="small muted num" { (changed_words(l, changed)) }
                }
                (diff(l, book.lang, &edited.difference))
            }
        }
    };
    let answers = html! {
        form class="decide" method="post" action=(book.href(&format!("/chapters/{n}/adopt"))) aria-label=(ask.t("Decide", "决定")) {
            (hidden(ask))
            h2 class="h-sec" { (ask.t("Your decision", "你的决定")) }
            div class="acts main" {
                button class="btn primary" name="act" value="adopt" data-key="a" { (ask.t("Adopt", "采纳")) " " (key("a")) }
                a class="btn" href=(book.href(&format!("/chapters/{n}/edit"))) data-key="e" { (ask.t("Edit", "继续改")) " " (key("e")) }
            }
            p class="after" { (ask.t("Adopting summarizes the chapter again: state, threads and memory follow the new text. Can be undone.", "采纳会重做本章摘要：状态、伏笔与记忆随新文更新。随时可撤销。")) }
        }
    };
    Ok((detail, answers, format!("novel adopt {n}")))
}

fn thread_parts(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    wait: &Wait,
    row: &ForeshadowRow,
) -> Result<Parts, Fault> {
    let l = ask.lang();
    let rest = board::replannable(project, &overview::overview(project)?)?;
    // The writer reads it, so it is in the language of the book.
    let wish = message!(
        en: "Resolve this thread: {} ({})", zh: "回收这条伏笔：{}（{}）", row.description, row.id
    );
    let wish = wish.get(book.lang);
    let detail = html! {
        article class="detail" aria-labelledby="dd-h" {
            header class="dhead" {
                p class="eyebrow" { (badge(Mark::Due, wait.kind(l))) }
                h2 class="h-page" id="dd-h" { (wait.headline(l)) }
            }
            p class="muted" { (wait.why(l)) }
            p { (ask.t("The writer of every chapter is reminded of it until it is resolved. Nothing stops for it: leave it, ask for it, or replan the rest around it.", "在回收之前，每一章的写作都会提到它，流程不会因此停下。可以不管、点名要求回收，或据此重新规划余下部分。")) }
            p class="acts small" {
                a href=(book.href("/threads")) { (ask.t("All threads", "全部伏笔")) }
                @if let Some(chapter) = wait.chapter() {
                    a href=(book.href(&format!("/chapters/{}", chapter.get()))) { (ask.t("Where it was planted", "埋设之处")) }
                }
                a href=(book.href("/board")) { (ask.t("On the board", "在故事板上看")) }
            }
        }
    };
    let answers = html! {
        div class="decide" {
            h2 class="h-sec" { (ask.t("Your decision", "你的决定")) }
            form class="choice" method="post" action=(book.href("/decisions")) {
                (hidden(ask))
                input type="hidden" name="kind" value="thread";
                input type="hidden" name="thread" value=(row.id);
                div class="field" {
                    label for="wish" { (ask.t("Note for the next chapter", "给下一章的要求")) }
                    textarea class="input" id="wish" name="note" rows="3" maxlength="2000" required lang=(tag(book.lang)) data-focus="n" { (wish) }
                }
                button class="btn primary" data-key="a" { (ask.t("Ask for it", "点名回收")) " " (key("a")) }
            }
            @if !rest.is_empty() {
                details {
                    summary class="small" { (ask.t("Plan the rest around it", "据此重新规划")) }
                    form class="choice" method="post" action=(book.href("/board")) {
                        (hidden(ask))
                        (board::replan_fields(ask, project, &rest, wish))
                        button class="btn" { (ask.t("Plan it", "重新规划")) " " span class="price" { (board::plan_price(ask, project, rest.len())) } }
                    }
                }
            }
        }
    };
    let command = Command::new("tell --").word(wish);
    Ok((detail, answers, command.typed()))
}

/// The author's word.
pub(crate) fn decide(ask: &Ask) -> Result<Reply, Fault> {
    match ask.form.get("kind") {
        Some("revision") => decide_revision(ask),
        Some("choice") => decide_choice(ask),
        Some("thread") => {
            let note = ask.form.filled("note").ok_or(Fault::NotFound)?;
            let thread = ask.form.filled("thread").ok_or(Fault::NotFound)?;
            let here = format!(
                "/b/{}/decisions?item=thread-{}&note=told",
                ask.book()?,
                utf8_percent_encode(thread, NON_ALPHANUMERIC)
            );
            // After `--` nothing is an option.
            act_and_go(ask, &Command::new("tell --").word(note), &here)
        }
        _ => Err(Fault::NotFound),
    }
}

fn decide_revision(ask: &Ask) -> Result<Reply, Fault> {
    let id = ask.book()?;
    let chapter = ask
        .form
        .get("chapter")
        .and_then(number)
        .and_then(ChapterNo::new);
    let chapter = chapter.ok_or(Fault::NotFound)?;
    let n = chapter.get();
    let here = format!("/b/{id}/decisions");
    let command = match ask.form.get("act") {
        Some("apply") => Command::new(&format!("revision apply {n}")),
        Some("reject") => Command::new(&format!("revision reject {n}")),
        Some("candidate") => {
            let command = Command::new(&format!("revision candidate {n}"));
            return act_and_go(ask, &command, &format!("{here}?item=revision-{n}"));
        }
        Some("waive") => {
            let fingerprint = ask.form.filled("fingerprint").ok_or(Fault::NotFound)?;
            Command::new("check")
                .option("--waive", fingerprint)
                .option("--reason", ask.form.filled("reason").unwrap_or_default())
        }
        _ => return Err(Fault::NotFound),
    };
    act_and_go(ask, &command, &here)
}

/// Takes up one of the choices the book offers now. Its command is looked up, never sent.
fn decide_choice(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let wanted = ask.form.get("choice").ok_or(Fault::NotFound)?;
    let offered = start::start(&project)?;
    let choice = offered.choices.iter().find(|choice| choice.id == wanted);
    let choice = choice.ok_or(Fault::NotFound)?;
    let mut command = Command::new("");
    for word in &choice.command {
        command = command.word(word.clone());
    }
    let note = ask.form.filled("note");
    match choice.asks {
        start::Asks::Nothing | start::Asks::NewBook => {}
        start::Asks::Chapters => {
            let count = ask.form.get("chapters").and_then(number).unwrap_or(1);
            command = command.word(count.clamp(1, 99).to_string());
        }
        start::Asks::Note => {
            if let Some(note) = note {
                command = command.option("--note", note);
            }
        }
        start::Asks::PhaseAndNote => {
            let known = ["world", "characters", "style", "trial"];
            let phase = ask.form.get("phase").filter(|word| known.contains(word));
            command = command.word(phase.ok_or(Fault::NotFound)?);
            if let Some(note) = note {
                command = command.option("--note", note);
            }
        }
    }
    let book = format!("/b/{}", ask.book()?);
    // What calls agents may take long: it goes on by itself, and the page of runs shows it.
    let first = choice
        .command
        .first()
        .map(String::as_str)
        .unwrap_or_default();
    let decides = ["gate", "undo", "doctor"].contains(&first)
        || choice
            .command
            .iter()
            .any(|word| ["accept", "approve", "reject"].contains(&word.as_str()));
    if decides {
        return act_and_go(ask, &command, &book);
    }
    crate::pages::runs::launch(ask, &command)
}
