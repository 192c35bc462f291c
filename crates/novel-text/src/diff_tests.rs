use proptest::prelude::*;

use super::*;

fn side(pieces: &[Piece], other: PieceKind) -> String {
    pieces
        .iter()
        .filter(|piece| piece.kind != other)
        .map(|piece| piece.text.as_str())
        .collect()
}

fn marked(old: &str, new: &str) -> String {
    word_diff(old, new)
        .iter()
        .map(|piece| match piece.kind {
            PieceKind::Same => piece.text.clone(),
            PieceKind::Gone => format!("[-{}-]", piece.text),
            PieceKind::New => format!("{{+{}+}}", piece.text),
        })
        .collect()
}

#[test]
fn words_that_changed_are_marked() {
    assert_eq!(
        marked("She opened the red door.", "She opened the old door."),
        "She opened the [-red-]{+old+} door."
    );
    assert_eq!(
        marked("他推开门，走了进去。", "他推开窗，走了进去。"),
        "他推开[-门-]{+窗+}，走了进去。"
    );
    assert_eq!(marked("same", "same"), "same");
    assert_eq!(marked("", "new"), "{+new+}");
}

#[test]
fn changes_close_together_read_as_one() {
    assert_eq!(
        marked("雨下得很大。", "雪落得极大。"),
        "[-雨下得很-]{+雪落得极+}大。"
    );
}

#[test]
fn a_line_end_keeps_changes_apart() {
    assert_eq!(marked("甲\n乙", "丙\n丁"), "[-甲-]{+丙+}\n[-乙-]{+丁+}");
}

proptest! {
    #[test]
    fn both_texts_can_be_read_off(old in "[ab雨雪，\n ]{0,40}", new in "[ab雨雪，\n ]{0,40}") {
        let pieces = word_diff(&old, &new);
        prop_assert_eq!(side(&pieces, PieceKind::New), old);
        prop_assert_eq!(side(&pieces, PieceKind::Gone), new);
    }
}
