use crate::import;

/// Titles and first lines of the chapters of a text.
fn chapters(name: &str, text: &str) -> Vec<(String, String)> {
    let book = import(name, text.as_bytes(), None).unwrap();
    let chapters = book.chapters.into_iter();
    chapters
        .map(|chapter| {
            let first = chapter.text.lines().next().unwrap_or_default();
            (chapter.title, first.to_owned())
        })
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let expected = expected.iter();
    expected
        .map(|(title, text)| ((*title).to_owned(), (*text).to_owned()))
        .collect()
}

#[test]
fn a_title_under_its_heading_is_the_title() {
    let text = "CHAPTER XI\n\nTHE LETTER\n\nIt came at noon.\n\nNobody spoke.\n\nCHAPTER XII\n\nThe Red Room\n\nShe did not move.\n\nCHAPTER XIII\nA Long Way from Home\n\nThey left.\n";
    let expected = [
        ("THE LETTER", "It came at noon."),
        ("The Red Room", "She did not move."),
        ("A Long Way from Home", "They left."),
    ];
    assert_eq!(chapters("a.txt", text), pairs(&expected));
    let text =
        "I.\n\nTHE LETTER.\n\nIt came at noon.\n\nII.\n\nWHO STOLE IT?\n\nShe did not move.\n";
    let expected = [
        ("THE LETTER.", "It came at noon."),
        ("WHO STOLE IT?", "She did not move."),
    ];
    assert_eq!(chapters("a.txt", text), pairs(&expected));
    let text = "# CHAPTER I\n\n## the letter\n\nIt came.\n\n# CHAPTER II\n\nShe did not move.\n";
    let expected = [("the letter", "It came."), ("", "She did not move.")];
    assert_eq!(chapters("a.md", text), pairs(&expected));
}

#[test]
fn a_title_under_a_chinese_heading_is_the_title() {
    let text = "第一章\n\n夜雨\n\n雨下了一夜。\n\n第二章\n\n来信\n\n信到了。\n";
    let expected = [("夜雨", "雨下了一夜。"), ("来信", "信到了。")];
    assert_eq!(chapters("a.txt", text), pairs(&expected));
    let text = "第一章\n夜雨\n　　雨下了一夜。\n第二章\n来信\n　　信到了。\n";
    let expected = [("夜雨", "　　雨下了一夜。"), ("来信", "　　信到了。")];
    assert_eq!(chapters("a.txt", text), pairs(&expected));
}

#[test]
fn the_first_words_of_a_text_are_no_title() {
    for (first, second) in [
        ("“Yes.”", "“No.”"),
        ("Rain.", "Snow."),
        ("Then it rained", "and it snowed"),
        ("“Come In”", "“Go Out”"),
        ("1847", "1848"),
        ("* * *", "* * *"),
        ("— Well, Then", "— Not Yet"),
    ] {
        let text = format!(
            "CHAPTER I\n\n{first}\n\nShe did not move.\n\nCHAPTER II\n\n{second}\n\nThey left.\n"
        );
        let titles: Vec<String> = chapters("a.txt", &text)
            .into_iter()
            .map(|it| it.0)
            .collect();
        assert_eq!(titles, ["", ""], "{first}");
    }
    // Once in a book is no habit; a text is not all of it title.
    let text = "CHAPTER I\n\nMidnight\n\nIt came.\n\nCHAPTER II\n\nIt was late, and nobody spoke.\n\nShe left.\n\nCHAPTER III\n\nMorning\n";
    let expected = [
        ("", "Midnight"),
        ("", "It was late, and nobody spoke."),
        ("", "Morning"),
    ];
    assert_eq!(chapters("a.txt", text), pairs(&expected));
    let text = "第一章\n\n雨停了，他走了。\n\n没有人送他。\n\n第二章\n\n他没有回头\n再走几步就是渡口\n\n船来了。\n";
    let titles: Vec<String> = chapters("a.txt", text).into_iter().map(|it| it.0).collect();
    assert_eq!(titles, ["", ""]);
}

#[test]
fn a_title_under_the_heading_of_a_volume_is_its_title() {
    let text = "PART ONE\n\nThe Harbour\n\nCHAPTER I\n\nIt came.\n\nCHAPTER II\n\nShe left.\n\nPART TWO\n\nIt was a bad year.\n\nCHAPTER I\n\nHe left.\n";
    let book = import("a.txt", text.as_bytes(), None).unwrap();
    let volumes: Vec<&str> = book.volumes.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(volumes, ["The Harbour", ""]);
    assert_eq!(book.chapters[0].text, "It came.");
    assert_eq!(book.chapters[2].text, "It was a bad year.\n\nHe left.");
}
