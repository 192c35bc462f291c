//! What every `data` of an answer has in common.

use std::fmt::Debug;

use serde_json::Value;

use crate::Warning;

/// The `data` of an answer.
pub trait Answer: Debug {
    /// The warnings of the answer, where it has room for some: warnings about the project's
    /// configuration are added to them.
    fn warnings_mut(&mut self) -> Option<&mut Vec<Warning>>;

    /// The JSON object.
    ///
    /// # Errors
    /// When the answer has no form in JSON, which is a bug.
    fn to_value(&self) -> serde_json::Result<Value>;
}

/// Implements [`Answer`]: a type, and in braces the field that holds its warnings, if any.
macro_rules! answers {
    ($($type:ty { $($warnings:tt)* }),+ $(,)?) => {
        $(impl $crate::Answer for $type {
            fn warnings_mut(&mut self) -> Option<&mut Vec<$crate::Warning>> {
                $crate::answer::answers!(@field self $($warnings)*)
            }

            fn to_value(&self) -> serde_json::Result<serde_json::Value> {
                serde_json::to_value(self)
            }
        })+
    };
    (@field $self:ident) => {
        None
    };
    (@field $self:ident $($field:tt)+) => {
        Some(&mut $self.$($field)+)
    };
}

pub(crate) use answers;
