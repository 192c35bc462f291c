use super::*;

fn environment(novel_lang: Option<&str>, locale: Option<&str>) -> Environment {
    Environment {
        novel_lang: novel_lang.map(str::to_owned),
        locale: locale.map(str::to_owned),
    }
}

#[test]
fn each_source_wins_over_the_next() {
    let all = environment(Some("zh"), Some("en_US.UTF-8"));
    assert_eq!(choose(Some(Lang::En), &all, || Some(Lang::Zh)), Lang::En);
    assert_eq!(choose(None, &all, || Some(Lang::En)), Lang::Zh);
    let locale = environment(None, Some("en_US.UTF-8"));
    assert_eq!(choose(None, &locale, || Some(Lang::Zh)), Lang::Zh);
    assert_eq!(choose(None, &locale, || None), Lang::En);
    let locale = environment(None, Some("zh_CN.UTF-8"));
    assert_eq!(choose(None, &locale, || None), Lang::Zh);
    let nothing = environment(None, None);
    assert_eq!(choose(None, &nothing, || Some(Lang::En)), Lang::En);
}

#[test]
fn a_plain_locale_says_nothing() {
    for locale in ["C", "POSIX", "C.UTF-8", "C.utf8"] {
        let plain = environment(None, Some(locale));
        assert_eq!(
            choose(None, &plain, || Some(Lang::En)),
            Lang::En,
            "{locale}"
        );
        assert_eq!(
            choose(None, &plain, || Some(Lang::Zh)),
            Lang::Zh,
            "{locale}"
        );
        assert_eq!(choose(None, &plain, || None), Lang::En, "{locale}");
    }
}

#[test]
fn a_new_book_is_english_by_an_english_locale_alone() {
    let of = |locale| of_new_book(&environment(Some("en"), locale));
    assert_eq!(of(Some("en_GB.UTF-8")), Lang::En);
    for locale in [
        None,
        Some("C.UTF-8"),
        Some("zh_CN.UTF-8"),
        Some("fr_FR.UTF-8"),
    ] {
        assert_eq!(of(locale), Lang::Zh, "{locale:?}");
    }
}

#[test]
fn a_foreign_locale_leaves_it_to_the_book() {
    let french = environment(Some("fr"), Some("fr_FR.UTF-8"));
    assert_eq!(choose(None, &french, || Some(Lang::Zh)), Lang::Zh);
    assert_eq!(choose(None, &french, || None), Lang::En);
}
