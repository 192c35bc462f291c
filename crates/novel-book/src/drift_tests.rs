use super::*;

fn profile() -> StyleProfile {
    StyleProfile {
        avg_sentence_length: Some(20.0),
        dialogue_ratio: Some(0.4),
        ..StyleProfile::default()
    }
}

fn run(sentence: f64, dialogue: f64, current: Option<&StyleDrift>) -> DriftAction {
    let measured = Measured {
        avg_sentence_length: sentence,
        dialogue_ratio: dialogue,
    };
    check(
        &profile(),
        measured,
        current,
        ChapterNo::new(25).unwrap(),
        "2026-02-24T05:00:00Z",
        Lang::Zh,
    )
}

fn active() -> StyleDrift {
    match run(30.0, 0.4, None) {
        DriftAction::Correct(drift) => drift,
        other => panic!("{other:?}"),
    }
}

#[test]
fn drift_is_over_twenty_percent_in_length_or_fifteen_in_dialogue() {
    assert_eq!(
        run(24.0, 0.4, None),
        DriftAction::Keep,
        "exactly 20 % is no drift"
    );
    let drift = active();
    assert_eq!(
        drift.window,
        (ChapterNo::new(21).unwrap(), ChapterNo::new(25).unwrap())
    );
    assert_eq!(drift.drifts.len(), 1);
    assert!(drift.drifts[0].directive.contains("短句"));
    match run(10.0, 0.2, None) {
        DriftAction::Correct(drift) => {
            let metrics: Vec<&str> = drift
                .drifts
                .iter()
                .map(|drift| drift.metric.as_str())
                .collect();
            assert_eq!(metrics, ["avg_sentence_length", "dialogue_ratio"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn recovery_needs_both_metrics_within_ten_percent() {
    let drift = active();
    assert_eq!(
        run(22.5, 0.4, Some(&drift)),
        DriftAction::Keep,
        "between the bounds nothing changes"
    );
    match run(21.0, 0.41, Some(&drift)) {
        DriftAction::Clear(cleared) => {
            assert!(!cleared.active);
            assert_eq!(cleared.cleared_reason.as_deref(), Some("metrics_recovered"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run(21.0, 0.41, None), DriftAction::Keep);
}

#[test]
fn a_profile_without_baselines_never_drifts() {
    let measured = Measured {
        avg_sentence_length: 99.0,
        dialogue_ratio: 0.9,
    };
    let chapter = ChapterNo::new(5).unwrap();
    let zero = StyleProfile {
        dialogue_ratio: Some(0.0),
        ..StyleProfile::default()
    };
    assert_eq!(
        check(&zero, measured, None, chapter, "t", Lang::En),
        DriftAction::Keep
    );
}
