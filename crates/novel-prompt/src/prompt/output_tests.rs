use novel_model::Document;

use super::*;
use novel_book::config::PlanMaterial;

fn schema(agent: Agent) -> Value {
    match output(agent) {
        Output::Json { schema, .. } => schema.as_ref().clone(),
        Output::Markdown | Output::Scene => panic!("{agent:?} answers in JSON"),
    }
}

fn answer() -> Value {
    let check = json!({"rule_id": "W-001", "constraint_type": null, "evidence": null, "absent": "没有蜡封", "detail": "", "status": "violation_suspected", "confidence": "high"});
    let score = json!({"evidence": "雾进来了", "absent": null, "reason": "…", "score": 3.5});
    json!({
        "chapter": 6,
        "contract_verification": {"passed": ["W-002"], "l1_checks": [check], "l2_checks": [], "l3_checks": [],
            "ls_checks": [{"rule_id": "LS-001", "constraint_type": "hard", "evidence": "雾", "absent": null, "detail": "…", "status": "violation", "confidence": "low"}],
            "has_violations": true},
        "scores": {"plot_logic": score, "character": score, "immersion": score, "foreshadowing": score,
            "pacing": score, "style_naturalness": score, "emotional_impact": score, "storyline_coherence": score},
        "recommendation": "polish", "risk_flags": ["…"],
        "required_fixes": [{"target": "paragraph_1", "instruction": "…"}], "issues": [], "strengths": [],
        "anti_ai": {"blacklist_update_suggestions": [
            {"phrase": "不禁", "count_in_chapter": 3, "examples": ["…"], "confidence": "medium", "note": null}]}
    })
}

#[test]
fn a_verdict_of_the_asked_form_is_an_evaluation() {
    let schema = schema(Agent::QualityJudge);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(&answer())
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    let path = "answer.json".parse().expect("a path");
    Document::<Evaluation>::parse(&path, &answer().to_string()).expect("an evaluation");
}

#[test]
fn an_accusation_and_a_score_cannot_be_left_without_a_ground() {
    let schema = schema(Agent::QualityJudge);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (pointer, value) in [
        ("/contract_verification/l1_checks/0/absent", Value::Null),
        ("/contract_verification/ls_checks/0/evidence", Value::Null),
        ("/contract_verification/ls_checks/0/status", json!("pass")),
        ("/scores/pacing/evidence", Value::Null),
    ] {
        let mut answer = answer();
        *answer.pointer_mut(pointer).expect("a place") = value;
        assert!(!validator.is_valid(&answer), "{pointer}");
    }
}

#[test]
fn everything_the_judge_must_say_is_required_and_nothing_the_program_writes_is_asked() {
    let schema = schema(Agent::QualityJudge);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (pointer, key) in [
        ("", "scores"),
        ("", "required_fixes"),
        ("/scores", "pacing"),
        ("/scores/pacing", "reason"),
        ("/contract_verification", "ls_checks"),
        ("/contract_verification/l1_checks/0", "confidence"),
    ] {
        let mut answer = answer();
        let place = answer.pointer_mut(pointer).and_then(Value::as_object_mut);
        assert!(place.expect("a place").shift_remove(key).is_some());
        assert!(!validator.is_valid(&answer), "{pointer}/{key}");
    }
    let text = schema.to_string();
    for word in [
        "metadata",
        "overall",
        "evidence_found",
        "weight",
        "contract_id",
        "ContentHash",
        "GateRecord",
    ] {
        assert!(!text.contains(&format!("\"{word}\"")), "{word}");
    }
}

#[test]
fn a_score_is_a_whole_or_a_half_from_one_to_five() {
    let schema = schema(Agent::QualityJudge);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (score, is_one) in [
        (json!(1), true),
        (json!(4.0), true),
        (json!(4.5), true),
        (json!(5), true),
        (json!(0), false),
        (json!(0.5), false),
        (json!(5.5), false),
        (json!("4"), false),
    ] {
        let mut answer = answer();
        answer["scores"]["pacing"]["score"] = score.clone();
        assert_eq!(validator.is_valid(&answer), is_one, "{score}");
    }
}

#[test]
fn grounds_come_before_the_judgement() {
    let schema = schema(Agent::QualityJudge);
    let keys = |object: &Value| -> Vec<String> {
        let properties = object["properties"].as_object();
        properties.expect("properties").keys().cloned().collect()
    };
    assert_eq!(
        keys(&schema["$defs"]["DimensionScore"]),
        ["evidence", "reason", "absent", "score"]
    );
    let kinds = schema["$defs"]["ContractCheck"]["anyOf"].as_array();
    let kinds = kinds.expect("kinds of checks");
    assert_eq!(kinds.len(), 2);
    for kind in kinds {
        assert_eq!(
            keys(kind),
            [
                "rule_id",
                "constraint_type",
                "evidence",
                "absent",
                "detail",
                "status",
                "confidence"
            ]
        );
    }
}

#[test]
fn a_record_of_the_asked_form_is_a_summarizers_answer() {
    let schema = schema(Agent::Summarizer);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let ops = json!([
        {"op": "set", "path": "characters.lin-feng.location", "value": "灯塔", "evidence": "林枫推开灯塔的门", "detail": "推开门"},
        {"op": "inc", "path": "characters.lin-feng.relationships.chen-lao", "value": -5, "evidence": "陈老转过身去", "detail": null},
        {"op": "foreshadow", "path": "broken-lens", "value": "advanced", "evidence": "镜片又裂了一道", "detail": null}
    ]);
    let mut answer = json!({
        "summary": {"narrative": "林枫推开灯塔的门。", "events": ["林枫进塔"], "next": []},
        "delta": {"chapter": 6, "base_state_version": 5, "storyline_id": "lamp", "ops": ops},
        "crossref": {"storyline_id": "lamp", "cross_references": [], "leak_risk": "none", "leak_detail": null,
            "unknown_entities": [{"mention": "老周", "context": null, "suggested_type": "character"}]},
        "memory": ["林枫在灯塔"], "claims": null
    });
    let errors: Vec<String> = validator
        .iter_errors(&answer)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    // The program puts summary and memory together.
    let mut written = answer.clone();
    written["summary"] = "…".into();
    written["memory"] = "…".into();
    let path = "answer.json".parse().expect("a path");
    Document::<SummarizerAnswer>::parse(&path, &written.to_string()).expect("an answer");
    answer["delta"]["ops"][0]["op"] = "delete".into();
    assert!(!validator.is_valid(&answer), "an unknown verb");
}

#[test]
fn prose_is_markdown() {
    assert_eq!(output(Agent::ChapterWriter), Output::Markdown);
    assert_eq!(output(Agent::StyleRefiner), Output::Markdown);
}

fn keys(schema: &Value, definition: Option<&str>) -> Vec<String> {
    let object = definition.map_or(schema, |name| &schema["$defs"][name]);
    let properties = object["properties"].as_object().expect("properties");
    properties.keys().cloned().collect()
}

#[test]
fn reviewers_name_issues_before_the_score_and_quote_before_they_weigh() {
    let review = schema(Agent::LogicReviewer);
    assert_eq!(keys(&review, None), ["issues", "summary", "overall_score"]);
    assert_eq!(
        keys(&review, Some("ReviewIssue")),
        [
            "issue_type",
            "description",
            "evidence",
            "severity",
            "fix_instructions"
        ]
    );
    let audit = schema(Agent::ConsistencyAuditor);
    assert_eq!(keys(&audit, None), ["issues", "summary", "verdicts"]);
    assert_eq!(
        keys(&audit, Some("CandidateVerdict")),
        ["number", "evidence", "record", "frame", "contradicts"]
    );
    assert_eq!(
        keys(&audit, Some("ReviewIssue")),
        [
            "issue_type",
            "description",
            "related_characters",
            "evidence",
            "severity",
            "fix_instructions"
        ]
    );
}

#[test]
fn a_review_of_the_asked_form_is_accepted_and_a_score_over_the_top_is_not() {
    let schema = schema(Agent::LogicReviewer);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let issue = json!({"issue_type": "knowledge", "description": "…", "evidence": null,
        "severity": "high", "fix_instructions": null});
    let mut review = json!({"issues": [issue], "summary": "…", "overall_score": 60});
    assert!(validator.is_valid(&review));
    review["overall_score"] = 101.into();
    assert!(!validator.is_valid(&review));
    review["overall_score"] = 60.into();
    review["issues"][0]["severity"] = "fatal".into();
    assert!(!validator.is_valid(&review));
}

#[test]
fn the_reviser_answers_with_a_chapter() {
    let schema = schema(Agent::ChapterReviser);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let scene = json!({"scene_number": 1, "content": "雾进来了。", "word_count": 4});
    let chapter =
        json!({"chapter_number": 6, "chapter_title": "雾夜", "scenes": [scene], "total_words": 4});
    assert!(validator.is_valid(&chapter));
    assert!(!validator.is_valid(&json!({"chapter": "雾进来了。"})));
}

/// Every list that is not the text itself has an end.
fn open_lists(schema: &Value, place: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            if object.get("type") == Some(&json!("array")) && !object.contains_key("maxItems") {
                found.push(place.to_owned());
            }
            for (key, part) in object {
                open_lists(part, &format!("{place}/{key}"), found);
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| open_lists(part, place, found)),
        _ => {}
    }
}

#[test]
fn no_list_an_agent_fills_is_without_end() {
    for agent in [
        Agent::Summarizer,
        Agent::QualityJudge,
        Agent::LogicReviewer,
        Agent::ConsistencyAuditor,
    ] {
        let mut found = Vec::new();
        open_lists(&schema(agent), "", &mut found);
        assert_eq!(found, Vec::<String>::new(), "{agent:?}");
    }
    let judge = schema(Agent::QualityJudge);
    assert_eq!(judge["properties"]["required_fixes"]["maxItems"], 5);
    assert_eq!(judge["properties"]["strengths"]["maxItems"], 3);
}

fn bounds(material: PlanMaterial) -> PlanBounds {
    let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    PlanBounds {
        chapters: (4, 5),
        volume_last: 9,
        material,
        opens_lines: true,
        people: names(&["林枫", "沈九"]),
        lines: names(&["main-arc", "harbour"]),
        rules: names(&["W-001"]),
        open_seeds: names(&["lamp"]),
    }
}

fn plan() -> Value {
    let chapter = || {
        json!({"title": "…", "storyline_id": "main-arc", "pov": "林枫",
            "time": null, "location": "灯塔", "conflict": "…", "arc": "…",
            "before": [{"character": "沈九"}],
            "objectives": [{"type": "plot", "required": true, "description": "…"}],
            "after": [{"character": "林枫", "location": "码头", "emotional_state": null,
                "status": null, "inventory": null}],
            "foreshadowing": [{"id": "lamp", "action": "advanced"}],
            "required_world_rules": ["W-001"], "acceptance_criteria": [], "transition": "…",
            "intensity": "high", "scene_goals": ["…"], "payoff": null})
    };
    json!({"title": "…", "premise": "…",
        "storylines": [{"id": "main-arc", "name": "…", "volume_role": "primary",
            "pov_characters": ["林枫"], "description": "…"}],
        "dormant_storylines": ["harbour"], "convergences": [], "foreshadowing": [],
        "new_characters": [], "chapters": [chapter(), chapter()]})
}

/// Whether the form allows the plan with one value changed.
fn allows(material: PlanMaterial, pointer: &str, value: Value) -> bool {
    let Output::Json { schema, .. } = plan_output(&bounds(material)) else {
        panic!("a plan is JSON");
    };
    let mut plan = plan();
    *plan.pointer_mut(pointer).expect("a place") = value;
    jsonschema::is_valid(&schema, &plan)
}

#[test]
fn the_form_of_a_plan_has_the_chapters_asked_for_and_names_only_rules_that_exist() {
    let open = |pointer, value| allows(PlanMaterial::Open, pointer, value);
    assert!(open("/title", json!("雾港")));
    assert!(!open("/chapters", json!([])));
    let one_chapter = json!([plan()["chapters"][0]]);
    assert!(!open("/chapters", one_chapter));
    assert!(!open("/chapters/0/required_world_rules/0", json!("W-002")));
    assert!(!open("/chapters/0/objectives", json!([])));
    assert!(!open("/storylines", json!([])));
    // How somebody begins is not the plan's to say.
    let said = json!({"character": "沈九", "location": "码头"});
    assert!(!open("/chapters/0/before/0", said));
    // Somebody or something new may come.
    assert!(open("/chapters/0/pov", json!("新人")));
    assert!(open("/chapters/0/storyline_id", json!("new-line")));
}

#[test]
fn the_form_of_a_plan_of_known_material_lists_what_the_book_has() {
    let known = |pointer, value| allows(PlanMaterial::Known, pointer, value);
    assert!(known("/chapters/0/pov", json!("沈九")));
    for (pointer, value) in [
        ("/chapters/0/pov", "新人"),
        ("/chapters/0/before/0/character", "新人"),
        ("/chapters/0/after/0/character", "新人"),
        ("/chapters/0/storyline_id", "new-line"),
        ("/chapters/0/foreshadowing/0/id", "letter"),
        ("/storylines/0/id", "new-line"),
        ("/storylines/0/pov_characters/0", "新人"),
        ("/dormant_storylines/0", "new-line"),
    ] {
        assert!(!known(pointer, json!(value)), "{pointer}");
    }
}

#[test]
fn the_form_of_a_trial_lists_the_lines_and_leaves_people_and_foreshadowing_open() {
    let mut bounds = bounds(PlanMaterial::Open);
    bounds.opens_lines = false;
    let Output::Json { schema, .. } = plan_output(&bounds) else {
        panic!("a plan is JSON");
    };
    let allows = |pointer: &str, value: &str| {
        let mut plan = plan();
        *plan.pointer_mut(pointer).expect("a place") = json!(value);
        jsonschema::is_valid(&schema, &plan)
    };
    assert!(allows("/chapters/0/pov", "新人"));
    assert!(allows("/chapters/0/foreshadowing/0/id", "letter"));
    assert!(allows("/chapters/0/storyline_id", "harbour"));
    assert!(!allows("/chapters/0/storyline_id", "new-line"));
    assert!(!allows("/storylines/0/id", "new-line"));
}

#[test]
fn what_can_not_be_listed_is_left_open() {
    let mut bounds = bounds(PlanMaterial::Known);
    (bounds.people, bounds.open_seeds) = (None, Some(Vec::new()));
    let Output::Json { schema, .. } = plan_output(&bounds) else {
        panic!("a plan is JSON");
    };
    let mut plan = plan();
    for at in 0..2 {
        plan["chapters"][at]["pov"] = json!("谁都行");
    }
    // Nothing is planted, so nothing can be touched.
    assert!(!jsonschema::is_valid(&schema, &plan));
    for at in 0..2 {
        plan["chapters"][at]["foreshadowing"] = json!([]);
    }
    assert!(jsonschema::is_valid(&schema, &plan));
}

#[test]
fn the_form_of_new_people_is_for_those_the_plan_brings() {
    let bounds = NewcomerBounds {
        count: 1,
        ids: Some(vec!["bai-shuang".to_owned()]),
        names: Some(vec!["白霜".to_owned()]),
    };
    let Output::Json { schema, .. } = newcomers_output(&bounds) else {
        panic!("not JSON")
    };
    let person = |id: &str, name: &str| {
        json!({"id": id, "display_name": name, "aliases": [], "profile": "x",
            "contracts": [{"type": "speech", "rule": "x", "exceptions": [], "update_requires": null}]})
    };
    let valid = |people: Value| {
        jsonschema::is_valid(&schema, &json!({"characters": people, "relationships": []}))
    };
    assert!(valid(json!([person("bai-shuang", "白霜")])));
    assert!(!valid(json!([])));
    assert!(!valid(json!([person("lin-feng", "白霜")])));
    assert!(!valid(json!([person("bai-shuang", "霜")])));
    assert!(!valid(json!([
        person("bai-shuang", "白霜"),
        person("bai-shuang", "白霜")
    ])));
}
