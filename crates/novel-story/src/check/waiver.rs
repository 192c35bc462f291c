//! `reviews/waivers.json`: findings the author lets stand, each with a reason.
//!
//! Nothing is deleted: a revoked waiver stays with the time it was revoked. Unknown fields survive.

use novel_model::{
    BookReader, BrokenFile, ChapterNo, ErrorTable, FileError, Kind, Problem, RelPath, Row, layout,
    message, to_json_text,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::finding::{Finding, FindingCode};

/// All waivers of a book, in the order they were given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Waivers {
    /// The waivers.
    #[serde(default)]
    pub waivers: Vec<Waiver>,
    /// What newer programs wrote.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// One waiver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiver {
    /// Code of the finding.
    pub code: String,
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its chapter.
    pub chapter: ChapterNo,
    /// Why it stands.
    pub reason: String,
    /// When it was waived.
    pub created_at: String,
    /// When the waiver was taken back.
    #[serde(default)]
    pub revoked_at: Option<String>,
    /// What newer programs wrote.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Waiver {
    /// Whether it still holds.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.revoked_at.is_none()
    }
}

/// A waiver that cannot be given or taken back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaiverError {
    /// There is no reason.
    #[error("a waiver needs a reason")]
    NoReason,
    /// No open finding fits.
    #[error("no open finding fits `{selector}`")]
    NoFinding {
        /// What was asked for.
        selector: String,
    },
    /// No active waiver fits.
    #[error("no active waiver fits `{selector}`")]
    NoWaiver {
        /// What was asked for.
        selector: String,
    },
}

impl Waivers {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn parse(path: &RelPath, text: &str) -> Result<Self, BrokenFile> {
        let waivers: Self = serde_json::from_str(text).map_err(|error| {
            let problem = Problem::new(
                "json_syntax",
                path,
                message!(en: "not a list of waivers: {error}", zh: "不是豁免清单：{error}"),
            );
            BrokenFile::new(problem.at_line(error.line().max(1)))
        })?;
        let unknown = waivers.waivers.iter().enumerate().find_map(|(at, waiver)| {
            let error = waiver.code.parse::<FindingCode>().err()?;
            Some((at, error))
        });
        match unknown {
            None => Ok(waivers),
            Some((at, error)) => {
                let code = error.0;
                let text =
                    message!(en: "`{code}` is not a finding code", zh: "`{code}` 不是检查代码");
                Err(BrokenFile::new(
                    Problem::new("unknown_code", path, text).at(format!("/waivers/{at}/code")),
                ))
            }
        }
    }

    /// Reads the file of a book; a book without one has no waivers.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn load(reader: &dyn BookReader) -> Result<Self, FileError> {
        let path = layout::waivers();
        match reader.text(&path)? {
            Some(text) => Ok(Self::parse(&path, &text)?),
            None => Ok(Self::default()),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_json_text(self)
    }

    /// The active waiver of a finding.
    #[must_use]
    pub fn covers(&self, finding: &Finding) -> Option<&Waiver> {
        self.waivers.iter().find(|waiver| {
            waiver.is_active()
                && waiver.fingerprint == finding.fingerprint
                && waiver.code == finding.code.as_str()
        })
    }

    /// Waives every finding whose code or fingerprint is `selector`; returns how many. A finding
    /// that is waived already is passed over.
    ///
    /// # Errors
    /// When there is no reason, or nothing open fits.
    pub fn apply(
        &mut self,
        findings: &[Finding],
        selector: &str,
        reason: &str,
        now: &str,
    ) -> Result<usize, WaiverError> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(WaiverError::NoReason);
        }
        let new: Vec<Waiver> = findings
            .iter()
            .filter(|finding| fits(selector, finding.code.as_str(), &finding.fingerprint))
            .filter(|finding| self.covers(finding).is_none())
            .map(|finding| Waiver {
                code: finding.code.as_str().to_owned(),
                fingerprint: finding.fingerprint.clone(),
                chapter: finding.chapter,
                reason: reason.to_owned(),
                created_at: now.to_owned(),
                revoked_at: None,
                other: Map::new(),
            })
            .collect();
        if new.is_empty() {
            let selector = selector.to_owned();
            return Err(WaiverError::NoFinding { selector });
        }
        let count = new.len();
        self.waivers.extend(new);
        Ok(count)
    }

    /// Takes back every active waiver whose code or fingerprint is `selector`, of one chapter or
    /// of all; returns how many.
    ///
    /// # Errors
    /// When nothing active fits.
    pub fn revoke(
        &mut self,
        selector: &str,
        chapter: Option<ChapterNo>,
        now: &str,
    ) -> Result<usize, WaiverError> {
        let mut count = 0;
        for waiver in &mut self.waivers {
            if waiver.is_active()
                && fits(selector, &waiver.code, &waiver.fingerprint)
                && chapter.is_none_or(|chapter| chapter == waiver.chapter)
            {
                waiver.revoked_at = Some(now.to_owned());
                count += 1;
            }
        }
        if count == 0 {
            let selector = selector.to_owned();
            return Err(WaiverError::NoWaiver { selector });
        }
        Ok(count)
    }
}

fn fits(selector: &str, code: &str, fingerprint: &str) -> bool {
    let selector = selector.trim();
    selector.eq_ignore_ascii_case(code) || selector.eq_ignore_ascii_case(fingerprint)
}

impl ErrorTable for WaiverError {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::NoReason => row(
                "WAIVER_NEEDS_REASON",
                message!(en: "a waiver needs a reason", zh: "豁免必须说明理由"),
            )
            .hint(message!(
                en: "say why the text stands, for the reader of the report",
                zh: "请写明为什么保留原文，供查看报告的人了解"
            )),
            Self::NoFinding { selector } => row(
                "NO_SUCH_FINDING",
                message!(
                    en: "no open finding has the code or fingerprint `{selector}`",
                    zh: "没有代码或指纹为 `{selector}` 的未豁免检查结果"
                ),
            )
            .hint(message!(
                en: "`novel check` lists findings with code and fingerprint",
                zh: "`novel check` 会列出检查结果的代码和指纹"
            )),
            Self::NoWaiver { selector } => row(
                "NO_SUCH_WAIVER",
                message!(
                    en: "no active waiver has the code or fingerprint `{selector}`",
                    zh: "没有代码或指纹为 `{selector}` 的有效豁免"
                ),
            )
            .hint(message!(
                en: "`novel check` lists findings with code and fingerprint",
                zh: "`novel check` 会列出检查结果的代码和指纹"
            )),
        }
    }
}
