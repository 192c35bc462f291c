use super::*;

fn checkpoint(state: OrchestratorState) -> Checkpoint {
    Checkpoint::new(state)
}

fn ids(choices: &[Choice]) -> Vec<&str> {
    choices.iter().map(|choice| choice.id.as_str()).collect()
}

#[test]
fn an_interrupted_chapter_is_offered_first_and_by_its_number() {
    let mut writing = checkpoint(OrchestratorState::Writing);
    writing.last_completed_chapter = 11;
    let step = "chapter:012:judge".parse().unwrap();
    let (headline, offers) = choices(&writing, step);
    assert!(headline.en.contains("11 chapters"), "{headline:?}");
    assert_eq!(offers[0].typed(), "novel continue");
    writing.inflight_chapter = ChapterNo::new(12);
    writing.pipeline_stage = Some(PipelineStage::Refined);
    let (headline, offers) = choices(&writing, step);
    assert!(
        headline.en.contains("Chapter 12 was interrupted"),
        "{headline:?}"
    );
    assert!(offers[0].label.en.contains("Finish chapter 12"));
}

#[test]
fn after_an_error_retry_comes_first_then_looking_back_then_another_direction() {
    let mut failed = checkpoint(OrchestratorState::VolPlanning);
    failed.give_up();
    for (step, retry, redirect) in [
        ("volume:02:plan", "novel plan --retry", "novel plan redo"),
        (
            "quickstart:style",
            "novel quickstart --retry",
            "novel quickstart redo style",
        ),
    ] {
        let (_, offers) = after_error(&failed, step.parse().unwrap());
        assert_eq!(ids(&offers), ["retry", "look_back", "redirect"]);
        assert_eq!(
            (offers[0].typed(), offers[2].typed()),
            (retry.into(), redirect.into())
        );
    }
    let mut failed = checkpoint(OrchestratorState::Writing);
    failed.give_up();
    let step = "chapter:005:draft".parse().unwrap();
    assert_eq!(ids(&after_error(&failed, step).1), ["retry", "look_back"]);
    failed.inflight_chapter = ChapterNo::new(5);
    let (_, offers) = after_error(&failed, step);
    assert_eq!(offers[0].typed(), "novel continue --retry");
    assert_eq!(offers[2].typed(), "novel gate rewrite 5");
    // A trial is not `continue`'s business.
    failed.trial_until = ChapterNo::new(3);
    assert_eq!(
        after_error(&failed, step).1[0].typed(),
        "novel quickstart --retry"
    );
}
