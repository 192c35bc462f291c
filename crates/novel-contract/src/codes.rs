//! Every error code, and the exit codes it comes with.

use novel_model::Kind;
use schemars::{Schema, SchemaGenerator, json_schema};

/// The exit code of a failure of this kind.
#[must_use]
pub const fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Internal => 1,
        Kind::Input => 2,
        Kind::Gate => 3,
        Kind::Locked => 4,
        Kind::Provider => 5,
        Kind::Interrupted => 130,
    }
}

/// An error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// The code, upper snake case.
    pub code: &'static str,
    /// The kinds of failure it comes with; the usual one first.
    pub kinds: &'static [Kind],
}

macro_rules! codes {
    ($($kinds:tt: $($code:literal)+;)+) => {
        /// Every error code, grouped by the kind of failure.
        pub const ERROR_CODES: &[ErrorCode] = &[
            $($(ErrorCode { code: $code, kinds: &$kinds }),+),+
        ];
    };
}

codes! {
    [Kind::Internal]:
    "BAD_TARGET"
    "EXPORT_TIME"
    "EXPORT_WRITE"
    "INTERNAL"
    "IO_ERROR"
    "LOCK_ENCODE"
    "LOCK_LEFT"
    "NOT_SUPPORTED"
    "NO_PROGRAM_FILE"
    "NO_SIGNALS"
    "NO_TERMINAL"
    "OFFLINE_PACKET_FIELD"
    "OFFLINE_PACKET_MODE"
    "OUTPUT_FAILED"
    "PLAN_ENCODE"
    "STOPPED"
    "STUDIO_ACT"
    "STUDIO_FAILED";
    [Kind::Input]:
    "ALREADY_EXISTS"
    "ALREADY_PUBLISHED"
    "ALREADY_WRITTEN"
    "ARCHIVE_DAMAGED"
    "BAD_ENVIRONMENT"
    "BAD_ID"
    "BAD_NOTE"
    "BAD_PATH"
    "BAD_PROJECT_NAME"
    "BAD_SETTING_VALUE"
    "BAD_SOURCE_DATE_EPOCH"
    "BOOK_NOT_EMPTY"
    "BROKEN_CONFIG"
    "BROKEN_FILE"
    "BROKEN_INPUT"
    "BROKEN_PACKET"
    "BROKEN_PROMPT"
    "BYTE_ORDER_MARK"
    "CARRIAGE_RETURN"
    "CHANGED_SINCE"
    "CHAPTER_IN_FLIGHT"
    "CHAPTER_TOO_LARGE"
    "CHECKPOINT_CONTRADICTION"
    "DAMAGED_RUN_LOG"
    "DIRECTORY_NOT_EMPTY"
    "DISK_FULL"
    "EDITOR_FAILED"
    "EMPTY_NOTE"
    "EDIT_CONFLICT"
    "EMPTY_EDIT"
    "EXPORT_COVER"
    "EXPORT_FORMAT"
    "EXPORT_OTHER_CHAPTER"
    "EXPORT_RANGE"
    "EXPORT_TOO_LARGE"
    "FILE_EXISTS"
    "FILE_NOT_FOUND"
    "FILE_SHORTENED"
    "FILE_TOO_LARGE"
    "IMPORT_BROKEN_EPUB"
    "IMPORT_EMPTY"
    "IMPORT_HEADING"
    "IMPORT_NOT_A_NOVEL"
    "IMPORT_NOT_TEXT"
    "IMPORT_NUL"
    "IMPORT_UNDECODABLE"
    "INBOX_FULL"
    "JOURNAL_DAMAGED"
    "KEY_IN_PROJECT"
    "LATER_OPERATIONS"
    "LINK_IN_THE_WAY"
    "LINK_LEAVES_PROJECT"
    "MISSING_FILE"
    "MISSING_INPUT"
    "MISSING_SCENE"
    "NOTE_TOO_LONG"
    "NOTHING_TO_REDO"
    "NOTHING_TO_REPLAN"
    "NOTHING_TO_RETELL"
    "NOTHING_TO_REVISE"
    "NOTHING_TO_SHOW"
    "NOTHING_TO_SUBMIT"
    "NOTHING_TO_UNDO"
    "NOT_A_DIRECTORY"
    "NOT_A_FILE"
    "NOT_EDITED"
    "NOT_IMPORTED"
    "NOT_NEWEST_CHAPTER"
    "NOT_NEXT_STEP"
    "NOT_PAUSED"
    "NOT_UTF8"
    "NO_CANDIDATE"
    "NO_COMMAND"
    "NO_CURRENT_DIRECTORY"
    "NO_EDITOR"
    "NO_FIRST_JUDGE"
    "NO_INPUT"
    "NO_MODEL"
    "NO_PLAN"
    "NO_PRICE"
    "NO_PROJECT"
    "NO_REVISION"
    "NO_RUN_UNDER_WAY"
    "NO_SCENE_PLAN"
    "NO_SEARCH_WORDS"
    "NO_SECOND_JUDGE"
    "NO_STAGED_TEXT"
    "NO_SUCH_CHAPTER"
    "NO_SUCH_CHARACTER"
    "NO_SUCH_DRAFT"
    "NO_SUCH_FACT"
    "NO_SUCH_FINDING"
    "NO_SUCH_OPERATION"
    "NO_SUCH_RULE"
    "NO_SUCH_RUN"
    "NO_SUCH_SCENE"
    "NO_SUCH_STORYLINE"
    "NO_SUCH_SUBJECT"
    "NO_SUCH_VOLUME"
    "NO_SUCH_WAIVER"
    "ONE_VERDICT"
    "OFFLINE_NO_PART"
    "ONE_VERSION"
    "OPERATIONS_DAMAGED"
    "OTHER_FILE_SYSTEM"
    "OUTLINE_DOES_NOT_FIT"
    "PACKET_NOT_EMBEDDED"
    "PERMISSION_DENIED"
    "PROMPT_TOO_LARGE"
    "READ_ONLY_FILE_SYSTEM"
    "REVISION_IS_WHOLE"
    "REVISION_NOT_PENDING"
    "REWRITE_UNDER_WAY"
    "STALE_CANDIDATE"
    "STALE_SCENE"
    "STALE_VERDICT"
    "STATE_NOT_RECORDED"
    "STATE_VERSION_MISMATCH"
    "STUDIO_PORT"
    "TOO_MANY_CHAPTERS"
    "UNFINISHED_TRANSACTION"
    "UNKNOWN_AGENT"
    "UNADOPTED_EDITS"
    "UNKNOWN_ENCODING"
    "UNKNOWN_FINDING_CODE"
    "UNKNOWN_MODE"
    "UNKNOWN_SCHEMA"
    "UNKNOWN_SETTING"
    "UNKNOWN_SLOT"
    "UNREADABLE"
    "UNWRITABLE"
    "USAGE"
    "WAIVER_NEEDS_REASON";
    // An agent whose answers are not valid is an executor that failed.
    [Kind::Input, Kind::Provider]:
    "VALIDATION_FAILED";
    [Kind::Gate]:
    "CHAPTER_LOCKED"
    "CHAPTER_PENDING"
    "CHAPTER_PUBLISHED"
    "CHARACTER_NEEDED"
    "ERROR_RETRY"
    "GATE_PAUSED"
    "GATE_REFUSES"
    "NOT_WRITING"
    "OVER_BUDGET"
    "PENDING_REVISION"
    "PENDING_REVISION_UNREADABLE"
    "PLAN_WAITS"
    "REVISION_UNCHANGED"
    "TOO_MANY_CALLS"
    "TRIAL_WAITS";
    [Kind::Locked]:
    "BOOK_IS_CHANGING"
    "LOCK_BUSY"
    "LOCK_DAMAGED"
    "LOCK_HELD"
    "LOCK_LOST";
    [Kind::Provider]:
    "ANSWER_CUT"
    "ANSWER_FILTERED"
    "ANSWER_JSON_BROKEN"
    "ANSWER_LOOPED"
    "ANSWER_WITHOUT_JSON"
    "ANSWER_WITH_SEVERAL_JSON"
    "CANCELLED"
    "COMMAND_FAILED"
    "COMMAND_NOT_FOUND"
    "COMMAND_NOT_STARTED"
    "COMMAND_OUTPUT_NOT_UTF8"
    "COMMAND_OUTPUT_TOO_LARGE"
    "COMMAND_TIMEOUT"
    "EMPTY_ANSWER"
    "KEY_FILE_UNREADABLE"
    "KEY_FILE_UNWRITABLE"
    "KEY_MISSING"
    "KEY_UNUSABLE"
    "MODEL_REFUSED"
    "NO_KEY"
    "OUTPUT_NOT_STAGED"
    "PROVIDER_ANSWER_TOO_LARGE"
    "PROVIDER_AUTH"
    "PROVIDER_BAD_ENDPOINT"
    "PROVIDER_BAD_REQUEST"
    "PROVIDER_CONNECT_TIMEOUT"
    "PROVIDER_CONTEXT_LENGTH"
    "PROVIDER_CUT_STREAM"
    "PROVIDER_FAILED"
    "PROVIDER_FIRST_BYTE_TIMEOUT"
    "PROVIDER_MALFORMED_STREAM"
    "PROVIDER_NOT_AN_ANSWER"
    "PROVIDER_NOT_FOUND"
    "PROVIDER_QUOTA"
    "PROVIDER_RATE_LIMITED"
    "PROVIDER_RETRIES_EXHAUSTED"
    "PROVIDER_RETRY_AFTER_TOO_LONG"
    "PROVIDER_SILENT_STREAM"
    "PROVIDER_TLS"
    "PROVIDER_TOTAL_TIMEOUT"
    "PROVIDER_UNREACHABLE"
    "REVISION_REJECTED"
    "SANDBOX_FAILED"
    "STAGED_OUTPUT_BROKEN"
    "WRITE_BOUNDARY";
    [Kind::Interrupted]:
    "INTERRUPTED"
    "NOTHING_CHOSEN"
    "TERMINAL_GONE";
    // The kind is that of the fault that stopped the work.
    [Kind::Internal, Kind::Input]:
    "SEALED_NOT_FINISHED";
}

/// The code in an answer is one of the table.
pub(crate) fn schema(_: &mut SchemaGenerator) -> Schema {
    let mut codes: Vec<&str> = ERROR_CODES.iter().map(|known| known.code).collect();
    codes.sort_unstable();
    json_schema!({"type": "string", "enum": codes})
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
