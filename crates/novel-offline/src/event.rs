//! What a plan demands, told as a story.

use novel_model::{Lang, files::Objective};
use novel_text::count_words;

use crate::{
    plan::ChapterPlan,
    prose::{capitalize, clean, lower_first},
    voice::Voice,
};

/// An objective as a paragraph: lead, event, echo.
pub(crate) fn objective_beat(
    voice: &mut Voice,
    plan: &ChapterPlan,
    objective: &Objective,
) -> String {
    let lead = voice.say("beat_lead", &[]);
    let event = event(voice, plan, &objective.description);
    let echo = voice.say("beat_follow", &[]);
    match plan.lang {
        Lang::Zh => format!("{lead}{event}{echo}"),
        Lang::En => format!("{lead} {event} {echo}"),
    }
}

/// An objective's description as a sentence of the story. A plan may speak of the chapter ("reveal
/// that …") where a story tells; such words are taken off.
fn event(voice: &mut Voice, plan: &ChapterPlan, description: &str) -> String {
    let phrase = clean(description);
    let (told, is_sentence) = match plan.lang {
        Lang::Zh => told_zh(&phrase),
        Lang::En => told_en(&phrase),
    };
    if is_sentence && count_words(&told) > 4 {
        match plan.lang {
            Lang::Zh => format!("{told}。"),
            Lang::En => format!("{}.", capitalize(&told)),
        }
    } else {
        let small = lower_first(&told);
        voice.say("noun_frame", &[("event", &small)])
    }
}

fn told_zh(phrase: &str) -> (String, bool) {
    for verb in ["让", "使", "令"] {
        if let Some(rest) = phrase.strip_prefix(verb) {
            return (rest.to_owned(), true);
        }
    }
    const PLANNING: [&str; 14] = [
        "埋下", "埋设", "展示", "揭示", "交代", "建立", "引出", "表现", "铺垫", "刻画", "呈现",
        "描写", "推进", "说明",
    ];
    for verb in PLANNING {
        if let Some(rest) = phrase.strip_prefix(verb) {
            let rest = rest.trim_start_matches(['：', '了']);
            let rest = rest.strip_suffix("的伏笔").unwrap_or(rest);
            return (rest.to_owned(), false);
        }
    }
    (phrase.to_owned(), true)
}

fn told_en(phrase: &str) -> (String, bool) {
    const PLANNING: [&str; 10] = [
        "reveal",
        "show",
        "establish",
        "introduce",
        "plant",
        "advance",
        "resolve",
        "describe",
        "convey",
        "hint",
    ];
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    if !PLANNING.contains(&first.to_lowercase().as_str()) {
        return (phrase.to_owned(), true);
    }
    match rest.strip_prefix("that ") {
        Some(clause) => (clause.to_owned(), true),
        None => (rest.to_owned(), false),
    }
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
