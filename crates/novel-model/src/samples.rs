//! One complete, valid document of every format, for tests.

use serde_json::{Value, json};

pub(crate) fn checkpoint() -> Value {
    json!({
        "last_completed_chapter": 47, "current_volume": 2, "orchestrator_state": "WRITING",
        "pipeline_stage": "committed", "inflight_chapter": 48, "revision_count": 0,
        "pending_actions": [{"kind": "review", "chapter": 3}, "note"],
        "last_checkpoint_time": "2026-02-21T15:30:00Z", "hook_fix_count": 3
    })
}

pub(crate) fn chapter() -> Value {
    json!({
        "chapter_number": 48, "chapter_title": "夜探废墟",
        "scenes": [
            {"scene_number": 1, "content": "夜雨初歇。", "word_count": 4},
            {"scene_number": 2, "content": "他走了。", "word_count": 3}
        ],
        "total_words": 7
    })
}

pub(crate) fn contract() -> Value {
    json!({
        "chapter": 48, "storyline_id": "main-arc",
        "storyline_context": {"last_chapter_summary": "…", "chapters_since_last": 0,
            "line_arc_progress": "40%", "concurrent_state": {"jinghai-plan": "一句话"}},
        "transition_hint": {"next_storyline": "jinghai-plan", "bridge": "…"},
        "preconditions": {"character_states": {"林枫": {"location": "魔都"}}, "required_world_rules": ["W-001"]},
        "objectives": [
            {"id": "OBJ-48-1", "type": "plot", "required": true, "description": "潜入"},
            {"id": "OBJ-48-2", "type": "foreshadowing", "required": false, "description": "伏笔"}
        ],
        "postconditions": {"state_changes": {"林枫": {"location": "废墟"}},
            "foreshadowing_updates": {"ancient_prophecy": "advanced"}},
        "acceptance_criteria": ["有悬念"]
    })
}

pub(crate) fn state() -> Value {
    json!({
        "schema_version": 1, "state_version": 47, "last_updated_chapter": 47,
        "characters": {"lin-feng": {"display_name": "林枫", "location": "魔都",
            "relationships": {"chen-lao": 50}, "inventory": ["密信"]}},
        "items": {}, "locations": {}, "factions": {}, "world_state": {"time_marker": "第三年冬"},
        "active_foreshadowing": ["ancient_prophecy"]
    })
}

pub(crate) fn evaluation() -> Value {
    let score = json!({"score": 4, "weight": 0.18, "reason": "…", "evidence": "夜雨初歇"});
    json!({
        "chapter": 48,
        "contract_verification": {
            "l1_checks": [{"rule_id": "W-001", "status": "pass", "confidence": "high", "detail": "…"}],
            "l2_checks": [{"contract_id": "C-LINFENG-001", "status": "violation_suspected", "confidence": "low"}],
            "l3_checks": [{"objective_id": "OBJ-48-1", "status": "pass"}],
            "ls_checks": [{"rule_id": "LS-001", "status": "pass", "constraint_type": "hard", "confidence": "high"}],
            "has_violations": false
        },
        "scores": {
            "plot_logic": score, "character": score, "immersion": score, "foreshadowing": score,
            "pacing": score, "style_naturalness": score, "emotional_impact": score,
            "storyline_coherence": score
        },
        "overall": 3.78, "recommendation": "pass", "risk_flags": [],
        "required_fixes": [{"target": "paragraph_3", "instruction": "…"}], "issues": [], "strengths": [],
        "anti_ai": {"blacklist_hits": {"total_hits": 2, "hits_per_kchars": 0.7},
            "blacklist_update_suggestions": [
                {"phrase": "不禁", "count_in_chapter": 3, "examples": [], "confidence": "high", "note": ""}]},
        "metadata": {
            "chapter_hash": "blake3:00",
            "judges": {"primary": {"model": "a", "overall": 4.2}, "secondary": {"model": null, "overall": 3.8},
                "used": "secondary", "overall_final": 3.8, "has_high_confidence_violation": false},
            "gate": {"decision": "polish", "revisions": 0, "force_passed": false}}
    })
}

pub(crate) fn schedule() -> Value {
    json!({
        "active_storylines": [{"storyline_id": "main-arc", "volume_role": "primary"}],
        "interleaving_pattern": {"primary_max_consecutive": 3},
        "convergence_events": [{"chapter_range": [25, 28], "involved_storylines": ["main-arc"], "trigger": "…", "aftermath": null}],
        "dormant_storylines": ["old-debt"]
    })
}

pub(crate) fn foreshadowing() -> Value {
    json!({"foreshadowing": [{
        "id": "ancient_prophecy", "description": "…", "scope": "short", "status": "advanced",
        "planted_chapter": 3, "planted_storyline": "main-arc", "target_resolve_range": [10, 20],
        "last_updated_chapter": 12,
        "history": [{"chapter": 3, "action": "planted", "detail": "…"}, {"chapter": 12, "action": "advanced", "detail": null}]
    }]})
}

pub(crate) fn character() -> Value {
    json!({
        "id": "lin-feng", "display_name": "林枫", "aliases": ["枫哥"],
        "contracts": [{"id": "C-LINFENG-001", "type": "capability", "rule": "不会骑马",
            "exceptions": ["醉酒时"], "valid_from_chapter": 1, "valid_until": 40,
            "update_requires": "学会骑马"}]
    })
}
