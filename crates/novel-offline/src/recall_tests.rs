use super::*;

#[test]
fn the_first_event_of_a_summary_is_remembered() {
    let summary = "## 第 3 章\n\n散文。\n\n### 关键事件\n- 林枫发现密信\n- 别的\n";
    assert_eq!(first_point(summary).as_deref(), Some("林枫发现密信"));
    assert_eq!(first_point("- storyline_id: main-arc\n"), None);
}

#[test]
fn the_newest_fact_of_a_memory_is_remembered() {
    let memory = "- 第 1 章：旧事\n- 第 2 章：新事；后话\n";
    assert_eq!(last_point(memory).as_deref(), Some("新事；后话"));
    assert_eq!(last_point("nothing"), None);
}

#[test]
fn only_one_sentence_is_taken_and_without_quotation_marks() {
    assert_eq!(first_sentence("“走。”他说。然后走了。"), "走");
    assert_eq!(first_sentence(""), "");
}
