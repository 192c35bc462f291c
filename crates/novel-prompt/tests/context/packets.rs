//! Step 2.6 and seed 004: the packet of every step.

use novel_book::recall::Digests;
use novel_book::{config::Config, gate::Weights, next::Round};
use novel_model::{
    Explain, Lang,
    files::{Evaluation, JudgeRole},
};
use novel_prompt::guides::Guide;
use novel_prompt::packet::{self, BookFiles, PacketMode, Request};
use serde_json::{Map, Value, json};

use super::book::{
    SCHEDULE, STAGED, assert_helpful, build, commands, outputs, request, sound_book,
};

fn keys(map: &Map<String, Value>) -> Vec<&str> {
    let mut keys: Vec<&str> = map.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

const WRITER_PATHS: [&str; 9] = [
    "adjacent_storyline_memories",
    "chapter_contract",
    "current_state",
    "current_volume_outline",
    "project_brief",
    "recent_3_summaries",
    "storyline_memory",
    "style_profile",
    "world_rules",
];

const WRITER_INLINE: [&str; 16] = [
    "ai_blacklist_effective_words",
    "ai_blacklist_top10",
    "chapter",
    "chapter_function",
    "chapter_outline",
    "chapter_outline_block",
    "character_contracts",
    "character_profiles",
    "concurrent_state",
    "foreshadowing_tasks",
    "hard_rules_list",
    "storyline_context",
    "storyline_id",
    "transition_hint",
    "volume",
    "writing_methodology",
];

#[test]
fn draft_step_packet_targets_chapter_writer_agent_and_staging_output() {
    let packet = build(&sound_book(), request("chapter:012:draft")).unwrap();
    assert_eq!(packet.version, 1);
    assert_eq!(packet.step, "chapter:012:draft");
    assert_eq!(packet.agent.kind, "subagent");
    assert_eq!(packet.agent.name, "chapter-writer");
    assert_eq!(packet.agent.mode.as_deref(), Some("draft"));
    assert_eq!(
        outputs(&packet),
        [STAGED, "staging/chapters/chapter-012-hints.md"]
    );
    let hints = &packet.expected_outputs[1];
    assert!(!hints.required && hints.schema.is_none());
    assert_eq!(packet.write_boundary, ["staging/**"]);
    assert_eq!(
        commands(&packet),
        [
            "novel validate chapter:012:draft",
            "novel advance chapter:012:draft"
        ]
    );
}

#[test]
fn packet_references_style_profile_by_path() {
    let packet = build(&sound_book(), request("chapter:012:draft")).unwrap();
    assert_eq!(packet.manifest.mode, "paths");
    assert_eq!(packet.manifest.paths["style_profile"], "style-profile.json");
    assert!(packet.manifest.embedded.is_none());
    assert!(
        !serde_json::to_string(&packet)
            .unwrap()
            .contains("avg_sentence_length")
    );
}

#[test]
fn step_2_6_chapter_writer_fields() {
    let packet = build(&sound_book(), request("chapter:012:draft")).unwrap();
    assert_eq!(keys(&packet.manifest.paths), WRITER_PATHS);
    assert_eq!(keys(&packet.manifest.inline), WRITER_INLINE);
    let inline = &packet.manifest.inline;
    assert_eq!(inline["chapter"], 12);
    assert_eq!(inline["volume"], 2);
    assert_eq!(inline["storyline_id"], "main-arc");
    assert_eq!(
        inline["concurrent_state"],
        json!({"jinghai-plan": "静海计划仍在准备"})
    );
    assert_eq!(inline["chapter_outline"], inline["chapter_outline_block"]);
    assert_eq!(
        inline["ai_blacklist_effective_words"],
        json!(["不禁", "缓缓"])
    );
    assert_eq!(inline["foreshadowing_tasks"][0]["id"], "ancient_prophecy");
    assert_eq!(
        inline["character_contracts"]["lin-feng"]["contracts"][0]["note"],
        "kept"
    );
    assert!(
        inline["writing_methodology"]
            .as_str()
            .unwrap()
            .starts_with("# 写作方法")
    );
    assert_eq!(
        packet.manifest.paths["recent_3_summaries"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn step_2_6_top_ten_is_the_head_of_the_effective_words() {
    let words: Vec<String> = (0..15).map(|number| format!("词{number}")).collect();
    let book = sound_book().with(
        "ai-blacklist.json",
        json!({"words": words, "whitelist": ["词0"]}).to_string(),
    );
    let inline = build(&book, request("chapter:012:draft"))
        .unwrap()
        .manifest
        .inline;
    assert_eq!(
        inline["ai_blacklist_effective_words"]
            .as_array()
            .unwrap()
            .len(),
        14
    );
    assert_eq!(inline["ai_blacklist_top10"], json!(words[1..11]));
}

#[test]
fn step_2_6_revision_adds_text_fixes_and_violations() {
    let packet = build(
        &sound_book(),
        Request {
            round: Round::Revision,
            ..request("chapter:012:draft")
        },
    )
    .unwrap();
    assert_eq!(packet.agent.mode.as_deref(), Some("revise"));
    assert_eq!(packet.agent.model_hint.as_deref(), Some("strong"));
    assert_eq!(packet.manifest.paths["chapter_content"], STAGED);
    let inline = &packet.manifest.inline;
    assert_eq!(
        inline["required_fixes"],
        json!([{"target": "paragraph_3", "instruction": "去掉火系法术"}])
    );
    let violations = inline["high_confidence_violations"].as_array().unwrap();
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0]["rule_id"], "W-001");
    assert_eq!(keys(&packet.manifest.paths).len(), WRITER_PATHS.len() + 1);
    assert_eq!(keys(inline).len(), WRITER_INLINE.len() + 2);
}

#[test]
fn step_2_6_revision_without_evaluation_stops() {
    let mut book = sound_book();
    book.remove(&"staging/evaluations/chapter-012-eval.json".parse().unwrap());
    let error = build(
        &book,
        Request {
            round: Round::Revision,
            ..request("chapter:012:draft")
        },
    )
    .unwrap_err();
    assert_helpful(&error);
    assert!(error.hint().unwrap().en.contains("chapter:012:judge"));
}

#[test]
fn summarize_step_packet_targets_summarizer_agent_and_declares_expected_outputs() {
    let packet = build(&sound_book(), request("chapter:012:summarize")).unwrap();
    assert_eq!(packet.agent.name, "summarizer");
    assert_eq!(
        outputs(&packet),
        [
            "staging/summaries/chapter-012-summary.md",
            "staging/state/chapter-012-delta.json",
            "staging/state/chapter-012-crossref.json",
            "staging/storylines/main-arc/memory.md",
        ]
    );
    assert_eq!(
        packet.expected_outputs[1].schema.as_deref(),
        Some("state-delta.schema.json")
    );
    assert_eq!(
        keys(&packet.manifest.paths),
        ["chapter_content", "current_state", "storyline_memory"]
    );
    assert_eq!(
        keys(&packet.manifest.inline),
        [
            "chapter",
            "entity_aliases",
            "entity_id_map",
            "foreshadowing_tasks",
            "storyline_id",
            "volume"
        ]
    );
    assert_eq!(
        packet.manifest.inline["entity_id_map"],
        json!({"chen-lao": "陈老", "lin-feng": "林枫"})
    );
    let hinted = sound_book().with("staging/chapters/chapter-012-hints.md", "他受伤了");
    let packet = build(&hinted, request("chapter:012:summarize")).unwrap();
    assert_eq!(
        packet.manifest.paths["hints"],
        "staging/chapters/chapter-012-hints.md"
    );
}

#[test]
fn step_2_6_style_refiner_fields_and_polish() {
    let packet = build(&sound_book(), request("chapter:012:refine")).unwrap();
    assert_eq!(packet.agent.name, "style-refiner");
    assert_eq!(packet.agent.mode, None);
    assert_eq!(outputs(&packet), [STAGED]);
    assert_eq!(
        keys(&packet.manifest.paths),
        ["ai_blacklist", "chapter_content", "style_profile"]
    );
    assert_eq!(
        keys(&packet.manifest.inline),
        ["chapter", "storyline_id", "style_guide", "volume"]
    );
    let polish = build(
        &sound_book(),
        Request {
            round: Round::Polish,
            ..request("chapter:012:refine")
        },
    )
    .unwrap();
    assert_eq!(polish.agent.mode.as_deref(), Some("polish"));
}

#[test]
fn step_2_7_active_drift_reaches_writer_and_refiner_only() {
    let drift = |active: bool| {
        json!({"active": active, "detected_chapter": 10, "window": [6, 10],
        "drifts": [{"metric": "dialogue_ratio", "baseline": 0.4, "current": 0.28, "directive": "增加对话"}]})
    };
    let active = sound_book().with("style-drift.json", drift(true).to_string());
    for step in ["chapter:012:draft", "chapter:012:refine"] {
        let manifest = build(&active, request(step)).unwrap().manifest;
        assert_eq!(manifest.paths["style_drift"], "style-drift.json");
        assert_eq!(
            manifest.inline["style_drift_directives"],
            json!(["增加对话"])
        );
    }
    let judge = build(&active, request("chapter:012:judge"))
        .unwrap()
        .manifest;
    assert!(!judge.paths.contains_key("style_drift"));
    let closed = sound_book().with("style-drift.json", drift(false).to_string());
    let manifest = build(&closed, request("chapter:012:draft"))
        .unwrap()
        .manifest;
    assert!(!manifest.paths.contains_key("style_drift"));
    assert!(!manifest.inline.contains_key("style_drift_directives"));
}

#[test]
fn step_2_6_quality_judge_fields_and_empty_write_boundary() {
    let packet = build(&sound_book(), request("chapter:012:judge")).unwrap();
    assert_eq!(packet.agent.name, "quality-judge");
    assert!(packet.write_boundary.is_empty());
    assert_eq!(
        outputs(&packet),
        ["staging/evaluations/chapter-012-eval.json"]
    );
    assert_eq!(
        packet.expected_outputs[0].schema.as_deref(),
        Some("evaluation.schema.json")
    );
    assert_eq!(
        commands(&packet),
        [
            "novel submit chapter:012:judge",
            "novel advance chapter:012:judge"
        ]
    );
    assert_eq!(
        keys(&packet.manifest.paths),
        [
            "ai_blacklist",
            "chapter_content",
            "chapter_contract",
            "character_profiles",
            "cross_references",
            "current_state",
            "prev_summary",
            "storyline_memory",
            "storyline_schedule",
            "storyline_spec",
            "style_profile",
            "world_rules",
        ]
    );
    assert_eq!(
        keys(&packet.manifest.inline),
        [
            "blacklist_lint",
            "chapter",
            "chapter_function",
            "chapter_outline",
            "chapter_outline_block",
            "character_contracts",
            "checks",
            "foreshadowing_tasks",
            "hard_rules_list",
            "quality_rubric",
            "storyline_id",
            "volume",
        ]
    );
    assert_eq!(packet.manifest.inline["blacklist_lint"]["total_hits"], 2);
    assert_eq!(
        packet.manifest.paths["character_profiles"],
        json!(["characters/active/lin-feng.md"])
    );
    assert_eq!(
        packet.manifest.paths["prev_summary"],
        "summaries/chapter-011-summary.md"
    );
}

#[test]
fn key_chapter_asks_for_two_judges() {
    let meeting = json!({"convergence_events": [{"chapter_range": [12, 13], "involved_storylines": ["main-arc"]}]});
    let book = sound_book().with(SCHEDULE, meeting.to_string());
    let packet = build(&book, request("chapter:012:judge")).unwrap();
    assert_eq!(packet.manifest.inline["key_chapter"], true);
    assert_eq!(packet.manifest.inline["judges"], 2);
    assert_eq!(packet.agent.model_hint.as_deref(), Some("default"));
    assert_eq!(
        commands(&packet),
        [
            "novel submit chapter:012:judge",
            "novel submit chapter:012:judge --judge secondary",
            "novel advance chapter:012:judge",
        ]
    );
    let second = Request {
        judge: JudgeRole::Secondary,
        ..request("chapter:012:judge")
    };
    assert_eq!(
        build(&book, second).unwrap().agent.model_hint.as_deref(),
        Some("strong")
    );
}

#[test]
fn commit_step_is_done_by_the_program() {
    let packet = build(&sound_book(), request("chapter:012:commit")).unwrap();
    assert_eq!(
        (packet.agent.kind.as_str(), packet.agent.name.as_str()),
        ("cli", "novel")
    );
    assert_eq!(commands(&packet), ["novel commit --chapter 12"]);
    let volume = build(&sound_book(), request("volume:02:commit")).unwrap();
    assert_eq!(commands(&volume), ["novel commit --volume 2"]);
}

#[test]
fn project_guides_replace_the_built_in_ones() {
    let book = sound_book()
        .with("quality-rubric.md", "自己的标准")
        .with("style-guide.md", "自己的指南")
        .with("writing-methodology.md", "自己的方法");
    let steps = [
        ("chapter:012:judge", "quality_rubric", "quality-rubric.md"),
        ("chapter:012:refine", "style_guide", "style-guide.md"),
        (
            "chapter:012:draft",
            "writing_methodology",
            "writing-methodology.md",
        ),
    ];
    for (step, field, path) in steps {
        let manifest = build(&book, request(step)).unwrap().manifest;
        assert_eq!(manifest.paths[field], path);
        assert!(!manifest.inline.contains_key(field));
    }
}

#[test]
fn built_in_guides_speak_the_language_of_the_book() {
    let config = Config::parse("language = \"en\"").unwrap().0;
    let (book, checkpoint) = (sound_book(), super::book::checkpoint());
    let world = BookFiles {
        reader: &book,
        config: &config,
        checkpoint: &checkpoint,
        digests: &Digests::default(),
    };
    let manifest = packet::build(world, request("chapter:012:judge"))
        .unwrap()
        .manifest;
    assert!(
        manifest.inline["quality_rubric"]
            .as_str()
            .unwrap()
            .starts_with("# Quality rubric")
    );
    let eval: Evaluation = serde_json::from_value(super::book::evaluation()).unwrap();
    for lang in [Lang::Zh, Lang::En] {
        let rubric = Guide::QualityRubric.built_in(lang);
        for ((name, _), weight) in eval.scores.by_name().into_iter().zip(Weights::default().0) {
            let heading = rubric
                .lines()
                .find(|line| line.starts_with(&format!("### {name} ")))
                .unwrap();
            assert!(heading.contains(&format!("{weight:.2}")), "{heading}");
        }
    }
}

#[test]
fn volume_plan_targets_plot_architect() {
    let book = sound_book()
        .with("volumes/vol-01/outline.md", "旧大纲")
        .with("volumes/vol-01/review.md", "旧回顾")
        .with("world/history.md", "历史")
        .with("storylines/storylines.json", r#"{"storylines": []}"#);
    let packet = build(&book, request("volume:02:plan")).unwrap();
    assert_eq!(packet.agent.name, "plot-architect");
    assert_eq!(
        outputs(&packet),
        [
            "staging/volumes/vol-02/outline.md",
            "staging/volumes/vol-02/storyline-schedule.json",
            "staging/volumes/vol-02/foreshadowing.json",
            "staging/volumes/vol-02/new-characters.json",
            "staging/volumes/vol-02/chapter-contracts/",
        ]
    );
    assert_eq!(packet.manifest.inline["first_chapter"], 12);
    for field in [
        "project_brief",
        "style_profile",
        "world_docs",
        "world_rules",
        "storylines",
        "characters",
        "previous_volume_outline",
        "previous_volume_review",
        "foreshadowing",
        "current_state",
    ] {
        assert!(packet.manifest.paths.contains_key(field), "{field}");
    }
}

#[test]
fn volume_review_and_quickstart_packets() {
    let eval = super::book::evaluation()
        .to_string()
        .replace("\"chapter\":12", "\"chapter\":11");
    let book = sound_book().with("evaluations/chapter-011-eval.json", eval);
    let review = build(&book, request("volume:02:review")).unwrap();
    assert_eq!(review.manifest.inline["chapter_scores"][0]["overall"], 3.0);
    assert_eq!(
        review.manifest.paths["summaries"],
        json!(["summaries/chapter-011-summary.md"])
    );
    let agents = [
        ("world", "world-builder"),
        ("characters", "character-weaver"),
        ("style", "style-analyzer"),
        ("trial", "plot-architect"),
        ("results", "novel"),
    ];
    for (phase, agent) in agents {
        let packet = build(&book, request(&format!("quickstart:{phase}"))).unwrap();
        assert_eq!(packet.agent.name, agent);
        assert!(
            packet
                .expected_outputs
                .iter()
                .all(|output| output.path.starts_with("staging/"))
        );
    }
}

#[test]
fn the_summarizer_packet_is_there_before_the_draft_is() {
    let mut book = sound_book();
    book.remove(&STAGED.parse().unwrap());
    let packet = build(&book, request("chapter:012:summarize")).unwrap();
    assert_eq!(packet.manifest.paths["chapter_content"], STAGED);
    assert_eq!(packet.agent.name, "summarizer");
    // Given in full it needs the text.
    let embedded = Request {
        mode: PacketMode::Embed,
        ..request("chapter:012:summarize")
    };
    assert_eq!(build(&book, embedded).unwrap_err().code(), "MISSING_INPUT");
}
