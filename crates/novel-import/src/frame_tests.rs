use crate::{Reading, import_as};

const BODY: &str = "It was a night of rain and the lamps went out one by one along the quay. Nobody spoke of it afterwards.\n\n";

fn gutenberg(headings: &[&str]) -> String {
    let mut text = "\u{FEFF}The Project Gutenberg eBook of The Harbour\r\n\r\nTitle: The Harbour\r\n\r\nAuthor: Ann Reed\r\n\r\n*** START OF THE PROJECT GUTENBERG EBOOK THE HARBOUR ***\r\n\r\nProduced by many hands\r\nand a scanner\r\n\r\nTHE HARBOUR\r\n\r\nby Ann Reed\r\n\r\nCONTENTS\r\n\r\n".to_owned();
    for heading in headings {
        text.push_str(&format!(" {heading}\r\n"));
    }
    text.push_str("\r\n\r\n");
    for heading in headings {
        text.push_str(&format!("{heading}\r\n\r\n{}", BODY.repeat(12)));
    }
    text + "*** END OF THE PROJECT GUTENBERG EBOOK THE HARBOUR ***\r\n\r\nUpdated editions will replace the previous one. Section 1. General Terms of Use.\r\n"
}

#[test]
fn the_frame_is_left_out_and_says_title_and_author() {
    for headings in [
        [
            "ADVENTURE I. A SCANDAL IN BOHEMIA",
            "ADVENTURE II. THE RED-HEADED LEAGUE",
            "ADVENTURE III. A CASE OF IDENTITY",
        ],
        [
            "I. A SCANDAL IN BOHEMIA",
            "II. THE RED-HEADED LEAGUE",
            "III. A CASE OF IDENTITY",
        ],
        ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."],
        ["STAVE ONE", "STAVE TWO", "STAVE THREE"],
        ["Letter 1", "Letter 2", "Letter 3"],
    ] {
        let book = import_as(
            "pg.txt",
            gutenberg(&headings).as_bytes(),
            &Reading::default(),
        )
        .unwrap();
        let found: Vec<&str> = book
            .chapters
            .iter()
            .map(|chapter| chapter.heading.as_str())
            .collect();
        assert_eq!(found, headings);
        assert_eq!(book.title.as_deref(), Some("The Harbour"));
        assert_eq!(book.author.as_deref(), Some("Ann Reed"));
        assert_eq!(book.chapters[2].number, Some(3));
        let all: String = book
            .chapters
            .iter()
            .map(|chapter| chapter.text.as_str())
            .collect();
        assert!(
            !all.contains("GUTENBERG") && !all.contains("General Terms"),
            "{all}"
        );
        assert!(
            book.warnings
                .iter()
                .any(|warning| warning.code == "gutenberg_frame")
        );
    }
}

#[test]
fn parts_in_roman_numbers_inside_chapters_are_text() {
    let mut text = String::new();
    for chapter in ["ADVENTURE I. THE RAIN", "ADVENTURE II. THE FOG"] {
        text.push_str(&format!("{chapter}\n\nI.\n\n{BODY}II.\n\n{BODY}"));
    }
    let book = import_as("a.txt", text.as_bytes(), &Reading::default()).unwrap();
    assert_eq!(book.chapters.len(), 2);
    assert!(book.chapters[0].text.contains("II."));
}

#[test]
fn prose_that_begins_with_a_roman_letter_is_no_heading() {
    let text = format!("I. Newton said so and was right.\n\n{}", BODY.repeat(20));
    let book = import_as("a.txt", text.as_bytes(), &Reading::default()).unwrap();
    assert_eq!(book.chapters.len(), 1);
}

#[test]
fn the_author_may_describe_the_headings() {
    let text = format!("~ 1 ~ Rain\n\n{BODY}~ 2 ~ Fog\n\n{BODY}CHAPTER OF ACCIDENTS\n\n{BODY}");
    let reading = Reading {
        heading: Some("~ {n} ~ {title}".parse().unwrap()),
        ..Reading::default()
    };
    let book = import_as("a.txt", text.as_bytes(), &reading).unwrap();
    let titles: Vec<&str> = book
        .chapters
        .iter()
        .map(|chapter| chapter.title.as_str())
        .collect();
    assert_eq!(titles, ["Rain", "Fog"]);
}
