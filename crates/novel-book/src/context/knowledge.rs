//! Who knows what: the author's truth as an agent may be told it.
//!
//! A secret reaches the writer only when the point of view knows it by then or the contract says so;
//! one that somebody else on stage knows comes marked. Without a single known point of view only what
//! the reader knows is told.

use novel_model::{
    BookReader, ChapterNo, Document, Message, Problem, Slug,
    files::{Secret, Truth},
    layout, message,
};

use super::{Cast, ContextError};

/// The truth, with everybody in it resolved.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    truth: Truth,
    /// Of each secret: who knows it, from which chapter on.
    knowers: Vec<Vec<(Slug, u32)>>,
    /// Of each secret: who believes what instead.
    believers: Vec<Vec<(Slug, String)>>,
}

/// Why a secret is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The point of view knows it.
    Known,
    /// The contract brings it up in this chapter.
    InContract,
    /// The reader knows it, and there is no single point of view.
    ReaderKnows,
    /// These people on stage know it, and the point of view does not: it is not to be told.
    NotToBeTold(Vec<Slug>),
}

/// A secret as the writer is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The secret.
    pub id: String,
    /// What is true.
    pub fact: String,
    /// Why it is told.
    pub standing: Standing,
}

/// What the writer of a chapter may know of the truth.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filtered {
    /// Secrets.
    pub secrets: Vec<Told>,
    /// What people on stage take for true.
    pub beliefs: Vec<(Slug, String)>,
    /// Hints this chapter is to give.
    pub clues: Vec<String>,
    /// What must not stand in anything else the writer is given: secrets kept from it.
    pub withheld: Vec<String>,
}

/// What one character knows at a chapter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mind {
    /// Secrets they know, and since when.
    pub knows: Vec<(String, String, u32)>,
    /// What they take for true instead.
    pub believes: Vec<(String, String)>,
    /// Secrets they do not know.
    pub does_not_know: Vec<(String, String)>,
}

impl Knowledge {
    /// Reads `world/truth.json`; `None` where there is none.
    ///
    /// # Errors
    /// When it is damaged, or names somebody nobody knows.
    pub fn load(reader: &dyn BookReader, cast: &Cast) -> Result<Option<Self>, ContextError> {
        let path = layout::truth();
        let Some(truth) = Document::<Truth>::load_value(reader, &path)? else {
            return Ok(None);
        };
        let mut problems = Vec::new();
        let mut resolve = |said: &str, pointer: String| -> Result<Option<Slug>, ContextError> {
            if let Some(id) = cast.resolve(said) {
                return Ok(Some(id.clone()));
            }
            // Somebody who has left the story may still know.
            if let Ok(id) = said.trim().parse::<Slug>()
                && reader.exists(&layout::retired_character(&id))?
            {
                return Ok(Some(id));
            }
            problems.push(unknown(said, pointer));
            Ok(None)
        };
        let (mut knowers, mut believers) = (Vec::new(), Vec::new());
        for (at, secret) in truth.secrets.iter().enumerate() {
            let mut known = Vec::new();
            for (index, knower) in secret.known_by.iter().enumerate() {
                let pointer = format!("/secrets/{at}/known_by/{index}/character");
                if let Some(id) = resolve(&knower.character, pointer)? {
                    known.push((id, knower.from_chapter.unwrap_or(0)));
                }
            }
            let mut believed = Vec::new();
            for (index, belief) in secret.false_beliefs.iter().enumerate() {
                let pointer = format!("/secrets/{at}/false_beliefs/{index}/character");
                if let Some(id) = resolve(&belief.character, pointer)? {
                    believed.push((id, belief.belief.trim().to_owned()));
                }
            }
            knowers.push(known);
            believers.push(believed);
        }
        ContextError::unless_sound(problems)?;
        Ok(Some(Self {
            truth,
            knowers,
            believers,
        }))
    }

    /// What the writer of `chapter` is told: through whose eyes, who else is on stage, and what the
    /// contract says.
    #[must_use]
    pub fn for_writer(
        &self,
        chapter: ChapterNo,
        pov: Option<&Slug>,
        on_stage: &[Slug],
        contract: &str,
    ) -> Filtered {
        let mut filtered = Filtered::default();
        for (at, secret) in self.truth.secrets.iter().enumerate() {
            let standing = self.standing(at, secret, chapter, pov, on_stage, contract);
            let is_told = standing.is_some();
            match standing {
                Some(standing) => filtered.secrets.push(Told {
                    id: secret.id.clone(),
                    fact: secret.fact.trim().to_owned(),
                    standing,
                }),
                None => filtered.withheld.push(secret.fact.trim().to_owned()),
            }
            for (id, belief) in &self.believers[at] {
                let is_there = Some(id) == pov || on_stage.contains(id);
                let still = !self.knows(at, id, chapter);
                if is_there && still && (is_told || pov.is_some()) {
                    filtered.beliefs.push((id.clone(), belief.clone()));
                }
            }
        }
        let here = |clue: &&novel_model::files::Clue| clue.chapter == Some(chapter.get());
        let clues = self.truth.clues.iter().filter(here);
        filtered.clues = clues.map(|clue| clue.how.trim().to_owned()).collect();
        filtered
    }

    fn standing(
        &self,
        at: usize,
        secret: &Secret,
        chapter: ChapterNo,
        pov: Option<&Slug>,
        on_stage: &[Slug],
        contract: &str,
    ) -> Option<Standing> {
        let Some(pov) = pov else {
            let learnt = secret.reader_from_chapter;
            let knows = learnt.is_some_and(|from| from <= chapter.get());
            return knows.then_some(Standing::ReaderKnows);
        };
        if self.knows(at, pov, chapter) {
            return Some(Standing::Known);
        }
        let fact = secret.fact.trim();
        if has_id(contract, &secret.id) || (!fact.is_empty() && contract.contains(fact)) {
            return Some(Standing::InContract);
        }
        let others: Vec<Slug> = on_stage
            .iter()
            .filter(|id| *id != pov && self.knows(at, id, chapter))
            .cloned()
            .collect();
        (!others.is_empty()).then_some(Standing::NotToBeTold(others))
    }

    fn knows(&self, secret: usize, id: &Slug, chapter: ChapterNo) -> bool {
        self.knowers[secret]
            .iter()
            .any(|(knower, from)| knower == id && *from <= chapter.get())
    }

    /// What one character knows when `chapter` is told.
    #[must_use]
    pub fn mind(&self, id: &Slug, chapter: ChapterNo) -> Mind {
        let mut mind = Mind::default();
        for (at, secret) in self.truth.secrets.iter().enumerate() {
            let (name, fact) = (secret.id.clone(), secret.fact.trim().to_owned());
            let since = self.knowers[at]
                .iter()
                .filter(|(knower, from)| knower == id && *from <= chapter.get())
                .map(|(_, from)| *from)
                .min();
            if let Some(since) = since {
                mind.knows.push((name, fact, since));
                continue;
            }
            let believed = self.believers[at].iter().filter(|(who, _)| who == id);
            mind.believes
                .extend(believed.map(|(_, belief)| (name.clone(), belief.clone())));
            mind.does_not_know.push((name, fact));
        }
        mind
    }
}

/// Whether an id stands in a text, and not as a part of a longer one.
fn has_id(text: &str, id: &str) -> bool {
    let joins = |char: Option<char>| {
        char.is_some_and(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
    };
    !id.is_empty()
        && text.match_indices(id).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + id.len()..]);
            !joins(before.chars().next_back()) && !joins(after.chars().next())
        })
}

fn unknown(said: &str, pointer: String) -> Problem {
    let text: Message = message!(
        en: "nobody in the cast is called `{said}`",
        zh: "角色中没有 `{said}`"
    );
    Problem::new("unknown_character", &layout::truth(), text)
        .at(pointer)
        .hint(message!(
            en: "write the id, display name or alias of somebody in `characters/active/`, or the id of somebody in `characters/retired/`",
            zh: "请写 `characters/active/` 中角色的 id、名字或别名，或 `characters/retired/` 中角色的 id"
        ))
}

/// A profile in two parts: what anybody may read, and what the person hides.
#[must_use]
pub fn hidden_part(profile: &str) -> (String, Vec<String>) {
    const WORDS: [&str; 9] = [
        "秘密",
        "隐瞒",
        "隐情",
        "隐藏",
        "真实身份",
        "不为人知",
        "secret",
        "hidden",
        "hides",
    ];
    let speaks_of_it = |head: &str| {
        let head = head.to_lowercase();
        WORDS.iter().any(|word| head.contains(word))
    };
    let (mut open, mut hidden) = (Vec::new(), Vec::new());
    // The level of the heading under which everything is hidden.
    let mut under: Option<usize> = None;
    for line in profile.lines() {
        let trimmed = line.trim_start();
        let level = trimmed.chars().take_while(|char| *char == '#').count();
        if level > 0 {
            if under.is_some_and(|hiding| level <= hiding) {
                under = None;
            }
            if under.is_none() && speaks_of_it(trimmed) {
                under = Some(level);
            }
            if under.is_none() {
                open.push(line);
            }
            continue;
        }
        let entry = trimmed.trim_start_matches(['-', '*', ' ']);
        let key = entry.split_once(['：', ':']).map(|(key, _)| key);
        // A key is short; a sentence that happens to have a colon is none.
        let is_key = key.is_some_and(|key| {
            key.chars().count() <= 16 && !key.contains(['，', ',', '。', '.']) && speaks_of_it(key)
        });
        if under.is_some() || is_key {
            let said = entry.replace("**", "").trim().to_owned();
            if !said.is_empty() {
                hidden.push(said);
            }
        } else {
            open.push(line);
        }
    }
    (open.join("\n").trim().to_owned(), hidden)
}

#[cfg(test)]
#[path = "knowledge_tests.rs"]
mod tests;
