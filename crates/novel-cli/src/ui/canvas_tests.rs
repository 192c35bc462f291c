//! Tests of the choice of characters.

use super::*;

fn of(variables: &[(&str, &str)]) -> Glyphs {
    glyphs(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn block_characters_are_for_utf_8() {
    assert_eq!(of(&[("LANG", "zh_CN.UTF-8")]), Glyphs::Unicode);
    assert_eq!(
        of(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]),
        Glyphs::Unicode
    );
    assert_eq!(
        of(&[("LC_ALL", "C"), ("LANG", "zh_CN.UTF-8")]),
        Glyphs::Ascii
    );
    assert_eq!(
        of(&[("LC_ALL", ""), ("LANG", "zh_CN.GB18030")]),
        Glyphs::Ascii
    );
    assert_eq!(of(&[]), Glyphs::Ascii);
}
