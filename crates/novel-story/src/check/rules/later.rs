//! Acts that a sentence shows of somebody it names elsewhere: by a pronoun that can mean only them, or
//! by their own word of who they are.

use std::ops::Range;

use novel_model::Lang;

use super::{Scope, subject::PRONOUNS};
use crate::check::{
    prose::{Mention, holds},
    reading::{Excuse, Reading},
};

/// Somebody is looked at or turned to, alone in the paragraph so far, and the next sentence goes on
/// with a pronoun: `Everyone looked at Chen. He shrugged`.
pub(super) fn follow_up(
    scope: &Scope<'_>,
    at: usize,
    mention: Mention<'_>,
) -> Option<Range<usize>> {
    const TURNED_TO_ZH: &[&str] = &[
        "看向",
        "望向",
        "转向",
        "看着",
        "望着",
        "盯着",
        "走向",
        "指着",
        "指向",
        "看了看",
        "围住",
        "瞪着",
        "投向",
    ];
    const GAZE_EN: &[&str] = &[
        "looked",
        "glanced",
        "stared",
        "turned",
        "nodded",
        "pointed",
        "waved",
        "gestured",
        "gazed",
        "grinned",
        "swung round",
    ];
    const SUMMONS_EN: &[&str] = &[
        " called",
        " summoned",
        " fetched",
        " woke",
        " roused",
        " hailed",
        " announced",
        " introduced",
        " sent for",
    ];
    if !matches!(
        scope.read(at, mention),
        Reading::Doubtful | Reading::Excused(Excuse::Mention)
    ) {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let next = scene.next_in_paragraph(sentence)?;
    let paragraph = scene.paragraphs.get(sentence.paragraph)?;
    let before = &scene.content[sentence.start..mention.start];
    let rest = &scene.content[mention.end..sentence.end];
    // The name ends its sentence, so nothing else is looked at.
    if rest.chars().any(char::is_alphanumeric) {
        return None;
    }
    let turned_to = match scope.lang {
        Lang::Zh => TURNED_TO_ZH
            .iter()
            .any(|verb| before.trim_end_matches('了').ends_with(verb)),
        Lang::En => {
            let before = before.trim_end().to_lowercase();
            ["at", "to", "toward", "towards"]
                .iter()
                .find_map(|word| before.strip_suffix(word))
                .is_some_and(|before| GAZE_EN.iter().any(|verb| before.trim_end().ends_with(verb)))
                || SUMMONS_EN
                    .iter()
                    .any(|verb| before.trim_end().ends_with(verb))
        }
    };
    let words = scene.text(next);
    let pronoun = PRONOUNS
        .iter()
        .find(|pronoun| words.starts_with(**pronoun))?;
    let so_far = scene.content[paragraph.start..sentence.end].to_lowercase();
    let alone = scope
        .mentions(at)
        .iter()
        .filter(|other| (paragraph.start..next.end).contains(&other.start))
        .all(|other| other.id == mention.id);
    let plural = words[pronoun.len()..].starts_with(['们', '的']);
    // `He looked peaceful` tells of the dead as well.
    let seems = ["looked", "seemed", "appeared", "wore", "看起来", "看上去"]
        .iter()
        .any(|verb| words[pronoun.len()..].starts_with(verb));
    if !turned_to || !alone || plural || seems || says_pronoun(&so_far) {
        return None;
    }
    let stand_in = Mention {
        start: next.start,
        end: next.start + pronoun.trim_end().len(),
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `“我是陈老。”来人说`: somebody says who they are, and nobody else is named who may have said it.
pub(super) fn introduced(
    scope: &Scope<'_>,
    at: usize,
    mention: Mention<'_>,
) -> Option<Range<usize>> {
    const SAYS_ZH: &[&str] = &["我是", "我叫", "我就是", "我乃", "在下", "吾乃", "我，"];
    const SAYS_EN: &[&str] = &[
        "i'm ",
        "i’m ",
        "i am ",
        "my name is ",
        "the name is ",
        "the name's ",
    ];
    const FALSE: &[&str] = &[
        "冒充",
        "假",
        "学着",
        "装",
        "扮",
        "模仿",
        "念",
        "读",
        "录音",
        "信",
        "梦",
        "自称",
        "骗",
        "戏",
        "玩",
        "孩子",
        "游戏",
        "打仗",
        "谎",
        "口吻",
        "口气",
        "留言",
        "如果",
        "幻",
        "鬼",
        "魂",
        "pretend",
        "imitat",
        "mimic",
        "tape",
        "record",
        "voicemail",
        "letter",
        "read",
        "dream",
        "costume",
        "impost",
        "lied",
        "lying",
        "ghost",
        "if ",
        "stage",
        "play",
        "joke",
        "mock",
    ];
    let scene = scope.text.scenes.get(at)?;
    if !scene.is_quoted(mention.start) || scope.flashbacks.get(at)?.covers(mention.start) {
        return None;
    }
    let sentence = scene.sentence_at(mention.start)?;
    let paragraph = scene.paragraphs.get(sentence.paragraph)?.clone();
    let before = scene.content[sentence.start..mention.start].to_lowercase();
    let says = match scope.lang {
        Lang::Zh => SAYS_ZH,
        Lang::En => SAYS_EN,
    };
    let rest = &scene.content[mention.end..sentence.end];
    let ends = rest.starts_with(['。', '！', '，', ',', '.', '!', '”', '"']);
    let next = scene.next_in_paragraph(sentence);
    let tag_end = next.map_or(sentence.end, |next| next.end);
    let another = scope.mentions(at).iter().any(|other| {
        (sentence.start..tag_end).contains(&other.start)
            && other.id != mention.id
            && !scene.is_quoted(other.start)
            && scope.read(at, *other).act().is_some()
            && other.start < sentence.end
    });
    let told = scene.content[paragraph].to_lowercase();
    (says.iter().any(|word| before.ends_with(word)) && ends && !another && !holds(&told, FALSE))
        .then_some(mention.start..mention.end)
}

/// `苏棠推了推陈老，他翻了个身`: whom somebody touches goes on, with a pronoun of their own.
pub(super) fn touched(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const TOUCHES: &[&str] = &[
        "推了推",
        "拍了拍",
        "摇了摇",
        "踢了踢",
        "拉住",
        "拽住",
        "扶住",
        "扶起",
        "叫住",
        "喊住",
        "拦住",
        "按住",
        "搂住",
        "抱住",
        "叫醒",
        "推醒",
        "摇醒",
        "拉起",
    ];
    const LIFELESS: &[&str] = &[
        "没有",
        "一动不动",
        "冰",
        "僵",
        "再也",
        "不再",
        "已经",
        "早已",
        "沉",
        "血",
    ];
    if scope.lang != Lang::Zh
        || !matches!(
            scope.read(at, mention),
            Reading::Doubtful | Reading::Excused(Excuse::Mention)
        )
    {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let before = &scene.content[sentence.start..mention.start];
    let rest = &scene.content[mention.end..sentence.end];
    let pronoun = ["，他", "，她"]
        .iter()
        .find(|pronoun| rest.starts_with(**pronoun))?;
    let clause = rest[pronoun.len()..]
        .split(['，', '。'])
        .next()
        .unwrap_or_default();
    let unclear = clause.starts_with(['们', '的']) || holds(clause, LIFELESS);
    if unclear || !TOUCHES.iter().any(|verb| before.ends_with(verb)) {
        return None;
    }
    let start = mention.end + '，'.len_utf8();
    let stand_in = Mention {
        start,
        end: start + '他'.len_utf8(),
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `Chen did not answer. He turned the coin over`: a denial of somebody who is there.
pub(super) fn goes_on(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const NOT_HERE: &[&str] = &[
        "live", "survive", "come", "return", "make", "exist", "leave", "die", "see",
    ];
    if scope.lang != Lang::En || scope.read(at, mention) != Reading::Doubtful {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let next = scene.next_in_paragraph(sentence)?;
    let after = &scene.content[mention.end..sentence.end];
    let denied = after
        .strip_prefix(" did not ")
        .or_else(|| after.strip_prefix(" didn't "))
        .or_else(|| after.strip_prefix(" didn’t "))
        .or_else(|| after.strip_prefix(" couldn't "))
        .or_else(|| after.strip_prefix(" couldn’t "))
        .or_else(|| after.strip_prefix(" could not "))?;
    let verb = denied
        .split(|char: char| !char.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let words = scene.text(next);
    let pronoun = ["He ", "She "]
        .iter()
        .find(|pronoun| words.starts_with(**pronoun))?;
    let alone = scope
        .mentions(at)
        .iter()
        .filter(|other| (sentence.start..next.end).contains(&other.start))
        .all(|other| other.id == mention.id);
    if mention.start != sentence.start || !alone || NOT_HERE.contains(&verb) {
        return None;
    }
    let stand_in = Mention {
        start: next.start,
        end: next.start + pronoun.len() - 1,
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `陈老没走。他点了根烟`, `陈老的车就停在路边，他摇下车窗`: nobody else is named, and a pronoun goes on.
pub(super) fn pronoun_goes_on(
    scope: &Scope<'_>,
    at: usize,
    mention: Mention<'_>,
) -> Option<Range<usize>> {
    if scope.lang != Lang::Zh {
        return None;
    }
    let reading = scope.read(at, mention);
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let rest = &scene.content[mention.end..sentence.end];
    if let Some(act) = the_latter(scope, at, mention, &reading) {
        return Some(act);
    }
    let alone = |end: usize| {
        scope
            .mentions(at)
            .iter()
            .filter(|other| (sentence.start..end).contains(&other.start))
            .all(|other| other.id == mention.id)
            && !says_pronoun(&scene.content[sentence.start..mention.start])
    };
    let begins = mention.start == sentence.start
        || scene.content[sentence.start..mention.start].ends_with(['，', '。', '”']);
    let (start, end) = match reading {
        // A thing of theirs, and then they themselves.
        Reading::Excused(Excuse::Mention) if rest.starts_with('的') && begins => {
            let clause = rest.find(['，', '。'])?;
            let start = mention.end + clause + '，'.len_utf8();
            let next = scene.content.get(start..sentence.end)?;
            let known = next.starts_with("他") || next.starts_with("她");
            if !known || holds(&rest[..clause], NOT_THEIRS) {
                return None;
            }
            (start, sentence.end)
        }
        // `又是陈老！他从墙头跳下来`.
        Reading::Doubtful | Reading::Excused(Excuse::Mention)
            if scene.content[sentence.start..mention.start].ends_with('是')
                && !rest.chars().any(char::is_alphanumeric) =>
        {
            let next = scene.next_in_paragraph(sentence)?;
            (next.start, next.end)
        }
        Reading::Doubtful if begins && rest.starts_with(['没', '不']) => {
            let next = scene.next_in_paragraph(sentence)?;
            if holds(rest, NOT_THERE) {
                return None;
            }
            (next.start, next.end)
        }
        _ => return None,
    };
    let pronoun = scene.content[start..].chars().next()?;
    let follows = &scene.content[start + pronoun.len_utf8()..end];
    if !matches!(pronoun, '他' | '她') || follows.starts_with(['们', '的']) || !alone(end) {
        return None;
    }
    let stand_in = Mention {
        start,
        end: start + pronoun.len_utf8(),
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `苏晚冲陈老使了个眼色，后者会意`: the one named last.
fn the_latter(
    scope: &Scope<'_>,
    at: usize,
    mention: Mention<'_>,
    reading: &Reading,
) -> Option<Range<usize>> {
    const LATTER: &str = "后者";
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    if !matches!(
        reading,
        Reading::Doubtful | Reading::Excused(Excuse::Mention)
    ) {
        return None;
    }
    let start = mention.end + scene.content[mention.end..sentence.end].find(LATTER)?;
    let last = !scope
        .mentions(at)
        .iter()
        .any(|other| (mention.end..start).contains(&other.start));
    let begins = scene.content[..start].ends_with(['，', '；']);
    let stand_in = Mention {
        start,
        end: start + LATTER.len(),
        id: mention.id,
    };
    (last && begins && !scene.content[stand_in.end..].starts_with('的'))
        .then(|| scope.read(at, stand_in).act())
        .flatten()
}

/// Of somebody who is not there.
const NOT_THERE: &[&str] = &[
    "没来",
    "没有来",
    "没回来",
    "没有回来",
    "没能",
    "没有能",
    "没等到",
    "没有等到",
    "没活",
    "没有活",
    "没熬",
    "没挺",
    "没撑",
    "不在",
    "不会",
    "不再",
    "没了",
    "没有儿",
    "没有子",
    "没有留",
    "没留",
];

/// What belongs to somebody and has people of its own.
const NOT_THEIRS: &[&str] = &[
    "儿子", "女儿", "徒弟", "弟子", "妻子", "夫人", "丈夫", "媳妇", "兄弟", "弟弟", "哥哥", "妹妹",
    "姐姐", "父亲", "母亲", "爹", "娘", "手下", "部下", "旧部", "家人", "后人", "孙", "朋友",
    "师父", "老婆", "死", "坟", "墓", "棺", "尸", "遗", "画像", "照片", "名字", "故事", "消息",
    "信", "话", "仇", "事", "生日",
];

/// Whether a text has a pronoun of the third person.
fn says_pronoun(text: &str) -> bool {
    text.contains(['他', '她'])
        || text
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| matches!(word, "he" | "him" | "his" | "she" | "her" | "hers"))
}
