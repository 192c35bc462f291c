//! Reference texts for the agents: the project's own, or the built-in ones.

use novel_model::{BookReader, Lang, RelPath, layout};

use novel_book::context::ContextError;

/// A reference text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guide {
    /// How the judge scores.
    QualityRubric,
    /// How the refiner polishes.
    StyleGuide,
    /// How the writer works.
    WritingMethodology,
}

/// Where a reference text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuideText {
    /// The project has its own.
    Project(RelPath),
    /// The one shipped with the program.
    BuiltIn {
        /// A name for the `source` attribute.
        source: String,
        /// The text.
        text: &'static str,
    },
}

impl Guide {
    /// The field it is given under.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::QualityRubric => "quality_rubric",
            Self::StyleGuide => "style_guide",
            Self::WritingMethodology => "writing_methodology",
        }
    }

    /// The project file that replaces the built-in text.
    #[must_use]
    pub fn path(self) -> RelPath {
        match self {
            Self::QualityRubric => layout::quality_rubric(),
            Self::StyleGuide => layout::style_guide(),
            Self::WritingMethodology => layout::writing_methodology(),
        }
    }

    /// The built-in text.
    #[must_use]
    pub const fn built_in(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::QualityRubric, Lang::Zh) => include_str!("../assets/zh/quality-rubric.md"),
            (Self::QualityRubric, Lang::En) => include_str!("../assets/en/quality-rubric.md"),
            (Self::StyleGuide, Lang::Zh) => include_str!("../assets/zh/style-guide.md"),
            (Self::StyleGuide, Lang::En) => include_str!("../assets/en/style-guide.md"),
            (Self::WritingMethodology, Lang::Zh) => {
                include_str!("../assets/zh/writing-methodology.md")
            }
            (Self::WritingMethodology, Lang::En) => {
                include_str!("../assets/en/writing-methodology.md")
            }
        }
    }

    /// The text to use: the project's own, else the built-in one.
    ///
    /// # Errors
    /// When the project's own is there but cannot be read.
    pub fn find(self, reader: &dyn BookReader, lang: Lang) -> Result<GuideText, ContextError> {
        let path = self.path();
        if reader.text(&path)?.is_some() {
            return Ok(GuideText::Project(path));
        }
        let folder = match lang {
            Lang::Zh => "zh",
            Lang::En => "en",
        };
        Ok(GuideText::BuiltIn {
            source: format!("novel:{folder}/{path}"),
            text: self.built_in(lang),
        })
    }
}
