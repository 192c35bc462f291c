use novel_book::validate::MAX_MEMORY_WORDS;
use novel_text::count_words;

use super::shortened;

#[test]
fn lines_about_people_stay_longest() {
    let filler = "- 街上的灯一盏一盏地灭了，没有人记得是什么时候开始的事情。\n".repeat(20);
    let memory = format!("# 主线\n\n- 林枫欠陈老一条命。\n{filler}- 林枫的玉佩断成两半。\n");
    let cut = shortened(&memory, |line| line.contains("林枫"));
    assert!(count_words(&cut) <= MAX_MEMORY_WORDS);
    assert!(
        cut.contains("欠陈老一条命") && cut.contains("断成两半"),
        "{cut}"
    );
}

#[test]
fn a_single_line_keeps_its_first_sentences() {
    let memory = format!("林枫欠陈老一条命。{}", "雨一直下。".repeat(200));
    let cut = shortened(&memory, |_| true);
    assert!(count_words(&cut) <= MAX_MEMORY_WORDS);
    assert!(cut.starts_with("林枫欠陈老一条命。"));
    let endless = "雨".repeat(900);
    assert!(count_words(&shortened(&endless, |_| true)) <= MAX_MEMORY_WORDS);
}
