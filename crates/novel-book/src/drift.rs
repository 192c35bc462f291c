//! Style drift, checked every five chapters (seed 003, step 6).

use novel_model::{
    ChapterNo, Lang,
    files::{Drift, StyleDrift, StyleProfile},
};

/// Chapters between two checks, and chapters in the window.
pub const WINDOW: u32 = 5;

/// Deviation of the sentence length from which style counts as drifted, as a share.
pub const SENTENCE_DRIFT: f64 = 0.20;
/// Deviation of the dialogue ratio from which style counts as drifted, in absolute terms.
pub const DIALOGUE_DRIFT: f64 = 0.15;
const RECOVERED: f64 = 0.10;

/// What was measured over the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Counted characters per sentence.
    pub avg_sentence_length: f64,
    /// Share of counted characters in quotes.
    pub dialogue_ratio: f64,
}

/// What the check asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum DriftAction {
    /// Leave `style-drift.json` as it is.
    Keep,
    /// Write this correction.
    Correct(StyleDrift),
    /// Write this: the correction is over.
    Clear(StyleDrift),
}

/// Whether a check is due after `chapter`.
#[must_use]
pub fn is_due(chapter: ChapterNo) -> bool {
    chapter.get().is_multiple_of(WINDOW)
}

/// Compares the window that ends with `chapter` to the style profile.
#[must_use]
pub fn check(
    profile: &StyleProfile,
    measured: Measured,
    current: Option<&StyleDrift>,
    chapter: ChapterNo,
    now: &str,
    lang: Lang,
) -> DriftAction {
    // A profile without a baseline has nothing to drift from.
    let deviation = |baseline: Option<f64>, value: f64| {
        baseline
            .filter(|baseline| *baseline > 0.0)
            .map(|base| ((value - base).abs() / base, base))
    };
    let sentence = deviation(profile.avg_sentence_length, measured.avg_sentence_length);
    let dialogue = deviation(profile.dialogue_ratio, measured.dialogue_ratio);
    let mut drifts = Vec::new();
    if let Some((_, baseline)) = sentence.filter(|(deviation, _)| *deviation > SENTENCE_DRIFT) {
        let current = measured.avg_sentence_length;
        drifts.push(drift(
            "avg_sentence_length",
            baseline,
            current,
            sentence_directive(current > baseline, lang),
        ));
    }
    if let Some((_, baseline)) = dialogue.filter(|(deviation, _)| *deviation > DIALOGUE_DRIFT) {
        let current = measured.dialogue_ratio;
        drifts.push(drift(
            "dialogue_ratio",
            baseline,
            current,
            dialogue_directive(current > baseline, lang),
        ));
    }
    if !drifts.is_empty() {
        let first = ChapterNo::new(chapter.get().saturating_sub(WINDOW - 1)).unwrap_or(chapter);
        return DriftAction::Correct(StyleDrift {
            active: true,
            detected_chapter: chapter,
            window: (first, chapter),
            drifts,
            injected_to: vec!["ChapterWriter".into(), "StyleRefiner".into()],
            created_at: Some(now.to_owned()),
            cleared_at: None,
            cleared_reason: None,
        });
    }
    let back = |deviation: Option<(f64, f64)>| deviation.is_none_or(|(value, _)| value < RECOVERED);
    match current.filter(|drift| drift.active) {
        Some(active) if back(sentence) && back(dialogue) => DriftAction::Clear(StyleDrift {
            active: false,
            cleared_at: Some(now.to_owned()),
            cleared_reason: Some("metrics_recovered".into()),
            ..active.clone()
        }),
        _ => DriftAction::Keep,
    }
}

fn drift(metric: &str, baseline: f64, current: f64, directive: &str) -> Drift {
    Drift {
        metric: metric.into(),
        baseline,
        current,
        directive: directive.into(),
    }
}

const fn sentence_directive(too_long: bool, lang: Lang) -> &'static str {
    match (too_long, lang) {
        (true, Lang::Zh) => "句子过长，回归短句节奏：拆分长句，用动作推进",
        (true, Lang::En) => "Sentences run long: split them and let action carry the scene",
        (false, Lang::Zh) => "句子过短，允许适度长句与节奏变化（以风格档案为准）",
        (false, Lang::En) => {
            "Sentences run short: allow longer ones and vary the rhythm, within the style profile"
        }
    }
}

const fn dialogue_directive(too_much: bool, lang: Lang) -> &'static str {
    match (too_much, lang) {
        (true, Lang::Zh) => "对话偏多，加强叙述承接与内心活动（不删对白，只调整段落与衔接）",
        (true, Lang::En) => {
            "Much dialogue: strengthen narration and inner life around it; cut no lines"
        }
        (false, Lang::Zh) => "对话偏少，由章节作者用对话推进互动（润色时不得硬造新对白）",
        (false, Lang::En) => {
            "Little dialogue: the writer lets people talk; the refiner invents no lines"
        }
    }
}

#[cfg(test)]
#[path = "drift_tests.rs"]
mod tests;
