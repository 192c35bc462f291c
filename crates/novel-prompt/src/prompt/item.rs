//! A field of a packet on its way to a section.

use novel_model::{Lang, Message};
use novel_text::estimate_tokens;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    PromptError,
    fields::{Level, place, purpose},
    state::Mentions,
    wrapped::Wrapped,
};

/// One field and its wrappers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) field: String,
    pub(super) level: Level,
    pub(super) place: usize,
    pub(super) parts: Vec<Wrapped>,
    /// What was taken out; stands beside the heading, so that missing is not taken for absent.
    pub(super) note: Option<Message>,
}

impl Item {
    pub(super) fn new(field: &str, parts: Vec<Wrapped>) -> Self {
        let (level, place) = place(field);
        Self {
            field: field.to_owned(),
            level,
            place,
            parts,
            note: None,
        }
    }

    /// Reads a field of the manifest: one wrapped text, or a list of them.
    pub(super) fn read(field: &str, value: &Value) -> Result<Self, PromptError> {
        let texts: Vec<&Value> = match value {
            Value::Array(texts) => texts.iter().collect(),
            text => vec![text],
        };
        let parts: Option<Vec<Wrapped>> = texts
            .into_iter()
            .map(|text| text.as_str().and_then(Wrapped::parse))
            .collect();
        match parts {
            Some(parts) => Ok(Self::new(field, parts)),
            None => Err(PromptError::BrokenField {
                field: field.to_owned(),
            }),
        }
    }

    /// Whether there is nothing in it to read.
    pub(super) fn is_empty(&self) -> bool {
        self.parts
            .iter()
            .all(|part| matches!(part.content.trim(), "" | "[]" | "{}"))
    }

    pub(super) fn content(&self) -> String {
        let contents: Vec<&str> = self
            .parts
            .iter()
            .map(|part| part.content.as_str())
            .collect();
        contents.join("\n")
    }

    /// The content as JSON.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, PromptError> {
        serde_json::from_str(&self.content()).map_err(|_| self.broken())
    }

    /// A list of texts, one line each: a JSON list, or lines already.
    pub(super) fn lines(&self) -> Result<Vec<String>, PromptError> {
        let content = self.content();
        if !content.starts_with('[') {
            return Ok(content.lines().map(str::to_owned).collect());
        }
        let texts: Vec<String> = self.json()?;
        // No text of an element may make a second line.
        let one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(texts.iter().map(one_line).collect())
    }

    /// Replaces the content, in the same wrapper.
    pub(super) fn set(&mut self, content: &str) {
        if let Some(part) = self.parts.first() {
            self.parts = vec![part.with(content.trim_end_matches('\n'))];
        }
    }

    /// Replaces the content by JSON on one line: indentation costs and says nothing.
    pub(super) fn set_json(&mut self, value: &Value) {
        self.set(&value.to_string());
    }

    pub(super) fn broken(&self) -> PromptError {
        PromptError::BrokenField {
            field: self.field.clone(),
        }
    }

    pub(super) fn tokens(&self) -> u64 {
        self.parts
            .iter()
            .map(|part| estimate_tokens(&part.text()))
            .sum()
    }

    /// The cost of its section, the empty line after it included.
    pub(super) fn cost(&self, scene: &Scene) -> u64 {
        estimate_tokens(&self.text(scene.lang)) + 1
    }

    /// Why it is there, and what is not.
    pub(super) fn why(&self) -> Message {
        let why = purpose(&self.field);
        match &self.note {
            None => why,
            Some(note) => Message {
                en: format!("{} ({})", why.en, note.en),
                zh: format!("{}（{}）", why.zh, note.zh),
            },
        }
    }

    /// The section: a heading in the language of the book, then the wrappers.
    pub(super) fn text(&self, lang: Lang) -> String {
        let mut text = format!("## {} — {}", self.field, self.why().get(lang));
        for part in &self.parts {
            text.push('\n');
            text.push_str(&part.text());
        }
        text
    }
}

/// What the chapter is, for deciding what concerns it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub(super) chapter: u32,
    pub(super) lang: Lang,
    pub(super) mentions: Mentions,
    /// Whether what the chapter is for has a section of its own.
    pub(super) has_function: bool,
    /// The phrases that have a section of their own.
    pub(super) top_words: Vec<String>,
}

impl Scene {
    pub(super) fn of(items: &[Item], inline: &Map<String, Value>, lang: Lang) -> Self {
        let number = |field: &str| inline.get(field).and_then(Value::as_u64);
        let chapter = number("chapter").or_else(|| number("first_chapter"));
        let texts = |fields: &[&str]| {
            let found = items
                .iter()
                .filter(|item| fields.contains(&item.field.as_str()));
            found.map(Item::content).collect::<Vec<_>>().join("\n")
        };
        let top = items.iter().find(|item| item.field == "ai_blacklist_top10");
        Self {
            chapter: chapter
                .and_then(|number| u32::try_from(number).ok())
                .unwrap_or_default(),
            lang,
            has_function: items.iter().any(|item| item.field == "chapter_function"),
            mentions: Mentions::new(
                texts(&["chapter_contract", "chapter_outline", "chapter_content"]),
                texts(&[
                    "recent_3_summaries",
                    "prev_summary",
                    "summaries",
                    "storyline_memory",
                    "foreshadowing_tasks",
                    "character_contracts",
                    "hints",
                    // A plan goes on from the lines and from how the last volume went.
                    "storylines",
                    "planned_so_far",
                    "previous_volume_outline",
                ]),
            ),
            top_words: top.and_then(|item| item.lines().ok()).unwrap_or_default(),
        }
    }
}
