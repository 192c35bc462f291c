use novel_model::Lang;

use super::{ending, people, places};

fn names(found: Vec<(String, usize)>) -> Vec<String> {
    found.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn english_names_recur_inside_sentences_and_places_are_gone_to() {
    let text = "The next day Elizabeth Bennet walked out from Meryton. She told Jane of it, and Jane smiled. \
        Nobody in Meryton had seen Jane so happy. “We leave on Monday,” said Darcy. \
        They met Elizabeth Bennet again, for Elizabeth Bennet was early.";
    assert_eq!(
        names(people(text, Lang::En)),
        ["Elizabeth Bennet", "Jane", "Darcy"]
    );
    assert_eq!(names(places(text, Lang::En)), ["Meryton"]);
}

#[test]
fn what_a_person_says_of_herself_is_no_name() {
    let text = "Then Alice said that I'll go, that I'm late and that I've seen Dinah. Poor Alice thought so, for I'm \
        sure and I’ll swear that Alice would; and I'll say that I’ve met Dinah, and Dinah was kind. ";
    assert_eq!(names(people(&text.repeat(3), Lang::En)), ["Alice", "Dinah"]);
}

#[test]
fn a_full_name_at_the_beginning_of_a_sentence_is_one_person() {
    let text = "Margaret Holt walked along the river. \"I will find it,\" Margaret said to Thomas Reed. Thomas Reed kept the \
                key. When Margaret Holt came back, Thomas Reed did not answer. Then Thomas Reed left, and Margaret Holt waited. "
        .repeat(4);
    assert_eq!(
        names(people(&text, Lang::En)),
        ["Thomas Reed", "Margaret Holt"]
    );
}

#[test]
fn chinese_speakers_are_people_and_what_one_travels_to_is_a_place() {
    let text = "林枫来到青石镇。林枫道：“到了。”玄德曰：“善。”众人不语。玄德曰：“再议。”二人前往青石镇外。";
    assert_eq!(names(people(text, Lang::Zh)), ["林枫", "玄德"]);
    assert_eq!(names(places(text, Lang::Zh)), ["青石镇"]);
}

#[test]
fn a_word_beside_a_name_is_no_part_of_it() {
    let text = "吕布听曰：“善。”吕布上马。吕布听曰：“走。”告布曰：“来。”告布曰：“去。”老人曰：“坐。”老人曰：“起。”\
        张昭曰：“可。”张昭曰：“不可。”长史张昭曰：“可。”长史张昭曰：“不可。”";
    assert_eq!(names(people(text, Lang::Zh)), ["张昭", "吕布"]);
}

#[test]
fn a_book_that_closes_with_its_last_line_is_finished() {
    assert!(ending("He went home.\n\n  THE END.\n").is_some());
    assert_eq!(
        ending("他走了。\n\n（全书完）\n").unwrap().evidence,
        "（全书完）"
    );
    assert_eq!(ending("In the end he went home."), None);
}
