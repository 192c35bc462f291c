use super::*;

fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
    let cells = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
    rows.iter().map(cells).collect()
}

#[test]
fn wide_characters_take_two_columns() {
    let text = align(&rows(&[
        &["书名", "雾城"],
        &["next", "draft"],
        &["卷", "一"],
    ]));
    assert_eq!(text, "书名  雾城\nnext  draft\n卷    一\n");
}

#[test]
fn the_last_cell_is_not_filled_up_and_does_not_widen_a_column() {
    let text = align(&rows(&[&["a very long single cell"], &["x", "y"]]));
    assert_eq!(text, "a very long single cell\nx  y\n");
    assert_eq!(align(&[]), "");
}

#[test]
fn numbers_stand_right_below_wide_heads() {
    let text = columns(
        &rows(&[&["步骤", "输入", "费用"], &["评审（第二）", "12345", "-"]]),
        &[Side::Left, Side::Right, Side::Right],
    );
    assert_eq!(
        text,
        "步骤           输入  费用\n评审（第二）  12345     -\n"
    );
}
