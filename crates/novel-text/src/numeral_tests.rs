use proptest::prelude::*;

use super::*;

#[test]
fn digits_are_read() {
    for (text, expected) in [
        ("0", 0),
        ("48", 48),
        ("007", 7),
        ("４８", 48),
        ("4８", 48),
        ("4294967295", u32::MAX),
        ("二〇二六", 2026),
        ("一二", 12),
        ("零五", 5),
        ("零", 0),
    ] {
        assert_eq!(parse_numeral(text), Some(expected), "{text}");
    }
}

#[test]
fn numerals_with_units_are_read() {
    for (text, expected) in [
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("四十八", 48),
        ("一百", 100),
        ("一百零五", 105),
        ("一百〇五", 105),
        ("一百一十", 110),
        ("一百十二", 112),
        ("两千零二十六", 2026),
        ("一千零五", 1005),
        ("一千五十", 1050),
        ("一万", 10_000),
        ("一万零五", 10_005),
        ("一万五千", 15_000),
        ("十二万三千四百五十六", 123_456),
        ("一百零五万零三十", 1_050_030),
        ("九千九百九十九万九千九百九十九", 99_999_999),
        ("廿", 20),
        ("廿三", 23),
        ("卅一", 31),
        ("一百廿三", 123),
        ("壹佰贰拾叁", 123),
        ("百", 100),
    ] {
        assert_eq!(parse_numeral(text), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for text in [
        "",
        " ",
        "1 2",
        "-1",
        "+1",
        "1.5",
        "4294967296",
        "99999999999999999999",
        "x",
        "第",
        "1十",
        "十1",
        "三十十",
        "十百",
        "一百零",
        "零十",
        "十零五",
        "一二十",
        "二廿",
        "万万",
        "一百零五十",
        "一百零零五",
        "五十百",
    ] {
        assert_eq!(parse_numeral(text), None, "{text}");
    }
}

#[test]
fn a_spelling_with_two_readings_is_refused() {
    for text in ["一百五", "一千五", "一万五", "三千二"] {
        assert_eq!(parse_numeral(text), None, "{text}");
    }
}

/// The standard spelling, the oracle of the round trip.
fn spell(number: u32) -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let section = |value: u32| {
        let mut text = String::new();
        let mut skipped = false;
        for (unit, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
            let digit = value / unit % 10;
            if digit == 0 {
                skipped = true;
                continue;
            }
            if skipped && !text.is_empty() {
                text.push('零');
            }
            skipped = false;
            text.push_str(DIGITS[digit as usize]);
            text.push_str(name);
        }
        text
    };
    let (high, low) = (number / 10_000, number % 10_000);
    match (high, low) {
        (0, 0) => "零".to_owned(),
        (0, _) => section(low),
        (_, 0) => format!("{}万", section(high)),
        _ if low < 1000 => format!("{}万零{}", section(high), section(low)),
        _ => format!("{}万{}", section(high), section(low)),
    }
}

proptest! {
    #[test]
    fn the_standard_spelling_reads_back(number in 0u32..100_000_000) {
        prop_assert_eq!(parse_numeral(&spell(number)), Some(number));
    }

    #[test]
    fn any_digits_read_as_their_value(number: u32) {
        prop_assert_eq!(parse_numeral(&number.to_string()), Some(number));
    }

    #[test]
    fn nothing_panics(text in "[零〇一二两五九十百千万廿卅壹0-9０-９ ]{0,12}|\\PC*") {
        let _ = parse_numeral(&text);
    }
}
