//! The size of a prompt does not grow with the book, and fits its budget.

use novel_model::{Explain, Lang};
use novel_prompt::prompt::{Agent, Limits, Mode, Prompt, PromptError};

use super::book::{Sample, all_modes, chapter_modes};

#[test]
fn five_hundred_chapters_cost_hardly_more_than_five() {
    for lang in [Lang::Zh, Lang::En] {
        let (short, long) = (Sample::new(lang, 5), Sample::new(lang, 500));
        for (agent, mode) in all_modes() {
            let (few, many) = (
                short.prompt(agent, mode).tokens(),
                long.prompt(agent, mode).tokens(),
            );
            assert!(
                many.abs_diff(few) * 5 < few,
                "{lang:?} {agent:?} {mode:?}: {few} -> {many}"
            );
        }
    }
}

fn names(prompt: &Prompt) -> Vec<&str> {
    prompt
        .sections
        .iter()
        .map(|section| section.name.as_str())
        .collect()
}

/// A book whose every free text is far too long.
fn huge(lang: Lang) -> Sample {
    let mut sample = Sample::new(lang, 60);
    let long = sample
        .say(
            "雾从海上来，漫过石阶。\n",
            "The fog came up the stone steps from the sea.\n",
        )
        .repeat(1500);
    let outline: String = (1..=300).map(|number| sample.block(number)).collect();
    sample.write(
        "volumes/vol-01/outline.md",
        format!("# V\n{long}\n{outline}"),
    );
    for path in [
        "brief.md",
        "writing-methodology.md",
        "style-guide.md",
        "quality-rubric.md",
        "storylines/lamp/memory.md",
        "storylines/harbour/memory.md",
        "characters/active/lin-feng.md",
        "staging/chapters/chapter-061-hints.md",
    ] {
        sample.write(path, long.clone());
    }
    for number in 58..=60 {
        sample.write(
            &format!("summaries/chapter-{number:03}-summary.md"),
            long.clone(),
        );
    }
    sample
}

#[test]
fn a_project_far_over_budget_still_fits_with_everything_required() {
    for lang in [Lang::Zh, Lang::En] {
        let sample = huge(lang);
        for (agent, mode) in all_modes() {
            let limits = Limits {
                input_tokens: 9_000,
                ..Limits::of(agent)
            };
            let prompt = sample
                .try_prompt(agent, mode, &limits)
                .unwrap_or_else(|error| panic!("{agent:?} {mode:?}: {}", error.message()));
            assert!(prompt.tokens() <= 9_000);
            let required: &[&str] = match mode {
                Mode::Draft => &[
                    "hard_rules_list",
                    "style_profile",
                    "ai_blacklist_top10",
                    "chapter_contract",
                    "chapter_outline",
                    "style_drift_directives",
                    "character_contracts",
                ],
                Mode::PlanScenes => &["hard_rules_list", "chapter_contract", "chapter_outline"],
                Mode::WriteScene => &[
                    "hard_rules_list",
                    "style_profile",
                    "chapter_contract",
                    "scene_plan",
                    "previous_scene",
                ],
                Mode::Revise => &[
                    "hard_rules_list",
                    "chapter_contract",
                    "required_fixes",
                    "high_confidence_violations",
                    "chapter_content",
                ],
                Mode::Summarize => &["entity_id_map", "current_state", "chapter_content"],
                Mode::Refine | Mode::Polish => &[
                    "style_profile",
                    "ai_blacklist",
                    "blacklist_lint",
                    "chapter_content",
                ],
                Mode::Judge => &[
                    "hard_rules_list",
                    "storyline_spec",
                    "style_profile",
                    "chapter_contract",
                    "chapter_outline",
                    "character_contracts",
                    "cross_references",
                    "chapter_content",
                ],
                Mode::Review => &[
                    "hard_rules_list",
                    "chapter_contract",
                    "character_contracts",
                    "state_before",
                    "state_changes",
                    "chapter_content",
                ],
                Mode::Audit => &[
                    "hard_rules_list",
                    "storyline_spec",
                    "character_contracts",
                    "state_before",
                    "deterministic_report",
                    "chapter_content",
                ],
                Mode::Amend => &["hard_rules_list", "revision_notes", "chapter_content"],
                Mode::Build => &["project_brief"],
                Mode::Extend => &["project_brief", "hard_rules_list", "author_request"],
                Mode::Weave => &["project_brief", "hard_rules_list"],
                Mode::Introduce => &[
                    "hard_rules_list",
                    "characters",
                    "planned_chapters",
                    "new_characters",
                ],
                Mode::Analyze => &["project_brief", "characters", "style_template"],
                Mode::Plan => &[
                    "hard_rules_list",
                    "style_profile",
                    "characters",
                    "current_state",
                ],
                Mode::Retell => &["hard_rules_list", "characters", "chapter_texts"],
                Mode::Advise => &["volume_report"],
                Mode::Read => &["chapter_content"],
            };
            for name in ["rules", "task"].iter().chain(required) {
                assert!(
                    names(&prompt).contains(name),
                    "{agent:?} {mode:?}: {name} in {:?}",
                    names(&prompt)
                );
            }
            for left in &prompt.left_out {
                assert!(left.tokens_after < left.tokens_before, "{left:?}");
                assert!(!left.how.zh.is_empty() && !left.how.en.is_empty());
            }
            // The reviser gets its chapter and its notes, which are never cut.
            if chapter_modes().contains(&(agent, mode)) {
                assert_eq!(prompt.left_out.is_empty(), mode == Mode::Amend);
            }
        }
    }
}

#[test]
fn a_larger_budget_never_leaves_out_more() {
    let sample = huge(Lang::Zh);
    for (agent, mode) in all_modes() {
        let mut previous = 0;
        for tokens in (8_000..60_000).step_by(12_000) {
            let limits = Limits {
                input_tokens: tokens,
                ..Limits::of(agent)
            };
            let prompt = sample.try_prompt(agent, mode, &limits).unwrap();
            assert!(prompt.tokens() <= tokens);
            assert!(
                prompt.tokens() >= previous,
                "{agent:?} {mode:?} at {tokens}"
            );
            previous = prompt.tokens();
        }
    }
}

#[test]
fn a_long_outline_becomes_a_digest_with_the_chapters_around() {
    let prompt = huge(Lang::Zh).prompt(Agent::ChapterWriter, Mode::Draft);
    let text = |name: &str| {
        &prompt
            .sections
            .iter()
            .find(|section| section.name == name)
            .unwrap()
            .text
    };
    let digest = text("current_volume_outline");
    assert!(
        digest.contains("### 第 61 章")
            && digest.contains("### 第 41 章")
            && digest.contains("### 第 100 章")
    );
    assert!(
        !digest.contains("### 第 40 章")
            && !digest.contains("### 第 101 章")
            && !digest.contains("**POV**")
    );
    let around = text("neighbouring_outline");
    for (number, there) in [
        (58, false),
        (59, true),
        (60, true),
        (61, false),
        (62, true),
        (64, true),
        (65, false),
    ] {
        assert_eq!(
            around.contains(&format!("### 第 {number} 章")),
            there,
            "{number}"
        );
    }
    assert!(
        prompt
            .left_out
            .iter()
            .any(|left| left.name == "current_volume_outline")
    );
}

#[test]
fn the_log_of_the_blacklist_is_never_sent() {
    let sample = Sample::new(Lang::Zh, 60);
    for (agent, mode) in all_modes() {
        let prompt = sample.prompt(agent, mode);
        assert!(
            prompt
                .sections
                .iter()
                .all(|section| !section.text.contains("机器追加的记录")
                    && !section.text.contains("update_log"))
        );
    }
}

#[test]
fn the_refiner_is_shown_where_the_phrases_stand() {
    let prompt = Sample::new(Lang::Zh, 60).prompt(Agent::StyleRefiner, Mode::Refine);
    let lint = prompt
        .sections
        .iter()
        .find(|section| section.name == "blacklist_lint")
        .unwrap();
    assert!(
        lint.text.contains("\"word\":\"套话3\"") && lint.text.contains("\"count\":60"),
        "{}",
        lint.text
    );
}

#[test]
fn what_can_not_fit_is_an_error_that_names_the_largest() {
    let sample = Sample::new(Lang::Zh, 5);
    let limits = Limits {
        input_tokens: 500,
        ..Limits::of(Agent::QualityJudge)
    };
    let error = sample
        .try_prompt(Agent::QualityJudge, Mode::Judge, &limits)
        .unwrap_err();
    let PromptError::TooLarge {
        needed,
        limit,
        largest,
        ..
    } = &error
    else {
        panic!("{error:?}")
    };
    assert!(*needed > 500 && *limit == 500);
    assert!(
        largest.iter().any(|(name, _)| name == "rules"),
        "{largest:?}"
    );
    assert_eq!(error.code(), "PROMPT_TOO_LARGE");
    assert!(error.hint().is_some());
}
