//! `novel lint`: exact counts of blacklisted phrases.

use novel_contract::care as contract;
use novel_model::{Document, files::Blacklist, layout, message};
use novel_text::{LintHit, LintReport, Linter};

use crate::{BookError, Project};

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
pub fn lint(project: &Project, texts: &[(String, String)]) -> Result<LintRun, BookError> {
    project.store().look(|reader| {
        let blacklist = Document::<Blacklist>::require(
            reader,
            &layout::blacklist(),
            message!(
                en: "`novel doctor --fix` creates it from a template",
                zh: "`novel doctor --fix` 会用模板新建"
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
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::LintAnswer {
        match self.files.as_slice() {
            [(_, report)] => contract::LintAnswer::File(linted(report)),
            files => contract::LintAnswer::Files {
                files: files
                    .iter()
                    .map(|(name, report)| contract::LintedFile {
                        report: linted(report),
                        file: name.clone(),
                    })
                    .collect(),
            },
        }
    }
}

fn linted(report: &LintReport) -> contract::LintReport {
    let hit = |hit: &LintHit| contract::LintHit {
        word: hit.word.clone(),
        count: hit.count,
        lines: hit.lines.clone(),
        snippets: hit.snippets.clone(),
    };
    contract::LintReport {
        total_hits: report.total_hits,
        hits_per_kchars: report.hits_per_kchars,
        hits: report.hits.iter().map(hit).collect(),
    }
}
