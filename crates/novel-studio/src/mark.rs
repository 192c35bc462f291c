//! Status by shape.

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Waits for the author.
    Wait,
    /// Edited by hand.
    Edit,
    /// A thread that is due.
    Due,
    /// Running now.
    Live,
    /// Passed.
    Ok,
    /// Written.
    Done,
    /// Planned.
    Plan,
    /// Failed.
    Fail,
    /// Not counted.
    None,
}

impl Mark {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Edit => "edit",
            Self::Due => "due",
            Self::Live => "live",
            Self::Ok => "ok",
            Self::Done => "done",
            Self::Plan => "plan",
            Self::Fail => "fail",
            Self::None => "none",
        }
    }
}
