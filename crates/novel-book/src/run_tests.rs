use proptest::prelude::*;

use super::*;

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn task(stage: ChapterStage, judges: Judging, begun: Begun) -> Task {
    Task {
        step: StepId::Chapter(chapter(1), stage),
        round: Round::First,
        part: Part::Whole,
        judges,
        begun,
    }
}

fn finished(number: u32) -> Finished {
    Finished {
        chapter: chapter(number),
        words: 1000,
        overall: Some(4.2),
        scored_by: None,
        gate: Some(GateDecision::Pass),
        revisions: 0,
        force_passed: false,
    }
}

/// Feeds events and collects all actions.
fn play(goal: Goal, events: Vec<Event>) -> (Run, Vec<Action>) {
    let mut run = Run::new(goal, Approval::Author);
    let mut actions = vec![];
    for event in events {
        let (next, new) = run.decide(event);
        run = next;
        actions.extend(new);
    }
    (run, actions)
}

#[test]
fn pipeline_shall_execute_in_a_fixed_stage_order_per_chapter() {
    use ChapterStage::{Commit, Draft, Judge, Refine, Summarize};
    let mut events = vec![Event::Begin];
    for stage in [Draft, Summarize, Refine, Judge] {
        events.push(Event::Looked(task(stage, Judging::One, Begun::Yes)));
        events.push(Event::Answered(JudgeRole::Primary));
        events.push(Event::Accepted);
    }
    events.push(Event::Looked(task(Commit, Judging::One, Begun::Yes)));
    events.push(Event::Committed {
        finished: finished(1),
        volume_end: false,
        gates: Gates::None,
    });
    let (run, actions) = play(Goal::Chapters(1), events);
    let asked: Vec<ChapterStage> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Ask {
                task:
                    Task {
                        step: StepId::Chapter(_, stage),
                        ..
                    },
                ..
            } => Some(*stage),
            _ => None,
        })
        .collect();
    assert_eq!(asked, [Draft, Summarize, Refine, Judge]);
    assert_eq!(actions.last(), Some(&Action::Stop(Stop::GoalReached)));
    assert_eq!(run.finished().len(), 1);
}

#[test]
fn both_judges_of_a_key_chapter_are_asked_at_the_same_time() {
    let judge = task(ChapterStage::Judge, Judging::Two, Begun::Yes);
    let (run, actions) = play(Goal::Chapters(1), vec![Event::Begin, Event::Looked(judge)]);
    assert_eq!(
        actions[1..],
        [JudgeRole::Primary, JudgeRole::Secondary].map(|judge_role| Action::Ask {
            task: judge,
            judge: judge_role,
            attempt: 1
        })
    );
    let (run, actions) = run.decide(Event::Answered(JudgeRole::Secondary));
    assert_eq!(actions, [], "the first judge is still awaited");
    let (_, actions) = run.decide(Event::Answered(JudgeRole::Primary));
    assert_eq!(actions, [Action::Accept(judge)]);
}

#[test]
fn a_question_that_is_refused_for_good_is_not_asked_again() {
    let draft = task(ChapterStage::Draft, Judging::One, Begun::Yes);
    let refused = Event::AnswerFailed(JudgeRole::Primary, Again::Useless);
    let (_, actions) = play(
        Goal::Chapters(1),
        vec![Event::Begin, Event::Looked(draft), refused],
    );
    assert_eq!(actions.last(), Some(&Action::GiveUp));
}

#[test]
fn a_failed_step_is_retried_once_and_then_given_up() {
    let draft = task(ChapterStage::Draft, Judging::One, Begun::Yes);
    let failed = Event::AnswerFailed(JudgeRole::Primary, Again::Once);
    let (run, actions) = play(
        Goal::Chapters(1),
        vec![Event::Begin, Event::Looked(draft), failed.clone()],
    );
    assert_eq!(
        actions.last(),
        Some(&Action::Ask {
            task: draft,
            judge: JudgeRole::Primary,
            attempt: 2
        })
    );
    let (run, actions) = run.decide(failed);
    assert_eq!(actions, [Action::GiveUp]);
    let (_, actions) = run.decide(Event::RoundBegun);
    assert_eq!(actions, [Action::Stop(Stop::Failed)]);
}

#[test]
fn an_answer_that_is_not_valid_counts_as_a_failure() {
    let draft = task(ChapterStage::Draft, Judging::One, Begun::Yes);
    let answered = Event::Answered(JudgeRole::Primary);
    let (_, actions) = play(
        Goal::Chapters(1),
        vec![
            Event::Begin,
            Event::Looked(draft),
            answered.clone(),
            Event::Rejected,
            answered,
            Event::Rejected,
        ],
    );
    assert_eq!(actions.last(), Some(&Action::GiveUp));
}

#[test]
fn a_new_round_is_recorded_before_the_writer_is_called() {
    let draft = task(ChapterStage::Draft, Judging::One, Begun::No);
    let (run, actions) = play(Goal::Chapters(1), vec![Event::Begin, Event::Looked(draft)]);
    assert_eq!(actions.last(), Some(&Action::BeginRound(draft)));
    let (_, actions) = run.decide(Event::RoundBegun);
    assert_eq!(
        actions,
        [Action::Ask {
            task: draft,
            judge: JudgeRole::Primary,
            attempt: 1
        }]
    );
}

#[test]
fn the_end_of_a_volume_stops_continue_and_a_run_without_a_later_goal() {
    let commit = task(ChapterStage::Commit, Judging::One, Begun::Yes);
    let end = |goal| {
        let committed = Event::Committed {
            finished: finished(1),
            volume_end: true,
            gates: Gates::None,
        };
        let (_, actions) = play(goal, vec![Event::Begin, Event::Looked(commit), committed]);
        actions.last().copied()
    };
    for goal in [Goal::Chapters(9), Goal::Until(chapter(1)), Goal::VolumeEnd] {
        assert_eq!(end(goal), Some(Action::Stop(Stop::VolumeEnd)), "{goal:?}");
    }
    assert_eq!(end(Goal::Until(chapter(9))), Some(Action::Look));
}

fn lifecycle(step: &str) -> Task {
    Task {
        step: step.parse().unwrap(),
        ..task(ChapterStage::Draft, Judging::One, Begun::Yes)
    }
}

fn ask(task: Task, attempt: u32) -> Action {
    Action::Ask {
        task,
        judge: JudgeRole::Primary,
        attempt,
    }
}

fn looked_at(goal: Goal, approval: Approval, step: &str) -> Option<Action> {
    let (run, _) = Run::new(goal, approval).decide(Event::Begin);
    let (_, actions) = run.decide(Event::Looked(lifecycle(step)));
    actions.last().copied()
}

#[test]
fn agents_are_asked_for_set_up_plan_and_review_like_for_chapters() {
    for step in [
        "quickstart:world",
        "quickstart:characters",
        "quickstart:style",
        "volume:01:plan",
        "volume:01:review",
    ] {
        for goal in [Goal::Until(chapter(9)), Goal::VolumeEnd, Goal::Decision] {
            let action = looked_at(goal, Approval::Author, step);
            assert_eq!(action, Some(ask(lifecycle(step), 1)), "{goal:?} {step}");
        }
    }
}

#[test]
fn continue_leaves_set_up_plan_and_review_alone() {
    for step in ["quickstart:world", "volume:01:plan", "volume:01:review"] {
        let action = looked_at(Goal::Chapters(1), Approval::Unattended, step);
        let stop = Action::Stop(Stop::Blocked(Block::NotWriting));
        assert_eq!(action, Some(stop), "{step}");
    }
}

#[test]
fn a_trial_and_a_plan_wait_for_the_author_unless_unattended() {
    for (step, block) in [
        ("volume:01:commit", Block::PlanWaits),
        ("quickstart:results", Block::TrialWaits),
    ] {
        let goal = Goal::Until(chapter(9));
        let stop = Action::Stop(Stop::Blocked(block));
        assert_eq!(looked_at(goal, Approval::Author, step), Some(stop));
        let accept = Action::Accept(lifecycle(step));
        assert_eq!(looked_at(goal, Approval::Unattended, step), Some(accept));
        let reached = Action::Stop(Stop::GoalReached);
        for approval in [Approval::Author, Approval::Unattended] {
            let action = looked_at(Goal::Decision, approval, step);
            assert_eq!(action, Some(reached));
        }
    }
    // The plan of the trial is made, and nobody's to approve.
    let trial = lifecycle("quickstart:trial");
    let action = looked_at(Goal::Decision, Approval::Author, "quickstart:trial");
    assert_eq!(action, Some(ask(trial, 1)));
}

#[test]
fn a_wrong_plan_is_sent_back_once() {
    let plan = lifecycle("volume:01:plan");
    let answered = Event::Answered(JudgeRole::Primary);
    let (run, actions) = play(
        Goal::VolumeEnd,
        vec![
            Event::Begin,
            Event::Looked(plan),
            answered.clone(),
            Event::Rejected,
        ],
    );
    assert_eq!(actions.last(), Some(&ask(plan, 2)));
    let (run, _) = run.decide(answered);
    let (_, actions) = run.decide(Event::Rejected);
    assert_eq!(actions, [Action::GiveUp]);
}

#[test]
fn a_staged_plan_that_is_not_sound_stops_the_run_and_asks_nobody() {
    let commit = lifecycle("volume:01:commit");
    let (run, _) = Run::new(Goal::VolumeEnd, Approval::Unattended).decide(Event::Begin);
    let (run, actions) = run.decide(Event::Looked(commit));
    assert_eq!(actions, [Action::Accept(commit)]);
    let (_, actions) = run.decide(Event::Rejected);
    assert_eq!(actions, [Action::Stop(Stop::Blocked(Block::BrokenProject))]);
}

#[test]
fn a_finished_review_is_a_decision() {
    let review = lifecycle("volume:01:review");
    let events = || {
        vec![
            Event::Begin,
            Event::Looked(review),
            Event::Answered(JudgeRole::Primary),
            Event::Accepted,
        ]
    };
    let (_, actions) = play(Goal::Decision, events());
    assert_eq!(actions.last(), Some(&Action::Stop(Stop::GoalReached)));
    let (_, actions) = play(Goal::VolumeEnd, events());
    assert_eq!(
        actions.last(),
        Some(&Action::Look),
        "and on to the next plan"
    );
}

fn any_event() -> impl Strategy<Value = Event> {
    let stages = prop::sample::select(ChapterStage::ALL);
    let steps = prop::sample::select(vec![
        "quickstart:world",
        "quickstart:trial",
        "quickstart:results",
        "volume:01:plan",
        "volume:01:commit",
        "volume:01:review",
    ]);
    let other = steps.prop_map(|step| Event::Looked(lifecycle(step)));
    let looked = (stages, any::<bool>(), any::<bool>()).prop_map(|(stage, two, begun)| {
        let judges = if two { Judging::Two } else { Judging::One };
        Event::Looked(task(
            stage,
            judges,
            if begun { Begun::Yes } else { Begun::No },
        ))
    });
    prop_oneof![
        Just(Event::Begin),
        looked,
        other,
        Just(Event::Blocked(Block::GatePaused)),
        Just(Event::RoundBegun),
        Just(Event::Answered(JudgeRole::Primary)),
        Just(Event::Answered(JudgeRole::Secondary)),
        Just(Event::AnswerFailed(JudgeRole::Primary, Again::Once)),
        Just(Event::AnswerFailed(JudgeRole::Secondary, Again::Useless)),
        Just(Event::Accepted),
        Just(Event::Rejected),
        (any::<bool>(), any::<bool>()).prop_map(|(volume_end, gated)| Event::Committed {
            gates: if gated { Gates::Open } else { Gates::None },
            finished: finished(1),
            volume_end
        }),
        Just(Event::WriteFailed),
        Just(Event::Unfinished),
        Just(Event::OverBudget),
        Just(Event::Interrupted),
    ]
}

proptest! {
    /// Whatever comes in whatever order: no panic, at most one stop, nothing after it, and never
    /// an accept without all answers.
    #[test]
    fn any_order_of_events_is_survived(
        goal in prop::sample::select(vec![Goal::Chapters(3), Goal::VolumeEnd, Goal::Decision]),
        events in prop::collection::vec(any_event(), 0..60),
    ) {
        let (_, actions) = play(goal, events);
        let stops = actions.iter().filter(|action| matches!(action, Action::Stop(_))).count();
        prop_assert!(stops <= 1);
        if stops == 1 {
            prop_assert!(matches!(actions.last(), Some(Action::Stop(_))));
        }
    }
}
