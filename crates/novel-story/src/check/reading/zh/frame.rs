//! Frames that excuse: memory, supposition, report.

use super::{Excuse, ends, holds, scope, starts, words};

/// The frame of the sentence up to the name, and right after it.
pub(super) fn frame(earlier: &str, post: &str) -> Option<Excuse> {
    if holds(earlier, words::PAST_BEFORE) || scope::ago_zh(earlier) || starts_old(earlier) {
        // Who turns up while somebody remembers acts all the same: `正想起旧事，忽然`.
        let interrupted = earlier
            .rsplit(['，', '；'])
            .next()
            .is_some_and(|last| holds(last, &["忽然", "突然", "这时", "只见", "却见", "此时"]))
            && !scope::ago_zh(earlier);
        if !interrupted {
            return Some(Excuse::Past);
        }
    }
    if holds(earlier, words::SUPPOSED_BEFORE) || supposed(earlier) {
        return Some(Excuse::Hypothesis);
    }
    // `据老兵讲，`.
    let according = earlier
        .trim_start_matches([' ', '　'])
        .strip_prefix('据')
        .is_some_and(|rest| rest.contains('，'));
    if according || holds(earlier, words::REPORTED_BEFORE) {
        return Some(Excuse::Report);
    }
    let reign =
        post.starts_with('时') && starts(post, &["时而", "时不时", "时常", "时时"]).is_none();
    // `白露过后`: the name is a day of the year.
    let season = ["过后", "前后", "时节", "节气"].contains(&post);
    if reign
        || season
        || starts(post, words::PAST_AFTER).is_some()
        || holds(
            post,
            &[
                "生前",
                "显灵",
                "显圣",
                "在世时",
                "活着的时候",
                "在世的时候",
                "梦里",
                "梦中",
            ],
        )
        || post.ends_with("似的")
        || post.ends_with("一般")
    {
        return Some(Excuse::Past);
    }
    if holds(post, words::EXPERIENCE) {
        return Some(Excuse::Past);
    }
    None
}

/// Chronicle style: `初，`, `昔`.
fn starts_old(earlier: &str) -> bool {
    let earlier = earlier.trim_start_matches([' ', '　']);
    // A year in a chronicle: `建安十二年，`.
    let first = earlier.split('，').next().unwrap_or_default();
    let dated = first.len() < earlier.len()
        && first.strip_suffix('年').is_some_and(|year| {
            year.chars()
                .next_back()
                .is_some_and(|digit| "元一二三四五六七八九十".contains(digit))
                && year.chars().count() >= 3
        });
    if dated {
        return true;
    }
    earlier.starts_with('昔') || earlier.starts_with("初，") || earlier.starts_with("早年")
}

/// `若` before a subject, but not in `若有所思`.
fn supposed(earlier: &str) -> bool {
    earlier.match_indices('若').any(|(at, _)| {
        let rest = &earlier[at + '若'.len_utf8()..];
        let starts_clause = earlier[..at]
            .chars()
            .next_back()
            .is_none_or(|char| !char.is_alphanumeric());
        starts_clause && starts(rest, &["有所", "无其事", "隐若现", "即若离", "有若无"]).is_none()
    })
}

/// `谁也没料到`, `想不到` before the name.
pub(super) fn unexpected(pre: &str) -> bool {
    ends(
        pre,
        &[
            "没料到",
            "没想到",
            "想不到",
            "料不到",
            "未料到",
            "未曾想",
            "不曾想",
        ],
    )
}
