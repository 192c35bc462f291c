//! Tests of pages on a terminal.

use novel_app::library::report::{Canvas, Glyphs};

use super::*;

#[test]
fn numbers_stand_right_and_texts_left_and_give_way_between_words() {
    let screen = Screen {
        canvas: Canvas {
            width: 40,
            glyphs: Glyphs::Unicode,
        },
        line: Some(24),
    };
    let row = |cells: [&str; 3]| cells.map(Message::same).to_vec();
    let page = Page {
        title: Message::same("T"),
        parts: vec![Part::Table {
            head: row(["who", "chapters", "where"]),
            rows: vec![
                row(["陆砚", "3", "1-3"]),
                row(["何小满", "12", "1, 2, 5, 9"]),
            ],
        }],
    };
    let lines: Vec<String> = render(&[page], Lang::En, screen)
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        lines,
        [
            "## T",
            "",
            "who     chapters  where",
            "陆砚           3  1-3",
            "何小满        12  1, 2,",
            "                  5, 9",
        ]
    );
}
