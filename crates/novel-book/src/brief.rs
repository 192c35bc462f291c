//! What the author's brief says in the lines `novel init` lays out.

use novel_model::Lang;

/// What stands in a line the author has not filled in.
const OPEN: &str = "…";

/// The answers of a brief. A line the author left open (`…`) is no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brief {
    /// The first heading.
    pub title: Option<String>,
    /// `- 题材：` or `- Genre:`.
    pub genre: Option<String>,
    /// `- 主角：` or `- Protagonist:`.
    pub protagonist: Option<String>,
    /// `- 核心冲突：` or `- Core conflict:`.
    pub conflict: Option<String>,
}

const GENRE: [&str; 3] = ["题材", "类型", "genre"];
const PROTAGONIST: [&str; 2] = ["主角", "protagonist"];
const CONFLICT: [&str; 3] = ["核心冲突", "冲突", "core conflict"];

impl Brief {
    /// Reads a brief; whatever else it says is passed over.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut brief = Self::default();
        for line in text.lines().map(str::trim) {
            if let Some(title) = line.strip_prefix("# ") {
                brief.title = brief.title.or_else(|| answer(title));
                continue;
            }
            let entry = line.trim_start_matches(['-', '*', ' ']);
            let Some((key, value)) = entry.split_once(['：', ':']) else {
                continue;
            };
            let key = key.trim_matches(['*', ' ']).to_lowercase();
            let place = if GENRE.contains(&key.as_str()) {
                &mut brief.genre
            } else if PROTAGONIST.contains(&key.as_str()) {
                &mut brief.protagonist
            } else if CONFLICT.contains(&key.as_str()) {
                &mut brief.conflict
            } else {
                continue;
            };
            if place.is_none() {
                *place = answer(value);
            }
        }
        brief
    }

    /// A brief with these answers, and an open line for each that is missing.
    #[must_use]
    pub fn render(&self, lang: Lang) -> String {
        let [title, genre, protagonist, conflict] =
            [&self.title, &self.genre, &self.protagonist, &self.conflict].map(|answer| {
                let words: Vec<&str> = answer
                    .as_deref()
                    .unwrap_or(OPEN)
                    .split_whitespace()
                    .collect();
                words.join(" ")
            });
        match lang {
            Lang::Zh => format!(
                "# {title}\n\n- 题材：{genre}\n- 主角：{protagonist}\n- 核心冲突：{conflict}\n- 读者期待：{OPEN}\n- 禁忌与边界：{OPEN}\n"
            ),
            Lang::En => format!(
                "# {title}\n\n- Genre: {genre}\n- Protagonist: {protagonist}\n- Core conflict: {conflict}\n- What readers come for: {OPEN}\n- Limits: {OPEN}\n"
            ),
        }
    }
}

fn answer(value: &str) -> Option<String> {
    let value = value.trim_matches(['*', ' ']);
    let open = value.chars().all(|char| matches!(char, '…' | '.' | ' '));
    (!open).then(|| value.to_owned())
}

#[cfg(test)]
#[path = "brief_tests.rs"]
mod tests;
