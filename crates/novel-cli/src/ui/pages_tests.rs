//! Tests of pages on a terminal.

use novel_app::library::report::{Canvas, Glyphs};

use super::*;

#[test]
fn a_long_line_is_cut_by_columns_not_by_characters() {
    assert_eq!(clipped("潮信局", 6), "潮信局");
    assert_eq!(clipped("潮信局分拣房", 7), "潮信局…");
    assert_eq!(clipped("abcdef", 4), "abc…");
}

#[test]
fn numbers_stand_right_and_texts_left() {
    let screen = Screen {
        canvas: Canvas {
            width: 40,
            glyphs: Glyphs::Unicode,
        },
        line: Some(20),
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
            "who     chapters  w…",
            "陆砚           3  1…",
            "何小满        12  1…",
        ]
    );
}
