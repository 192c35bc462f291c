//! Checks: findings like compiler output, waivers, and the state of the files.

use maud::html;
use novel_app::{
    care::{
        check::{self, Given, Selection, Waived},
        doctor::{self, Repair},
    },
    library::overview,
};
use novel_model::{ChapterNo, message};

use crate::{
    act::Command,
    ask::{Ask, number},
    pages::{act_and_go, decisions::finding_card, nothing},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, chapter_name, counts, frame, hidden, when},
};

/// Chapters checked when nobody said which.
const RECENT: u32 = 50;
/// Chapters of a book whose files are examined with every look at the page.
const EXAMINED: u32 = 100;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let over = overview::overview(&project)?;
    let last = over.written;
    // A long book takes a while to examine; it is done at the author's word.
    let examined = if last <= EXAMINED || ask.query.get("files").is_some() {
        let store = ask.store()?;
        Some(doctor::doctor(&store, ask.studio.clock(), Repair::Report)?.answer(l))
    } else {
        None
    };
    let all = ask.query.get("range") == Some("all") || last <= RECENT;
    let first = if all { 1 } else { last - RECENT + 1 };
    let report = match (ChapterNo::new(first), ChapterNo::new(last)) {
        (Some(first), Some(last)) => {
            let selection = Selection::Range(first..=last);
            Some(check::check(&project, &selection, Waived::Hide)?.answer(l))
        }
        _ => None,
    };
    let given = check::waivers(&project, Given::Active)?.answer();
    let found = report
        .as_ref()
        .map(|report| report.findings.as_slice())
        .unwrap_or_default();
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Checks", "检查")) }
            span class="small muted" { (message!(en: "chapters {first} to {last}", zh: "第 {first} 至 {last} 章").get(l)) (ask.t(", ", "，")) (counts(l, found.len(), "finding", "处")) }
            @if !all { a class="end small" href="?range=all" { (ask.t("check the whole book", "检查全书")) } }
        }
        section class="sec" aria-labelledby="fi-h" {
            header { h2 class="h-sec" id="fi-h" { (ask.t("Contradictions in the story", "故事中的矛盾")) } }
            @if found.is_empty() { (nothing(ask.t("No contradiction found.", "未发现矛盾。"))) }
            div class="findings" {
                @for checked in found.iter().take(50) {
                    article id=(checked.finding.fingerprint) {
                        (finding_card(ask, &book, checked))
                        form class="waive" method="post" action=(book.href("/checks")) {
                            (hidden(ask))
                            input type="hidden" name="act" value="waive";
                            input type="hidden" name="fingerprint" value=(checked.finding.fingerprint);
                            label class="vh" for={ "why-" (checked.finding.fingerprint) } { (ask.t("Reason", "理由")) }
                            input class="input" id={ "why-" (checked.finding.fingerprint) } name="reason" required placeholder=(ask.t("why it may stand, such as: a memory", "为何可以保留，例如：此处是回忆"));
                            button class="btn" { (ask.t("Waive", "豁免")) }
                        }
                    }
                }
            }
        }
        section class="sec" aria-labelledby="wa-h" {
            header { h2 class="h-sec" id="wa-h" { (ask.t("Waived", "已豁免")) } }
            @if given.waivers.is_empty() { (nothing(ask.t("There are no waivers.", "没有豁免。"))) }
            ul class="rows small waived" {
                @for waiver in given.waivers.iter().rev().take(50) {
                    li {
                        span { a href=(book.href(&format!("/chapters/{}", waiver.chapter.get()))) { (chapter_name(l, waiver.chapter)) } " " code { (waiver.code) } " · " (waiver.reason) " " span class="faint" { (when(&waiver.created_at)) } }
                        form method="post" action=(book.href("/checks")) {
                            (hidden(ask))
                            input type="hidden" name="act" value="revoke";
                            input type="hidden" name="fingerprint" value=(waiver.fingerprint);
                            input type="hidden" name="chapter" value=(waiver.chapter.get());
                            button class="btn small" { (ask.t("Revoke", "撤回")) }
                        }
                    }
                }
            }
        }
        section class="sec" aria-labelledby="do-h" {
            header {
                h2 class="h-sec" id="do-h" { (ask.t("The files", "文件")) }
                @match &examined {
                    None => a class="end small" href="?files=all" { (ask.t("examine the files", "检查文件")) " " code { "novel doctor" } },
                    Some(examined) if examined.healthy => (badge(Mark::Ok, ask.t("No problems found.", "一切正常。"))),
                    Some(examined) => (badge(Mark::Wait, &counts(l, examined.findings.len(), "problem", "处问题"))),
                }
            }
            @if let Some(examined) = &examined {
                ul class="rows small" {
                    @for damage in examined.findings.iter().take(50) {
                        li {
                            span { code { (damage.problem.path) @if let Some(line) = damage.problem.line { ":" (line) } } " " (damage.problem.message) }
                            @if let Some(repair) = &damage.repair { span class="muted" { (repair) } } @else if let Some(hint) = &damage.problem.hint { span class="muted" { (hint) } }
                        }
                    }
                }
                @if !examined.healthy {
                    form method="post" action=(book.href("/checks")) { (hidden(ask)) input type="hidden" name="act" value="repair"; button class="btn" title="novel doctor --fix" { (ask.t("Repair what can be repaired", "修复可修复的")) } }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Checks", "检查").to_owned(),
            nav: Nav::Checks,
            book: &book,
            command: format!("novel check {first}..{last}"),
            keys: &[],
            bar: None,
            class: "page stack",
            main,
        },
    )))
}

/// Waives a finding, takes a waiver back, or repairs files.
pub(crate) fn act(ask: &Ask) -> Result<Reply, Fault> {
    let here = format!("/b/{}/checks", ask.book()?);
    let fingerprint = || ask.form.filled("fingerprint").ok_or(Fault::NotFound);
    let command = match ask.form.get("act") {
        Some("waive") => Command::new("check")
            .option("--waive", fingerprint()?)
            .option("--reason", ask.form.filled("reason").unwrap_or_default()),
        Some("revoke") => {
            let command = Command::new("check").option("--revoke", fingerprint()?);
            match ask.form.get("chapter").and_then(number) {
                Some(chapter) => command.option("--chapter", &chapter.to_string()),
                None => command,
            }
        }
        Some("repair") => Command::new("doctor --fix"),
        _ => return Err(Fault::NotFound),
    };
    act_and_go(ask, &command, &here)
}
