//! Chinese sentences in which a thing is handled.

use std::ops::Range;

use novel_model::Lang;

use super::{
    super::agent,
    handling::{
        COMPLEMENTS_ZH, DOES_ZH, MEANS_ZH, MEASURES_ZH, NOT_WHOLE_ZH, PARTS_ZH, POINTS_ZH, VERBS_ZH,
    },
};
use crate::check::prose::{Scene, Sentence, holds};

/// Whether the thing at a range is handled, or, where it is nobody's, does what a whole thing does.
pub(super) fn handled(
    scene: &Scene<'_>,
    sentence: Sentence,
    name: Range<usize>,
    is_held: bool,
) -> bool {
    let clause = agent::clause(scene, sentence, name.start, Lang::Zh);
    let front = &scene.content[clause.start..name.start];
    let rest = &scene.content[name.end..clause.end.max(name.end)];
    if holds(front, NOT_WHOLE_ZH) || holds(rest, NOT_WHOLE_ZH) {
        return false;
    }
    let object = is_object(front, rest);
    // `续命灯的火苗亮着`, `按下录音笔的播放键`.
    if let Some(of) = rest.strip_prefix('的') {
        let part = PARTS_ZH
            .iter()
            .filter_map(|part| of.strip_prefix(part))
            .min_by_key(|after| after.len());
        return part.is_some_and(|after| object || !is_held && !after.is_empty());
    }
    if object {
        return true;
    }
    // `寒鸦弓被顾慎挎在肩上`, `那张弓此刻就背在顾慎身后`, `青锋剑出鞘`.
    let begins = undetermined(front).is_empty();
    let passive = rest.starts_with('被') || rest.starts_with('由');
    begins
        && (passive && rest.chars().count() > 4
            || holds(rest, DOES_ZH) && (!is_held || holds(rest, &["手", "怀", "腰", "膝", "背"])))
}

/// Whether what stands before a thing makes it an object: `抡圆`, `从腰间解下那只`, `把`.
fn is_object(front: &str, rest: &str) -> bool {
    let front = undetermined(front);
    if let Some(means) = MEANS_ZH.iter().find(|means| front.ends_with(**means)) {
        return rest.chars().count() >= 2 || means.chars().count() > 1;
    }
    let mut verb = front;
    for _ in 0..2 {
        let shorter = COMPLEMENTS_ZH
            .iter()
            .filter_map(|complement| verb.strip_suffix(complement))
            .min_by_key(|rest| rest.len());
        match shorter {
            Some(shorter) => verb = shorter,
            None => break,
        }
    }
    let handles = verb.ends_with(|char: char| VERBS_ZH.contains(char));
    // A bare verb needs its object to end the clause or to go on with another verb.
    handles && (verb.len() < front.len() || !rest.starts_with('的'))
}

/// Without what points at the thing: `那柄`, `一张`, `自己的`.
fn undetermined(front: &str) -> &str {
    const ADJECTIVE: usize = 8;
    let mut front = front.trim_end();
    if let Some((head, adjective)) = front
        .strip_suffix('的')
        .and_then(|rest| rest.rfind(['那', '这', '一']).map(|at| rest.split_at(at)))
        && adjective.chars().count() <= ADJECTIVE
    {
        front = head;
    }
    let measured = front.trim_end_matches(|char: char| MEASURES_ZH.contains(char));
    let pointed = POINTS_ZH
        .iter()
        .filter_map(|point| measured.strip_suffix(point))
        .min_by_key(|rest| rest.len());
    match pointed {
        Some(rest) => rest,
        None => POINTS_ZH
            .iter()
            .filter_map(|point| front.strip_suffix(point))
            .min_by_key(|rest| rest.len())
            .unwrap_or(front),
    }
}
