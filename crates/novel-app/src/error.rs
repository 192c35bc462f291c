//! The error of everything that reads or writes a book, and the way other errors are built on it.
//!
//! A use case returns its own enum: [`BookError`] and what else can go wrong there. Only a front end
//! makes a [`novel_model::Failure`] of it, to print it.

use novel_book::{context::ContextError, next::NoStep, pending::GateClosed, validate::Rejected};
use novel_model::{BrokenFile, FileError, IdError, ReadError, RelPathError, error_sum};
use novel_steps::{Refusal, StepError};
use novel_store::StoreError;

error_sum! {
    /// Why a book cannot be read, decided on or written.
    pub enum BookError {
        /// Its rules or its files forbid the step.
        Step(StepError) from [
            FileError, ReadError, BrokenFile, ContextError, Rejected, GateClosed, NoStep, Refusal,
            RelPathError, IdError,
        ],
        /// Its files cannot be locked, read or written.
        Store(StoreError),
    }
}

impl BookError {
    /// Whether outputs of an agent are not valid.
    pub(crate) fn is_rejected(&self) -> bool {
        matches!(self, Self::Step(StepError::Rejected(_)))
    }
}

/// Defines the error of a use case as [`error_sum`] does; `?` takes in whatever a [`BookError`] is made
/// from.
macro_rules! use_case_error {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variants:tt)* }) => {
        novel_model::error_sum! {
            $(#[$meta])*
            $vis enum $name { $($variants)* }
        }
        $crate::error::from_book!($name:
            novel_model::FileError, novel_model::ReadError, novel_model::BrokenFile,
            novel_model::RelPathError, novel_model::IdError, novel_book::context::ContextError,
            novel_book::validate::Rejected, novel_book::pending::GateClosed,
            novel_book::next::NoStep, novel_steps::Refusal, novel_steps::StepError,
            novel_store::StoreError,
        );
    };
}

macro_rules! from_book {
    ($name:ident: $($error:ty),+ $(,)?) => {
        $(impl From<$error> for $name {
            fn from(error: $error) -> Self {
                $crate::BookError::from(error).into()
            }
        })+
    };
}

pub(crate) use {from_book, use_case_error};
