//! A text is a chapter, or it is refused before anything is built on it.

use novel_model::{Lang, Message, Problem, RelPath, message};
use novel_text::{Blocks, Compared, count_words, scripts};

/// The code of a text that copies its material.
pub const ECHO: &str = "echo";
/// Counted characters of a run that is copied and not written.
const LONGEST_ECHO: usize = 60;
/// Share of a text that may stand in one other text.
const MOST_SHARED: f64 = 0.5;
/// Share of a text that may be said twice.
const MOST_TWICE: f64 = 1.0 / 3.0;
/// Counted characters from which the language of a text can be told.
const ENOUGH_TO_TELL: usize = 20;
/// Letters of a heading that is not an ordinary word.
const LEAST_HEADING: usize = 3;

/// Headings inside a text that are scene breaks, however short it is.
const FEW_HEADINGS: usize = 3;
/// Counted words under a heading of a text that is told and not sketched.
const WORDS_A_HEADING: usize = 100;

/// Names of fields in packets, prompts and answers that no prose contains.
const FIELD_NAMES: &[&str] = &[
    "acceptance_criteria",
    "active_foreshadowing",
    "ai_blacklist",
    "base_state_version",
    "blacklist_lint",
    "chapter_content",
    "chapter_contract",
    "chapter_outline",
    "character_contracts",
    "character_profiles",
    "character_states",
    "concurrent_state",
    "contract_verification",
    "cross_references",
    "current_state",
    "current_volume_outline",
    "emotional_impact",
    "entity_id_map",
    "forbidden_words",
    "foreshadowing_tasks",
    "hard_rules_list",
    "leak_risk",
    "plot_logic",
    "postconditions",
    "preconditions",
    "preferred_expressions",
    "previous_endings",
    "project_brief",
    "quality_rubric",
    "recent_3_summaries",
    "recent_summaries",
    "required_fixes",
    "storyline_coherence",
    "storyline_context",
    "storyline_id",
    "storyline_memory",
    "storyline_schedule",
    "storyline_spec",
    "style_drift",
    "style_drift_directives",
    "style_guide",
    "style_naturalness",
    "style_profile",
    "transition_hint",
    "unknown_entities",
    "world_rules",
    "writing_directives",
    "writing_methodology",
];

/// A text that must not be echoed.
#[derive(Debug, Clone)]
pub struct Source {
    /// What it is, for people.
    pub name: Message,
    /// The text.
    pub text: String,
}

/// A known person and how the name would read in another script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name in the book.
    pub name: String,
    /// The words of the same name in another script, lower case.
    pub elsewhere: Vec<String>,
}

impl Person {
    /// Somebody whose name is not written in the letters of the id.
    #[must_use]
    pub fn new(id: &str, name: &str) -> Option<Self> {
        let latin = |text: &str| text.chars().any(|char| char.is_ascii_alphabetic());
        (!latin(name) && latin(id)).then(|| Self {
            name: name.to_owned(),
            elsewhere: id.split('-').map(str::to_lowercase).collect(),
        })
    }

    /// The name in another script, as it stands in the text.
    fn found_in(&self, words: &[(String, &str)]) -> Option<String> {
        let parts: Vec<&str> = self.elsewhere.iter().map(String::as_str).collect();
        let whole = parts.concat();
        // One short syllable is a word of another language as often as a name.
        if whole.len() < 4 {
            return None;
        }
        let run = |at: usize, order: &[&str]| {
            order
                .iter()
                .enumerate()
                .all(|(offset, part)| words.get(at + offset).is_some_and(|word| word.0 == *part))
        };
        let turned: Vec<&str> = parts.iter().rev().copied().collect();
        (0..words.len()).find_map(|at| {
            if words[at].0 == whole {
                return Some(words[at].1.to_owned());
            }
            (run(at, &parts) || run(at, &turned)).then(|| {
                let shown: Vec<&str> = words[at..at + parts.len()].iter().map(|w| w.1).collect();
                shown.join(" ")
            })
        })
    }
}

/// What a text is held against.
#[derive(Debug, Clone, Default)]
pub struct Standards {
    /// Rules, and the last chapters and summaries.
    pub sources: Vec<Source>,
    /// Guides, earlier chapters and summaries: looked at closely where they share a block.
    pub distant: Vec<Source>,
    /// Headings of the guides and prompts.
    pub headings: Vec<String>,
    /// Known people.
    pub people: Vec<Person>,
}

/// What keeps the prose of a chapter (without its heading) from being one.
#[must_use]
pub fn problems(path: &RelPath, prose: &str, lang: Lang, held: &Standards) -> Vec<Problem> {
    let compared = Compared::new(prose);
    let mut problems: Vec<Problem> = [
        not_prose(path, prose),
        wrong_language(path, prose, lang),
        said_twice(path, &compared),
        field_name(path, prose, &[]),
        guide_heading(path, prose, &held.headings),
    ]
    .into_iter()
    .flatten()
    .collect();
    problems.extend(foreign_names(path, prose, &held.people));
    problems.extend(echo(path, prose, &compared, held));
    problems
}

fn not_prose(path: &RelPath, prose: &str) -> Option<Problem> {
    let trimmed = prose.trim();
    let is_json = trimmed.starts_with(['{', '['])
        && serde_json::from_str::<serde_json::Value>(trimmed).is_ok();
    let is_list = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("- ")
            || line.starts_with("* ")
            || line.starts_with('|')
            || line.starts_with('#')
    };
    let lines: Vec<&str> = prose
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let listed = lines.iter().filter(|line| is_list(line)).count();
    (is_json || (lines.len() >= 4 && listed * 2 > lines.len())).then(|| {
        Problem::new(
            "not_prose",
            path,
            message!(
                en: "the text is a list or data and no prose",
                zh: "内容是清单或数据，不是小说正文"
            ),
        )
        .hint(message!(
            en: "write the scenes themselves, in sentences and paragraphs",
            zh: "请写出场面本身，成句成段"
        ))
    })
}

/// What is wrong with prose that was cut into sections under `headings` of its own: a sketch of a chapter, or a report
/// on it.
#[must_use]
pub fn sketched(path: &RelPath, prose: &str, headings: usize) -> Option<Problem> {
    let words = count_words(prose);
    (headings > FEW_HEADINGS && headings * WORDS_A_HEADING > words).then(|| {
        Problem::new(
            "not_prose",
            path,
            message!(
                en: "{headings} headings in {words} words: the text is a sketch or a report and no chapter",
                zh: "{words} 字里有 {headings} 个小标题：内容是提纲或说明，不是一章小说"
            ),
        )
        .hint(message!(
            en: "tell the chapter as continuous narrative, without headings inside",
            zh: "请写成连续的叙述，章内不用小标题"
        ))
    })
}

fn wrong_language(path: &RelPath, prose: &str, lang: Lang) -> Option<Problem> {
    let found = scripts(prose);
    let total = found.han + found.other_characters + found.words;
    let own = match lang {
        Lang::Zh => found.han,
        Lang::En => found.words,
    };
    (total >= ENOUGH_TO_TELL && own * 10 < total * 6).then(|| {
        Problem::new(
            "wrong_language",
            path,
            match lang {
                Lang::Zh => message!(
                    en: "the book is in Chinese; {own} of {total} counted words of this text are",
                    zh: "本书用中文写作，这份文本 {total} 个字词中只有 {own} 个是中文"
                ),
                Lang::En => message!(
                    en: "the book is in English; {own} of {total} counted words of this text are",
                    zh: "本书用英文写作，这份文本 {total} 个字词中只有 {own} 个是英文"
                ),
            },
        )
        .hint(message!(
            en: "write the whole chapter in the language of the book",
            zh: "请全章使用本书的语言"
        ))
    })
}

fn said_twice(path: &RelPath, compared: &Compared<'_>) -> Option<Problem> {
    let share = compared.said_twice();
    (share > MOST_TWICE).then(|| {
        let percent = share * 100.0;
        Problem::new(
            "said_twice",
            path,
            message!(
                en: "{percent:.0}% of the text repeats its own sentences",
                zh: "全文有 {percent:.0}% 是自身句子的重复"
            ),
        )
        .hint(message!(
            en: "write the chapter once, without repeating passages",
            zh: "全章只写一遍，不要重复段落"
        ))
    })
}

/// What is wrong with a text that names a field of the program, other than those `allowed`.
pub(super) fn field_name(path: &RelPath, prose: &str, allowed: &[&str]) -> Option<Problem> {
    let words = prose.split(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
    let found = words
        .filter(|word| word.contains('_') || word.len() > 12)
        .filter(|word| !allowed.contains(word))
        .find(|word| FIELD_NAMES.contains(&word.to_ascii_lowercase().as_str()))?;
    Some(
        Problem::new(
            "field_name",
            path,
            message!(
                en: "`{found}` is the name of a field and no word of the story",
                zh: "`{found}` 是程序的字段名，不是小说里的话"
            ),
        )
        .hint(message!(
            en: "write the story only, nothing about its material",
            zh: "只写故事，不写材料"
        )),
    )
}

/// What is wrong with a text in which a line is a heading of the instructions.
#[must_use]
pub fn guide_heading(path: &RelPath, prose: &str, headings: &[String]) -> Option<Problem> {
    let bare = |line: &str| {
        line.trim_matches(|char: char| {
            char.is_whitespace() || "#*_0123456789.、：:（）()".contains(char)
        })
        .to_lowercase()
    };
    let found = prose.lines().find(|line| {
        let line = bare(line);
        line.chars().count() >= LEAST_HEADING && headings.contains(&line)
    })?;
    let found = found.trim();
    Some(
        Problem::new(
            "guide_heading",
            path,
            message!(
                en: "`{found}` is a heading of the instructions and no part of the story",
                zh: "`{found}` 是说明里的标题，不是小说的一部分"
            ),
        )
        .hint(message!(
            en: "write the chapter itself; leave the instructions out",
            zh: "请写正文本身，不要抄录说明"
        )),
    )
}

/// Headings of a guide, as they are compared.
#[must_use]
pub fn headings_of(guide: &str) -> Vec<String> {
    guide
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            line.trim_matches(|char: char| {
                char.is_whitespace() || "#*_0123456789.、：:（）()".contains(char)
            })
            .to_lowercase()
        })
        .filter(|heading| heading.chars().count() >= LEAST_HEADING)
        .collect()
}

fn foreign_names(path: &RelPath, prose: &str, people: &[Person]) -> Vec<Problem> {
    let words: Vec<(String, &str)> = prose
        .split(|char: char| !char.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .map(|word| (word.to_lowercase(), word))
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let found = people.iter().filter_map(|person| {
        let shown = person.found_in(&words)?;
        let name = &person.name;
        Some(
            Problem::new(
                "foreign_name",
                path,
                message!(
                    en: "`{shown}` is `{name}` in another script",
                    zh: "`{shown}` 是 `{name}` 的另一种文字写法"
                ),
            )
            .hint(message!(
                en: "call the person `{name}`",
                zh: "请写作 `{name}`"
            )),
        )
    });
    found.collect()
}

fn echo(path: &RelPath, prose: &str, compared: &Compared<'_>, held: &Standards) -> Option<Problem> {
    let blocks = Blocks::of(prose);
    let distant = held
        .distant
        .iter()
        .filter(|source| blocks.may_be_in(&source.text));
    held.sources.iter().chain(distant).find_map(|source| {
        let shared = compared.with(&source.text);
        let is_run = shared.longest >= LONGEST_ECHO;
        let is_most = shared.share > MOST_SHARED && count_words(prose) >= LONGEST_ECHO;
        if !is_run && !is_most {
            return None;
        }
        let Message { en, zh } = &source.name;
        let (percent, run) = (shared.share * 100.0, beginning(shared.run));
        let text = if is_run {
            let longest = shared.longest;
            message!(
                en: "{longest} characters are copied from {en}: `{run}`",
                zh: "有连续 {longest} 字抄自{zh}：`{run}`"
            )
        } else {
            message!(
                en: "{percent:.0}% of the text is copied from {en}",
                zh: "全文有 {percent:.0}% 来自{zh}"
            )
        };
        Some(Problem::new(ECHO, path, text).hint(message!(
            en: "write new prose; do not copy the material",
            zh: "请写新的正文，不要照抄材料"
        )))
    })
}

/// The beginning of a passage, on one line.
pub(super) fn beginning(text: &str) -> String {
    const SHOWN: usize = 30;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
