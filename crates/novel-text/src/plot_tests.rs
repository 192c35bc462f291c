//! Tests of the plots.

use super::*;

fn points(values: &[Option<f64>]) -> Vec<Point> {
    (1..)
        .zip(values)
        .map(|(chapter, value)| (chapter, *value))
        .collect()
}

fn draw(plot: &Plot, width: usize, glyphs: Glyphs) -> String {
    plot.draw(Canvas { width, glyphs }).join("\n")
}

#[test]
fn few_chapters_are_drawn_wide_and_a_missing_value_is_a_gap() {
    let plot = Plot::Values {
        points: points(&[Some(1.0), None, Some(3.0), Some(5.0)]),
        axis: Some((1.0, 5.0)),
        digits: 1,
    };
    insta::assert_snapshot!(draw(&plot, 40, Glyphs::Unicode), @r"
    5.0 │         ██
        │         ██
        │      ▄▄ ██
        │      ██ ██
    1.0 │▁▁    ██ ██
        └───────────
         1         4
    ");
    insta::assert_snapshot!(draw(&plot, 40, Glyphs::Ascii), @r"
    5.0 |         ##
        |         ##
        |      :: ##
        |      ## ##
    1.0 |..    ## ##
        +-----------
         1         4
    ");
}

#[test]
fn a_thousand_chapters_fit_the_width() {
    let values: Vec<Option<f64>> = (0..1000).map(|n| Some(f64::from(n))).collect();
    let plot = Plot::Values {
        points: points(&values),
        axis: None,
        digits: 0,
    };
    for width in [0, 20, 80, 400] {
        let lines = plot.draw(Canvas {
            width,
            glyphs: Glyphs::Unicode,
        });
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width.clamp(15, 110), "{width}: {widest}");
        assert!(lines.last().unwrap().contains("1000"), "{lines:?}");
    }
}

#[test]
fn the_rhythm_marks_every_chapter_of_a_line() {
    let rows = vec![
        ("main-arc".to_owned(), vec![1, 2, 4]),
        ("side".to_owned(), vec![3]),
    ];
    let plot = Plot::Rhythm {
        first: 1,
        last: 4,
        rows,
    };
    insta::assert_snapshot!(draw(&plot, 60, Glyphs::Unicode), @r"
    main-arc ██ ██ ·· ██
    side     ·· ·· ██ ··
             1         4
    ");
    let narrow = draw(&plot, 13, Glyphs::Ascii);
    assert!(narrow.starts_with("main-arc ####..##\n"), "{narrow}");
}

#[test]
fn nothing_is_drawn_of_nothing() {
    for values in [&[][..], &[None, None][..]] {
        let plot = Plot::Values {
            points: points(values),
            axis: None,
            digits: 0,
        };
        assert_eq!(draw(&plot, 40, Glyphs::Unicode), "");
    }
    let plot = Plot::Rhythm {
        first: 1,
        last: 0,
        rows: vec![("x".to_owned(), Vec::new())],
    };
    assert_eq!(draw(&plot, 40, Glyphs::Unicode), "");
}
