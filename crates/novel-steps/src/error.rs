//! The error of the steps.

use novel_book::{context::ContextError, next::NoStep, pending::GateClosed, validate::Rejected};
use novel_model::{BrokenFile, FileError, IdError, ReadError, RelPathError, error_sum};

use crate::{Refusal, walled::Walled};

error_sum! {
    /// Why a step cannot be decided on, handed in, accepted or committed.
    pub enum StepError {
        /// A file of the book is missing, broken or unreadable.
        File(FileError) from [ReadError, BrokenFile],
        /// What the step needs is missing or broken.
        Context(ContextError),
        /// The outputs of the step are not valid.
        Rejected(Rejected),
        /// A chapter that waits for the author stops the book.
        Closed(GateClosed),
        /// There is no next step.
        NoStep(NoStep),
        /// The rules of the book forbid it.
        Refusal(Refusal),
        /// A published or locked chapter would change.
        Walled(Walled),
        /// A name in a file cannot be part of a path.
        Path(RelPathError),
        /// A name in a file is no id.
        Id(IdError),
    }
}
