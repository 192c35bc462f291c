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

#[test]
fn the_widest_text_gives_way_between_words_and_numbers_stay_whole() {
    let list = rows(&[
        &["no.", "title", "words", "state"],
        &[
            "1",
            "Half a sentence at the back of the apothecary",
            "856",
            "written",
        ],
        &["2", "Footsteps", "919", "being written"],
    ]);
    let sides = [Side::Right, Side::Left, Side::Right, Side::Left];
    let text = fitted(&list, &sides, Some(40));
    assert_eq!(
        text,
        "\
no.  title      words  state
  1  Half a       856  written
     sentence at
     the back of
     the
     apothecary
  2  Footsteps    919  being written
"
    );
    assert_eq!(fitted(&list, &sides, None), columns(&list, &sides));
    assert_eq!(fitted(&list, &sides, Some(200)), columns(&list, &sides));
}

#[test]
fn a_table_that_cannot_fit_breaks_no_word() {
    let list = rows(&[&["storyline-of-the-salt-ledger", "written"]]);
    let text = fitted(&list, &[], Some(10));
    assert_eq!(text, "storyline-of-the-salt-ledger\n  written\n");
    let wide = rows(&[&["药铺后堂的第二个人", "已入书"]]);
    assert_eq!(
        fitted(&wide, &[], Some(18)),
        "药铺后堂的  已入书\n第二个人\n"
    );
}

#[test]
fn a_cramped_last_text_stands_below_its_row() {
    let list = rows(&[
        &["id", "status", "planted", "what it is"],
        &[
            "second_signature",
            "open",
            "5",
            "a second signature under the order, half a name",
        ],
        &["humming", "planned", "6", "-"],
    ]);
    let sides = [Side::Left, Side::Left, Side::Right, Side::Left];
    let text = fitted(&list, &sides, Some(40));
    assert_eq!(
        text,
        "\
id                status   planted
    what it is
second_signature  open           5
    a second signature under the order,
    half a name
humming           planned        6
    -
"
    );
    assert!(text.lines().all(|line| line.width() <= 40), "{text}");
}
