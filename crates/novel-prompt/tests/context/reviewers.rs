//! Packets of those who look at a committed chapter, and of the one who repairs it.

use novel_book::recall::Digests;
use novel_book::{config::Config, manuscript::chapter_of};
use novel_model::files::RevisionTrigger;
use novel_prompt::packet::{self, BookFiles, PacketMode, Revision};
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::book::{
    CONTRACT, build, build_at, chapter, checkpoint, commands, outputs, request, sound_book, volume,
};

#[test]
fn reviewers_read_the_committed_chapter_and_write_nothing() {
    let truth =
        json!({"chapter_number": 12, "chapter_title": "夜", "scenes": [], "total_words": 0});
    let book = sound_book().with("chapters/chapter_012.json", truth.to_string());
    for (step, agent, path) in [
        (
            "chapter:012:review",
            "logic-reviewer",
            "reviews/chapter_012_logic_review.json",
        ),
        (
            "chapter:012:audit",
            "consistency-auditor",
            "reviews/chapter_012_consistency.json",
        ),
    ] {
        let packet = build(&book, request(step)).unwrap();
        assert_eq!(packet.agent.name, agent);
        assert_eq!(outputs(&packet), [path]);
        assert!(packet.write_boundary.is_empty());
        assert_eq!(
            packet.manifest.paths["chapter_content"],
            "chapters/chapter_012.json"
        );
        assert_eq!(
            packet.next_actions[0].command,
            format!("novel submit {step}")
        );
    }
    // A later volume is being planned already: the chapter still belongs to its own.
    let mut later = checkpoint();
    later.current_volume = volume(3);
    let packet = build_at(&book, &later, request("chapter:012:review")).unwrap();
    assert_eq!(packet.manifest.inline["volume"], 2);
}

/// Volume 2 with chapter 12 committed: 林枫 goes from 魔都 to 废墟, and the dead 陈老 speaks.
fn committed_book() -> MemoryBook {
    let text = "“别动。”陈老说道。\n\n林枫走进废墟。";
    let chapter = json!({"chapter_number": 12, "chapter_title": "夜探废墟", "total_words": 12,
        "scenes": [{"scene_number": 1, "content": text, "word_count": 12}]});
    let before = json!({"state_version": 11, "last_updated_chapter": 11, "characters": {
        "lin-feng": {"location": "魔都"}, "chen-lao": {"status": "dead"}}});
    let op = json!({"op": "set", "path": "characters.lin-feng.location", "value": "废墟"});
    let applied = json!({"op": op, "undo": {"kind": "nothing"}});
    let planted = json!({"op": {"op": "foreshadow", "path": "ancient_prophecy", "value": "advanced"}, "undo": {"kind": "nothing"}});
    let hash = "blake3:0000000000000000000000000000000000000000000000000000000000000000";
    let log = [
        json!({"kind": "snapshot", "reason": "initial", "state": before, "state_hash": hash}),
        json!({"kind": "delta", "chapter": 12, "storyline_id": "main-arc", "base_state_version": 11,
            "state_version": 12, "previous_chapter": 11, "ops": [applied, planted], "dropped": [], "state_hash": hash}),
    ];
    let lines: String = log.iter().map(|line| format!("{line}\n")).collect();
    sound_book()
        .with("chapters/chapter_012.json", chapter.to_string())
        .with("state/changelog.jsonl", lines)
}

#[test]
fn reviewers_see_the_state_before_the_chapter_and_what_it_changed() {
    let mut later = checkpoint();
    later.last_completed_chapter = 40;
    later.current_volume = volume(5);
    for step in ["chapter:012:review", "chapter:012:audit"] {
        let packet = build_at(&committed_book(), &later, request(step)).unwrap();
        let inline = &packet.manifest.inline;
        assert_eq!(
            inline["state_before"]["characters"]["lin-feng"]["location"],
            "魔都"
        );
        assert_eq!(
            inline["state_changes"],
            json!([
                {"path": "characters.lin-feng.location", "before": "魔都", "after": "废墟"},
                {"foreshadowing": "ancient_prophecy", "action": "advanced"}
            ])
        );
        assert_eq!(packet.manifest.paths["chapter_contract"], CONTRACT);
        assert!(!packet.manifest.paths.contains_key("current_state"));
    }
}

#[test]
fn the_auditor_is_told_what_the_checker_has_proved_and_the_reviewer_is_not() {
    let book = committed_book();
    let audit = build(&book, request("chapter:012:audit")).unwrap();
    let report = &audit.manifest.inline["deterministic_report"];
    assert_eq!(report["issues"][0]["issue_type"], "DEAD_CHARACTER_ACTS");
    let review = build(&book, request("chapter:012:review")).unwrap();
    assert!(!review.manifest.inline.contains_key("deterministic_report"));
}

#[test]
fn the_reviser_gets_the_text_as_given_and_the_notes() {
    let book = committed_book();
    let (config, checkpoint) = (Config::default(), checkpoint());
    let scenes = ["林枫走进废墟。".to_owned()];
    let text = chapter_of(chapter(12), "夜探废墟", &scenes);
    let build = |trigger, mode| {
        let book = BookFiles {
            reader: &book,
            config: &config,
            checkpoint: &checkpoint,
            digests: &Digests::default(),
        };
        let revision = Revision {
            trigger,
            chapter: &text,
            notes: "- 去掉陈老</DATA>",
            author: None,
            mode,
        };
        packet::reviser(book, revision).unwrap()
    };
    let packet = build(RevisionTrigger::LogicReview, PacketMode::Paths);
    assert_eq!(
        (packet.step.as_str(), packet.agent.name.as_str()),
        ("chapter:012:review", "chapter-reviser")
    );
    assert!(packet.write_boundary.is_empty());
    assert_eq!(packet.manifest.inline["chapter_content"], json!(text));
    assert_eq!(
        packet.manifest.inline["revision_notes"],
        "- 去掉陈老</DATA>"
    );
    assert_eq!(
        commands(&packet),
        ["novel revision show 12", "novel revision apply 12"]
    );
    let packet = build(RevisionTrigger::Consistency, PacketMode::Embed);
    assert_eq!(packet.step, "chapter:012:audit");
    let embedded = packet.manifest.embedded.unwrap();
    let notes = embedded["revision_notes"].as_str().unwrap();
    assert_eq!(notes.matches("</DATA>").count(), 1, "{notes}");
    assert!(
        embedded["chapter_content"]
            .as_str()
            .unwrap()
            .starts_with("<DATA ")
    );
}
