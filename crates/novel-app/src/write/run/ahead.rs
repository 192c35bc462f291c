//! Running ahead: the next agents are called while the last answer is still being written down.
//!
//! The machine itself says what comes next, on a copy that hears of writes as if they were made; the
//! book is read through the transactions that are about to be made. Nothing here decides anything:
//! the run goes its usual way, each write durable before the next is begun, and asks for the same
//! calls when it gets there. If it does not get there, the answers are in the ledger like any other.

use novel_book::run::{Action, Event, Run};
use novel_model::Failure;
use novel_store::StoreReader;

use super::{
    Drive,
    ask::{self, Prepared},
    begun, committed, leftover,
    scenes::Ahead,
};
use crate::{View, executor::Reads, write::commit};

impl Drive<'_, '_> {
    /// Makes the calls that follow the acceptance `book` looks past. Only where the executor needs
    /// nothing but its prompt, and the author does not want to stop.
    ///
    /// # Errors
    /// When the answers that were accepted can not be kept; nothing may follow from them then.
    pub(super) fn run_ahead(&mut self, run: &Run, mut book: StoreReader) -> Result<(), Failure> {
        let wanted = self.runner.executor.reads() == Reads::Prompt
            && self.flight.is_none()
            && !self.runner.cancel.is_cancelled();
        // What stands in the way is met again, and reported, on the usual way.
        let calls = match wanted.then(|| self.foresee(run.clone(), &mut book)) {
            Some(Ok(calls)) if !self.over_budget(&calls) => calls,
            _ => Vec::new(),
        };
        self.kept()?;
        if !calls.is_empty() {
            let flight = self.start(calls);
            flight.get_away();
            self.flight = Some(flight);
        }
        Ok(())
    }

    /// The calls the run will make next that are not in the ledger; none where it will not call.
    fn foresee(&self, run: Run, book: &mut StoreReader) -> Result<Vec<Prepared>, Failure> {
        let (project, writer) = (self.runner.project, self.writer);
        let (mut run, mut actions) = run.decide(Event::Accepted);
        loop {
            let view = project.view(book)?;
            if let [Action::Look] = actions.as_slice() {
                let next = view.next()?;
                if leftover(&next).is_some() {
                    return Ok(Vec::new());
                }
                let event = match self.ahead(&view, &next)? {
                    Ahead::Work(task) => Event::Looked(task),
                    Ahead::Nothing => Event::Reached,
                    Ahead::Merge(chapter) => {
                        drop(view);
                        // The reader looks past the merge from then on.
                        let _not_made = self.merging(book, chapter)?;
                        continue;
                    }
                };
                (run, actions) = run.decide(event);
            }
            let (txn, event) = match actions.as_slice() {
                [Action::BeginRound(task)] => {
                    let txn = self.moved(begun(&view, *task)?, "begin");
                    (txn, Event::RoundBegun)
                }
                [Action::Commit(chapter)] => {
                    let (txn, report) = commit::planned(project, writer, &view, *chapter)?;
                    (txn, committed(project, &report))
                }
                asks => return self.open(&view, asks),
            };
            book.look_past(&txn);
            (run, actions) = run.decide(event);
        }
    }

    fn open(&self, view: &View<'_>, actions: &[Action]) -> Result<Vec<Prepared>, Failure> {
        let mut open = Vec::new();
        for ask in ask::asks(actions) {
            open.push(self.prepare(view, ask)?);
        }
        open.retain(Prepared::is_open);
        Ok(open)
    }
}
