use super::*;

fn list(phrases: &[&str]) -> Vec<String> {
    phrases.iter().map(|phrase| (*phrase).to_owned()).collect()
}

#[test]
fn known_phrases_are_replaced_and_unknown_ones_left_out() {
    let phrases = list(&["仿佛", "不禁", "说时迟那时快"]);
    let text = "他不禁笑了，仿佛春天。说时迟那时快，门开了。";
    assert_eq!(
        replace_phrases(text, &phrases, Lang::Zh),
        "他笑了，像是春天。门开了。"
    );
}

#[test]
fn latin_words_are_whole_words_in_any_case() {
    let phrases = list(&["delve", "orbs"]);
    let text = "Delve deeper; delves absorbs orbs.";
    assert_eq!(
        replace_phrases(text, &phrases, Lang::En),
        "Look deeper; delves absorbs eyes."
    );
}

#[test]
fn an_unknown_english_phrase_leaves_no_gap() {
    let phrases = list(&["quite frankly"]);
    assert_eq!(
        replace_phrases("She is, quite frankly, late.", &phrases, Lang::En),
        "She is, late."
    );
}

#[test]
fn every_replacement_is_itself_clean() {
    for lang in [Lang::Zh, Lang::En] {
        let table = replacements(lang);
        assert!(table.len() > 40);
        for (phrase, with) in table {
            for other in table.keys() {
                assert!(
                    !with.contains(other),
                    "{phrase} => {with} brings back {other}"
                );
            }
        }
    }
}

#[test]
fn the_longest_sentence_is_split_once() {
    let mut scenes = vec!["短句。这是一个很长很长的句子，它还有很长很长的后半截。".to_owned()];
    split_longest(&mut scenes, Lang::Zh);
    assert_eq!(
        scenes[0],
        "短句。这是一个很长很长的句子。它还有很长很长的后半截。"
    );
    let mut scenes =
        vec!["The lamp goes out on the stair, and the whole house listens for a step.".to_owned()];
    split_longest(&mut scenes, Lang::En);
    assert_eq!(
        scenes[0],
        "The lamp goes out on the stair. The whole house listens for a step."
    );
}
