//! `novel check`: the story checker on chapters of the book, and the findings the author waived.
//!
//! A check reads only and takes no lock; one chapter is in memory at a time. Waivers are written in
//! transactions of their own and are never deleted.

use std::{ops::RangeInclusive, str::FromStr};

use novel_book::{edit::Edit, manuscript::Manuscript};
use novel_contract::care as contract;
use novel_model::{
    BookReader, ChapterNo, ErrorTable, Kind, Lang, Row, files::Severity, layout, message, nearest,
    to_json_text,
};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel, Writer};
pub use novel_story::check::{Candidate, Finding, FindingCode, Side, Spot, Waiver};
use novel_story::check::{WaiverError, Waivers, candidates_in, check_range, explanation};

use crate::{BookError, Project, Refusal, error::use_case_error, read_checkpoint};

/// Hexadecimal digits of a fingerprint.
const FINGERPRINT_DIGITS: usize = 16;

/// Which chapters are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The newest one, if there is any.
    Newest,
    /// These.
    Range(RangeInclusive<ChapterNo>),
    /// All there are.
    All,
}

/// Whether findings with a waiver are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waived {
    /// They are only counted.
    Hide,
    /// They are listed, with the reason.
    Show,
}

/// A finding, and why it stands if it was waived.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The finding.
    pub finding: Finding,
    /// The author's reason.
    pub waived: Option<String>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckReport {
    /// The chapters, ascending.
    pub checked: Vec<ChapterNo>,
    /// By chapter; with waived ones if they were asked for.
    pub findings: Vec<Checked>,
    /// How many findings are waived, listed or not.
    pub waived: usize,
}

/// Checks chapters of the book.
///
/// # Errors
/// When there is no such chapter, or a file the check needs is missing or damaged.
pub fn check(
    project: &Project,
    selection: &Selection,
    waived: Waived,
) -> Result<CheckReport, BookError> {
    project
        .store()
        .look(|reader| check_in(project, reader, selection, waived))
}

/// Checks a written chapter as if this Markdown were its text, which may be edited and not adopted.
///
/// # Errors
/// When there is no such chapter, or a file the check needs is missing or damaged.
pub fn check_text(
    project: &Project,
    chapter: ChapterNo,
    markdown: &str,
) -> Result<CheckReport, BookError> {
    project.store().look(|reader| {
        let text = Manuscript::from_markdown(chapter, markdown, project.config().lang());
        let mut edited = Edit::on(reader);
        edited.write(layout::chapter_json(chapter), to_json_text(&text.chapter));
        let selection = Selection::Range(chapter..=chapter);
        check_in(project, &edited, &selection, Waived::Hide)
    })
}

fn check_in(
    project: &Project,
    reader: &dyn BookReader,
    selection: &Selection,
    waived: Waived,
) -> Result<CheckReport, BookError> {
    let waivers = Waivers::load(reader)?;
    let mut report = CheckReport::default();
    each_chapter(project, reader, selection, |chapter, findings| {
        report.checked.push(chapter);
        for finding in findings {
            let reason = waivers.covers(&finding).map(|waiver| waiver.reason.clone());
            report.waived += usize::from(reason.is_some());
            if reason.is_none() || waived == Waived::Show {
                report.findings.push(Checked {
                    finding,
                    waived: reason,
                });
            }
        }
    })?;
    Ok(report)
}

/// Runs the checker over the selection, chapter by chapter.
fn each_chapter(
    project: &Project,
    reader: &dyn BookReader,
    selection: &Selection,
    mut see: impl FnMut(ChapterNo, Vec<Finding>),
) -> Result<(), BookError> {
    let checkpoint = read_checkpoint(reader)?;
    let checkpoint = checkpoint.get();
    let Some(range) = range(selection, checkpoint.last_completed_chapter)? else {
        return Ok(());
    };
    let volumes = Volumes::load(reader, checkpoint.current_volume)?;
    let chapters = (range.start().get()..=range.end().get())
        .filter_map(ChapterNo::new)
        .map(move |chapter| (chapter, volumes.of(chapter.get()).0));
    for (chapter, findings) in check_range(reader, project.config(), chapters)? {
        see(chapter, findings?);
    }
    Ok(())
}

/// Sentences of chapters that may contradict the record, by chapter.
///
/// # Errors
/// When there is no such chapter, or a file that is needed is missing or damaged.
pub fn candidates(
    project: &Project,
    selection: &Selection,
) -> Result<Vec<(ChapterNo, Vec<Candidate>)>, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let checkpoint = checkpoint.get();
        let Some(range) = range(selection, checkpoint.last_completed_chapter)? else {
            return Ok(Vec::new());
        };
        let volumes = Volumes::load(reader, checkpoint.current_volume)?;
        let chapters = (range.start().get()..=range.end().get())
            .filter_map(ChapterNo::new)
            .map(move |chapter| (chapter, volumes.of(chapter.get()).0));
        let mut found = Vec::new();
        for (chapter, candidates) in candidates_in(reader, project.config(), chapters)? {
            found.push((chapter, candidates?));
        }
        Ok(found)
    })
}

/// The answer of `check --candidates`.
#[must_use]
pub fn candidates_answer(found: &[(ChapterNo, Vec<Candidate>)]) -> contract::CandidatesAnswer {
    let rows = found.iter().flat_map(|(chapter, candidates)| {
        candidates.iter().map(|candidate| contract::Candidate {
            chapter: *chapter,
            number: candidate.number,
            doubt: candidate.doubt.as_str().to_owned(),
            subject: candidate.subject.clone(),
            place: candidate.place.answer(),
            fact: candidate.fact.answer(),
        })
    });
    contract::CandidatesAnswer {
        chapters: found.iter().map(|(chapter, _)| *chapter).collect(),
        candidates: rows.collect(),
        warnings: Vec::new(),
    }
}

/// What a code means.
///
/// # Errors
/// When there is no such code.
pub fn explain(code: &str, lang: Lang) -> Result<contract::CodeExplained, UnknownSelector> {
    let known: FindingCode = code.parse().map_err(|_| UnknownSelector(code.to_owned()))?;
    Ok(contract::CodeExplained {
        code: known.as_str().to_owned(),
        severity: known.severity(),
        explanation: explanation(known).get(lang).to_owned(),
    })
}

/// The chapters of a selection; `None` when the book has none yet.
fn range(selection: &Selection, newest: u32) -> Result<Option<RangeInclusive<ChapterNo>>, Refusal> {
    let last = ChapterNo::new(newest);
    Ok(match selection {
        Selection::Newest => last.map(|last| last..=last),
        Selection::All => last.map(|last| ChapterNo::first()..=last),
        Selection::Range(range) => {
            let chapter = range.end().get();
            if chapter > newest {
                return Err(Refusal::NoSuchChapter { chapter, newest });
            }
            Some(range.clone())
        }
    })
}

impl CheckReport {
    /// How many open findings there are of a severity.
    #[must_use]
    pub fn open(&self, severity: Severity) -> usize {
        let open = self
            .findings
            .iter()
            .filter(|checked| checked.waived.is_none());
        open.filter(|checked| checked.finding.severity == severity)
            .count()
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::CheckedChapters {
        let finding = |checked: &Checked| contract::CheckedFinding {
            finding: checked.finding.answer(lang),
            waived: checked.waived.clone(),
        };
        contract::CheckedChapters {
            checked: self.checked.clone(),
            findings: self.findings.iter().map(finding).collect(),
            waived: self.waived,
            warnings: Vec::new(),
        }
    }
}

/// Names findings: all of a code, or the one with a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(String);

/// A text that is neither a code nor a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a finding code nor a fingerprint")]
pub struct UnknownSelector(String);

impl FromStr for Selector {
    type Err = UnknownSelector;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let is_fingerprint =
            text.len() == FINGERPRINT_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match text.parse::<FindingCode>() {
            Ok(code) => Ok(Self(code.as_str().to_owned())),
            Err(_) if is_fingerprint => Ok(Self(text.to_ascii_lowercase())),
            Err(_) => Err(UnknownSelector(text.to_owned())),
        }
    }
}

/// Which waivers are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// Those that hold.
    Active,
    /// The revoked ones too.
    Ever,
}

/// Waivers that were given, taken back or listed.
#[derive(Debug, Clone, PartialEq)]
pub struct WaiverReport {
    /// In the order they were given.
    pub waivers: Vec<Waiver>,
}

/// Lets the open findings named by `selector` stand, in one chapter or in the whole book.
///
/// # Errors
/// When there is no reason, nothing open fits, or the check fails; nothing is written then.
pub fn waive(
    project: &Project,
    selector: &Selector,
    chapter: Option<ChapterNo>,
    reason: &str,
) -> Result<WaiverReport, WaiveError> {
    let writer = project.store().acquire(chapter)?;
    let reader = writer.reader()?;
    let mut waivers = Waivers::load(&reader)?;
    let selection = chapter.map_or(Selection::All, |chapter| {
        Selection::Range(chapter..=chapter)
    });
    let mut found = Vec::new();
    each_chapter(project, &reader, &selection, |_, findings| {
        found.extend(findings)
    })?;
    let now = project.now().to_string();
    let new = waivers.apply(&found, &selector.0, reason, &now)?;
    save(project, &writer, &waivers, format!("waive-{}", selector.0))?;
    let before = waivers.waivers.len() - new;
    Ok(WaiverReport {
        waivers: waivers.waivers.split_off(before),
    })
}

/// Takes back the waivers named by `selector`, in one chapter or in the whole book.
///
/// # Errors
/// When no active waiver fits; nothing is written then.
pub fn revoke(
    project: &Project,
    selector: &Selector,
    chapter: Option<ChapterNo>,
) -> Result<WaiverReport, WaiveError> {
    let writer = project.store().acquire(chapter)?;
    let mut waivers = Waivers::load(&writer.reader()?)?;
    let active: Vec<bool> = waivers.waivers.iter().map(Waiver::is_active).collect();
    waivers.revoke(&selector.0, chapter, &project.now().to_string())?;
    save(project, &writer, &waivers, format!("revoke-{}", selector.0))?;
    let all = waivers.waivers.into_iter().zip(active);
    let revoked = all.filter(|(waiver, was_active)| *was_active && !waiver.is_active());
    Ok(WaiverReport {
        waivers: revoked.map(|(waiver, _)| waiver).collect(),
    })
}

/// Lists waivers.
///
/// # Errors
/// When their file cannot be read.
pub fn waivers(project: &Project, which: Given) -> Result<WaiverReport, BookError> {
    let mut waivers = project
        .store()
        .look(|reader| Ok::<_, BookError>(Waivers::load(reader)?.waivers))?;
    waivers.retain(|waiver| waiver.is_active() || which == Given::Ever);
    Ok(WaiverReport { waivers })
}

fn save(
    project: &Project,
    writer: &Writer,
    waivers: &Waivers,
    target: String,
) -> Result<(), BookError> {
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Checkpoint, target));
    txn.at(project.now());
    txn.write(layout::waivers(), waivers.to_text());
    txn.commit()?;
    Ok(())
}

impl WaiverReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::WaiversAnswer {
        let waiver = |waiver: &Waiver| contract::Waiver {
            code: waiver.code.clone(),
            fingerprint: waiver.fingerprint.clone(),
            chapter: waiver.chapter,
            reason: waiver.reason.clone(),
            created_at: waiver.created_at.clone(),
            revoked_at: waiver.revoked_at.clone(),
            other: waiver.other.clone(),
        };
        contract::WaiversAnswer {
            waivers: self.waivers.iter().map(waiver).collect(),
            warnings: Vec::new(),
        }
    }
}

fn codes() -> Vec<&'static str> {
    FindingCode::ALL.iter().map(|code| code.as_str()).collect()
}

impl ErrorTable for UnknownSelector {
    fn row(&self) -> Row<'_> {
        let (text, codes) = (&self.0, codes());
        let (en, zh) = (codes.join(", "), codes.join("、"));
        let message = message!(
            en: "`{text}` is neither a finding code nor a fingerprint; codes: {en}",
            zh: "`{text}` 既不是检查代码，也不是指纹；可用的代码：{zh}"
        );
        let wanted = text.to_ascii_uppercase();
        Row::new(Kind::Input, "UNKNOWN_FINDING_CODE", message)
            .hint(match nearest(&wanted, codes.iter().copied()) {
                Some(code) => message!(en: "did you mean `{code}`?", zh: "是否想写 `{code}`？"),
                None => message!(
                    en: "`novel check` lists findings with code and fingerprint",
                    zh: "`novel check` 会列出检查结果的代码和指纹"
                ),
            })
            .fact("codes", codes)
    }
}

use_case_error! {
    /// Why findings cannot be waived.
    pub enum WaiveError {
        /// The book cannot be read or written.
        Book(BookError),
        /// No finding or waiver fits.
        Waiver(WaiverError),
    }
}
