//! The only place that touches a project's files.
//!
//! Reading goes through [`StoreReader`], which needs no lock and sees a sealed
//! but unfinished transaction as finished; [`Store::look`] makes sure that what
//! was read belongs to one moment. Writing needs a [`Writer`] (the
//! project's single-writer lock, with any unfinished transaction completed or
//! discarded) and happens in a [`Transaction`]: after a crash at any moment the
//! project is byte for byte as before it or as after it. The one exception is
//! [`Writer::keep`], for a single file that is written once and never replaced.

pub mod boundary;
mod cache;
pub mod compressed;
mod error;
mod fs;
mod heartbeat;
mod history;
mod journal;
mod limits;
mod lock;
mod lock_state;
mod log_end;
mod machine;
mod new_file;
mod pack;
mod plan;
mod reader;
mod real;
mod runs;
mod store;
mod witness;
mod writer;

pub use cache::UserCache;
pub use error::StoreError;
pub use fs::{
    Dir, Fault, FileKind, FileSystem, FsError, MANY_FILES, Meta, Operation, RootGuard, Stamp,
};
pub use heartbeat::{HEARTBEAT_INTERVAL, Heartbeat};
pub use history::verify_archive;
pub use journal::Recovery;
pub use limits::TEXT_LIMIT;
pub use lock::{Clear, LockGuard};
pub use lock_state::{Holder, LockError, LockInfo, LockStatus, STALE_AFTER, StaleReason};
pub use machine::{Machine, Process, RealMachine};
pub use new_file::{Existing, NewFile};
pub use novel_book::operations::{TxnKind, TxnLabel};
pub use plan::Receipt;
pub use reader::StoreReader;
pub use real::RealFs;
pub use runs::ProcessName;
pub use store::{Store, Watched, find_project, is_project};
pub use writer::{Transaction, Writer};
