//! Calls that fail.

use std::io;

use novel_store::Fault;

/// What a failing disk answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errno {
    /// `EIO`: the disk can not.
    Io,
    /// `ENOSPC`: it is full. What gives space back still works.
    NoSpace,
    /// `EROFS`: it is read-only.
    ReadOnly,
}

impl Errno {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Io, Self::NoSpace, Self::ReadOnly];

    pub(super) fn fault(self) -> Fault {
        match self {
            Self::Io => Fault::Io(io::Error::from_raw_os_error(5)),
            Self::NoSpace => Fault::NoSpace,
            Self::ReadOnly => Fault::ReadOnly,
        }
    }
}

/// The calls that fail, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// This one alone.
    Once(usize),
    /// This one and all after it.
    From(usize),
}

impl Failing {
    pub(super) fn includes(self, call: usize) -> bool {
        match self {
            Self::Once(at) => call == at,
            Self::From(at) => call >= at,
        }
    }
}
