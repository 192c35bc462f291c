use super::*;

#[test]
fn words_about_the_chapter_are_taken_off() {
    assert_eq!(told_zh("让林枫发现密信"), ("林枫发现密信".to_owned(), true));
    assert_eq!(told_zh("埋下玉佩的伏笔"), ("玉佩".to_owned(), false));
    assert_eq!(told_zh("林枫发现密信"), ("林枫发现密信".to_owned(), true));
    assert_eq!(
        told_en("Reveal that the gate is open"),
        ("the gate is open".to_owned(), true)
    );
    assert_eq!(
        told_en("Introduce the harbour master"),
        ("the harbour master".to_owned(), false)
    );
    assert_eq!(told_en("Ilse waits"), ("Ilse waits".to_owned(), true));
}
