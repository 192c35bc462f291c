use super::{Blocks, Compared};

const GUIDE: &str = "润色改的是说法，不是事情。改动越少越好：累计改动不超过原文的 15%，能改一个词就不改一句，能改一句就不改一段。没有毛病的段落逐字照抄，拿不准会不会改变意思，就不改。";

#[test]
fn a_copied_run_is_found_whatever_stands_between() {
    let text = format!("他推开门。\n\n{}\n\n雨停了。", GUIDE.replace('，', ",\n"));
    let found = Compared::new(&text).with(GUIDE);
    assert!(found.longest >= 60, "{found:?}");
    assert!(found.share > 0.8);
    assert!(found.run.starts_with("润色改的是说法"));
}

#[test]
fn common_words_are_no_run() {
    let text = "他推开门，雨落在柜台上。“谁送来的？”他问。伙计摇头。";
    let found = Compared::new(text).with("她推开窗，雨落在街上。“谁送来的？”她问。店家不答。");
    assert!(found.longest < 12, "{found:?}");
}

#[test]
fn words_count_more_than_characters() {
    let sentence = "He held the sheet to the lamp and read the one line that stood on it.";
    let found = Compared::new(sentence).with(sentence);
    assert_eq!(found.longest, 16 * 3 / 2);
    assert!(found.share < 1e-9, "too short to count");
}

#[test]
fn a_doubled_text_is_half_said_twice() {
    let text =
        "雨落了一整夜，林枫推开书店的门。柜台上压着一封没有邮戳的信。伙计摇头说没有看见送信的人。";
    let doubled = format!("{text}\n\n{text}");
    assert!((Compared::new(&doubled).said_twice() - 0.5).abs() < 0.01);
    assert!(Compared::new(text).said_twice() < 0.01);
    assert!(Compared::new("").said_twice() < 0.01);
}

#[test]
fn a_block_is_found_wherever_it_stands() {
    let text = format!("{}{}", "他推开门。".repeat(3), GUIDE);
    let blocks = Blocks::of(&text);
    for shift in 0..5 {
        let other = format!("{}{GUIDE}", "a".repeat(shift));
        assert!(blocks.may_be_in(&other));
    }
    assert!(
        !blocks.may_be_in(
            "雨落在柜台上，谁也没有说话。第二天早晨，门口只剩下一把旧伞，水一直流到街心。"
        )
    );
    assert!(!Blocks::of("").may_be_in(GUIDE));
}
