//! What lies in staging for one chapter, read once and judged.

use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError, Problem, Slug, VolumeNo,
    files::{Bindings, ChapterContract, Evaluation},
    layout,
};

use crate::validate::{self, SummaryArtefacts, file_problems};

/// The staged text of a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct StagedText {
    /// As it lies there.
    pub markdown: String,
    /// Its hash.
    pub hash: ContentHash,
}

/// A staged artefact that may be missing or damaged.
#[derive(Debug, Clone, PartialEq)]
pub enum Found<T> {
    /// Not there.
    Missing,
    /// There, but not usable.
    Invalid(Vec<Problem>),
    /// There and sound.
    Sound(T),
}

impl<T> Found<T> {
    /// The artefact, if it is sound.
    pub fn sound(&self) -> Option<&T> {
        match self {
            Self::Sound(value) => Some(value),
            Self::Missing | Self::Invalid(_) => None,
        }
    }

    /// One word for the evidence of `next`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Invalid(_) => "invalid",
            Self::Sound(_) => "present",
        }
    }
}

/// Everything in staging that belongs to one chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Staged {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its text.
    pub text: Option<StagedText>,
    /// The accepted draft.
    pub draft: Option<String>,
    /// The accepted refined text.
    pub refined: Option<String>,
    /// Which artefact belongs to which text; `None` in a project of an older tool.
    pub bindings: Option<Document<Bindings>>,
    /// The line its contract names.
    pub storyline: Found<Slug>,
    /// The four artefacts of the summarizer.
    pub summary: Found<SummaryArtefacts>,
    /// The evaluation.
    pub evaluation: Found<Document<Evaluation>>,
    /// Hash of the evaluation file.
    pub evaluation_hash: Option<ContentHash>,
    /// The first judge's answer while the second is awaited.
    pub primary: Option<Document<Evaluation>>,
}

impl Staged {
    /// Reads staging. A damaged artefact is a fact; a text that cannot be read is an error.
    ///
    /// # Errors
    /// When the staged text, the accepted draft or the bindings cannot be read.
    pub fn read(
        reader: &dyn BookReader,
        volume: VolumeNo,
        chapter: ChapterNo,
    ) -> Result<Self, FileError> {
        let text = reader
            .text(&layout::staged_chapter(chapter))?
            .map(|markdown| StagedText {
                hash: ContentHash::of(&markdown),
                markdown,
            });
        let draft = reader.text(&layout::staged_draft(chapter))?;
        let refined = reader.text(&layout::staged_refined(chapter))?;
        let bindings = Document::load(reader, &layout::staged_bindings(chapter))?;
        let storyline = contract_line(reader, volume, chapter);
        let (artefacts, findings) = validate::summary_artefacts(reader, chapter, storyline.sound());
        let summary = match artefacts {
            Some(artefacts) => Found::Sound(artefacts),
            None if findings
                .problems
                .iter()
                .all(|problem| problem.code == "missing") =>
            {
                Found::Missing
            }
            None => Found::Invalid(findings.problems),
        };
        let evaluation = read_evaluation(reader, chapter);
        let evaluation_hash = match &evaluation {
            Found::Sound(_) => reader
                .read(&layout::staged_evaluation(chapter))?
                .map(ContentHash::of),
            Found::Missing | Found::Invalid(_) => None,
        };
        let primary = Document::load(reader, &layout::staged_primary_evaluation(chapter))?;
        Ok(Self {
            chapter,
            text,
            draft,
            refined,
            bindings,
            storyline,
            summary,
            evaluation,
            evaluation_hash,
            primary,
        })
    }

    /// The bindings, empty in a project of an older tool.
    #[must_use]
    pub fn bound(&self) -> Bindings {
        self.bindings
            .as_ref()
            .map(|bindings| bindings.get().clone())
            .unwrap_or_default()
    }
}

/// A damaged contract is reported by the steps that compare with it.
fn contract_line(reader: &dyn BookReader, volume: VolumeNo, chapter: ChapterNo) -> Found<Slug> {
    let path = layout::contract(volume, chapter);
    match Document::<ChapterContract>::load(reader, &path) {
        Ok(None) => Found::Missing,
        Ok(Some(contract)) => Found::Sound(contract.get().storyline_id.clone()),
        Err(error) => Found::Invalid(file_problems(&error)),
    }
}

fn read_evaluation(reader: &dyn BookReader, chapter: ChapterNo) -> Found<Document<Evaluation>> {
    let path = layout::staged_evaluation(chapter);
    match Document::<Evaluation>::load(reader, &path) {
        Ok(None) => Found::Missing,
        Ok(Some(document)) => {
            let findings = validate::evaluation(&path, document.get(), chapter);
            if findings.problems.is_empty() {
                Found::Sound(document)
            } else {
                Found::Invalid(findings.problems)
            }
        }
        Err(error) => Found::Invalid(file_problems(&error)),
    }
}
