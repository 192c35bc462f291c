//! Chinese: clause by clause, from the name outwards.
//!
//! A name is read in steps, and the first step that knows it decides: frames that excuse; what the
//! sentence takes back; who is there beside others; names that are no person; what somebody owns;
//! names behind their predicate; and last the name before its predicate, by what stands before it
//! (its role) and after it (its predicate). Of the dead and the absent also the sentences around are
//! read: they may be of another world or another time.

mod around;
mod before;
mod frame;
mod noun;
mod own;
mod predicate;
mod present;

use self::{
    before::{Before, before},
    frame::{frame, is_told, unexpected},
    predicate::{
        denies, follows_subject, goes_on, guessed, intends, is_gesture, predicate_excuse, senses,
        simile, stopped_next,
    },
};
use super::{
    super::prose::{Mention, Scene, Sentence, holds, is_closing, is_opening},
    Excuse, Reading, scope, zh_frames as frames, zh_words as words,
};

/// A name and what its sentence says around it.
struct Here<'a> {
    scene: &'a Scene<'a>,
    sentence: Sentence,
    mention: Mention<'a>,
    /// The clause before the name.
    pre: &'a str,
    /// The clause after the name.
    post: &'a str,
    /// Where the clause ends, in bytes of the scene.
    end: usize,
    /// What the narrator says in the sentence before the name.
    earlier: String,
    /// What the narrator says in the sentence after the name.
    later: String,
    /// The next clause, when a comma joins it.
    next: &'a str,
}

/// One step: what it makes of a name, if it knows it.
type Step = fn(&Here<'_>) -> Option<Reading>;

const STEPS: &[Step] = &[
    framed,
    taken_back,
    own::beside,
    present::taken_up,
    noun::not_the_person,
    against_expectation,
    own::owned,
    present::identified,
    judged,
    speaks,
    likened,
    present::behind_event,
    |here| present::at_end(here, before(here.pre)),
    noun::longer_noun,
    predicated,
];

pub(super) fn read(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> Reading {
    let here = Here::new(scene, sentence, mention);
    STEPS
        .iter()
        .find_map(|step| step(&here))
        .unwrap_or_else(|| here.by_role())
}

/// Whether the sentences around a name that acts are of another world or another time.
pub(super) fn is_elsewhere(
    scene: &Scene<'_>,
    names: &[&str],
    sentence: Sentence,
    mention: Mention<'_>,
) -> bool {
    around::is_elsewhere(&Here::new(scene, sentence, mention), names)
}

impl<'a> Here<'a> {
    fn new(scene: &'a Scene<'a>, sentence: Sentence, mention: Mention<'a>) -> Self {
        let content = scene.content;
        let (start, end) = clause(content, sentence, mention);
        let post = &content[mention.end..end];
        // `陈老这个人闲不住`.
        let post = ["这个人", "这人", "本人"]
            .iter()
            .find_map(|same| post.strip_prefix(same))
            .filter(|rest| !rest.is_empty() && !rest.starts_with('的'))
            .unwrap_or(post);
        Self {
            scene,
            sentence,
            mention,
            pre: content[start..mention.start].trim_start_matches([' ', '　']),
            post,
            end,
            earlier: scene.narrated(sentence.start..mention.start),
            later: scene.narrated(mention.end..sentence.end),
            next: next_clause(content, end, sentence.end),
        }
    }

    fn acts(&self) -> Reading {
        Reading::Acts(self.mention.start..self.end)
    }

    fn name(&self) -> &'a str {
        &self.scene.content[self.mention.start..self.mention.end]
    }

    fn before_name(&self) -> &'a str {
        &self.scene.content[..self.mention.start]
    }

    /// What the narrator says in the sentence before the clause.
    fn before_clause(&self) -> &str {
        self.earlier.strip_suffix(self.pre).unwrap_or_default()
    }

    /// The sentence before the name, with what is quoted.
    fn told_raw(&self) -> &'a str {
        &self.scene.content[self.sentence.start..self.mention.start]
    }

    /// The sentence after the name, with what is quoted.
    fn rest(&self) -> &'a str {
        &self.scene.content[self.mention.end..self.sentence.end]
    }

    /// The sentence after the clause.
    fn after_clause(&self) -> &'a str {
        &self.scene.content[self.end..self.sentence.end]
    }

    /// The sentence before, in the same paragraph.
    fn previous(&self) -> &'a str {
        let previous = self.scene.previous_in_paragraph(self.sentence);
        previous.map_or("", |previous| self.scene.text(previous))
    }

    /// The sentence after, in the same paragraph.
    fn next_sentence(&self) -> &'a str {
        let next = self.scene.next_in_paragraph(self.sentence);
        next.map_or("", |next| self.scene.text(next))
    }

    /// What the narrator says in the sentences before, in the same paragraph, the nearest first.
    fn before(&self, reach: usize) -> Vec<String> {
        let step = |sentence: &Sentence| self.scene.previous_in_paragraph(*sentence);
        self.told(std::iter::successors(step(&self.sentence), step).take(reach))
    }

    /// What the narrator says in the sentences after, in the same paragraph.
    fn after(&self, reach: usize) -> Vec<String> {
        let step = |sentence: &Sentence| self.scene.next_in_paragraph(*sentence);
        self.told(std::iter::successors(step(&self.sentence), step).take(reach))
    }

    fn told(&self, sentences: impl Iterator<Item = Sentence>) -> Vec<String> {
        sentences
            .map(|sentence| self.scene.narrated(sentence.start..sentence.end))
            .collect()
    }

    /// Whether a quotation follows the clause.
    fn speech_follows(&self) -> bool {
        self.scene.content[self.end..]
            .strip_prefix('：')
            .is_some_and(|rest| rest.starts_with(is_opening))
    }

    /// What no predicate excuses, by what stands before the name.
    fn by_role(&self) -> Reading {
        let (pre, post) = (self.pre, self.post);
        match before(pre) {
            Before::Agent if holds(post, &["杀", "害", "斩", "诛", "擒", "俘", "灭", "死"]) => {
                Reading::Doubtful
            }
            // `日夜思量与陈老报仇`: 与 is for.
            Before::Joined if starts(post, &["报仇", "雪恨", "申冤", "伸冤", "戴孝"]).is_some() => {
                Reading::Doubtful
            }
            Before::Perceived if self.is_awaited() => Reading::Doubtful,
            Before::Subject | Before::Perceived | Before::Agent => self.acts(),
            Before::Joined if pre.chars().count() > 1 || post.chars().count() > 1 => self.acts(),
            Before::Object if follows_subject(post) => self.acts(),
            Before::Joined | Before::Object
                if ends(pre, words::JOINS) && starts(post, words::TOGETHER).is_some() =>
            {
                self.acts()
            }
            Before::Joined | Before::Object => Reading::Doubtful,
            Before::Oblique if self.explains() => self.acts(),
            Before::Oblique => Reading::Excused(Excuse::Mention),
        }
    }

    /// `等陈老回来`: not there yet, unless it is a time: `等陈老坐定，`.
    fn is_awaited(&self) -> bool {
        let unsaid = !ends(self.post, &["了", "后", "时", "完", "罢", "定", "好"]);
        // `搬个板凳坐到路口，等陈老从坡下走上来。`: nobody comes in the same sentence.
        if unsaid && self.pre.ends_with('等') && self.next.is_empty() {
            return true;
        }
        if unsaid && ends(self.pre, &["等着", "等待", "盼着", "指望", "巴望"]) {
            return true;
        }
        unsaid
            && ends(self.pre, &["等", "求", "盼"])
            && holds(
                self.post,
                &[
                    "回", "归", "出关", "醒", "露面", "现身", "到来", "保佑", "显",
                ],
            )
    }

    /// `肩头忽然一沉，是陈老睡着了`: what was behind the clause before.
    fn explains(&self) -> bool {
        const IS: &[&str] = &[
            "是",
            "原来是",
            "却是",
            "竟是",
            "又是",
            "分明是",
            "果然是",
            "原是",
        ];
        let told = self.before_clause().trim_end_matches('，');
        IS.contains(&self.pre)
            && !holds(told, words::IN_MIND)
            && !told.is_empty()
            && !told.ends_with(['的', '：'])
            && !self.post.contains('的')
            && self.post.contains(['了', '着', '把', '在'])
    }
}

/// Memory, dream, supposition, report.
fn framed(here: &Here<'_>) -> Option<Reading> {
    if let Some(excuse) = frame(&here.earlier, here.post, &here.later) {
        return Some(Reading::Excused(excuse));
    }
    // `对外只说陈老出了远门`: what somebody says, without marks.
    is_told(here.pre).then_some(Reading::Excused(Excuse::Report))
}

/// What the rest of the sentence or the next one takes back: a vision, a likeness.
fn taken_back(here: &Here<'_>) -> Option<Reading> {
    let (previous, next) = (here.previous(), here.next_sentence());
    let undone = holds(&here.later, frames::UNDONE) || holds(next, frames::UNDONE);
    // `盯着屏幕上的数字`: a place of something else.
    let likeness = frames::LIKENESS_LATER.iter().any(|word| {
        let is_place = word.ends_with(['上', '里', '中', '下', '前']);
        here.later
            .match_indices(word)
            .any(|(at, _)| !(is_place && here.later[at + word.len()..].starts_with('的')))
    });
    // What a picture shows or a recording says: `点开那条语音。陈老在里面笑着说`.
    let shown = holds(&here.later, frames::POSED)
        || starts(here.post, frames::INSIDE).is_some()
        || holds(here.post, &["着"]) && starts(here.pre, &["照片", "墙上"]).is_some();
    let texts = [previous, next, here.earlier.as_str()];
    let shown = shown && texts.iter().any(|text| holds(text, frames::MEDIA));
    let buried = holds(&here.earlier, frames::BURIAL);
    (undone || buried || likeness || shown).then_some(Reading::Doubtful)
}

/// `谁也没料到陈老会在这时出现`: what nobody expected came about.
fn against_expectation(here: &Here<'_>) -> Option<Reading> {
    (unexpected(here.pre)
        && holds(here.post, words::TURNS_UP)
        && !holds(here.post, words::DEATH_AFTER))
    .then(|| here.acts())
}

/// A question of the narrator, and a judgement that ends in 也.
fn judged(here: &Here<'_>) -> Option<Reading> {
    // `陈老等的，就是今天`.
    let named = here.post.ends_with('的')
        && starts(
            here.next,
            &["是", "就是", "正是", "便是", "竟是", "却是", "不是", "也是"],
        )
        .is_some();
    // `门前立着一块牌子：陈老在此守护四十年。`: what stands behind a colon is read out.
    let read_out = here.before_clause().ends_with('：') && !here.told_raw().ends_with(is_closing);
    // `陈老啊陈老，`: who is called on.
    let called_on = starts(here.post, &["啊", "呀", "哟", "哎"]).is_some_and(|cry| {
        here.post[cry..].is_empty() || here.post[cry..].starts_with(here.name())
    });
    if named || read_out || called_on {
        return Some(Reading::Doubtful);
    }
    if here.after_clause().starts_with(['？', '?']) && !here.after_clause().starts_with("？”") {
        return Some(Reading::Doubtful);
    }
    (here.post.ends_with('也') || here.post == "者").then_some(Reading::Excused(Excuse::State))
}

/// `陈老：“回家。”`, `陈老“嗯”了一声`.
fn speaks(here: &Here<'_>) -> Option<Reading> {
    (here.post.is_empty()
        && before(here.pre) == Before::Subject
        && (here.speech_follows() || interjects(here.after_clause())))
    .then(|| here.acts())
}

/// `陈老像没事人似的坐下`: what is like something, and what it does.
fn likened(here: &Here<'_>) -> Option<Reading> {
    let rest = simile(here.post)?;
    if !matches!(before(here.pre), Before::Subject | Before::Perceived) {
        return None;
    }
    let does = !rest.is_empty() && predicate_excuse(rest).is_none()
        || rest.is_empty() && goes_on(here.next);
    Some(if does { here.acts() } else { Reading::Doubtful })
}

/// What the predicate says that is no act, unless the next clause goes on with one.
fn predicated(here: &Here<'_>) -> Option<Reading> {
    let (post, next) = (here.post, here.next);
    let excuse = predicate_excuse(post)?;
    let role = before(here.pre);
    let goes_on = match (role, &excuse) {
        (Before::Subject | Before::Perceived, Reading::Doubtful) => {
            guessed(post) && goes_on(next)
                || denies(post) && goes_on(next.trim_start_matches(['他', '她']))
                || senses(post)
                || starts(post, words::STATIVE).is_some() && is_gesture(next)
                || intends(post) && stopped_next(next)
                || post.starts_with('是') && is_gesture(next.trim_start_matches(['他', '她']))
                || post.starts_with("是被") && goes_on(next.trim_start_matches(['他', '她']))
        }
        // `陈老是个急性子，一把推开了门`.
        (Before::Subject, Reading::Excused(Excuse::State)) => {
            (post.starts_with("是个") || post.starts_with("走得")) && is_gesture(next)
        }
        _ => false,
    };
    Some(if goes_on { here.acts() } else { excuse })
}

/// A short word in quotation marks that the clause goes on with: `“嗯”了一声`.
fn interjects(rest: &str) -> bool {
    const SHORT: usize = 6;
    let Some(rest) = rest.strip_prefix(is_opening) else {
        return false;
    };
    rest.char_indices()
        .take(SHORT)
        .find(|(_, char)| is_closing(*char))
        .is_some_and(|(at, char)| {
            starts(
                &rest[at + char.len_utf8()..],
                &["了一声", "一声", "地", "了声"],
            )
            .is_some()
        })
}

/// The clause around the mention: between marks of any kind.
fn clause(content: &str, sentence: Sentence, mention: Mention<'_>) -> (usize, usize) {
    let is_break = |char: char| {
        "，。！？；：…—\n,;:!?.（）()《》*".contains(char) || is_opening(char) || is_closing(char)
    };
    let start = content[sentence.start..mention.start]
        .char_indices()
        .rev()
        .find(|(_, char)| is_break(*char))
        .map_or(sentence.start, |(at, char)| {
            sentence.start + at + char.len_utf8()
        });
    let end = content[mention.end..sentence.end]
        .char_indices()
        .find(|(_, char)| is_break(*char))
        .map_or(sentence.end, |(at, _)| mention.end + at);
    (start, end)
}

/// The clause after the one that ends at `end`, when a comma joins them.
fn next_clause(content: &str, end: usize, sentence_end: usize) -> &str {
    content[end..sentence_end]
        .strip_prefix('，')
        .and_then(|rest| rest.split(['，', '。', '；', '！', '？', '：']).next())
        .unwrap_or_default()
}

fn ends(text: &str, list: &[&str]) -> bool {
    list.iter().any(|word| text.ends_with(word))
}

fn longest_end(text: &str, list: &[&str]) -> Option<usize> {
    list.iter()
        .filter(|word| text.ends_with(*word))
        .map(|word| word.len())
        .max()
}

/// The length of the longest word the text starts with.
fn starts(text: &str, list: &[&str]) -> Option<usize> {
    list.iter()
        .filter(|word| text.starts_with(*word))
        .map(|word| word.len())
        .max()
}
