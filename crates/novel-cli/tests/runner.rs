//! The tests of the command line, one binary for all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod agents_forge;
mod answers;
mod believed;
mod book_bad_input;
mod book_context;
mod book_lock;
mod book_pipeline;
mod book_requirements;
mod book_ten;
mod book_tour;
mod book_volume;
mod check_cli;
mod cli_surface;
mod closed_question;
mod command_executor;
mod config_set;
mod damages;
mod desk;
mod desk_rules;
mod doctor_records;
mod doctor_share;
mod export_book;
mod fallback;
mod fault_matrix;
mod forecast;
mod gates_closed;
mod gates_crash;
mod gates_undo;
mod history_crash;
mod history_rollback;
mod history_run;
mod history_undo;
mod impact_rules;
mod integrity;
mod kill_storm;
mod large_files;
mod library_analyse;
mod library_import;
mod library_reading;
mod library_search;
mod library_terminal;
mod life_book;
mod life_crash;
mod life_states;
mod life_terminal;
mod life_unattended;
mod long_book;
mod look;
mod loop_demo;
mod loop_interrupt;
mod loop_terminal;
mod narrow;
mod notify;
mod offline_author;
mod offline_scores;
mod outside_forms;
mod own_plan;
mod paid_once;
mod pending_entrances;
mod plan_faults;
mod plan_from_text;
mod plan_newcomers;
mod pronouns;
mod recall_index;
mod revision_answers;
mod rewrite_in_place;
mod runs;
mod scenes;
mod seed_000;
mod seed_001;
mod setup_model;
mod shown;
mod studio_save;
mod tell;
mod terminal_door;
mod told;
mod trial;
mod upkeep_cast;
mod upkeep_report;
mod upkeep_review;
mod walls;
mod walls_everywhere;
mod world_add;

#[test]
fn no_test_file_is_forgotten() {
    novel_testkit::modules::assert_all_declared(env!("CARGO_MANIFEST_DIR"), "tests/runner.rs");
}
