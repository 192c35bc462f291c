//! A summary says what a chapter says in fewer words; the chapter itself is none.

use novel_model::{Problem, RelPath, message};
use novel_text::{Compared, count_words};

use super::prose;

/// The code of a summary that tells an earlier chapter.
pub const OF_EARLIER: &str = "summary_of_earlier";
/// Counted characters from which a copy can be told from a phrase.
const ENOUGH: usize = 60;
/// Share of a summary that may stand in its chapter word for word.
const MOST_COPIED: f64 = 0.5;
/// Share of a chapter that a summary may repeat: one made of a few of its sentences is short and is one.
const MOST_OF_CHAPTER: f64 = 0.33;
/// Counted characters of a run that is copied from the instructions.
const LONGEST_ECHO: usize = 16;
/// Most counted characters of a heading; more behind a `#` is a text.
const LONGEST_HEADING: usize = 40;
/// The one field that a summary names, in a line of its own.
const NAMED: &str = "storyline_id";

/// What keeps a text from being the summary of the chapter `told`. `own` are the texts of the program, `earlier` the
/// summaries of the chapters before.
#[must_use]
pub fn problems(
    path: &RelPath,
    summary: &str,
    told: &str,
    own: &[&str],
    earlier: &[String],
) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !tells(summary) {
        problems.push(
            Problem::new(
                "summary_says_nothing",
                path,
                message!(en: "the summary says nothing of the chapter", zh: "摘要没有写本章的内容"),
            )
            .hint(message!(
                en: "say in your own words who did what and what came of it",
                zh: "请用自己的话概括：谁做了什么，结果怎样"
            )),
        );
    }
    let compared = Compared::new(summary);
    let share = compared.with(told).share;
    let words = count_words(summary);
    let repeated = share * words as f64 / count_words(told).max(1) as f64;
    if share > MOST_COPIED && repeated > MOST_OF_CHAPTER && words >= ENOUGH {
        let percent = share * 100.0;
        problems.push(
            Problem::new(
                "summary_is_chapter",
                path,
                message!(
                    en: "{percent:.0}% of the summary is copied from the chapter",
                    zh: "摘要有 {percent:.0}% 照抄正文"
                ),
            )
            .hint(message!(
                en: "say in your own words who did what and what came of it, in at most 300 words",
                zh: "请用自己的话概括：谁做了什么，结果怎样，三百字以内"
            )),
        );
    }
    problems.extend(tells_earlier(path, summary, earlier));
    let echoed = own
        .iter()
        .map(|text| compared.with(text))
        .find(|shared| shared.longest >= LONGEST_ECHO);
    if let Some(shared) = echoed {
        let run = prose::beginning(shared.run);
        problems.push(
            Problem::new(
                "echo",
                path,
                message!(
                    en: "the summary contains a line of the instructions: `{run}`",
                    zh: "摘要里有说明文字：`{run}`"
                ),
            )
            .hint(message!(
                en: "write about the chapter alone",
                zh: "只写本章的内容"
            )),
        );
    }
    problems.extend(prose::field_name(path, summary, &[NAMED]));
    problems
}

/// What is wrong with a summary whose narrative is that of an earlier chapter.
fn tells_earlier(path: &RelPath, summary: &str, earlier: &[String]) -> Option<Problem> {
    let narrative = narrative(summary);
    let compared = Compared::new(&narrative);
    let shares = earlier.iter().map(|text| compared.with(text).share);
    let share = shares.max_by(f64::total_cmp)?;
    (share > MOST_COPIED).then(|| {
        let percent = share * 100.0;
        Problem::new(
            OF_EARLIER,
            path,
            message!(
                en: "{percent:.0}% of the narrative stands in the summary of an earlier chapter",
                zh: "摘要的叙述有 {percent:.0}% 是前面一章的摘要"
            ),
        )
        .hint(message!(
            en: "say what happens in this chapter; the memory of the storyline is about those before",
            zh: "写本章发生的事；故事线记忆说的是前面各章"
        ))
    })
}

/// The text before the second heading.
fn narrative(summary: &str) -> String {
    let mut headings = 0;
    let lines = summary.lines().map(str::trim).take_while(|line| {
        headings += usize::from(line.starts_with('#'));
        headings < 2
    });
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    lines.join("\n")
}

/// Whether a summary has a line beside its headings and the mark of its storyline.
fn tells(summary: &str) -> bool {
    let mut lines = summary.lines().map(str::trim);
    lines.any(|line| {
        let words = count_words(line);
        let is_heading = line.starts_with('#') && words <= LONGEST_HEADING;
        let is_mark = is_heading || line.contains(&format!("{NAMED}:"));
        !is_mark && !matches!(line, "- 无" | "- none") && words > 0
    })
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
