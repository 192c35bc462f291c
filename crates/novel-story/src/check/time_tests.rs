use std::cmp::Ordering;

use super::Moment;

fn order(earlier: &str, later: &str) -> Option<Ordering> {
    Moment::parse(earlier)?.order(&Moment::parse(later)?)
}

#[test]
fn markers_with_known_units_are_ordered() {
    for (earlier, later) in [
        ("第三年春", "第三年冬"),
        ("第三年冬", "第四年春"),
        ("第九天", "第十二天"),
        ("第二夜", "第十一夜"),
        ("永和九年三月初三", "永和九年三月初九"),
        ("永和九年", "永和十年"),
        ("第三年初夏", "第三年深秋"),
        ("2026-03-04", "2026-11-15"),
        ("1998年3月4日", "1998年3月12日"),
        ("Year 3, Winter", "Year 4, Spring"),
        ("Spring of Year 3", "Winter of Year 3"),
        ("Day two", "Day 12"),
        ("第三年冬夜", "第四年春晨"),
    ] {
        assert_eq!(
            order(earlier, later),
            Some(Ordering::Less),
            "{earlier} {later}"
        );
        assert_eq!(
            order(later, earlier),
            Some(Ordering::Greater),
            "{later} {earlier}"
        );
        assert_eq!(order(later, later), Some(Ordering::Equal), "{later}");
    }
}

#[test]
fn what_is_not_sure_has_no_order() {
    for (one, other) in [
        ("冬", "春"),
        ("三月", "正月"),
        ("三年后", "两年后"),
        ("第三年冬", "第三年"),
        ("大比第三天", "试炼第一天"),
        ("永和九年", "太康元年"),
        ("第三年冬", "次年开春"),
        ("入夜", "清晨"),
        ("第三年冬", "第三年五月"),
        ("three years later", "two years later"),
        ("", "第一天"),
        ("第一百五年", "第一年"),
    ] {
        assert_eq!(order(one, other), None, "{one} {other}");
    }
}

#[test]
fn a_claimed_day_is_ordered_within_its_month_or_season() {
    let order =
        |earlier: &str, later: &str| Moment::loose(earlier)?.order_in_unit(&Moment::loose(later)?);
    for (earlier, later) in [
        ("腊月二十三", "腊月二十八"),
        ("九月初二", "九月十五"),
        ("入秋第六天", "入秋第十天"),
        ("开战第六日拂晓", "开战第六日黄昏"),
        ("Day 3, morning", "Day 3, night"),
        ("October 12", "October 30"),
        ("the second winter", "the third winter"),
        ("1888, spring", "1888, autumn"),
    ] {
        assert_eq!(
            order(earlier, later),
            Some(Ordering::Less),
            "{earlier} {later}"
        );
        assert_eq!(
            order(later, earlier),
            Some(Ordering::Greater),
            "{later} {earlier}"
        );
    }
    for (one, other) in [
        ("腊月二十三", "三月初五"),
        ("October 12", "March 3"),
        ("入秋第六天", "入冬第二天"),
    ] {
        assert_eq!(order(one, other), None, "{one} {other}");
    }
    // A marker of the record alone keeps the strict order.
    assert_eq!(Moment::parse("腊月二十八"), None);
}
