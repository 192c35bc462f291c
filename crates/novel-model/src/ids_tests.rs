use proptest::prelude::*;

use super::*;

fn step(text: &str) -> Result<StepId, IdError> {
    text.parse()
}

#[test]
fn numbers_are_padded_when_printed() {
    for (given, printed) in [
        ("chapter:48:draft", "chapter:048:draft"),
        ("chapter:048:draft", "chapter:048:draft"),
        ("chapter:0000048:audit", "chapter:048:audit"),
        ("chapter:1234:commit", "chapter:1234:commit"),
        ("chapter:4294967295:judge", "chapter:4294967295:judge"),
        ("volume:2:plan", "volume:02:plan"),
        ("quickstart:world", "quickstart:world"),
    ] {
        assert_eq!(step(given).unwrap().to_string(), printed);
    }
    assert_eq!(
        step("chapter:48:draft").unwrap().file_stem(),
        "chapter-048-draft"
    );
}

#[test]
fn anything_else_is_refused_with_the_expected_forms() {
    for bad in [
        "",
        ":",
        "chapter",
        "chapter:48",
        "chapter:48:",
        "chapter::draft",
        "chapter:0:draft",
        "chapter:000:draft",
        "chapter:-1:draft",
        "chapter:+1:draft",
        "chapter: 1:draft",
        "chapter:1.0:draft",
        "chapter:4294967296:draft",
        "chapter:99999999999999999999:draft",
        "chapter:４８:draft",
        "chapter:48:draft:",
        "chapter:48:plan",
        "Chapter:48:draft",
        "volume:1:draft",
        "volume:0:plan",
        "quickstart",
        "quickstart:1:world",
        "quickstart:draft",
    ] {
        let error = step(bad).unwrap_err();
        assert_eq!((error.kind(), error.code()), (Kind::Input, "BAD_ID"));
        let hint = error.hint().unwrap();
        assert!(
            hint.en.contains("chapter:048:draft") && hint.zh.contains("novel next"),
            "{bad}"
        );
    }
}

#[test]
fn a_misspelt_phase_is_suggested() {
    let error = step("chapter:3:drfat").unwrap_err();
    assert_eq!(
        error.message().en,
        "unknown phase `drfat` in step `chapter:3:drfat`"
    );
    assert!(error.hint().unwrap().zh.starts_with("是否想写 `draft`？"));
    let error = step("chapter:3:xyz").unwrap_err();
    assert!(!error.hint().unwrap().en.contains("did you mean"));
}

#[test]
fn numbers_stay_inside_their_bounds() {
    assert_eq!(ChapterNo::new(0), None);
    assert_eq!(ChapterNo::first().previous(), None);
    let last = ChapterNo::new(u32::MAX).unwrap();
    assert_eq!(last.next(), last);
    assert_eq!(
        ChapterNo::first().next().previous(),
        Some(ChapterNo::first())
    );
    assert!(serde_json::from_str::<ChapterNo>("0").is_err());
    assert!(serde_json::from_str::<VolumeNo>("-1").is_err());
}

#[test]
fn slugs_are_safe_file_names() {
    for good in ["a", "lin-feng", "0", "a-1-b"] {
        assert_eq!(good.parse::<Slug>().unwrap().as_str(), good);
    }
    let long = "a".repeat(101);
    for bad in [
        "", "-", "a-", "-a", "a--b", "A", "a_b", "a.b", "../a", "a/b", "林枫", "a\n", "a\0", &long,
    ] {
        assert!(bad.parse::<Slug>().is_err(), "{bad:?}");
        assert!(
            serde_json::from_value::<Slug>(bad.into()).is_err(),
            "{bad:?}"
        );
    }
}

#[test]
fn foreshadowing_ids_allow_underscores() {
    for good in ["ancient_prophecy", "a", "a__b", "a-", "0_"] {
        assert!(good.parse::<ForeshadowId>().is_ok(), "{good}");
    }
    for bad in ["", "_a", "-a", "A", "a b", "__proto__", "a/b", "预言"] {
        assert!(bad.parse::<ForeshadowId>().is_err(), "{bad:?}");
    }
}

#[test]
fn a_bad_id_is_shown_short_and_printable() {
    let error = "\u{1b}[31m".repeat(1000).parse::<Slug>().unwrap_err();
    assert!(error.message().en.len() < 120);
    assert!(!error.message().en.contains('\u{1b}'));
}

#[test]
fn nearest_suggests_only_what_is_near() {
    let known = || ["draft", "judge", "commit"].into_iter();
    assert_eq!(nearest("comit", known()), Some("commit"));
    assert_eq!(nearest("zzz", known()), None);
    assert_eq!(nearest("", known()), None);
}

fn any_step() -> impl Strategy<Value = StepId> {
    let chapter = (1_u32.., prop::sample::select(ChapterStage::ALL))
        .prop_map(|(number, stage)| StepId::Chapter(ChapterNo::new(number).unwrap(), stage));
    let volume = (1_u32.., prop::sample::select(VolumeStage::ALL))
        .prop_map(|(number, stage)| StepId::Volume(VolumeNo::new(number).unwrap(), stage));
    let quickstart = prop::sample::select(QuickstartPhase::ALL).prop_map(StepId::Quickstart);
    prop_oneof![chapter, volume, quickstart]
}

proptest! {
    #[test]
    fn steps_parse_what_they_print(step in any_step()) {
        prop_assert_eq!(step.to_string().parse::<StepId>().unwrap(), step);
    }

    #[test]
    fn no_text_makes_parsing_panic(text in any::<String>(), number in any::<i64>()) {
        let _ = text.parse::<StepId>();
        let _ = format!("chapter:{number}:{text}").parse::<StepId>();
        let _ = text.parse::<ForeshadowId>();
        if let Ok(slug) = text.parse::<Slug>() {
            prop_assert_eq!(slug.as_str(), text);
        }
    }

    #[test]
    fn an_accepted_step_prints_an_accepted_step(text in "(chapter|volume|quickstart|x):[0-9]{0,12}:?(draft|plan|world|commit)?") {
        if let Ok(step) = text.parse::<StepId>() {
            prop_assert_eq!(step.to_string().parse::<StepId>().unwrap(), step);
        }
    }
}
