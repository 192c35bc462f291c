//! Numbers as they are written in headings.
//!
//! A spelling with two readings is no number: `一百五` is 150 in speech and
//! 105 in old novels, so it is refused rather than guessed.

/// Reads a whole text as a number.
///
/// Accepted: ASCII and full-width digits, Chinese digits in a row (`二〇二六`)
/// and Chinese numerals with units up to 万 (`一百零五`, `廿三`, `壹佰`, `两千`).
/// No sign, no spaces, no mixture of digits and units.
#[must_use]
pub fn parse_numeral(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    if text.chars().all(|char| decimal_digit(char).is_some()) {
        return positional(text, decimal_digit);
    }
    if text.chars().all(|char| chinese_digit(char).is_some()) {
        return positional(text, chinese_digit);
    }
    with_units(text)
}

/// True when the character can be part of a number that [`parse_numeral`] reads.
pub(crate) fn is_numeral_char(char: char) -> bool {
    decimal_digit(char).is_some() || symbol(char).is_some()
}

pub(crate) fn decimal_digit(char: char) -> Option<u32> {
    match char {
        '0'..='9' => Some(u32::from(char) - u32::from('0')),
        '０'..='９' => Some(u32::from(char) - u32::from('０')),
        _ => None,
    }
}

fn chinese_digit(char: char) -> Option<u32> {
    Some(match char {
        '〇' | '零' | '○' => 0,
        '一' | '壹' | '壱' => 1,
        '二' | '两' | '兩' | '贰' | '貳' => 2,
        '三' | '叁' | '參' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

fn positional(text: &str, digit: fn(char) -> Option<u32>) -> Option<u32> {
    text.chars().try_fold(0u32, |value, char| {
        value.checked_mul(10)?.checked_add(digit(char)?)
    })
}

enum Symbol {
    Zero,
    Digit(u32),
    Unit(u32),
    /// 廿, 卅, 卌: a digit and 十 in one character.
    Tens(u32),
    TenThousand,
}

fn symbol(char: char) -> Option<Symbol> {
    Some(match char {
        '十' | '拾' => Symbol::Unit(10),
        '百' | '佰' => Symbol::Unit(100),
        '千' | '仟' => Symbol::Unit(1000),
        '廿' => Symbol::Tens(20),
        '卅' => Symbol::Tens(30),
        '卌' => Symbol::Tens(40),
        '万' | '萬' => Symbol::TenThousand,
        _ => match chinese_digit(char)? {
            0 => Symbol::Zero,
            digit => Symbol::Digit(digit),
        },
    })
}

/// Reads digits with units; units must fall, and a skipped unit before a bare last digit needs 零.
fn with_units(text: &str) -> Option<u32> {
    const TEN_THOUSAND: u32 = 10_000;
    let mut total: u32 = 0;
    let mut section: u32 = 0;
    // The smallest unit used so far; everything after it must be smaller.
    let mut last_unit: Option<u32> = None;
    let mut digit: Option<u32> = None;
    let mut zero = false;
    for char in text.chars() {
        let unit_value = match symbol(char)? {
            Symbol::Zero => {
                if zero || digit.is_some() || last_unit.is_none() {
                    return None;
                }
                zero = true;
                continue;
            }
            Symbol::Digit(value) => {
                if digit.replace(value).is_some() {
                    return None;
                }
                continue;
            }
            Symbol::Unit(unit) => (unit, digit.take().unwrap_or(1) * unit),
            Symbol::Tens(value) if digit.is_none() => (10, value),
            Symbol::Tens(_) => return None,
            Symbol::TenThousand => {
                section += last_digit(digit.take(), last_unit, zero)?;
                if total != 0 || zero && section == 0 {
                    return None;
                }
                total = if section == 0 {
                    TEN_THOUSAND
                } else {
                    section * TEN_THOUSAND
                };
                section = 0;
                zero = false;
                last_unit = Some(TEN_THOUSAND);
                continue;
            }
        };
        let (unit, value) = unit_value;
        let ceiling = match (last_unit, zero) {
            (Some(last), true) => last / 10,
            (Some(last), false) => last,
            (None, _) => u32::MAX,
        };
        if unit >= ceiling {
            return None;
        }
        section += value;
        last_unit = Some(unit);
        zero = false;
    }
    if zero && digit.is_none() {
        return None;
    }
    section += last_digit(digit, last_unit, zero)?;
    Some(total + section)
}

/// The value of a digit without a unit at the end of a section.
fn last_digit(digit: Option<u32>, last_unit: Option<u32>, zero: bool) -> Option<u32> {
    match (digit, last_unit) {
        (None, _) => Some(0),
        (Some(digit), None | Some(10)) if !zero => Some(digit),
        (Some(digit), Some(unit)) if zero && unit > 10 => Some(digit),
        (Some(_), _) => None,
    }
}

#[cfg(test)]
#[path = "numeral_tests.rs"]
mod tests;
