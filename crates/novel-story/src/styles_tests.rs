use novel_testkit::memory::MemoryBook;

use super::*;

#[test]
fn five_styles_in_each_language_with_a_sample_that_can_be_measured() {
    for lang in [Lang::Zh, Lang::En] {
        let names: Vec<&str> = templates(lang)
            .iter()
            .map(|style| style.name.as_str())
            .collect();
        assert_eq!(names.len(), 5, "{names:?}");
        for style in templates(lang) {
            let measures = StyleMeasures::of([style.sample.as_str()]).unwrap();
            assert!(measures.avg_sentence_length > 4.0, "{}", style.name);
            assert!(
                (0.02..0.7).contains(&measures.dialogue_ratio),
                "{}: {measures:?}",
                style.name
            );
            assert!(style.writing_directives.len() >= 3, "{}", style.name);
        }
    }
    assert!(template(Lang::Zh, "classical").is_some());
    assert!(template(Lang::En, "lyrical").is_some());
    assert!(template(Lang::En, "classical").is_none());
}

#[test]
fn the_usual_style_has_as_much_dialogue_as_a_novel() {
    for lang in [Lang::Zh, Lang::En] {
        let usual = &templates(lang)[0];
        assert_eq!(usual.name, "plain");
        let measures = StyleMeasures::of([usual.sample.as_str()]).unwrap();
        let share = measures.dialogue_ratio;
        assert!((0.2..0.6).contains(&share), "{lang:?}: {share}");
    }
}

#[test]
fn measures_come_from_the_samples_and_not_from_the_answer() {
    let book = MemoryBook::new().with("samples/a.md", "他走了。“走吧。”她说。\n");
    let choice = StyleChoice::of(&book, &StyleConfig::default(), Lang::Zh).unwrap();
    assert_eq!(choice.source, StyleSource::Original);
    let profile = choice.profile(&StyleAnswer::default());
    assert_eq!(profile.source_type.as_deref(), Some("original"));
    assert_eq!(profile.avg_sentence_length, Some(2.3));
    assert_eq!(profile.dialogue_ratio, Some(0.29));
    assert_eq!(profile.sentence_length_range, Some(vec![2.0, 2.0]));
}

#[test]
fn a_reference_has_no_measures_until_chapters_are_there() {
    let config = StyleConfig {
        reference: Some("鲁迅".into()),
        ..StyleConfig::default()
    };
    let choice = StyleChoice::of(&MemoryBook::new(), &config, Lang::Zh).unwrap();
    assert_eq!(choice.source, StyleSource::Reference);
    let profile = choice.profile(&StyleAnswer::default());
    assert_eq!(profile.avg_sentence_length, None);
    assert_eq!(extracted(&MemoryBook::new(), &profile, 3).unwrap(), None);
    let chapter = json!({"chapter_number": 1, "chapter_title": "一", "total_words": 3,
        "scenes": [{"scene_number": 1, "content": "他走了。", "word_count": 3}]});
    let book = MemoryBook::new().with("chapters/chapter_001.json", chapter.to_string());
    let measured = extracted(&book, &profile, 3).unwrap().unwrap();
    assert_eq!(measured.avg_sentence_length, Some(3.0));
    assert_eq!(
        extracted(&book, &measured, 3).unwrap(),
        None,
        "measured once"
    );
}

#[test]
fn the_template_fills_what_an_answer_leaves_empty() {
    let choice = StyleChoice::of(&MemoryBook::new(), &StyleConfig::default(), Lang::En).unwrap();
    let profile = choice.profile(&StyleAnswer {
        narrative_voice: "first person".into(),
        ..StyleAnswer::default()
    });
    assert_eq!(profile.source_type.as_deref(), Some("template"));
    assert_eq!(profile.narrative_voice, Some(json!("first person")));
    assert!(!profile.writing_directives.is_empty());
    assert!(profile.avg_sentence_length.is_some());
}
