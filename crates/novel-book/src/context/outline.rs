//! The chapter's block of the volume outline (step 2.1).

use novel_model::{
    BookReader, ChapterNo, Explain, Lang, Message, Problem, RelPath, Slug, VolumeNo, layout,
    message,
};
use novel_text::{OUTLINE_KEYS, Outline, OutlineBlock, parse_outline};

use super::{ContextError, VolumeBounds, missing};

/// What the outline says about a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterOutline {
    /// The outline file.
    pub path: RelPath,
    /// The block as it stands in the file, from its heading.
    pub block: String,
    /// Whose eyes, as the block says it; possibly empty.
    pub pov: String,
    /// How the chapter hands over, as the block says it; possibly empty.
    pub transition: String,
    /// The chapter's title, possibly empty.
    pub title: String,
    /// The line the chapter belongs to.
    pub storyline: Slug,
    /// Where in the file that is said.
    pub storyline_line: usize,
    /// First and last chapter of the volume.
    pub bounds: VolumeBounds,
}

/// The block of `chapter`, with its eight keys checked.
///
/// # Errors
/// When the outline is missing, or has not exactly one sound block for the chapter.
pub fn outline_block(
    reader: &dyn BookReader,
    volume: VolumeNo,
    chapter: ChapterNo,
    lang: Lang,
) -> Result<ChapterOutline, ContextError> {
    let place = Place {
        path: layout::outline(volume),
        chapter,
        lang,
    };
    let Some(text) = reader.text(&place.path)? else {
        let problems = vec![missing(&place.path, place.repair())];
        return Err(ContextError::Missing { problems });
    };
    let outline = parse_outline(&text);
    place
        .check(&text, &outline)
        .map_err(|problems| ContextError::Broken { problems })
}

/// The form of a block, in the language of the book.
#[must_use]
pub fn outline_example(chapter: ChapterNo, lang: Lang) -> String {
    let number = chapter.get();
    let heading = match lang {
        Lang::Zh => format!("### 第 {number} 章: 章名"),
        Lang::En => format!("### Chapter {number}: Title"),
    };
    let keys = OUTLINE_KEYS.map(|key| match key {
        "Storyline" => "- **Storyline**: main-arc".to_owned(),
        key => format!("- **{key}**: …"),
    });
    format!("{heading}\n{}", keys.join("\n"))
}

/// Where is looked and for what.
struct Place {
    path: RelPath,
    chapter: ChapterNo,
    lang: Lang,
}

impl Place {
    fn check(&self, text: &str, outline: &Outline) -> Result<ChapterOutline, Vec<Problem>> {
        let number = self.chapter.get();
        let blocks: Vec<&OutlineBlock> = outline
            .blocks
            .iter()
            .filter(|block| block.number == number)
            .collect();
        let (Some(block), Some(bounds)) = (blocks.first(), VolumeBounds::of(outline)) else {
            return Err(vec![self.no_block(text, outline)]);
        };
        let mut problems = Vec::new();
        if blocks.len() > 1 {
            problems.push(self.doubled(&blocks));
        }
        for block in &blocks {
            self.check_keys(block, &mut problems);
        }
        let named = self.storyline(block, &mut problems);
        match named.filter(|_| problems.is_empty()) {
            Some((storyline, storyline_line)) => Ok(ChapterOutline {
                path: self.path.clone(),
                block: block.text.trim_end().to_owned(),
                pov: block.field("POV").unwrap_or_default().trim().to_owned(),
                transition: block
                    .field("TransitionHint")
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                title: block.title.clone(),
                storyline,
                storyline_line,
                bounds,
            }),
            None => Err(problems),
        }
    }

    /// A key may be empty, but it must be there: an author who has nothing to say says so.
    fn check_keys(&self, block: &OutlineBlock, problems: &mut Vec<Problem>) {
        let has = |key: &str| block.fields.iter().any(|field| field.key == key);
        let absent: Vec<&str> = OUTLINE_KEYS.into_iter().filter(|key| !has(key)).collect();
        if absent.is_empty() {
            return;
        }
        let (number, keys) = (self.chapter.get(), absent.join(", "));
        let text = message!(
            en: "the block of chapter {number} lacks: {keys}",
            zh: "第 {number} 章的区块缺少：{keys}"
        );
        let problem = Problem::new("outline_missing_keys", &self.path, text);
        problems.push(problem.at_line(block.line).hint(self.repair()));
    }

    /// The storyline and its line. A missing key is reported by [`Place::check_keys`] already.
    fn storyline(
        &self,
        block: &OutlineBlock,
        problems: &mut Vec<Problem>,
    ) -> Option<(Slug, usize)> {
        let number = self.chapter.get();
        let mut fields = block.fields.iter().filter(|field| field.key == "Storyline");
        let field = fields.next()?;
        let (code, line, text) = if let Some(second) = fields.next() {
            let text = message!(
                en: "the block of chapter {number} names its storyline twice",
                zh: "第 {number} 章的区块写了两次 Storyline"
            );
            ("outline_two_storylines", second.line, text)
        } else if field.value.is_empty() {
            let text = message!(
                en: "the Storyline of chapter {number} is empty",
                zh: "第 {number} 章的 Storyline 为空"
            );
            ("outline_empty_storyline", field.line, text)
        } else {
            match field.value.parse::<Slug>() {
                Ok(slug) => return Some((slug, field.line)),
                Err(error) => {
                    let Message { en, zh } = error.message();
                    let text = message!(
                        en: "the Storyline of chapter {number} must be an id such as `main-arc`: {en}",
                        zh: "第 {number} 章的 Storyline 应为 `main-arc` 这样的 id：{zh}"
                    );
                    ("outline_bad_storyline", field.line, text)
                }
            }
        };
        let problem = Problem::new(code, &self.path, text).at_line(line);
        problems.push(problem.hint(self.repair()));
        None
    }

    fn doubled(&self, blocks: &[&OutlineBlock]) -> Problem {
        let lines: Vec<String> = blocks.iter().map(|block| block.line.to_string()).collect();
        let (number, lines) = (self.chapter.get(), lines.join(", "));
        let text = message!(
            en: "chapter {number} has more than one heading, on lines {lines}",
            zh: "第 {number} 章有不止一个标题，位于第 {lines} 行"
        );
        let second = blocks.get(1).map_or(1, |block| block.line);
        Problem::new("outline_duplicate_chapter", &self.path, text)
            .at_line(second)
            .hint(message!(
                en: "keep one of the blocks, then run the command again",
                zh: "请只保留其中一个区块，然后重新运行命令"
            ))
    }

    fn no_block(&self, text: &str, outline: &Outline) -> Problem {
        let number = self.chapter.get();
        let message = match outline.bounds() {
            Some((first, last)) => message!(
                en: "the outline has no block for chapter {number}; it has chapters {first} to {last}",
                zh: "大纲中没有第 {number} 章的区块，其中有第 {first} 至 {last} 章"
            ),
            None => message!(
                en: "the outline has no block for chapter {number}, and no chapter heading at all",
                zh: "大纲中没有第 {number} 章的区块，也没有任何章标题"
            ),
        };
        let problem = Problem::new("outline_no_chapter", &self.path, message).hint(self.repair());
        match self.near_miss(text) {
            Some(line) => problem.at_line(line),
            None => problem,
        }
    }

    /// A heading of this chapter on another level, such as `## 第 12 章`.
    fn near_miss(&self, text: &str) -> Option<usize> {
        let names_it = |line: &str| {
            let title = line.trim_start().trim_start_matches('#').trim_start();
            line.trim_start().starts_with('#')
                && parse_outline(&format!("### {title}"))
                    .block(self.chapter.get())
                    .is_some()
        };
        text.lines().position(names_it).map(|index| index + 1)
    }

    fn repair(&self) -> Message {
        let example = outline_example(self.chapter, self.lang);
        let path = &self.path;
        message!(
            en: "plan this volume with `novel start`, or edit `{path}` by hand, then run the command again. Expected:\n{example}",
            zh: "请用 `novel start` 规划本卷，或手动修改 `{path}`，然后重新运行命令。应为：\n{example}"
        )
    }
}
