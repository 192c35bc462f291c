use super::*;
use crate::{ChapterNo, ChapterStage, QuickstartPhase, Slug, StepId, VolumeNo};

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn volume(number: u32) -> VolumeNo {
    VolumeNo::new(number).unwrap()
}

#[test]
fn chapter_files_stand_where_the_specification_puts_them() {
    let c = chapter(48);
    for (path, expected) in [
        (chapter_json(c), "chapters/chapter_048.json"),
        (chapter_markdown(c), "chapters/chapter-048.md"),
        (revision(c), "chapters/chapter_048_revision.json"),
        (logic_review(c), "reviews/chapter_048_logic_review.json"),
        (consistency(c), "reviews/chapter_048_consistency.json"),
        (summary(c), "summaries/chapter-048-summary.md"),
        (evaluation(c), "evaluations/chapter-048-eval.json"),
        (crossref(c), "state/chapter-048-crossref.json"),
        (chapter_log(c), "logs/chapter-048-log.json"),
        (staged_delta(c), "staging/state/chapter-048-delta.json"),
        (
            contract(volume(2), c),
            "volumes/vol-02/chapter-contracts/chapter-048.json",
        ),
        (
            schedule(volume(2)),
            "volumes/vol-02/storyline-schedule.json",
        ),
        (
            foreshadowing_plan(volume(12)),
            "volumes/vol-12/foreshadowing.json",
        ),
    ] {
        assert_eq!(path.as_str(), expected);
    }
}

#[test]
fn numbers_grow_beyond_their_padding() {
    assert_eq!(
        chapter_json(chapter(1234)).as_str(),
        "chapters/chapter_1234.json"
    );
    assert_eq!(volume_dir(volume(100)).as_str(), "volumes/vol-100");
}

#[test]
fn staged_files_stand_under_staging_and_committed_ones_do_not() {
    let (c, v) = (chapter(1), volume(1));
    let slug: Slug = "main-arc".parse().unwrap();
    let step = StepId::Chapter(c, ChapterStage::Draft);
    let staged = [
        staged_chapter(c),
        staged_draft(c),
        staged_hints(c),
        staged_summary(c),
        staged_delta(c),
        staged_crossref(c),
        staged_evaluation(c),
        staged_primary_evaluation(c),
        staged_bindings(c),
        staged_scenes_dir(c),
        staged_memory(&slug),
        staged_volume_dir(v),
        manifest(step),
        manifest(StepId::Quickstart(QuickstartPhase::World)),
    ];
    for path in &staged {
        assert!(path.is_under(&staging_dir()), "{path}");
    }
    let committed = [
        chapter_json(c),
        chapter_markdown(c),
        revision(c),
        revised_text(c),
        logic_review(c),
        consistency(c),
        summary(c),
        evaluation(c),
        crossref(c),
        chapter_log(c),
        memory(&slug),
        character(&slug),
        character_profile(&slug),
        volume_dir(v),
        outline(v),
        schedule(v),
        foreshadowing_plan(v),
        new_characters(v),
        volume_review(v),
        contracts_dir(v),
        contract(v, c),
        state(),
        state_changelog(),
        foreshadowing(),
        progress(),
        operations(),
        audit(),
        checkpoint(),
    ];
    for path in &committed {
        assert!(!path.is_under(&staging_dir()), "{path}");
    }
    let mut all: Vec<&RelPath> = staged.iter().chain(&committed).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count, "two files share a path");
}

#[test]
fn files_stand_in_the_directory_that_is_listed_for_them() {
    let (c, v) = (chapter(1), volume(3));
    let slug: Slug = "lin-feng".parse().unwrap();
    for (path, directory) in [
        (chapter_json(c), chapters_dir()),
        (chapter_markdown(c), chapters_dir()),
        (summary(c), summaries_dir()),
        (evaluation(c), evaluations_dir()),
        (logic_review(c), reviews_dir()),
        (consistency(c), reviews_dir()),
        (character(&slug), characters_dir()),
        (character_profile(&slug), characters_dir()),
        (contract(v, c), contracts_dir(v)),
        (contracts_dir(v), volume_dir(v)),
        (outline(v), volume_dir(v)),
        (world_rules(), world_dir()),
        (lock_info(), lock_dir()),
        (archived_operation(7, "x"), archive_dir()),
    ] {
        assert_eq!(path.parent(), Some(directory));
    }
}

#[test]
fn a_label_can_not_lead_out_of_the_archive() {
    for label in ["../../etc", "a/b", "", "第一章", "a\0b\\c"] {
        let path = archived_operation(12, label);
        assert_eq!(path.parent(), Some(archive_dir()), "{path}");
        assert!(path.file_name().starts_with("000012-"));
    }
}
