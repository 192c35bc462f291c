//! The refusal to change a published or locked chapter.

use novel_model::{ChapterNo, Explain, Kind, Lang, Message, files::Wall, message};
use serde_json::{Map, Value, json};

/// A chapter that is walled would change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("chapter {chapter} is walled")]
pub struct Walled {
    /// First walled chapter the change would touch.
    pub chapter: ChapterNo,
    /// Whether that chapter is published or locked.
    pub wall: Wall,
    /// All walled chapters the change would touch, ascending.
    pub chapters: Vec<ChapterNo>,
}

impl Explain for Walled {
    fn kind(&self) -> Kind {
        Kind::Gate
    }

    fn code(&self) -> &'static str {
        match self.wall {
            Wall::Published => "CHAPTER_PUBLISHED",
            Wall::Locked => "CHAPTER_LOCKED",
        }
    }

    fn message(&self) -> Message {
        let n = self.chapter.get();
        let mut said = match self.wall {
            Wall::Published => message!(
                en: "chapter {n} is published; its title and text stay as they are",
                zh: "第 {n} 章已发布，标题与正文不再改动"
            ),
            Wall::Locked => message!(
                en: "chapter {n} is locked; its title and text stay as they are",
                zh: "第 {n} 章已锁定，标题与正文不再改动"
            ),
        };
        let more = self.chapters.len().saturating_sub(1);
        if more > 0 {
            said.en.push_str(&format!(
                " ({more} more {} protected too)",
                if more == 1 {
                    "chapter is"
                } else {
                    "chapters are"
                }
            ));
            said.zh.push_str(&format!("（另有 {more} 章同样受保护）"));
        }
        said
    }

    fn hint(&self) -> Option<Message> {
        let n = self.chapter.get();
        Some(match self.wall {
            Wall::Published => message!(
                en: "add `--published` to change it anyway; a later chapter can explain what is wrong with it",
                zh: "确实要改请加 `--published`；也可以在后文中解释其中的问题"
            ),
            Wall::Locked => message!(
                en: "`novel chapter unlock {n}` unlocks it; `--published` changes the chapter anyway",
                zh: "`novel chapter unlock {n}` 解除锁定；确实要改也可以加 `--published`"
            ),
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        Map::from_iter([
            ("chapter".to_owned(), json!(self.chapter)),
            ("chapters".to_owned(), json!(self.chapters)),
        ])
    }
}
