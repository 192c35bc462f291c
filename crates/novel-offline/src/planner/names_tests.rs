use super::*;

fn names(words: &Words, lang: Lang) -> Names<'_> {
    Names {
        words,
        lang,
        seed: 7,
        tried: 0,
        taken: BTreeSet::new(),
        ids: BTreeSet::new(),
    }
}

#[test]
fn names_do_not_run_out_and_none_is_part_of_another() {
    for lang in [Lang::Zh, Lang::En] {
        let words = Words::of(lang, "");
        let (mut first, mut second) = (names(&words, lang), names(&words, lang));
        for _ in 0..900 {
            assert_eq!(first.fresh(), second.fresh());
        }
        assert_eq!((first.taken.len(), first.ids.len()), (900, 900));
        for name in &first.taken {
            let holding = first.taken.iter().filter(|other| other.contains(name));
            assert_eq!(holding.count(), 1, "{name}");
        }
    }
}

#[test]
fn other_numbers_give_other_syllables() {
    for lang in [Lang::Zh, Lang::En] {
        let words = Words::of(lang, "");
        let names = names(&words, lang);
        let made: BTreeSet<String> = (0..30_000).map(|at| names.composed(at).0).collect();
        // Syllables of several letters may join to the same word.
        assert!(made.len() > 29_000, "{}", made.len());
    }
}
