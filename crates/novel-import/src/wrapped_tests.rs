use crate::{Reading, import_as};

/// A novel of prose broken to a width.
fn broken(width: usize) -> String {
    let sentence = "The rain came over the harbour in long grey lines and the men on the quay pulled their hats down and waited for the boat that did not come. ";
    let mut text = String::new();
    for chapter in 1..=3 {
        text.push_str(&format!("CHAPTER {chapter}\n\n"));
        for _ in 0..6 {
            let mut column = 0;
            for word in sentence.repeat(3).split_whitespace() {
                if column + word.len() > width {
                    text.push('\n');
                    column = 0;
                } else if column > 0 {
                    text.push(' ');
                }
                text.push_str(word);
                column += word.len() + 1;
            }
            text.push_str("\n\n");
        }
    }
    text
}

#[test]
fn broken_lines_become_paragraphs() {
    let text = broken(70);
    let book = import_as("a.txt", text.as_bytes(), &Reading::default()).unwrap();
    assert_eq!(book.chapters.len(), 3);
    for chapter in &book.chapters {
        let paragraphs: Vec<&str> = chapter.text.split("\n\n").collect();
        assert_eq!(paragraphs.len(), 6);
        assert!(paragraphs.iter().all(|paragraph| !paragraph.contains('\n')));
        assert!(chapter.text.contains("boat that did not come. The rain"));
    }
    assert!(
        book.warnings
            .iter()
            .any(|warning| warning.code == "lines_joined")
    );
}

#[test]
fn verse_in_a_broken_text_keeps_its_lines() {
    let text =
        broken(70) + "    Full fathom five\n    thy father lies\n    of his bones are coral made\n";
    let book = import_as("a.txt", text.as_bytes(), &Reading::default()).unwrap();
    assert!(
        book.chapters[2]
            .text
            .contains("Full fathom five\nthy father lies\n")
    );
}

#[test]
fn paragraphs_on_lines_of_their_own_stay_as_they_are() {
    let text = broken(10_000).replace("\n\n", "\n");
    let book = import_as("a.txt", text.as_bytes(), &Reading::default()).unwrap();
    assert!(
        book.warnings
            .iter()
            .all(|warning| warning.code != "lines_joined")
    );
    assert!(book.chapters[0].text.contains('\n'));
}
