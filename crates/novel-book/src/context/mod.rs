//! Context of a chapter: which parts of the book an agent is given.
//!
//! One function per rule. Invariants: the same files give the same result, whatever order a
//! directory is listed in; a required input that is missing or broken is an error with its file,
//! what was expected and what to type next; nothing is guessed.

mod cast;
mod chapter;
mod contract;
mod differs;
mod endings;
mod error;
mod knowledge;
mod outline;
mod people;
mod rules;
mod storylines;
mod style;
mod summaries;

pub use cast::{Cast, MAX_CAST, Member};
pub use chapter::{ChapterContext, VolumeBounds, is_key_chapter};
pub use contract::{check_contract, load_contract};
pub use differs::{Aspect, Difference, differences, stops};
pub use endings::{Ending, endings};
pub use error::ContextError;
pub use error::{missing, problems_of};
pub use knowledge::{Filtered, Knowledge, Mind, Standing, Told, hidden_part};
pub use outline::{ChapterOutline, outline_block, outline_example};
pub use people::{Person, Relation, people, relations};
pub use rules::hard_rules_list;
pub use storylines::{Memories, load_schedule, memories};
pub use style::{active_drift, blacklist_lint, directives};
pub use summaries::{RECENT_APPEARANCES, RECENT_SUMMARIES, previous_summary, recent_summaries};
