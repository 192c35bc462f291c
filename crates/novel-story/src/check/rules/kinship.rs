//! Family ties as the prose tells them of two people.

use novel_model::Lang;

use super::{Scope, agent, kin::Kin};
use crate::{
    check::prose::{Mention, Scene, Sentence, holds},
    ledger::kin_of,
};

/// What somebody is taken for, or is not.
const TAKEN_FOR_ZH: &[&str] = &[
    "都当",
    "只当",
    "当作",
    "当成",
    "以为",
    "误",
    "都说",
    "传言",
    "不知情",
    "装作",
    "假扮",
    "冒充",
    "自称",
    "若",
    "像",
    "仿佛",
    "不是",
];

fn claim(a: &str, word: &str, b: &str) -> Option<Kin> {
    let (kind, sex) = kin_of(word)?;
    Some(Kin {
        a: a.to_owned(),
        kind,
        sex,
        b: b.to_owned(),
    })
}

/// The longest word of family a text begins with.
fn longest_kin(text: &str) -> Option<&str> {
    text.char_indices()
        .map(|(at, char)| at + char.len_utf8())
        .take(4)
        .filter(|end| kin_of(&text[..*end]).is_some())
        .last()
        .map(|end| &text[..end])
}

/// The longest word of family a text ends with, and what is before it.
fn kin_at_end(text: &str) -> Option<(&str, &str)> {
    text.char_indices()
        .rev()
        .take(4)
        .filter(|(at, _)| kin_of(&text[*at..]).is_some())
        .last()
        .map(|(at, _)| text.split_at(at))
}

/// `扶着她父亲顾慎`, `望着女儿陆芷`, `与女儿陆芷`: the tie is the subject's.
fn own_kin_zh(
    scope: &Scope<'_>,
    at: usize,
    sentence: Sentence,
    (id, end): (&str, usize),
    between: &str,
    next: &Mention<'_>,
    after: &str,
) -> Option<Kin> {
    let (front, word) = kin_at_end(between)?;
    let acts = scope
        .mentions(at)
        .iter()
        .any(|mention| mention.end == end && scope.read(at, *mention).act().is_some());
    let mut two = agent::named(scope, at, sentence);
    if !acts || two.any(|other| other.id != id && other.id != next.id) || word.chars().count() < 2 {
        return claim(next.id, word, id)
            .filter(|_| acts && word.chars().count() == 1 && front.ends_with(['她', '他']));
    }
    let own = front
        .strip_suffix(['她', '他'])
        .or_else(|| front.strip_suffix("自己的"))
        .or_else(|| front.strip_suffix("自己"))
        .unwrap_or(front);
    let leads = own.ends_with([
        '与', '和', '跟', '同', '着', '了', '向', '对', '给', '望', '看', '把', '将', '被', '替',
        '为', '见',
    ]);
    let plain = !own.contains(['，', '的', '、', '他', '她']) && own.chars().count() <= 10;
    (leads && plain && !after.starts_with(['的', '般']))
        .then(|| claim(next.id, word, id))
        .flatten()
}

/// `He was Kaelen's father`, `他是陆芷的父亲`, `She was his wife`: a pronoun for the person, or the two,
/// of the paragraph so far.
fn by_pronoun(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, sentence: Sentence) -> Vec<Kin> {
    const IS: &[&str] = &[
        "He was ",
        "She was ",
        "He is ",
        "She is ",
        "He had been ",
        "She had been ",
        "他是",
        "她是",
        "他正是",
        "她正是",
        "他便是",
        "她便是",
    ];
    let text = scene.text(sentence);
    let Some(rest) = IS.iter().find_map(|is| text.strip_prefix(is)) else {
        return Vec::new();
    };
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return Vec::new();
    };
    let mut earlier: Vec<&str> = scope
        .mentions(at)
        .iter()
        .filter(|mention| {
            (paragraph.start..sentence.start).contains(&mention.start)
                && !scene.is_quoted(mention.start)
        })
        .map(|mention| mention.id)
        .collect();
    earlier.sort_unstable();
    earlier.dedup();
    let is_end = |char: char| matches!(char, ',' | '.' | ';' | '，' | '。' | '；' | '！');
    let offset = sentence.end - rest.len();
    if let Some(named) = agent::named(scope, at, sentence).find(|mention| mention.start == offset) {
        let owned = &scene.content[named.end..sentence.end];
        let word = ["'s ", "’s ", "的"]
            .iter()
            .find_map(|own| owned.strip_prefix(own));
        let word = word.and_then(|word| word.split(is_end).next());
        earlier.retain(|id| *id != named.id);
        return match (word, earlier.as_slice()) {
            (Some(word), [one]) => claim(one, word, named.id).into_iter().collect(),
            _ => Vec::new(),
        };
    }
    // Of two people only what is the same from both sides.
    let word = ["his ", "her ", "他的", "她的", "他", "她"]
        .iter()
        .find_map(|own| rest.strip_prefix(own))
        .and_then(|word| word.split(is_end).next())
        .and_then(|word| word.split(" these ").next());
    match (word, earlier.as_slice()) {
        (Some(word), [one, two]) => [claim(one, word, two), claim(two, word, one)]
            .into_iter()
            .flatten()
            .filter(|kin| matches!(kin.kind, 'm' | 's'))
            .collect(),
        _ => Vec::new(),
    }
}

/// Somebody who has no brother or sister, where the record knows one.
pub(super) fn is_only_child(lang: Lang, after: &str) -> bool {
    const ZH: &[&str] = &[
        "是独生女",
        "是独生子",
        "是独子",
        "是家中独子",
        "是家中独女",
        "是家里的独苗",
        "是家中独苗",
        "没有兄弟姐妹",
        "并无兄弟姐妹",
        "从来没有兄弟姐妹",
    ];
    const EN: &[&str] = &[
        " was an only child",
        " is an only child",
        " had no brothers or sisters",
        " had no siblings",
        " was the only child of",
        " had neither brother nor sister",
    ];
    match lang {
        Lang::Zh => ZH.iter().any(|word| after.starts_with(word)),
        Lang::En => EN.iter().any(|word| after.starts_with(word)),
    }
}

/// What a sentence says of two people at once: `顾慎、陆芷父女二人`, `“爹，喝药。”陆芷把碗端给顾慎`.
pub(super) fn told_of_both(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
) -> Vec<Kin> {
    let mut people: Vec<Mention<'_>> = agent::named(scope, at, sentence).collect();
    people.dedup_by_key(|mention| mention.id);
    let said = by_pronoun(scope, at, scene, sentence);
    if !said.is_empty() && agent::is_now(scope, at, scene, sentence) {
        return said;
    }
    let [first, next] = people.as_slice() else {
        return Vec::new();
    };
    if !agent::is_now(scope, at, scene, sentence) {
        return Vec::new();
    }
    let content = scene.content;
    if scope.lang == Lang::Zh {
        const PAIRS: &[(&str, char)] = &[
            ("父女", 'p'),
            ("父子", 'p'),
            ("母子", 'p'),
            ("母女", 'p'),
            ("兄妹", 's'),
            ("姐弟", 's'),
            ("夫妻", 'm'),
            ("夫妇", 'm'),
            ("祖孙", 'g'),
            ("叔侄", 'u'),
        ];
        let joined = matches!(
            &content[first.end..next.start],
            "、" | "和" | "与" | "跟" | "同"
        );
        let after = &content[next.end..sentence.end];
        let pair = PAIRS.iter().find(|(word, _)| {
            after
                .strip_prefix(word)
                .is_some_and(|rest| rest.starts_with(['二', '两', '俩', '，']))
        });
        if let Some((_, kind)) = pair.filter(|_| joined) {
            let kin = |a: &str, b: &str| Kin {
                a: a.to_owned(),
                kind: *kind,
                sex: '-',
                b: b.to_owned(),
            };
            let both = [kin(first.id, next.id), kin(next.id, first.id)];
            let recorded = super::kin::recorded(scope);
            let fits = both
                .iter()
                .any(|kin| super::kin::against(&recorded, kin).is_none());
            return if fits { Vec::new() } else { both.to_vec() };
        }
    }
    called(scope, at, scene, sentence, (first, next))
        .into_iter()
        .collect()
}

/// A form of address only family has, by the one who acts to the only other person there.
fn called(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    (first, next): (&Mention<'_>, &Mention<'_>),
) -> Option<Kin> {
    const ADDRESS: [(&str, &str); 22] = [
        ("爹爹", "父亲"),
        ("爹", "父亲"),
        ("爸爸", "父亲"),
        ("爸", "父亲"),
        ("父亲", "父亲"),
        ("娘亲", "母亲"),
        ("娘", "母亲"),
        ("妈妈", "母亲"),
        ("妈", "母亲"),
        ("母亲", "母亲"),
        ("夫君", "丈夫"),
        ("相公", "丈夫"),
        ("娘子", "妻子"),
        ("老公", "丈夫"),
        ("老婆", "妻子"),
        ("Papa", "father"),
        ("Daddy", "father"),
        ("Dad", "father"),
        ("Mama", "mother"),
        ("Mum", "mother"),
        ("Mom", "mother"),
        ("Mummy", "mother"),
    ];
    let text = &scene.content[sentence.start..first.start];
    let quoted = text.trim_start().strip_prefix(['“', '"', '「'])?;
    let word = ADDRESS.iter().find(|(word, _)| {
        quoted
            .strip_prefix(word)
            .is_some_and(|rest| rest.starts_with(['，', ',', '！', '!']))
    })?;
    scope.read(at, *first).act()?;
    claim(next.id, word.1, first.id)
}

/// `陈老是林枫的父亲`, `林枫的父亲陈老`: with both names in the sentence.
pub(super) fn told(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    id: &str,
    end: usize,
) -> Option<Kin> {
    let rest = &scene.content[end..sentence.end];
    let next = scope
        .mentions(at)
        .iter()
        .find(|other| other.start >= end && other.end <= sentence.end && other.id != id)?;
    let between = &scene.content[end..next.start];
    let after = &scene.content[next.end..sentence.end];
    let kin = |a: &str, word: &str, b: &str| {
        let (kind, sex) = kin_of(word)?;
        Some(Kin {
            a: a.to_owned(),
            kind,
            sex,
            b: b.to_owned(),
        })
    };
    match scope.lang {
        Lang::Zh => {
            if holds(
                rest,
                &["像", "不是", "如同", "假", "若", "义父", "义子", "干", "师"],
            ) {
                return None;
            }
            // `都当婉娘是陆员外的女儿`: what people take somebody for.
            if holds(scene.text(sentence), TAKEN_FOR_ZH) {
                return None;
            }
            // `膝下只有婉娘这一个女儿`.
            if between.ends_with('有')
                && let Some(rest) = after.strip_prefix('这')
            {
                let word = rest.trim_start_matches(|char: char| "么一个位".contains(char));
                return longest_kin(word).and_then(|word| kin(next.id, word, id));
            }
            // `管顾慎叫爹`.
            if between.ends_with('管')
                && let Some(rest) = after.strip_prefix('叫')
            {
                let word = rest.split(['，', '。', '；', '！']).next()?;
                return kin(next.id, word.trim_matches(['“', '”']), id);
            }
            // `陆芷的爹是顾衡`.
            if let Some(word) = between.strip_prefix('的')
                && let Some(word) = ["就是", "正是", "便是", "乃是", "是"]
                    .iter()
                    .find_map(|is| word.strip_suffix(is))
                && !after.starts_with('的')
            {
                return kin(next.id, word, id);
            }
            // `扶着她父亲顾慎`, `望着女儿陆芷`, `与女儿陆芷`.
            if let Some(claim) = own_kin_zh(scope, at, sentence, (id, end), between, next, after) {
                return Some(claim);
            }
            if matches!(between, "是" | "乃是" | "就是" | "正是" | "便是" | "乃") {
                let word = after
                    .strip_prefix('的')?
                    .split(['，', '。', '；', '！'])
                    .next()?;
                return kin(id, word, next.id);
            }
            // `林枫的父亲陈老`.
            if let Some(word) = between.strip_prefix('的') {
                return kin(next.id, word, id);
            }
            // `钟离把妹妹云舒护在身后`: the tie is the subject's.
            let acts = scope
                .mentions(at)
                .iter()
                .any(|mention| mention.end == end && scope.read(at, *mention).act().is_some());
            let word =
                between.trim_start_matches(|char: char| !"把将给朝对向牵拉扶抱护".contains(char));
            let word = word
                .trim_start_matches(|char: char| "把将给朝对向牵拉扶抱护着住了起".contains(char));
            if !acts
                || word.is_empty()
                || word.len() == between.len()
                || between.contains(['，', '的', '他', '她', '、'])
                || after.starts_with('的')
                    && !holds(
                        after.get(..12).unwrap_or(after),
                        &["手", "肩", "胳膊", "头"],
                    )
            {
                return None;
            }
            kin(next.id, word, id).filter(|kin| kin.kind != 'm' || word != "夫人")
        }
        Lang::En => {
            let lower = between.to_lowercase();
            if let Some(word) = lower
                .trim()
                .strip_prefix("'s ")
                .or_else(|| lower.trim().strip_prefix("’s "))
            {
                let word = word.trim_end_matches(',').trim();
                let said = word
                    .strip_suffix(" was")
                    .or_else(|| word.strip_suffix(" is"));
                let ends = said.is_none() || after.starts_with(['.', ',', ';']);
                return kin(next.id, said.unwrap_or(word), id).filter(|_| ends);
            }
            let is = lower.trim();
            // `Haruki bought a coffee for his sister Emi`, `Maeve and her brother Conor`.
            if let Some((_, word)) = is.rsplit_once("his ").or_else(|| is.rsplit_once("her "))
                && kin_of(word).is_some()
            {
                let alone = !is.contains([',', ';', ':', '.', '"', '“', '—'])
                    && !["he ", "she ", "they ", "him ", "himself"]
                        .iter()
                        .any(|other| is.contains(other));
                return kin(next.id, word, id).filter(|_| alone);
            }
            // `Bram, Tessa's uncle, carved the goose`.
            if lower == ", " {
                let word = after
                    .strip_prefix("'s ")
                    .or_else(|| after.strip_prefix("’s "))?;
                let word = word.split([',', '.', ';']).next()?;
                return kin(id, word, next.id);
            }
            if matches!(is, "was" | "is") {
                let word = after
                    .strip_prefix("'s ")
                    .or_else(|| after.strip_prefix("’s "))?;
                let word = word.split([',', '.', ';']).next()?;
                let first = word.split(' ').next()?;
                return kin(id, word, next.id).or_else(|| kin(id, first, next.id));
            }
            let word = is
                .strip_prefix("was the ")
                .or_else(|| is.strip_prefix("is the "))?
                .strip_suffix(" of")?;
            kin(id, word, next.id)
        }
    }
}
