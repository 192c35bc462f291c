use super::Carried;

fn carried<'a>(old: &str, new: &'a str, passage: &str) -> (&'a str, f64) {
    let start = old.find(passage).unwrap();
    let (place, kept) = Carried::between(old, new).place(&(start..start + passage.len()));
    (&new[place], kept)
}

#[test]
fn an_untouched_passage_keeps_its_words() {
    let (old, new) = ("雨停了。他慢慢推开门。", "雨终于停了。他慢慢推开门。");
    assert_eq!(carried(old, new, "他慢慢推开门"), ("他慢慢推开门", 1.0));
}

#[test]
fn a_changed_word_is_carried_over() {
    let (old, new) = (
        "他慢慢推开书店的门，走了进去。",
        "他缓缓推开书店的门，走了进去。",
    );
    let (place, kept) = carried(old, new, "他慢慢推开书店的门");
    assert_eq!(place, "他缓缓推开书店的门");
    assert!(kept > 0.7);
}

#[test]
fn a_removed_sentence_keeps_nothing() {
    let (old, new) = ("雨停了。林枫把密信交给陈老。他走了。", "雨停了。他走了。");
    let (_, kept) = carried(old, new, "林枫把密信交给陈老");
    assert!(kept < 0.3, "{kept}");
}
