//! `novel doctor`: looks the whole project over; repairs only when asked.

mod answers;
mod checks;
mod encoding;
mod records;

use std::collections::{BTreeMap, BTreeSet};

use novel_book::operations::{OperationLog, Records};
use novel_contract::care as contract;
use novel_model::{BookReader, Lang, Message, Problem, RelPath, layout, message};
use novel_store::{LockStatus, Store, StoreReader, TxnKind, TxnLabel, verify_archive};

use crate::{BookError, Clock};

/// Whether to repair what can be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Only say what is wrong.
    Report,
    /// Repair what can be repaired; old bytes go to `archive/`.
    Apply,
}

/// One thing that is wrong.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What and where.
    pub problem: Problem,
    /// What `--fix` does about it; `None` when only the author can repair it.
    pub repair: Option<Message>,
    /// Whether it was repaired just now.
    pub repaired: bool,
}

/// Everything that is wrong.
#[derive(Debug, Default)]
pub struct DoctorReport {
    /// In the order of the checks.
    pub findings: Vec<Finding>,
    /// What is no damage, but not as the program left it.
    pub notes: Vec<Problem>,
}

/// What an examination found and would write.
#[derive(Default)]
struct Examination {
    findings: Vec<Finding>,
    repairs: BTreeMap<RelPath, Vec<u8>>,
    /// What is no damage, but not as the program left it.
    notes: Vec<Problem>,
    /// Files that other files lead to, byte for byte: an edit that was taken over.
    derived: BTreeSet<RelPath>,
    /// What the operations log says.
    known: Known,
}

/// The operations log, and how far it can be relied on.
#[derive(Default)]
struct Known {
    log: OperationLog,
    records: Records,
    /// Whether something of it is lost or damaged: what it does not tell may have been told there.
    is_damaged: bool,
}

impl Examination {
    /// Something only the author can repair.
    fn report(&mut self, problem: Problem) {
        self.findings.push(Finding {
            problem,
            repair: None,
            repaired: false,
        });
    }

    /// Something the program can repair by writing one file. A content that the log says is another one
    /// is no repair: what it was made from is damaged too.
    fn proven(
        &mut self,
        problem: Problem,
        repair: Message,
        path: RelPath,
        bytes: impl Into<Vec<u8>>,
    ) {
        let bytes = bytes.into();
        let is_proven = match self.known.records.get(&path) {
            Some(expected) => expected.is(Some(&bytes)),
            // No operation has ever written it, so nothing is known of what it was.
            None => !self.known.is_damaged,
        };
        if is_proven {
            self.repairable(problem, repair, path, bytes);
        } else {
            self.report(problem.hint(message!(
                en: "the content rebuilt from other files does not match the operations log; restore the file from a backup",
                zh: "按其他文件重建的内容与操作日志不一致；请用备份恢复该文件"
            )));
        }
    }

    /// Whether something was said of a file.
    fn tells_of(&self, path: &RelPath) -> bool {
        self.findings
            .iter()
            .any(|found| found.problem.path == *path)
    }

    /// Takes back what was said of a file: something better is known.
    fn forget(&mut self, path: &RelPath) {
        self.findings.retain(|found| found.problem.path != *path);
    }

    /// Something the program can repair by writing one file.
    fn repairable(
        &mut self,
        problem: Problem,
        repair: Message,
        path: RelPath,
        bytes: impl Into<Vec<u8>>,
    ) {
        self.repairs.insert(path, bytes.into());
        self.findings.push(Finding {
            problem,
            repair: Some(repair),
            repaired: false,
        });
    }
}

/// Looks the project over. A report writes nothing.
///
/// # Errors
/// When the project cannot be looked at, or a repair cannot be written.
pub fn doctor(store: &Store, clock: Clock, repair: Repair) -> Result<DoctorReport, BookError> {
    Ok(match repair {
        Repair::Report => store.look(|reader| {
            let mut findings = unfinished_business(store, reader)?;
            let examination = checks::examine(store, reader, clock)?;
            findings.extend(examination.findings);
            findings.extend(damaged_archive(reader, &examination.known.log));
            let notes = examination.notes;
            Ok::<_, BookError>(DoctorReport { findings, notes })
        })?,
        Repair::Apply => {
            let mut findings = store.look(|reader| unfinished_business(store, reader))?;
            // Taking the lock completes or discards what a crash left behind.
            let writer = store.acquire(None)?;
            let reader = writer.reader()?;
            let examination = checks::examine(store, &reader, clock)?;
            let mut repairs = examination.repairs;
            // The log itself comes first: what else is repaired is recorded there.
            if let Some(log) = repairs.remove(&layout::operations()) {
                let mut txn = writer.begin(TxnLabel::new(TxnKind::Call, "operations-log"));
                txn.at(clock.now(store));
                txn.write(layout::operations(), log);
                txn.commit()?;
            }
            // Without its end nothing can be added to it, and so nothing be repaired.
            let is_open = writer.last_operation().is_ok();
            if is_open {
                let mut txn = writer.begin(TxnLabel::new(TxnKind::Doctor, "repair"));
                txn.at(clock.now(store));
                for (path, bytes) in repairs {
                    txn.write(path, bytes);
                }
                txn.commit()?;
            }
            findings.extend(examination.findings);
            findings.extend(damaged_archive(&reader, &examination.known.log));
            for finding in &mut findings {
                finding.repaired = is_open && finding.repair.is_some();
            }
            let notes = examination.notes;
            DoctorReport { findings, notes }
        }
    })
}

/// What a crash left behind; any writer puts it right.
fn unfinished_business(store: &Store, reader: &StoreReader) -> Result<Vec<Finding>, BookError> {
    let mut findings = Vec::new();
    let mut note = |code, path: RelPath, text, repair| {
        let problem = Problem::new(code, &path, text);
        findings.push(Finding {
            problem,
            repair: Some(repair),
            repaired: false,
        });
    };
    let lock = store.lock_status()?;
    // A live writer is still about to finish it.
    let interrupted = reader
        .sealed()
        .filter(|_| !matches!(lock, LockStatus::Held(_)));
    if let Some(label) = interrupted {
        let target = &label.target;
        note(
            "sealed_journal",
            layout::journal_dir(),
            message!(
                en: "`{target}` was interrupted after its commit point",
                zh: "`{target}` 在提交点之后被中断"
            ),
            message!(en: "complete it", zh: "将其完成"),
        );
    }
    if let LockStatus::Stale(holder, reason) = lock {
        let (who, why) = (holder.describe(), reason.message());
        note(
            "stale_lock",
            layout::lock_dir(),
            Message {
                en: format!("a lock was left behind ({}; {})", who.en, why.en),
                zh: format!("遗留了一把锁（{}；{}）", who.zh, why.zh),
            },
            message!(en: "take it over and release it", zh: "接管并释放"),
        );
    }
    Ok(findings)
}

/// Packs of replaced contents that are damaged: what they keep cannot be brought back.
fn damaged_archive(
    reader: &StoreReader,
    log: &OperationLog,
) -> impl Iterator<Item = Finding> + use<> {
    verify_archive(reader, log)
        .into_iter()
        .map(|problem| Finding {
            problem: problem.hint(message!(
                en: "restore the file from an undamaged copy; the book itself does not depend on it",
                zh: "请换回该文件的完好副本；作品本身不依赖它"
            )),
            repair: None,
            repaired: false,
        })
}

/// Reads a text file for an examination; encoding faults were reported already.
fn text_of(reader: &dyn BookReader, path: &RelPath) -> Option<String> {
    reader.text(path).ok().flatten()
}

impl DoctorReport {
    /// Whether nothing is left to repair.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        self.findings.iter().all(|finding| finding.repaired)
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::DoctorAnswer {
        let damage = |finding: &Finding| contract::Damage {
            problem: novel_contract::Problem::new(&finding.problem, lang),
            repair: finding
                .repair
                .as_ref()
                .map(|repair| repair.get(lang).to_owned()),
            repaired: finding.repaired,
        };
        let note = |problem: &Problem| novel_contract::Problem::new(problem, lang);
        contract::DoctorAnswer {
            healthy: self.is_healthy(),
            findings: self.findings.iter().map(damage).collect(),
            notes: self.notes.iter().map(note).collect(),
        }
    }
}
