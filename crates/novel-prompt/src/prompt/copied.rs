//! A prompt for a writer that copied earlier chapters into its own, or a summarizer that copied their memory.
//!
//! Whoever copies what it is shown copies it again. A weak model also copies from a summary that
//! has taken over a sentence of its chapter, so that such lines go with the prose.

use novel_model::message;
use novel_text::estimate_tokens;

use super::{LeftOut, Prompt, Section, hash};

/// The section with what a storyline remembers.
const MEMORY: &str = "storyline_memory";
/// Sections with prose of earlier chapters.
const PROSE: [&str; 2] = ["previous_endings", "recalled_passages"];
/// Sections that retell earlier chapters, and may do so in their words.
const RETOLD: [&str; 3] = ["recent_3_summaries", MEMORY, "adjacent_storyline_memories"];
/// Bytes of a run that a line of a summary has taken over from the prose: twenty characters of Chinese,
/// ten words of English.
const TAKEN_OVER: usize = 60;

impl Prompt {
    /// The same prompt without the earlier prose of the book, and without lines of summaries and
    /// memories that stand in that prose.
    #[must_use]
    pub fn without_earlier_prose(mut self) -> Self {
        let (prose, kept): (Vec<Section>, Vec<Section>) = self
            .sections
            .into_iter()
            .partition(|section| PROSE.contains(&section.name.as_str()));
        let told: String = prose.iter().map(|section| section.text.as_str()).collect();
        self.sections = Vec::with_capacity(kept.len());
        for section in kept {
            let rest = without_lines_of(&section, &told);
            if let Some(rest) = &rest {
                self.left_out.push(left_out(&section, rest.tokens));
            }
            self.sections.push(rest.unwrap_or(section));
        }
        self.left_out
            .extend(prose.iter().map(|section| left_out(section, 0)));
        self.hash = hash(self.agent, self.mode, &self.sections, &self.output);
        self
    }

    /// The same prompt without the memory of the storyline, for a summarizer that gave it for what happens in the
    /// chapter.
    #[must_use]
    pub fn without_memory(mut self) -> Self {
        let (memory, kept): (Vec<Section>, Vec<Section>) = self
            .sections
            .into_iter()
            .partition(|section| section.name == MEMORY);
        self.sections = kept;
        self.left_out
            .extend(memory.iter().map(|section| left_out(section, 0)));
        self.hash = hash(self.agent, self.mode, &self.sections, &self.output);
        self
    }
}

fn left_out(section: &Section, tokens_after: u64) -> LeftOut {
    LeftOut {
        name: section.name.clone(),
        tokens_before: section.tokens,
        tokens_after,
        how: message!(en: "was copied into the answer", zh: "上一次回答照抄了它"),
    }
}

/// A retelling without the lines it has taken over from the prose; `None` where there are none.
fn without_lines_of(section: &Section, prose: &str) -> Option<Section> {
    if !RETOLD.contains(&section.name.as_str()) {
        return None;
    }
    let kept: Vec<&str> = section
        .text
        .lines()
        .filter(|line| !takes_over(line, prose))
        .collect();
    let text = kept.join("\n");
    (text.len() < section.text.trim_end().len()).then(|| Section {
        tokens: estimate_tokens(&text),
        text,
        ..section.clone()
    })
}

fn takes_over(line: &str, prose: &str) -> bool {
    // A tag of a wrapper is no retelling, whatever it has in common with another one.
    if line.starts_with("<DATA ") || line.starts_with("</DATA>") {
        return false;
    }
    line.char_indices().any(|(start, _)| {
        let end = start + TAKEN_OVER;
        end <= line.len() && prose.contains(&line[start..line.ceil_char_boundary(end)])
    })
}

#[cfg(test)]
#[path = "copied_tests.rs"]
mod tests;
