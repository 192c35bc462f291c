//! `novel log`: the operations on the book.

use novel_book::operations::{Operation, OperationLog, OperationState};
use novel_contract::history as contract;
use novel_store::StoreReader;

use crate::{BookError, Project};

/// The newest operations.
#[derive(Debug)]
pub struct LogReport {
    /// Newest first, each with whether it is in effect.
    pub operations: Vec<(Operation, bool)>,
    /// How many there are in all.
    pub total: usize,
}

/// Lists the newest `count` operations. Writes nothing.
///
/// # Errors
/// When the log is damaged.
pub fn log(project: &Project, count: usize) -> Result<LogReport, BookError> {
    let look = |reader: &StoreReader| Ok::<_, BookError>(OperationLog::read(reader)?);
    let log = project.store().look(look)?;
    let standing: Vec<u64> = log.standing().iter().map(|found| found.operation).collect();
    let total = log.operations.len();
    let newest = log.operations.into_iter().rev().take(count);
    let operations = newest
        .map(|operation| {
            let stands = operation.is_about_another()
                || standing.binary_search(&operation.operation).is_ok();
            (operation, stands)
        })
        .collect();
    Ok(LogReport { operations, total })
}

impl LogReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::LogAnswer {
        let row = |(operation, stands): &(Operation, bool)| contract::Operation {
            operation: operation.operation,
            kind: operation.kind.name().to_owned(),
            target: operation.target.clone(),
            at: operation.at.clone(),
            undone: !stands,
            open: operation.state == OperationState::Open,
            note: operation.note().map(str::to_owned),
        };
        contract::LogAnswer {
            operations: self.operations.iter().map(row).collect(),
            total: self.total,
            warnings: Vec::new(),
        }
    }
}
