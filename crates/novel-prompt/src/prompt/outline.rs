//! A long outline in two parts: a digest that stays the same for many chapters, and the blocks
//! around one chapter.

use novel_text::{parse_outline, start_within_tokens};

/// Chapters before and after whose blocks are given in full.
const BEFORE: u32 = 2;
const AFTER: u32 = 3;
/// Tokens of one such block.
const BLOCK_TOKENS: u64 = 600;
/// Tokens of what stands before the first block.
const PREAMBLE_TOKENS: u64 = 1_200;
/// Headings are given by stretches of this many chapters: the one of the chapter, the one before
/// and the one after. The digest changes only where a stretch ends.
const STRETCH: u32 = 20;

/// What stands before the first chapter, and the headings around `chapter`. `None` for a text
/// without chapters.
pub(super) fn digest(text: &str, chapter: u32) -> Option<String> {
    let outline = parse_outline(text);
    let first = outline.blocks.first()?;
    let lines: Vec<&str> = text.lines().take(first.line.saturating_sub(1)).collect();
    let preamble = lines.join("\n");
    let mut digest = start_within_tokens(&preamble, PREAMBLE_TOKENS)
        .trim_end()
        .to_owned();
    let stretch = chapter.saturating_sub(1) / STRETCH;
    let from = stretch.saturating_sub(1) * STRETCH + 1;
    let to = (stretch + 2).saturating_mul(STRETCH);
    for block in &outline.blocks {
        if (from..=to).contains(&block.number)
            && let Some(heading) = block.text.lines().next()
        {
            digest.push('\n');
            digest.push_str(heading);
        }
    }
    Some(digest.trim_start().to_owned())
}

/// The blocks around `chapter`, without its own, which has a section.
pub(super) fn neighbours(text: &str, chapter: u32) -> Option<String> {
    let range = chapter.saturating_sub(BEFORE)..=chapter.saturating_add(AFTER);
    let blocks: Vec<String> = parse_outline(text)
        .blocks
        .iter()
        .filter(|block| range.contains(&block.number) && block.number != chapter)
        .map(|block| start_within_tokens(block.text.trim_end(), BLOCK_TOKENS).to_owned())
        .collect();
    (!blocks.is_empty()).then(|| blocks.join("\n\n"))
}
