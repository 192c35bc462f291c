//! The codex: people as of a chapter, rules, who knows whom.

use std::collections::BTreeMap;

use maud::{Markup, html};
use novel_app::library::{cast, overview, timeline};
use novel_contract::library::Standing;
use novel_model::{
    BookReader, Document, Failure, Slug,
    files::{ConstraintType, Relationship, Relationships, WorldRules},
    layout, message,
};
use serde_json::Value;

use crate::{
    act::Command,
    ask::{Ask, number},
    pages::{act_and_go, nothing},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, chapter_name, counts, fit, frame, hidden, tag},
};

pub(crate) fn list(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let people: Vec<_> = cast::list(&project)?
        .iter()
        .map(cast::CharacterCard::row)
        .collect();
    let (rules, ties) = project.store().look(|reader| {
        Ok::<_, Failure>((
            Document::<WorldRules>::load_value(reader, &layout::world_rules())?,
            Document::<Relationships>::load_value(reader, &layout::relationships())?,
        ))
    })?;
    let rules = rules.map(|rules| rules.rules).unwrap_or_default();
    let ties = ties.map(|ties| ties.relationships).unwrap_or_default();
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (ask.t("Codex", "设定集")) } span class="small muted" { (counts(ask.lang(), people.len(), "person", "个人物")) (ask.t(", ", "，")) (counts(ask.lang(), rules.len(), "rule", "条规则")) } }
        div class="codex" {
            div {
                section class="sec" aria-labelledby="p-h" {
                    header { h2 class="h-sec" id="p-h" { (ask.t("People", "人物")) } }
                    @if people.is_empty() { (nothing(ask.t("Nobody is registered yet.", "还没有登记人物。"))) }
                    ul class="rows people" {
                        @for person in &people {
                            li {
                                span { a href=(book.href(&format!("/codex/{}", person.id))) { (person.display_name) } @if !person.aliases.is_empty() { " " span class="faint small" { (person.aliases.join("、")) } } }
                                span class="small muted" { (person.location.clone().unwrap_or_default()) }
                                @match person.standing {
                                    Standing::Active => (badge(Mark::Done, ask.t("active", "在场"))),
                                    Standing::Retired => (badge(Mark::None, ask.t("retired", "已退场"))),
                                }
                            }
                        }
                    }
                }
                (cast_graph(ask, &book, &people.iter().map(|person| (person.id.clone(), person.display_name.clone())).collect::<Vec<_>>(), &ties))
            }
            div {
                section class="sec" aria-labelledby="r-h" {
                    header { h2 class="h-sec" id="r-h" { (ask.t("Rules of the world", "世界规则")) } }
                    @if rules.is_empty() { (nothing(ask.t("No rule is registered yet.", "还没有登记规则。"))) }
                    @for rule in &rules {
                        div class="rulecard" {
                            p lang=(tag(book.lang)) { (rule.rule) }
                            p class="small muted" {
                                (rule.category) " · "
                                @match rule.constraint_type { ConstraintType::Hard => (ask.t("holds always", "硬性")), ConstraintType::Soft => (ask.t("holds as a rule", "软性")) }
                                @if !rule.exceptions.is_empty() { " · " (ask.t("except: ", "例外：")) (rule.exceptions.join("; ")) }
                                " · " code { (rule.id) }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Codex", "设定集").to_owned(),
            nav: Nav::Codex,
            book: &book,
            command: "novel character list".to_owned(),
            keys: &[],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// People on a circle, a line for each tie; the ties as a table.
fn cast_graph(
    ask: &Ask,
    book: &BookFrame,
    people: &[(Slug, String)],
    ties: &[Relationship],
) -> Markup {
    let known: Vec<&(Slug, String)> = people
        .iter()
        .filter(|(id, _)| ties.iter().any(|tie| tie.from == *id || tie.to == *id))
        .take(24)
        .collect();
    if known.len() < 2 {
        return html! {};
    }
    let count = f64::from(u32::try_from(known.len()).unwrap_or(1));
    let places: BTreeMap<&str, (f64, f64)> = known
        .iter()
        .enumerate()
        .map(|(index, (id, _))| {
            let turn = f64::from(u32::try_from(index).unwrap_or(0)) / count * std::f64::consts::TAU
                - std::f64::consts::FRAC_PI_2;
            (
                id.as_str(),
                (350.0 + 240.0 * turn.cos(), 190.0 + 140.0 * turn.sin()),
            )
        })
        .collect();
    let name = |id: &Slug| {
        let found = people.iter().find(|(known, _)| known == id);
        found.map_or_else(|| id.to_string(), |(_, name)| name.clone())
    };
    let at = |place: f64| format!("{place:.1}");
    html! {
        figure class="fig" {
            figcaption { strong { (ask.t("Who is tied to whom", "人物关系")) } span class="small muted" { (counts(ask.lang(), ties.len(), "tie", "条关系")) } }
            svg class="chart graph" viewBox="0 0 700 380" role="group" aria-label=(ask.t("Who is tied to whom", "人物关系")) {
                @for tie in ties {
                    @if let (Some(from), Some(to)) = (places.get(tie.from.as_str()), places.get(tie.to.as_str())) {
                        line class="tie" x1=(at(from.0)) y1=(at(from.1)) x2=(at(to.0)) y2=(at(to.1)) {}
                    }
                }
                @for (id, name) in &known {
                    @if let Some((x, y)) = places.get(id.as_str()) {
                        a href=(book.href(&format!("/codex/{id}"))) aria-label=(name) {
                            circle class="pt" cx=(at(*x)) cy=(at(*y)) r="6" {}
                            text class="strong" x=(at(*x)) y=(at(y - 12.0)) text-anchor="middle" { (fit(name, 20)) }
                        }
                    }
                }
            }
            details {
                summary { (ask.t("Table", "表格")) }
                div class="scroll" tabindex="0" role="region" aria-label=(ask.t("Table of ties", "关系表")) {
                    table class="tbl" { tbody { @for tie in ties { tr { th scope="row" { (name(&tie.from)) " → " (name(&tie.to)) } td { (tie.description) } } } } }
                }
            }
        }
    }
}

pub(crate) fn person(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let id: Slug = ask.part("person")?.parse().map_err(|_| Fault::NotFound)?;
    let card = cast::show(&project, &id)?;
    let shown = card.answer(l);
    let told = timeline::timeline(&project, &id)?;
    let over = overview::overview(&project)?;
    let newest = over.written.max(1);
    let as_of = ask
        .query
        .get("as-of")
        .and_then(number)
        .map_or(newest, |chapter| chapter.clamp(1, newest));
    let profile = project.store().look(|reader| {
        let path = match shown.standing {
            Standing::Active => layout::character_profile(&id),
            Standing::Retired => layout::retired_profile(&id),
        };
        Ok::<_, Failure>(reader.text(&path)?)
    })?;
    let fields = [
        ("location", ask.t("Place", "地点")),
        ("emotional_state", ask.t("Mood", "心境")),
        ("status", ask.t("Standing", "境况")),
    ];
    let now = format!("{} ({})", ask.t("now", "如今"), chapter_name(l, newest));
    let so_far = shown
        .chapters
        .iter()
        .filter(|chapter| **chapter <= as_of)
        .count();
    let main = html! {
        div class="pagehead" {
            div {
                p class="eyebrow" { a href=(book.href("/codex")) { (ask.t("Codex", "设定集")) } " / " (ask.t("People", "人物")) }
                h1 class="h-page" lang=(tag(book.lang)) { (shown.display_name) @if !shown.aliases.is_empty() { " " span class="small faint" { (shown.aliases.join("、")) } } }
            }
            div class="end acts" {
                @match shown.standing { Standing::Active => (badge(Mark::Done, ask.t("active", "在场"))), Standing::Retired => (badge(Mark::None, ask.t("retired", "已退场"))) }
            }
        }
        form class="asof" method="get" action=(book.href(&format!("/codex/{id}"))) {
            label for="asof" class="lab" { (ask.t("As of", "截至")) }
            input type="range" id="asof" name="as-of" min="1" max=(newest) value=(as_of) aria-valuetext=(chapter_name(l, as_of)) data-submit;
            output for="asof" { (chapter_name(l, as_of)) }
            (presence_strip(ask, &shown.chapters, newest, as_of))
            noscript { button class="btn" { (ask.t("Show", "显示")) } }
        }
        div class="codex" {
            div {
                dl class="statecards" {
                    @for (field, name) in fields {
                        @let then = told.at(as_of, field).map(spoken);
                        @let today = told.at(newest, field).map(spoken);
                        @if field != "status" || today.is_some() {
                            div { dt { (name) } dd { (then.clone().unwrap_or_else(|| "—".to_owned())) } @if today != then { dd class="later" { (now) (ask.t(": ", "：")) (today.unwrap_or_default()) } } }
                        }
                    }
                    div { dt { (ask.t("Story time", "书中时间")) } dd { (told.time_at(as_of).unwrap_or("—")) } dd class="later" { (ask.t("so far in ", "出场 ")) (counts(l, so_far, "chapter", "章")) } }
                }
                @if let Some(profile) = &profile { @for line in profile.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).take(30) { p class="bio" lang=(tag(book.lang)) { (line) } } }
                section class="sec" aria-labelledby="ct-h" {
                    header { h2 class="h-sec" id="ct-h" { (ask.t("Contracts", "契约")) } }
                    @if shown.contracts.is_empty() { (nothing(ask.t("None.", "无。"))) }
                    @for contract in &shown.contracts {
                        div class="rulecard" {
                            p lang=(tag(book.lang)) { (contract.rule) }
                            p class="small muted" {
                                (contract.kind)
                                @if let Some(from) = contract.valid_from_chapter { (message!(en: " · since chapter {from}", zh: " · 自第 {from} 章").get(l)) }
                                @if !contract.exceptions.is_empty() { " · " (ask.t("except: ", "例外：")) (contract.exceptions.join("; ")) }
                                @if let Some(requires) = &contract.update_requires { " · " (ask.t("changes only by ", "改变须：")) (requires) }
                                " · " code { (contract.id) }
                            }
                        }
                    }
                }
            }
            div {
                section class="sec" aria-labelledby="tl-h" {
                    header { h2 class="h-sec" id="tl-h" { (ask.t("Changes", "变化")) } span class="end small faint" { (ask.t("each from the state log", "每条都有出处")) } }
                    (changes(ask, &book, &told, as_of))
                }
                @if !shown.needed_by.is_empty() {
                    section class="sec" aria-labelledby="nb-h" {
                        header { h2 class="h-sec" id="nb-h" { (ask.t("Still needed by", "谁还需要此人")) } }
                        ul class="rows small" { @for problem in shown.needed_by.iter().take(12) { li { span { (problem.message) } } } }
                    }
                }
                @if shown.standing == Standing::Active && shown.needed_by.is_empty() {
                    form class="card field" method="post" action=(book.href(&format!("/codex/{id}"))) aria-labelledby="lv-h" {
                        (hidden(ask))
                        h2 class="h-sec" id="lv-h" { (ask.t("Leaves the story", "退场")) }
                        label for="reason" { (ask.t("Why, for the notes", "缘由，记入笔记")) }
                        input class="input" id="reason" name="reason" maxlength="500" autocomplete="off" lang=(tag(book.lang));
                        p class="small muted" { (ask.t("Nothing planned or open needs them. They may act up to the newest chapter; their files stay. Can be undone.", "没有规划或未了的线索需要此人。此后不再出场，资料保留，可以撤销。")) }
                        div class="acts" { button class="btn" title={ "novel character retire " (id) } { (ask.t("Let them leave", "让此人退场")) } }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: shown.display_name.clone(),
            nav: Nav::Codex,
            book: &book,
            command: format!("novel character show {id}"),
            keys: &[("[ ]", ask.t("a chapter back, on", "前后一章"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// A value of the state in words.
/// Lets somebody leave the story.
pub(crate) fn retire(ask: &Ask) -> Result<Reply, Fault> {
    let id: Slug = ask.part("person")?.parse().map_err(|_| Fault::NotFound)?;
    let mut command = Command::new(&format!("character retire {id}"));
    if let Some(reason) = ask.form.filled("reason") {
        command = command.option("--reason", reason);
    }
    act_and_go(ask, &command, &format!("/b/{}/codex/{id}", ask.book()?))
}

fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "—".to_owned(),
        Value::Array(items) => items.iter().map(spoken).collect::<Vec<_>>().join("、"),
        other => other.to_string(),
    }
}

fn changes(ask: &Ask, book: &BookFrame, told: &timeline::Timeline, as_of: u32) -> Markup {
    // A field, what it was, what it became.
    type Changes<'a> = Vec<(&'a str, Option<String>, String)>;
    let mut by_chapter: Vec<(u32, Changes<'_>)> = Vec::new();
    for change in told
        .changes
        .iter()
        .filter(|change| change.field != "display_name")
    {
        let chapter = change.chapter.get();
        let before = told
            .at(chapter.saturating_sub(1), &change.field)
            .map(spoken);
        let entry = (change.field.as_str(), before, spoken(&change.value));
        match by_chapter.last_mut() {
            Some((known, entries)) if *known == chapter => entries.push(entry),
            _ => by_chapter.push((chapter, vec![entry])),
        }
    }
    // Around the chapter that is looked at; a long life has many changes.
    let here = by_chapter
        .iter()
        .rposition(|(chapter, _)| *chapter <= as_of);
    let from = here.unwrap_or(0).saturating_sub(8);
    let shown = by_chapter.iter().enumerate().skip(from).take(16);
    html! {
        @if by_chapter.is_empty() { (nothing(ask.t("Nothing changed so far.", "至今没有变化。"))) }
        ol class="rows tl" {
            @for (index, (chapter, entries)) in shown {
                li class=[if Some(index) == here { Some("here") } else if *chapter > as_of { Some("later") } else { None }] {
                    a href=(book.href(&format!("/chapters/{chapter}"))) { (chapter_name(ask.lang(), *chapter)) }
                    span class="ch" {
                        @for (field, before, after) in entries {
                            span { span class="vh" { (field) " " } @if let Some(before) = before { (before) " → " } strong { (after) } }
                        }
                    }
                }
            }
        }
    }
}

fn presence_strip(ask: &Ask, chapters: &[u32], newest: u32, as_of: u32) -> Markup {
    let step = 1000.0 / f64::from(newest.max(1));
    let at = |place: f64| format!("{place:.1}");
    let shown = chapters
        .iter()
        .filter(|chapter| **chapter <= newest)
        .count();
    let label =
        message!(en: "appears in {shown} of {newest} chapters", zh: "{newest} 章中出场 {shown} 章");
    html! {
        svg class="track" viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label=(label.get(ask.lang())) {
            rect class="off" x="0" y="7" width="1000" height="2" {}
            @for chapter in chapters.iter().filter(|chapter| **chapter <= newest) {
                rect class="on" x=(at((f64::from(*chapter) - 1.0) * step + step * 0.05)) y="4" width=(at(step * 0.9)) height="8" {}
            }
            rect class="cur" x=(at((f64::from(as_of) - 1.0) * step)) y="0" width=(at(step.max(2.0))) height="16" {}
        }
    }
}
