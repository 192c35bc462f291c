use proptest::prelude::*;

use super::*;
use crate::prompt::{Agent, Level, Mode, Output, Role};

const PROSE: &str =
    "陆砚站在分拣房门口，手里拿着一枚磨平的铜邮戳。他的眼睛里闪着好奇，昨天晚上他收到了一封信。";

fn section(name: &str, text: &str) -> Section {
    Section {
        name: name.to_owned(),
        level: Level::Chapter,
        role: Role::User,
        text: text.to_owned(),
        tokens: estimate_tokens(text),
        why: message!(en: "", zh: ""),
        stable: false,
    }
}

fn prompt(sections: Vec<Section>) -> Prompt {
    Prompt {
        agent: Agent::ChapterWriter,
        mode: Mode::Draft,
        template_version: 1,
        hash: hash(
            Agent::ChapterWriter,
            Mode::Draft,
            &sections,
            &Output::Markdown,
        ),
        sections,
        left_out: Vec::new(),
        output: Output::Markdown,
    }
}

#[test]
fn a_summary_that_took_over_a_sentence_is_no_second_source_to_copy() {
    let summary = "<DATA type=\"summary\" source=\"a\" readonly=\"true\">\n陆砚在分拣房门口，手里拿着一枚磨平的铜邮戳。他的眼睛里闪着好奇，昨天晚上他收到了一封信。\n- 沈青禾接了电话。\n</DATA>";
    let whole = prompt(vec![
        section("previous_endings", PROSE),
        section("recent_3_summaries", summary),
        section("chapter_contract", PROSE),
    ]);
    let rest = whole.clone().without_earlier_prose();
    assert_eq!(
        rest.text(Role::User),
        format!(
            "<DATA type=\"summary\" source=\"a\" readonly=\"true\">\n- 沈青禾接了电话。\n</DATA>\n\n{PROSE}"
        ),
        "a contract is what the chapter has to tell"
    );
    let left_out: Vec<&str> = rest
        .left_out
        .iter()
        .map(|part| part.name.as_str())
        .collect();
    assert_eq!(left_out, ["recent_3_summaries", "previous_endings"]);
    assert_ne!(rest.hash, whole.hash);
}

#[test]
fn a_retelling_in_its_own_words_stays() {
    let english = "He stood in the doorway of the sorting room, in the middle of the night.";
    let whole = prompt(vec![
        section(
            "previous_endings",
            "Lu stood at the door of the sorting room in the middle of the crowd.",
        ),
        section("storyline_memory", english),
    ]);
    assert_eq!(whole.without_earlier_prose().text(Role::User), english);
}

#[test]
fn a_memory_that_was_copied_is_not_shown_again() {
    let whole = prompt(vec![
        section("storyline_memory", "陆砚分拣出一封潮信。"),
        section("chapter_content", PROSE),
    ]);
    let rest = whole.clone().without_memory();
    assert_eq!(rest.text(Role::User), PROSE);
    assert_eq!(rest.left_out[0].name, "storyline_memory");
    assert_ne!(rest.hash, whole.hash);
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(prose in "\\PC{0,200}", line in "\\PC{0,120}") {
        let whole = prompt(vec![section("previous_endings", &prose), section("storyline_memory", &line)]);
        prop_assert!(whole.without_earlier_prose().sections.len() == 1);
    }
}
