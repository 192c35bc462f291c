//! How large a file of each kind may be. A larger one is a mistake, and an error that names it: no file
//! exhausts the memory.

use novel_model::{RelPath, layout};

/// Texts: chapters have some ten kilobytes, and lists of a book some hundred.
pub const TEXT_LIMIT: u64 = 16 * MIB;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Largest size of the file at a path that is read as a whole.
pub(crate) fn limit_of(path: &RelPath) -> u64 {
    if *path == layout::lock_info() {
        64 * KIB
    } else if path.is_under(&layout::journal_dir()) {
        // What one transaction writes, at most: an import of many thousand chapters.
        2048 * MIB
    } else if is_log(path)
        || *path == layout::older_operations()
        || path.is_under(&layout::archive_dir())
    {
        256 * MIB
    } else {
        TEXT_LIMIT
    }
}

/// Whether a file only grows, with the book.
pub(crate) fn is_log(path: &RelPath) -> bool {
    [
        layout::state_changelog(),
        layout::operations(),
        layout::unknown_entities(),
        layout::audit(),
    ]
    .contains(path)
        || path.is_under(&layout::runs_dir())
}
