use novel_model::{
    ContentHash, Document,
    files::{Bindings, Claims, CrossReferences, Evaluation, StateDelta},
};

use super::*;
use crate::{
    staged::{Found, StagedText},
    validate::SummaryArtefacts,
};

const TEXT: &str = "# 第 1 章\n\n正文。\n";
const OTHER: &str = "# 第 1 章\n\n改过的正文。\n";

fn chapter() -> ChapterNo {
    ChapterNo::first()
}

fn checkpoint(stage: Option<PipelineStage>, inflight: bool) -> Checkpoint {
    Checkpoint {
        pipeline_stage: stage,
        inflight_chapter: inflight.then(chapter),
        ..Checkpoint::new(OrchestratorState::Writing)
    }
}

fn summary() -> Found<SummaryArtefacts> {
    let delta: StateDelta = serde_json::from_value(json!({
        "chapter": 1, "base_state_version": 0, "storyline_id": "main-arc", "ops": []
    }))
    .unwrap();
    let crossref: CrossReferences =
        serde_json::from_value(json!({"storyline_id": "main-arc"})).unwrap();
    Found::Sound(SummaryArtefacts {
        summary: "摘要".into(),
        delta: Document::new(delta),
        crossref: Document::new(crossref),
        memory: "记忆".into(),
        claims: Claims::read(chapter(), &json!([])),
    })
}

fn evaluation(score: f64, judged: Option<&str>) -> Found<Document<Evaluation>> {
    let dimension = json!({"score": score});
    let mut value = json!({
        "chapter": 1, "contract_verification": {},
        "scores": {"plot_logic": dimension, "character": dimension, "immersion": dimension,
            "foreshadowing": dimension, "pacing": dimension, "style_naturalness": dimension,
            "emotional_impact": dimension, "storyline_coherence": dimension},
        "metadata": {"gate": {"decision": "polish", "revisions": 0, "force_passed": false}},
    });
    if let Some(text) = judged {
        value["metadata"]["chapter_hash"] = json!(ContentHash::of(text));
    }
    Found::Sound(Document::new(serde_json::from_value(value).unwrap()))
}

fn staged() -> Staged {
    Staged {
        chapter: chapter(),
        text: None,
        refined: None,
        draft: None,
        bindings: None,
        storyline: Found::Missing,
        summary: Found::Missing,
        evaluation: Found::Missing,
        evaluation_hash: None,
        primary: None,
    }
}

fn with_text(text: &str) -> Staged {
    let text = StagedText {
        markdown: text.into(),
        hash: ContentHash::of(text),
    };
    Staged {
        text: Some(text),
        ..staged()
    }
}

fn bound(mut staged: Staged, change: impl FnOnce(&mut Bindings)) -> Staged {
    let mut bindings = Bindings::default();
    change(&mut bindings);
    staged.bindings = Some(Document::new(bindings));
    staged
}

fn decide(checkpoint: &Checkpoint, staged: Option<&Staged>) -> Result<Next, NoStep> {
    decide_on(Verdicts::Any, checkpoint, staged)
}

fn decide_on(
    verdicts: Verdicts,
    checkpoint: &Checkpoint,
    staged: Option<&Staged>,
) -> Result<Next, NoStep> {
    next(&Situation {
        checkpoint,
        sealed: None,
        staged,
        quickstart: QuickstartPhase::World,
        volume_plan_staged: false,
        weights: Weights::default(),
        gate_due: None,
        verdicts,
    })
}

fn step(stage: PipelineStage, staged: &Staged) -> (&'static str, Round) {
    match decide(&checkpoint(Some(stage), true), Some(staged)) {
        Ok(Next {
            step: StepId::Chapter(number, stage),
            round,
            ..
        }) => {
            assert_eq!(number, chapter());
            (stage.word(), round)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_row_of_the_table() {
    use PipelineStage::{Drafted, Drafting, Judged, Refined, Revising};
    let hash = |text: &str| Some(ContentHash::of(text));
    let summarized = |staged: Staged| Staged {
        summary: summary(),
        ..staged
    };
    let judged = |staged: Staged, score| Staged {
        evaluation: evaluation(score, Some(TEXT)),
        ..staged
    };

    assert_eq!(step(Drafting, &staged()), ("draft", Round::First), "row 6");
    assert_eq!(
        step(Drafting, &with_text(TEXT)),
        ("summarize", Round::First),
        "row 7"
    );
    assert_eq!(
        step(Drafted, &with_text(TEXT)),
        ("summarize", Round::First),
        "row 7"
    );
    let broken = Staged {
        summary: Found::Invalid(vec![]),
        ..with_text(TEXT)
    };
    assert_eq!(step(Drafted, &broken), ("summarize", Round::First), "row 7");
    assert_eq!(
        step(Drafting, &summarized(with_text(TEXT))),
        ("refine", Round::First),
        "row 8"
    );
    assert_eq!(
        step(Drafted, &summarized(with_text(TEXT))),
        ("refine", Round::First),
        "row 8"
    );
    for stage in [Drafted, Refined, Judged] {
        assert_eq!(
            step(stage, &summarized(staged())),
            ("draft", Round::First),
            "row 9"
        );
    }
    assert_eq!(
        step(Refined, &summarized(with_text(TEXT))),
        ("judge", Round::First),
        "row 10"
    );
    assert_eq!(
        step(Judged, &summarized(with_text(TEXT))),
        ("judge", Round::First),
        "row 10"
    );
    assert_eq!(
        step(Judged, &judged(with_text(TEXT), 4.0)),
        ("commit", Round::First),
        "row 11"
    );
    assert_eq!(
        step(Judged, &judged(with_text(TEXT), 3.7)),
        ("refine", Round::Polish),
        "row 12"
    );
    let polished = bound(judged(with_text(OTHER), 3.7), |b| b.polished = hash(OTHER));
    assert_eq!(
        step(Refined, &polished),
        ("commit", Round::Polish),
        "row 12"
    );
    assert_eq!(
        step(Judged, &judged(with_text(TEXT), 3.2)),
        ("draft", Round::Revision),
        "row 13"
    );
    let paused = decide(
        &checkpoint(Some(Judged), true),
        Some(&judged(with_text(TEXT), 2.5)),
    );
    assert!(matches!(paused, Err(NoStep::Paused { .. })), "row 14");
    assert_eq!(
        step(Revising, &judged(with_text(TEXT), 3.7)),
        ("refine", Round::Polish),
        "row 15"
    );
    assert_eq!(
        step(Revising, &with_text(TEXT)),
        ("draft", Round::Revision),
        "row 15"
    );
}

#[test]
fn a_changed_text_goes_back_to_the_first_step_whose_binding_broke() {
    use PipelineStage::{Drafting, Judged, Refined};
    let accepted = Some(ContentHash::of(TEXT));
    let drafted = bound(with_text(OTHER), |b| b.draft = accepted.clone());
    assert_eq!(step(Drafting, &drafted).0, "draft");
    let refined = bound(with_text(OTHER), |b| b.refined = accepted.clone());
    assert_eq!(step(Refined, &refined).0, "refine");
    let judged = Staged {
        evaluation: evaluation(4.5, Some(TEXT)),
        ..refined
    };
    assert_eq!(step(Judged, &judged).0, "refine");
    let unbound = Staged {
        evaluation: evaluation(4.5, Some(TEXT)),
        ..with_text(OTHER)
    };
    assert_eq!(step(Judged, &unbound).0, "judge");
    let answer = Staged {
        evaluation: evaluation(3.2, Some(TEXT)),
        ..with_text(OTHER)
    };
    assert_eq!(
        step(Judged, &answer),
        ("draft", Round::Revision),
        "a revision answers its verdict"
    );
}

#[test]
fn a_verdict_without_a_hash_is_accepted_with_a_warning() {
    let staged = Staged {
        evaluation: evaluation(4.5, None),
        ..with_text(TEXT)
    };
    let next = decide(
        &checkpoint(Some(PipelineStage::Judged), true),
        Some(&staged),
    )
    .unwrap();
    assert_eq!(next.warnings[0].code, "unbound_verdict");
}

#[test]
fn the_loop_goes_back_to_the_judge_unless_the_verdict_is_bound() {
    let accepted = ContentHash::of("evaluation");
    let with = |judged: Option<&str>, hash: &ContentHash| {
        let staged = bound(with_text(TEXT), |b| {
            b.refined = Some(ContentHash::of(TEXT));
            b.verdict = Some(hash.clone());
        });
        Staged {
            evaluation: evaluation(4.5, judged),
            evaluation_hash: Some(accepted.clone()),
            summary: summary(),
            ..staged
        }
    };
    let sound = with(Some(TEXT), &accepted);
    let forged = [
        Staged {
            bindings: None,
            ..sound.clone()
        },
        with(None, &accepted),
        with(Some(TEXT), &ContentHash::of("another evaluation")),
    ];
    let at = |stage, staged: &Staged| {
        let checkpoint = checkpoint(Some(stage), true);
        let next = decide_on(Verdicts::Bound, &checkpoint, Some(staged)).unwrap();
        next.step.to_string()
    };
    assert_eq!(at(PipelineStage::Judged, &sound), "chapter:001:commit");
    for staged in &forged {
        assert_eq!(at(PipelineStage::Judged, staged), "chapter:001:judge");
    }
    // The polish round is no way around it.
    let polished = |staged: &Staged| {
        let mut staged = staged.clone();
        let mut bindings = staged.bound();
        bindings.polished = Some(ContentHash::of(TEXT));
        staged.bindings = Some(Document::new(bindings));
        staged
    };
    assert_eq!(
        at(PipelineStage::Refined, &polished(&sound)),
        "chapter:001:commit"
    );
    for staged in &forged {
        assert_eq!(
            at(PipelineStage::Refined, &polished(staged)),
            "chapter:001:judge"
        );
        assert_eq!(at(PipelineStage::Revising, staged), "chapter:001:draft");
    }
}

/// Whatever lies in staging: no panic, one chapter, and a commit only with a verdict that lets
/// exactly this text pass.
#[test]
fn no_combination_commits_a_text_its_verdict_did_not_see() {
    let stages = [
        None,
        Some(PipelineStage::Drafting),
        Some(PipelineStage::Drafted),
        Some(PipelineStage::Refined),
        Some(PipelineStage::Judged),
        Some(PipelineStage::Revising),
        Some(PipelineStage::Committed),
    ];
    let hashes = [
        None,
        Some(ContentHash::of(TEXT)),
        Some(ContentHash::of(OTHER)),
    ];
    let mut combinations = 0;
    for stage in stages {
        for inflight in [true, false] {
            for text in [None, Some(TEXT), Some(OTHER)] {
                for verdict in [None, Some(None), Some(Some(TEXT)), Some(Some(OTHER))] {
                    for score in [1.5, 2.5, 3.2, 3.7, 4.5] {
                        for draft in &hashes {
                            for refined in &hashes {
                                for polished in &hashes {
                                    for summarized in [true, false] {
                                        combinations += 1;
                                        let mut case = text.map_or_else(staged, with_text);
                                        case = bound(case, |b| {
                                            b.draft.clone_from(draft);
                                            b.refined.clone_from(refined);
                                            b.polished.clone_from(polished);
                                        });
                                        if summarized {
                                            case.summary = summary();
                                        }
                                        if let Some(judged) = verdict {
                                            case.evaluation = evaluation(score, judged);
                                        }
                                        check_safe(
                                            &checkpoint(stage, inflight),
                                            &case,
                                            text,
                                            verdict,
                                            score,
                                        );
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(combinations > 10_000, "{combinations}");
}

fn check_safe(
    checkpoint: &Checkpoint,
    case: &Staged,
    text: Option<&str>,
    verdict: Option<Option<&str>>,
    score: f64,
) {
    let Ok(next) = decide(checkpoint, Some(case)) else {
        return;
    };
    let StepId::Chapter(number, stage) = next.step else {
        panic!("{next:?}")
    };
    assert_eq!(number, chapter());
    if stage != ChapterStage::Commit {
        return;
    }
    let polished = case.bound().polished;
    match checkpoint.pipeline_stage {
        Some(PipelineStage::Judged) => {
            assert!(score >= 4.0, "{next:?}");
            assert!(
                verdict.is_some_and(|judged| judged.is_none() || judged == text),
                "{next:?}"
            );
        }
        Some(PipelineStage::Refined) => {
            assert!(verdict.is_some(), "{next:?}");
            assert_eq!(polished, text.map(ContentHash::of), "{next:?}");
        }
        other => panic!("commit out of {other:?}"),
    }
}

#[test]
fn a_checkpoint_that_contradicts_itself_names_both_fields() {
    for (stage, inflight) in [
        (Some(PipelineStage::Drafting), false),
        (Some(PipelineStage::Judged), false),
        (None, true),
        (Some(PipelineStage::Committed), true),
    ] {
        let staged = staged();
        let result = decide(&checkpoint(stage, inflight), Some(&staged));
        let Err(NoStep::Contradiction { first, second }) = result else {
            panic!("{result:?}")
        };
        assert!(
            format!("{first} {second}").contains("pipeline_stage"),
            "{first} {second}"
        );
        assert!(
            format!("{first} {second}").contains("inflight_chapter"),
            "{first} {second}"
        );
    }
    let ahead = Checkpoint {
        inflight_chapter: ChapterNo::new(7),
        ..checkpoint(Some(PipelineStage::Drafting), true)
    };
    assert!(matches!(
        decide(&ahead, Some(&staged())),
        Err(NoStep::Contradiction { .. })
    ));
}

#[test]
fn states_before_and_after_writing_have_their_own_steps() {
    let in_state = |state| Checkpoint {
        orchestrator_state: state,
        ..checkpoint(None, false)
    };
    let step = |state| decide(&in_state(state), None).unwrap().step.to_string();
    assert_eq!(step(OrchestratorState::Init), "quickstart:world");
    assert_eq!(step(OrchestratorState::QuickStart), "quickstart:world");
    assert_eq!(step(OrchestratorState::VolPlanning), "volume:01:plan");
    assert_eq!(step(OrchestratorState::VolReview), "volume:01:review");
    assert_eq!(step(OrchestratorState::Writing), "chapter:001:draft");
    assert_eq!(step(OrchestratorState::ErrorRetry), "chapter:001:draft");
}
