//! Cases from a file of JSON lines: somebody's own, for the benchmark.

use serde_json::Value;

use super::cases::Case;

/// The cases of a file, one JSON object a line:
/// `{"kind", "language", "cast": [[id, name]…], "record": [op…], "own": [op…], "rules": […], "text",
/// "contradicts"}`, with `claims`, `secrets` and `places` where a case has them. Everything but
/// language, text and `contradicts` may be left out.
///
/// # Panics
/// When a line is no case.
#[must_use]
pub fn cases_of(lines: &str) -> Vec<Case> {
    let numbered = (1..).zip(lines.lines());
    numbered
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| case_of(line).unwrap_or_else(|why| panic!("line {number}: {why}")))
        .collect()
}

fn case_of(line: &str) -> Result<Case, String> {
    let case: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = |field: &str| case[field].as_str().map(str::to_owned);
    let list = |field: &str| case[field].as_array().cloned().unwrap_or_default();
    let language = match case["language"].as_str() {
        Some(language) if language.starts_with("zh") => "zh",
        Some(language) if language.starts_with("en") => "en",
        _ => return Err("`language` is neither zh nor en".to_owned()),
    };
    let cast = list("cast").iter().map(person).collect::<Option<Vec<_>>>();
    let rules = list("rules").iter().map(rule).collect::<Option<Vec<_>>>();
    Ok(Case {
        held_out: true,
        own: list("own"),
        claims: list("claims"),
        rules: rules.ok_or("`rules` has something else than texts")?,
        cast: cast.ok_or("`cast` has something else than pairs of id and name")?,
        secrets: list("secrets"),
        places: case["places"].clone(),
        ..Case::prose(
            &text("kind").unwrap_or_else(|| "other".to_owned()),
            language,
            list("record"),
            &text("text").ok_or("`text` is missing")?,
            case["contradicts"]
                .as_bool()
                .ok_or("`contradicts` is neither true nor false")?,
        )
    })
}

fn person(pair: &Value) -> Option<(String, String)> {
    Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()))
}

fn rule(rule: &Value) -> Option<String> {
    let text = rule.as_str().or_else(|| rule["rule"].as_str())?;
    Some(text.to_owned())
}
