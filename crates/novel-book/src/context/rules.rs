//! Hard world rules (L1) as a list of prohibitions (step 2.2).

use std::cmp::Ordering;

use novel_model::{
    BookReader, Document,
    files::{ConstraintType, WorldRule, WorldRules},
    layout,
};

use super::ContextError;

/// One line per hard rule, by id: `- [W-001][magic_system] text (exceptions: a; b)`.
/// A book without rules has none.
///
/// # Errors
/// When the file is there but broken.
pub fn hard_rules_list(reader: &dyn BookReader) -> Result<Vec<String>, ContextError> {
    let Some(rules) = Document::<WorldRules>::load(reader, &layout::world_rules())? else {
        return Ok(Vec::new());
    };
    let mut hard: Vec<&WorldRule> = rules
        .get()
        .rules
        .iter()
        .filter(|rule| rule.constraint_type == ConstraintType::Hard)
        .collect();
    hard.sort_by(|a, b| natural_order(&a.id, &b.id));
    Ok(hard.into_iter().map(line).collect())
}

fn line(rule: &WorldRule) -> String {
    let mut line = format!("- [{}]", one_line(&rule.id));
    if !rule.category.trim().is_empty() {
        line.push_str(&format!("[{}]", one_line(&rule.category)));
    }
    line.push(' ');
    line.push_str(&one_line(&rule.rule));
    if !rule.exceptions.is_empty() {
        let exceptions: Vec<String> = rule.exceptions.iter().map(|text| one_line(text)).collect();
        line.push_str(&format!(" (exceptions: {})", exceptions.join("; ")));
    }
    line
}

/// A rule must not be able to forge a second line of the list.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `W-2` before `W-10`: runs of digits compare as numbers, the rest as text.
fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (digits_left, digits_right) = (leading_digits(left), leading_digits(right));
        if !digits_left.is_empty() && !digits_right.is_empty() {
            let (x, y) = (
                digits_left.trim_start_matches('0'),
                digits_right.trim_start_matches('0'),
            );
            let by_number = x.len().cmp(&y.len()).then_with(|| x.cmp(y));
            if by_number.is_ne() {
                return by_number;
            }
            left = &left[digits_left.len()..];
            right = &right[digits_right.len()..];
            continue;
        }
        match (left.chars().next(), right.chars().next()) {
            (Some(x), Some(y)) if x == y => {
                left = &left[x.len_utf8()..];
                right = &right[y.len_utf8()..];
            }
            // Equal up to leading zeros: the plain text decides.
            (None, None) => return a.cmp(b),
            (x, y) => return x.cmp(&y),
        }
    }
}

fn leading_digits(text: &str) -> &str {
    let end = text
        .find(|char: char| !char.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}
