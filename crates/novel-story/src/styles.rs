//! Styles: built-in templates, and the measures of a profile.
//!
//! Measures are always taken from a text: the author's samples, a template's own sample, or the
//! first chapters of the book. No model states them.

use std::sync::OnceLock;

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Lang, Problem, ReadError, RelPath,
    files::{GeneratedChapter, StyleAnswer, StyleProfile},
    layout, message,
};
use novel_text::{TextMetrics, measure, sentence_lengths};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use novel_book::config::{StyleConfig, StyleSource};

/// A built-in style.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StyleTemplate {
    /// Its name in `novel.toml`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is like, in one line.
    pub description: String,
    /// Voice.
    pub narrative_voice: String,
    /// Devices the style lives on.
    pub rhetoric_preferences: Vec<String>,
    /// What it likes to say.
    pub preferred_expressions: Vec<String>,
    /// What it never says.
    pub forbidden_words: Vec<String>,
    /// Directives for the writer.
    pub writing_directives: Vec<String>,
    /// A page in this style; the measures come from it.
    pub sample: String,
}

impl StyleTemplate {
    /// The answer of a style-analyzer that adds nothing of its own.
    #[must_use]
    pub fn answer(&self) -> StyleAnswer {
        StyleAnswer {
            narrative_voice: self.narrative_voice.clone(),
            rhetoric_preferences: self.rhetoric_preferences.clone(),
            preferred_expressions: self.preferred_expressions.clone(),
            forbidden_words: self.forbidden_words.clone(),
            speech_patterns: Vec::new(),
            writing_directives: self.writing_directives.clone(),
        }
    }
}

macro_rules! embedded {
    ($lang:literal, $($name:literal),+) => {
        [$(include_str!(concat!("../assets/", $lang, "/styles/", $name, ".json"))),+]
    };
}

/// Every built-in style in a language, the usual one first.
#[must_use]
pub fn templates(lang: Lang) -> &'static [StyleTemplate] {
    static ZH: OnceLock<Vec<StyleTemplate>> = OnceLock::new();
    static EN: OnceLock<Vec<StyleTemplate>> = OnceLock::new();
    // Every file is read by a test.
    let read = |files: [&str; 5]| {
        files
            .into_iter()
            .filter_map(|file| serde_json::from_str(file).ok())
            .collect()
    };
    match lang {
        Lang::Zh => ZH.get_or_init(|| {
            read(embedded!(
                "zh",
                "plain",
                "fast-serial",
                "noir",
                "classical",
                "warm"
            ))
        }),
        Lang::En => EN.get_or_init(|| {
            read(embedded!(
                "en",
                "plain",
                "fast-serial",
                "noir",
                "lyrical",
                "warm"
            ))
        }),
    }
}

/// A built-in style by name.
#[must_use]
pub fn template(lang: Lang, name: &str) -> Option<&'static StyleTemplate> {
    templates(lang).iter().find(|style| style.name == name)
}

/// What is wrong with the template the author has chosen, if it is none of ours.
#[must_use]
pub fn unknown_template(config: &StyleConfig, lang: Lang) -> Option<Problem> {
    let name = config.template.as_deref()?;
    if template(lang, name).is_some() {
        return None;
    }
    let known: Vec<&str> = templates(lang)
        .iter()
        .map(|style| style.name.as_str())
        .collect();
    let (en, zh) = (known.join(", "), known.join("、"));
    let what = message!(
        en: "[style] template: there is no built-in style `{name}`",
        zh: "[style] template：没有名为 `{name}` 的内置文风"
    );
    let hint = message!(en: "one of: {en}", zh: "可用：{zh}");
    Some(Problem::new("unknown_style", &layout::config(), what).hint(hint))
}

/// What a text's style measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StyleMeasures {
    /// Counted words per sentence.
    pub avg_sentence_length: f64,
    /// Lengths between which eight of ten sentences lie.
    pub sentence_length_range: [f64; 2],
    /// Share of dialogue.
    pub dialogue_ratio: f64,
}

impl StyleMeasures {
    /// Measures texts as if they were one; nothing without a sentence.
    #[must_use]
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let (mut parts, mut lengths) = (Vec::new(), Vec::new());
        for text in texts {
            parts.push(measure(text));
            lengths.extend(sentence_lengths(text));
        }
        let all = TextMetrics::sum(&parts);
        lengths.sort_unstable();
        let at = |tenth: usize| lengths.get(lengths.len().saturating_sub(1) * tenth / 10);
        let (low, high) = (at(1)?, at(9)?);
        Some(Self {
            avg_sentence_length: rounded(all.avg_sentence_length, 10.0),
            sentence_length_range: [count(*low), count(*high)],
            dialogue_ratio: rounded(all.dialogue_ratio, 100.0),
        })
    }

    /// Writes the measures into a profile.
    pub fn write_into(&self, profile: &mut StyleProfile) {
        profile.avg_sentence_length = Some(self.avg_sentence_length);
        profile.sentence_length_range = Some(self.sentence_length_range.to_vec());
        profile.dialogue_ratio = Some(self.dialogue_ratio);
    }
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[expect(clippy::cast_precision_loss, reason = "words of a sentence")]
fn count(words: usize) -> f64 {
    words as f64
}

/// Where a book's style comes from, settled.
#[derive(Debug, Clone, PartialEq)]
pub struct StyleChoice {
    /// Which way.
    pub source: StyleSource,
    /// The author's own texts.
    pub samples: Vec<RelPath>,
    /// The built-in style, where it is one.
    pub template: Option<&'static StyleTemplate>,
    /// The author that is the model, where there is one.
    pub reference: Option<String>,
    /// Taken from samples or template; nothing for the other two.
    pub measures: Option<StyleMeasures>,
}

impl StyleChoice {
    /// What the author has chosen; without a word about it samples decide, then a reference, then
    /// the template. A template nobody knows gives none, see [`unknown_template`].
    ///
    /// # Errors
    /// When a sample cannot be read.
    pub fn of(
        reader: &dyn BookReader,
        config: &StyleConfig,
        lang: Lang,
    ) -> Result<Self, ReadError> {
        let directory = layout::samples_dir();
        let mut names = reader.list(&directory)?;
        names.retain(|name| {
            !name.starts_with('.') && (name.ends_with(".md") || name.ends_with(".txt"))
        });
        names.sort_unstable();
        let samples: Vec<RelPath> = names
            .iter()
            .filter_map(|name| directory.join(name).ok())
            .collect();
        let reference = config
            .reference
            .clone()
            .filter(|name| !name.trim().is_empty());
        let source = config.source.unwrap_or({
            if !samples.is_empty() {
                StyleSource::Original
            } else if reference.is_some() {
                StyleSource::Reference
            } else {
                StyleSource::Template
            }
        });
        let template = match (source, &config.template) {
            (StyleSource::Template, Some(name)) => template(lang, name),
            (StyleSource::Template, None) => templates(lang).first(),
            _ => None,
        };
        let measures = match source {
            StyleSource::Original => {
                let mut texts = Vec::new();
                for path in &samples {
                    texts.extend(reader.text(path)?);
                }
                StyleMeasures::of(texts.iter().map(String::as_str))
            }
            StyleSource::Template => {
                template.and_then(|style| StyleMeasures::of([style.sample.as_str()]))
            }
            StyleSource::Reference | StyleSource::WriteThenExtract => None,
        };
        Ok(Self {
            source,
            samples,
            template,
            reference,
            measures,
        })
    }

    /// The profile of an answer. What the answer leaves empty the template fills.
    #[must_use]
    pub fn profile(&self, answer: &StyleAnswer) -> StyleProfile {
        let or = |own: &[String], of: fn(&StyleTemplate) -> &Vec<String>| -> Vec<String> {
            match self.template {
                Some(template) if own.is_empty() => of(template).clone(),
                _ => own.to_vec(),
            }
        };
        let patterns: Map<String, Value> = answer
            .speech_patterns
            .iter()
            .map(|pattern| (pattern.character.clone(), json!(pattern.pattern)))
            .collect();
        let directives = or(&answer.writing_directives, |style| {
            &style.writing_directives
        });
        let mut profile = StyleProfile {
            source_type: Some(self.source.word().to_owned()),
            rhetoric_preferences: Some(json!(or(&answer.rhetoric_preferences, |style| {
                &style.rhetoric_preferences
            }))),
            forbidden_words: or(&answer.forbidden_words, |style| &style.forbidden_words),
            preferred_expressions: or(&answer.preferred_expressions, |style| {
                &style.preferred_expressions
            }),
            character_speech_patterns: (!patterns.is_empty()).then_some(Value::Object(patterns)),
            narrative_voice: Some(json!(answer.narrative_voice)),
            writing_directives: directives.into_iter().map(Value::String).collect(),
            ..StyleProfile::default()
        };
        if let Some(measures) = &self.measures {
            measures.write_into(&mut profile);
        }
        profile
    }
}

/// The baseline of a style that was to be taken from the first chapters: the profile with measures,
/// or nothing where it has them already or no chapter is there.
///
/// # Errors
/// When a chapter cannot be read.
pub fn extracted(
    reader: &dyn BookReader,
    profile: &StyleProfile,
    chapters: u32,
) -> Result<Option<StyleProfile>, FileError> {
    if profile.source_type.is_none() || profile.avg_sentence_length.is_some() {
        return Ok(None);
    }
    let mut texts = Vec::new();
    for chapter in (1..=chapters).filter_map(ChapterNo::new) {
        let path = layout::chapter_json(chapter);
        let chapter = Document::<GeneratedChapter>::load(reader, &path)?;
        let scenes = chapter.iter().flat_map(|chapter| &chapter.get().scenes);
        texts.extend(scenes.map(|scene| scene.content.clone()));
    }
    Ok(
        StyleMeasures::of(texts.iter().map(String::as_str)).map(|measures| {
            let mut profile = profile.clone();
            measures.write_into(&mut profile);
            profile
        }),
    )
}

#[cfg(test)]
#[path = "styles_tests.rs"]
mod tests;
