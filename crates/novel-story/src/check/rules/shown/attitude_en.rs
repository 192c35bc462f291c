//! How two people stand to each other, by what an English sentence says of both.

use super::ties;
use crate::check::prose::holds;

/// The stand between two names: what is said between them and after both, in small letters.
pub(super) fn stand(between: &str, after: &str) -> Option<i8> {
    const NOT_NOW: &[&str] = &[
        " once ",
        " used to ",
        " no longer ",
        " if ",
        " would ",
        " might ",
        " until ",
        " had thought ",
        " now ",
        " these days ",
        " any more ",
        " anymore ",
        " at all ",
        " as though ",
        " as if ",
        " before the ",
        " formerly ",
        "?",
    ];
    let marks = |char: char| !(char.is_alphanumeric() || char == '\'' || char == '?');
    let whole = format!(" {between} {after} ").replace(marks, " ");
    if holds(&whole, NOT_NOW) || between.contains(['.', ';', '"', '“', '—']) {
        return None;
    }
    let (gap, rest) = (between.trim(), after.trim_start());
    let lasts = [
        " since ",
        " for years",
        " for as long",
        " all his life",
        " all her life",
        " all their lives",
        " from childhood",
        " always ",
        " ever since",
        " for decades",
        " long ",
    ]
    .iter()
    .any(|mark| whole.contains(mark));
    if gap == "and" {
        return both_en(rest, lasts);
    }
    // `had never met B`, `had grown up with B`.
    const STRANGE: &[&str] = &[
        "had never met",
        "had never seen",
        "had never set eyes on",
        "had never laid eyes on",
        "had never spoken to",
        "had never heard of",
        "had never come across",
        "did not know",
        "didn't know",
        "had never before met",
        "has never met",
        "had not met",
    ];
    const KNOWN: &[&str] = &[
        "had grown up with",
        "grew up with",
        "had gone to school with",
        "had been at school with",
        "had served with",
        "had been raised with",
    ];
    const HATES: &[&str] = &[
        "hated",
        "loathed",
        "despised",
        "detested",
        "hates",
        "loathes",
        "despises",
        "detests",
        "had always hated",
        "had always despised",
        "had always loathed",
    ];
    let ends = rest.is_empty()
        || rest.starts_with(['.', ',', ';', '!'])
        || [
            "before", "in ", "with ", "until", "more ", "for ", "from ", "at all",
        ]
        .iter()
        .any(|word| rest.starts_with(word));
    let bare = [
        "still ",
        "truly ",
        "openly ",
        "simply ",
        "really ",
        "secretly ",
    ]
    .iter()
    .find_map(|adverb| gap.strip_prefix(adverb))
    .unwrap_or(gap);
    if STRANGE.contains(&bare) && ends {
        return Some(0);
    }
    if KNOWN.contains(&bare) {
        return Some(2);
    }
    // To hate somebody for something, or for a moment, is no enmity.
    let lasting = rest.is_empty()
        || rest.starts_with(['.', ';', '!'])
        || rest.starts_with("with ")
        || rest.starts_with(", as ")
        || rest.starts_with(", had ")
        || rest.starts_with("more than ");
    // `There was no one Gwil hated as he hated Ashe`, `A loved B like a brother`.
    if gap.ends_with(" hated") && gap.contains("hated as ") && lasting {
        return Some(-1);
    }
    if matches!(bare, "loved" | "loves")
        && [
            "like a brother",
            "like a sister",
            "as a brother",
            "as a sister",
        ]
        .iter()
        .any(|word| rest.starts_with(word))
    {
        return Some(1);
    }
    // `Bram was the one man Tessa trusted`.
    if [
        "was the one man",
        "was the one woman",
        "was the only man",
        "was the only woman",
        "was the only person",
        "was the one person",
        "was the only friend",
    ]
    .contains(&gap)
        && (rest.starts_with("trusted") || rest.starts_with("had"))
    {
        return Some(1);
    }
    if HATES.contains(&bare) && lasting && !holds(&whole, &[" moment", " sometimes ", " half "]) {
        return Some(-1);
    }
    // `trusted B with her life`.
    if matches!(bare, "trusted" | "trusts")
        && [
            "with his life",
            "with her life",
            "completely",
            "utterly",
            "above all",
            "more than",
            "as he trusted no",
            "as she trusted no",
        ]
        .iter()
        .any(|word| rest.starts_with(word))
    {
        return Some(1);
    }
    // `counted B among her friends`, `looked on B as an enemy`.
    let regards = [
        "counted",
        "considered",
        "regarded",
        "thought of",
        "looked on",
        "looked upon",
        "counts",
        "considers",
        "regards",
    ];
    if regards.contains(&bare) {
        let tie = ["among ", "as one of ", "one of ", "as ", ""]
            .iter()
            .find_map(|mark| rest.strip_prefix(mark))?;
        let tie = tie.split([',', '.', ';']).next()?;
        return ties::tie_en(article_off(tie));
    }
    // `A was a friend of B`, `A was a stranger to B`.
    let is = ["was ", "is ", "had always been ", "remained "]
        .iter()
        .find_map(|is| gap.strip_prefix(is))?;
    let tie = is
        .strip_suffix(" of")
        .or_else(|| is.strip_suffix(" to"))
        .filter(|tie| tie.split(' ').count() <= 5)?;
    (!tie.contains("'s")).then(|| ties::tie_en(article_off(tie)))?
}

fn article_off(phrase: &str) -> &str {
    ["a ", "an ", "the ", "his ", "her "]
        .iter()
        .find_map(|article| phrase.strip_prefix(article))
        .unwrap_or(phrase)
}

/// After `A and B`.
fn both_en(rest: &str, lasts: bool) -> Option<i8> {
    const EACH: [&str; 2] = ["each other", "one another"];
    let clause = rest.split(['.', ';', ',']).next().unwrap_or_default();
    let each = |verb: &str| {
        EACH.iter()
            .any(|each| clause.contains(&format!("{verb} {each}")))
    };
    if ["hated", "loathed", "despised", "detested"]
        .iter()
        .any(|verb| each(verb))
    {
        return Some(-1);
    }
    if clause.starts_with("had never met") || clause.starts_with("did not know each other") {
        return Some(0);
    }
    if clause.starts_with("had grown up together")
        || clause.starts_with("grew up together")
        || each("known") && lasts
    {
        return Some(2);
    }
    let (tie, past) = [
        ("were ", false),
        ("are ", false),
        ("remained ", false),
        ("had been ", true),
        ("have been ", false),
        ("had always been ", false),
        ("had long been ", false),
    ]
    .iter()
    .find_map(|(is, past)| Some((clause.strip_prefix(is)?, *past)))?;
    if past && !lasts {
        return None;
    }
    let tie = [" since", " for ", " all ", " to ", " and ", " from "]
        .iter()
        .filter_map(|mark| tie.find(mark))
        .min()
        .map_or(tie, |end| &tie[..end]);
    let tie = tie
        .strip_prefix("the best of ")
        .or_else(|| tie.strip_prefix("the closest of "))
        .unwrap_or(tie);
    ties::tie_en(article_off(tie))
}
