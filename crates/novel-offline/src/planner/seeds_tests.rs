use novel_model::Lang;

use super::*;

#[test]
fn items_do_not_run_out_and_no_two_look_alike() {
    for (lang, genre) in [
        (Lang::Zh, "玄幻"),
        (Lang::Zh, "科幻"),
        (Lang::En, "mystery"),
    ] {
        let words = Words::of(lang, genre);
        let (mut ids, mut looks) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..1500 {
            let (id, look) = fresh_item(&words, &ids).unwrap();
            assert!(ids.insert(id.to_string()), "{id}");
            assert!(looks.insert(look.clone()), "{look}");
            assert!(!look.contains(['{', '}']), "{look}");
        }
    }
}
