//! `novel lint`: exact counts of blacklisted phrases.

use novel_model::{Document, Failure, Lang, files::Blacklist, layout, message};
use novel_text::{LintReport, Linter};
use serde_json::{Value, json};

use crate::Project;

/// The result for some texts.
#[derive(Debug)]
pub struct LintRun {
    /// By shown name, in the order given.
    pub files: Vec<(String, LintReport)>,
}

/// Lints texts against the project's blacklist.
///
/// # Errors
/// When the blacklist is missing or damaged.
pub fn lint(project: &Project, texts: &[(String, String)]) -> Result<LintRun, Failure> {
    project.store().look(|reader| {
        let blacklist = Document::<Blacklist>::require(
            reader,
            &layout::blacklist(),
            message!(
                en: "`novel doctor --fix` puts a template there",
                zh: "`novel doctor --fix` 会放置模板"
            ),
        )?;
        Ok(lint_with(blacklist.get(), texts))
    })
}

/// Lints texts against a blacklist; whitelisted phrases are no hits.
#[must_use]
pub fn lint_with(blacklist: &Blacklist, texts: &[(String, String)]) -> LintRun {
    let linter = Linter::new(&blacklist.effective_words());
    let files = texts
        .iter()
        .map(|(name, text)| (name.clone(), linter.lint(text)))
        .collect();
    LintRun { files }
}

impl LintRun {
    /// The `data` object: the report itself for one file, a list for several.
    #[must_use]
    pub fn to_json(&self, _lang: Lang) -> Value {
        match self.files.as_slice() {
            [(_, report)] => json!(report),
            files => {
                let files: Vec<Value> = files
                    .iter()
                    .map(|(name, report)| {
                        let mut object = json!(report);
                        object["file"] = json!(name);
                        object
                    })
                    .collect();
                json!({"files": files})
            }
        }
    }
}
