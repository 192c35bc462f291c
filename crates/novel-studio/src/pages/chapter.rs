//! One chapter: read, compared, what the writer was shown, its history.

use maud::{Markup, html};
use novel_app::{
    Project,
    care::check::{self, Selection, Waived},
    history,
    library::{
        manuscripts,
        overview::{self, PlannedChapter},
    },
    revise::revision,
    write::chapter as chapters,
};
use novel_contract::{care::CheckedFinding, write::ChapterSource};
use novel_model::{
    ChapterNo, Document, Failure,
    files::{ChapterLog, CheckStatus, Evaluation, Judges, RevisionState, RevisionStatus, ScoredBy},
    layout, message,
};

use crate::{
    ask::Ask,
    pages::nothing,
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, changed_words, chapter_name, diff, dimension, frame,
        mark, money, operation_word, paragraphs_changed, scenes, severity_word, stage_word, tag,
        thousands, when,
    },
};

/// A tab of a chapter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Read,
    Edit,
    Diff,
    Packet,
    History,
}

/// What the files say of a chapter.
pub(crate) struct Facts {
    pub(crate) chapter: ChapterNo,
    pub(crate) title: String,
    pub(crate) verdict: Option<Evaluation>,
    pub(crate) log: Option<ChapterLog>,
    pub(crate) revision: Option<RevisionStatus>,
    pub(crate) planned: Option<PlannedChapter>,
    /// The name of its storyline.
    pub(crate) line: Option<String>,
    pub(crate) volume: Option<u32>,
    pub(crate) written: u32,
    pub(crate) edited: bool,
}

pub(crate) fn facts(project: &Project, chapter: ChapterNo) -> Result<Facts, Fault> {
    let over = overview::overview(project)?;
    let volume = over.volume_of(chapter).map(|volume| volume.number);
    let found = match volume {
        Some(volume) => overview::planned_chapter(project, volume, chapter)?,
        None => None,
    };
    let (planned, line) = match found {
        Some((planned, line)) => (Some(planned), line),
        None => (None, None),
    };
    if chapter.get() > over.written.saturating_add(1)
        || (chapter.get() > over.written && planned.is_none())
    {
        return Err(Fault::NotFound);
    }
    let card = overview::chapters(project, chapter, chapter)?
        .into_iter()
        .next();
    let (verdict, log, revision) = project.store().look(|reader| {
        Ok::<_, Failure>((
            Document::<Evaluation>::load_value(reader, &layout::evaluation(chapter))?,
            Document::<ChapterLog>::load_value(reader, &layout::chapter_log(chapter))?,
            Document::<RevisionStatus>::load_value(reader, &layout::revision(chapter))?,
        ))
    })?;
    Ok(Facts {
        chapter,
        title: card
            .as_ref()
            .map(|card| card.title.clone())
            .unwrap_or_default(),
        verdict,
        log,
        revision,
        planned,
        line,
        volume: volume.map(novel_model::VolumeNo::get),
        written: over.written,
        edited: card.is_some_and(|card| card.edited),
    })
}

impl Facts {
    pub(crate) fn is_pending(&self) -> bool {
        self.revision
            .as_ref()
            .is_some_and(|revision| revision.status == RevisionState::Pending)
    }

    /// Whose score it is; none without a score.
    fn scored_by(&self) -> Option<ScoredBy> {
        let judges = self.log.as_ref().and_then(|log| log.judges.as_ref());
        judges
            .map(Judges::scored_by)
            .or_else(|| self.verdict.as_ref().and_then(Evaluation::scored_by))
    }

    fn score(&self) -> Option<f64> {
        let judges = self.log.as_ref().and_then(|log| log.judges.as_ref());
        judges
            .map(|judges| judges.overall_final)
            .or_else(|| self.verdict.as_ref().and_then(|verdict| verdict.overall))
    }
}

/// The bar above a chapter.
pub(crate) fn bar(ask: &Ask, book: &BookFrame, facts: &Facts, tab: Tab, end: Markup) -> Markup {
    let n = facts.chapter.get();
    let tabs = [
        (Tab::Read, "", ask.t("Read", "阅读")),
        (Tab::Edit, "/edit", ask.t("Edit", "编辑")),
        (Tab::Diff, "/diff", ask.t("Diff", "对照")),
        (Tab::Packet, "/packet", ask.t("Packet", "材料")),
        (Tab::History, "/history", ask.t("History", "历史")),
    ];
    let volume = facts.volume.unwrap_or(1);
    html! {
        section class="chapbar" aria-label=(chapter_name(ask.lang(), facts.chapter)) {
            div class="where" {
                a href=(book.href(&format!("/chapters?volume={volume}"))) { (message!(en: "Volume {volume}", zh: "第 {volume} 卷").get(ask.lang())) }
                " " span aria-hidden="true" { "/" } " " span { (n) }
            }
            nav class="tabs" aria-label=(ask.t("This chapter", "本章")) {
                @for (kind, place, name) in tabs {
                    a href=(book.href(&format!("/chapters/{n}{place}"))) aria-current=[(kind == tab).then_some("page")] data-key=[(kind == Tab::Edit).then_some("e")] { (name) }
                }
            }
            (end)
        }
    }
}

pub(crate) fn standing(ask: &Ask, facts: &Facts) -> Markup {
    html! {
        div class="end" {
            @if facts.is_pending() { (badge(Mark::Wait, ask.t("revision waits", "修订待处理"))) }
            @if facts.edited { (badge(Mark::Edit, ask.t("not adopted", "尚未采纳"))) }
            @if let Some(score) = facts.score() { span class="num" { (ask.t("score ", "得分 ")) (format!("{score:.2}")) (whose_score(ask, facts.scored_by())) } }
        }
    }
}

pub(crate) fn read(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let chapter = ask.chapter()?;
    let n = chapter.get();
    let shown = chapters::show(&project, chapter, None)?;
    let facts = facts(&project, chapter)?;
    let source = shown.answer().source;
    let found = match source {
        ChapterSource::Committed => {
            let selection = Selection::Range(chapter..=chapter);
            check::check(&project, &selection, Waived::Hide)?
                .answer(l)
                .findings
        }
        ChapterSource::Staged | ChapterSource::Draft | ChapterSource::Scenes => Vec::new(),
    };
    let text = &shown.chapter;
    let quoted: Vec<(String, Markup)> = notes(ask, &book, &facts, &found);
    let mut used = vec![false; quoted.len()];
    let around = neighbours(&project, chapter, facts.written)?;
    let main = html! {
        div class="margin" {}
        article class="leaf" lang=(tag(book.lang)) {
            header {
                p class="n" lang=(tag(l)) { (chapter_name(l, chapter)) @if source != ChapterSource::Committed { " · " (ask.t("not in the book yet", "尚未成书")) } }
                h1 { (text.chapter_title) }
                p class="meta" lang=(tag(l)) { (meta(ask, &facts, text.total_words)) }
            }
            (scenes(book.lang, text, |_, paragraph| {
                let index = quoted.iter().enumerate().position(|(index, (quote, _))| !used[index] && paragraph.contains(quote.as_str()))?;
                used[index] = true;
                Some(quoted[index].1.clone())
            }))
            @if let Some(verdict) = &facts.verdict {
                details class="small" lang=(tag(l)) {
                    summary class="textlink" {
                        @let score = facts.score().map_or_else(|| "—".to_owned(), |score| format!("{score:.2}"));
                        @match facts.scored_by() {
                            Some(ScoredBy::OfflineAuthor) => (message!(en: "Offline author {score}: eight scores by rule, not a verdict", zh: "离线作者 {score}：按规则打出的八项得分，不是评审结论").get(l)),
                            _ => (message!(en: "Judge {score}: eight scores with reasons", zh: "评审 {score}：八项得分与理由").get(l)),
                        }
                    }
                    (scores(ask, verdict))
                }
            }
            nav class="pager" lang=(tag(l)) aria-label=(ask.t("Chapters before and after", "前后章")) {
                @match &around.0 {
                    Some((number, title)) => a href=(book.href(&format!("/chapters/{number}"))) rel="prev" data-key="ArrowLeft" { span { "← " (chapter_name(l, *number)) } span { (title) } },
                    None => span {},
                }
                @match &around.1 {
                    Some((number, title)) if *number <= facts.written => a href=(book.href(&format!("/chapters/{number}"))) rel="next" data-key="ArrowRight" { span { (chapter_name(l, *number)) " →" } span { (title) } },
                    Some((number, title)) => a href=(book.href(&format!("/board?chapter={number}"))) { span { (chapter_name(l, *number)) (ask.t(" · not written →", " · 未写 →")) } span { (title) } },
                    None => span {},
                }
            }
        }
        div {}
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: format!("{n} {}", text.chapter_title),
            nav: Nav::Chapters,
            book: &book,
            command: format!("novel chapter show {n}"),
            keys: &[
                ("←", ask.t("previous", "上一章")),
                ("→", ask.t("next", "下一章")),
                ("e", ask.t("edit", "编辑")),
            ],
            bar: Some(bar(ask, &book, &facts, Tab::Read, standing(ask, &facts))),
            class: "sheetgrid",
            main,
        },
    )))
}

type Neighbour = Option<(u32, String)>;

fn neighbours(
    project: &Project,
    chapter: ChapterNo,
    written: u32,
) -> Result<(Neighbour, Neighbour), Fault> {
    let first = ChapterNo::new(chapter.get() - 1).unwrap_or(chapter);
    let last = ChapterNo::new(chapter.get().saturating_add(1).min(written + 1)).unwrap_or(chapter);
    let cards = overview::chapters(project, first, last.max(chapter))?;
    let card = |number: u32| -> Neighbour {
        let found = cards.iter().find(|card| card.chapter.get() == number);
        found.map(|card| (number, card.title.clone()))
    };
    Ok((card(chapter.get() - 1), card(chapter.get() + 1)))
}

fn meta(ask: &Ask, facts: &Facts, words: u64) -> Markup {
    let planned = facts.planned.as_ref();
    let part = |key: &str| {
        planned
            .and_then(|planned| planned.field(key))
            .map(str::to_owned)
    };
    let parts: Vec<String> = [
        facts.line.clone(),
        part("POV"),
        part("Time"),
        part("Location"),
    ]
    .into_iter()
    .flatten()
    .collect();
    html! {
        @for part in parts { (part) " · " }
        span class="num" { (thousands(words)) (ask.t(" words", " 字")) }
    }
}

/// Notes for the margin: findings, then objectives the judge found.
fn notes(
    ask: &Ask,
    book: &BookFrame,
    facts: &Facts,
    found: &[CheckedFinding],
) -> Vec<(String, Markup)> {
    let l = ask.lang();
    let mut notes = Vec::new();
    for checked in found {
        let finding = &checked.finding;
        let quote = first_line(&finding.place.quotation);
        let waits = facts.is_pending();
        notes.push((
            quote,
            html! {
                div role="note" class={ "note" @if waits { " wait" } } lang=(tag(l)) aria-label=(ask.t("Check", "检查")) {
                    (badge(if waits { Mark::Wait } else { Mark::Due }, severity_word(l, finding.severity)))
                    (finding.message) " "
                    @if waits {
                        a href=(book.href(&format!("/decisions?item=revision-{}", facts.chapter.get()))) { (ask.t("Decide", "去决定")) }
                    } @else {
                        a href=(book.href("/checks")) { (ask.t("both sides", "两边")) }
                    }
                }
            },
        ));
    }
    if let Some(verdict) = &facts.verdict {
        let checks = &verdict.contract_verification.l3_checks;
        for (index, check) in checks.iter().enumerate() {
            let Some(evidence) = check
                .evidence
                .as_deref()
                .filter(|text| !text.trim().is_empty())
            else {
                continue;
            };
            let met = check.status == CheckStatus::Pass;
            let place = format!("{} / {}", index + 1, checks.len());
            notes.push((
                first_line(evidence),
                html! {
                    div role="note" class="note" lang=(tag(l)) aria-label=(ask.t("Judge", "评审")) {
                        @if met { (badge(Mark::Ok, &format!("{} {place}", ask.t("objective met,", "目标达成")))) }
                        @else { (badge(Mark::Fail, &format!("{} {place}", ask.t("objective in doubt,", "目标存疑")))) }
                    }
                },
            ));
        }
    }
    notes.retain(|(quote, _)| quote.chars().count() >= 4);
    notes
}

fn first_line(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .to_owned()
}

/// What stands behind a score that is no verdict; nothing behind a judge's.
pub(crate) fn whose_score(ask: &Ask, scored_by: Option<ScoredBy>) -> Markup {
    html! {
        @if scored_by == Some(ScoredBy::OfflineAuthor) {
            " " span class="faint" { (ask.t("(offline author, not a verdict)", "（离线作者，非评审）")) }
        }
    }
}

/// The judge's table.
pub(crate) fn scores(ask: &Ask, verdict: &Evaluation) -> Markup {
    let l = ask.lang();
    html! {
        table class="tbl" {
            thead { tr { th scope="col" { (ask.t("dimension", "维度")) } th scope="col" class="r" { (ask.t("score", "得分")) } th scope="col" { (ask.t("reason", "理由")) } } }
            tbody {
                @for (name, score) in verdict.scores.by_name() {
                    tr {
                        th scope="row" { (dimension(l, name)) }
                        td class="r" { (format!("{:.1}", score.score)) }
                        td class="muted" {
                            (score.reason.clone().unwrap_or_default())
                            @if let Some(evidence) = &score.evidence { " “" (evidence) "”" @if score.evidence_found == Some(false) { " " (ask.t("(not found in the text)", "（正文中未找到）")) } }
                        }
                    }
                }
            }
        }
        @if !verdict.required_fixes.is_empty() {
            h3 class="h-sec" { (ask.t("Required repairs", "必须修改")) }
            ul class="obj" { @for fix in &verdict.required_fixes { li { (mark(Mark::Fail)) span { (fix.instruction) } } } }
        }
    }
}

pub(crate) fn difference(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let chapter = ask.chapter()?;
    let n = chapter.get();
    let facts = facts(&project, chapter)?;
    let candidate = facts.is_pending()
        && facts
            .revision
            .as_ref()
            .is_some_and(|found| found.revised_chapter.is_some());
    let pieces = if candidate && !facts.edited {
        revision::show(&project, chapter)?.difference(book.lang)
    } else {
        manuscripts::edited(&project, chapter)?.difference
    };
    let changed = paragraphs_changed(&pieces);
    let main = html! {
        div class="margin" {}
        article class="leaf" {
            header {
                p class="n" { (chapter_name(l, chapter)) }
                h1 lang=(tag(book.lang)) { (facts.title) }
                p class="meta" {
                    @if candidate && !facts.edited { (ask.t("The candidate against the book's text", "候选稿与书中正文")) }
                    @else { (ask.t("The Markdown in your hands against the book's text", "手边的 Markdown 与书中正文")) }
                    " · " (changed_words(l, changed))
                }
            }
            @if changed == 0 { (nothing(ask.t("Nothing differs.", "没有差别。"))) } @else { (diff(l, book.lang, &pieces)) }
        }
        div {}
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: format!("{} {n}", ask.t("Diff", "对照")),
            nav: Nav::Chapters,
            book: &book,
            command: if candidate {
                format!("novel revision show {n}")
            } else {
                format!("novel adopt {n}")
            },
            keys: &[("e", ask.t("edit", "编辑"))],
            bar: Some(bar(ask, &book, &facts, Tab::Diff, standing(ask, &facts))),
            class: "sheetgrid",
            main,
        },
    )))
}

/// What the agents were shown and what it cost.
pub(crate) fn packet(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let chapter = ask.chapter()?;
    let n = chapter.get();
    let facts = facts(&project, chapter)?;
    if chapter.get() > facts.written {
        return Err(Fault::NotFound);
    }
    let stages = facts
        .log
        .as_ref()
        .map(|log| log.stages.as_slice())
        .unwrap_or_default();
    let tokens = |count: Option<u64>| count.map_or_else(|| "—".to_owned(), thousands);
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" lang=(tag(book.lang)) { (chapter_name(l, chapter)) " " (facts.title) }
            @if let Some(log) = &facts.log { span class="small muted num" { (money(log.total_cost_usd)) @if let Some(time) = log.total_duration_ms { " · " (format!("{:.1} s", std::time::Duration::from_millis(time).as_secs_f64())) } } }
        }
        section class="sec" {
            header { h2 class="h-sec" { (ask.t("Calls", "调用")) } span class="end small faint" { (ask.t("a dash: the provider did not say", "横线表示服务商未报告")) } }
            @if stages.is_empty() { (nothing(ask.t("No call is recorded: the chapter was imported or handed in from outside.", "没有调用记录：本章是导入的，或由外部提交。"))) } @else {
                div class="scroll whole" tabindex="0" role="region" aria-label=(ask.t("Calls", "调用")) {
                    table class="tbl" {
                        thead { tr {
                            th scope="col" { (ask.t("step", "步骤")) }
                            th scope="col" { (ask.t("model", "模型")) }
                            th scope="col" class="r" { (ask.t("shown, tokens", "读入 token")) }
                            th scope="col" class="r" { (ask.t("cached", "缓存")) }
                            th scope="col" class="r" { (ask.t("written, tokens", "写出 token")) }
                            th scope="col" class="r" { (ask.t("time", "用时")) }
                            th scope="col" class="r" { (ask.t("cost", "花费")) }
                            th scope="col" { (ask.t("left out of the packet", "未放入的材料")) }
                        } }
                        tbody { @for stage in stages {
                            tr {
                                th scope="row" { (stage_word(l, &stage.name)) @if stage.rejected { " " span class="faint" { (ask.t("(not accepted)", "（未采用）")) } } }
                                td { @match stage.model.as_deref() { Some("offline") => (ask.t("offline author", "离线作者")), Some(model) => (model), None => "—" } }
                                td class="r" { (tokens(stage.input_tokens)) }
                                td class="r" { (tokens(stage.cached_tokens)) }
                                td class="r" { (tokens(stage.output_tokens)) }
                                td class="r" { @match stage.duration_ms { Some(time) => (format!("{:.1} s", std::time::Duration::from_millis(time).as_secs_f64())), None => "—" } }
                                td class="r" { (money(stage.cost_usd)) }
                                td class="muted" { (stage.left_out.join(", ")) }
                            }
                        } }
                    }
                }
            }
        }
        @if let Some(planned) = &facts.planned { (contract(ask, planned, facts.verdict.as_ref())) }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: format!("{} {n}", ask.t("Packet", "材料")),
            nav: Nav::Chapters,
            book: &book,
            command: format!("novel prompt chapter:{n:03}:draft"),
            keys: &[("e", ask.t("edit", "编辑"))],
            bar: Some(bar(ask, &book, &facts, Tab::Packet, standing(ask, &facts))),
            class: "page stack",
            main,
        },
    )))
}

/// What was asked of a chapter.
pub(crate) fn contract(
    ask: &Ask,
    planned: &PlannedChapter,
    verdict: Option<&Evaluation>,
) -> Markup {
    html! {
        section class="sec" {
            header { h2 class="h-sec" { (ask.t("Contract", "契约")) } }
            (terms(ask, planned))
            (objectives(ask, planned, verdict))
        }
    }
}

/// The lines of the outline.
pub(crate) fn terms(ask: &Ask, planned: &PlannedChapter) -> Markup {
    let rows = [
        ("POV", ask.t("POV", "视角")),
        ("Time", ask.t("Time", "时间")),
        ("Location", ask.t("Place", "地点")),
        ("Conflict", ask.t("Conflict", "冲突")),
        ("Arc", ask.t("Arc", "弧线")),
    ];
    html! {
        dl class="kv" { @for (key, name) in rows { @if let Some(value) = planned.field(key) { dt { (name) } dd { (value) } } } }
    }
}

/// What must happen, and whether the judge found it.
pub(crate) fn objectives(
    ask: &Ask,
    planned: &PlannedChapter,
    verdict: Option<&Evaluation>,
) -> Markup {
    let met = |id: &str| {
        let checks = &verdict?.contract_verification;
        let found = checks.l3_checks.iter().find(|check| check.rule_id == id);
        match found {
            Some(check) => Some(check.status == CheckStatus::Pass),
            None => checks
                .passed
                .iter()
                .any(|passed| passed == id)
                .then_some(true),
        }
    };
    html! {
        @if let Some(contract) = &planned.contract {
            ul class="obj small" {
                @for objective in &contract.objectives {
                    @let state = met(&objective.id);
                    li {
                        (mark(match state { Some(true) => Mark::Ok, Some(false) => Mark::Fail, None => Mark::Plan }))
                        span { (objective.description) span class="vh" { @match state { Some(true) => (ask.t(" met", " 已达成")), Some(false) => (ask.t(" in doubt", " 存疑")), None => (ask.t(" open", " 未定")) } } }
                    }
                }
            }
        }
    }
}

pub(crate) fn history(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let chapter = ask.chapter()?;
    let facts = facts(&project, chapter)?;
    if chapter.get() > facts.written {
        return Err(Fault::NotFound);
    }
    let all = history::log(&project, usize::MAX)?.answer();
    let own = format!("chapter-{chapter}");
    let about: Vec<_> = all
        .operations
        .iter()
        .filter(|operation| {
            operation.target == own || operation.target.starts_with(&format!("{own}-"))
        })
        .collect();
    let main = html! {
        div class="pagehead" { h1 class="h-page" lang=(tag(book.lang)) { (chapter_name(l, chapter)) " " (facts.title) } }
        section class="sec" {
            header { h2 class="h-sec" { (ask.t("Operations on this chapter", "本章的操作")) } a class="end small" href=(book.href("/history")) { (ask.t("all operations", "全部操作")) } }
            @if about.is_empty() { (nothing(ask.t("None is recorded.", "没有记录。"))) }
            ol class="rows ops" {
                @for operation in about {
                    li {
                        span class="num faint" { (operation.operation) }
                        span { (operation_word(l, &operation.kind)) @if operation.undone { " " span class="faint" { (ask.t("(undone)", "（已撤销）")) } } }
                        span class="num faint" { (when(&operation.at)) }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: format!("{} {}", ask.t("History", "历史"), chapter.get()),
            nav: Nav::Chapters,
            book: &book,
            command: "novel log".to_owned(),
            keys: &[("e", ask.t("edit", "编辑"))],
            bar: Some(bar(ask, &book, &facts, Tab::History, standing(ask, &facts))),
            class: "page stack",
            main,
        },
    )))
}
