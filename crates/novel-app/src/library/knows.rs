//! `novel knows`: what one character knows at a chapter. Writes nothing.

use novel_book::context::{Cast, Knowledge, Mind, hidden_part};
use novel_contract::library as contract;
use novel_model::{
    BookReader, ChapterNo, Explain, Failure, Kind, Message, Slug, layout, message, nearest,
};

use crate::{Project, read_checkpoint};

/// Nobody goes by that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no character {said}")]
pub struct Nobody {
    /// Name or id given on the command line.
    pub said: String,
    /// The ids and names there are.
    pub known: Vec<String>,
}

impl Explain for Nobody {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "NO_SUCH_CHARACTER"
    }

    fn message(&self) -> Message {
        let said = &self.said;
        message!(en: "there is no character `{said}`", zh: "没有角色 `{said}`")
    }

    fn hint(&self) -> Option<Message> {
        let known = self.known.iter().map(String::as_str);
        Some(match nearest(&self.said, known) {
            Some(similar) => message!(
                en: "did you mean `{similar}`? `novel character list` shows them all",
                zh: "是否想写 `{similar}`？`novel character list` 列出全部角色"
            ),
            None => message!(
                en: "`novel character list` shows them all", zh: "`novel character list` 列出全部角色"
            ),
        })
    }
}

/// What one character knows.
#[derive(Debug)]
pub struct KnowsReport {
    /// Who.
    pub id: Slug,
    /// By the name in the prose.
    pub name: String,
    /// When this chapter is told.
    pub at: ChapterNo,
    /// Of the secrets of the book.
    pub mind: Mind,
    /// What the character's profile says they hide.
    pub hides: Vec<String>,
    /// Whether the book has `world/truth.json`.
    pub has_truth: bool,
}

/// What a character, by id, name or alias, knows when chapter `at` is told; without it the chapter that
/// comes next.
///
/// # Errors
/// When nobody goes by that name, or a file is damaged.
pub fn knows(project: &Project, said: &str, at: Option<ChapterNo>) -> Result<KnowsReport, Failure> {
    project.store().look(|reader| {
        let cast = Cast::load(reader)?;
        let Some(id) = cast.resolve(said).cloned() else {
            let known = cast.members().flat_map(|(id, member)| {
                let name = member.character.display_name.trim().to_owned();
                [id.to_string(), name]
            });
            return Err(Nobody {
                said: said.to_owned(),
                known: known.collect(),
            }
            .into());
        };
        let at = match at {
            Some(at) => at,
            None => read_checkpoint(reader)?.get().next_chapter(),
        };
        let knowledge = Knowledge::load(reader, &cast)?;
        let profile = reader.text(&layout::character_profile(&id))?;
        let name = cast.member(&id).map(|it| it.display_name.trim().to_owned());
        Ok(KnowsReport {
            name: name.unwrap_or_else(|| id.to_string()),
            at,
            has_truth: knowledge.is_some(),
            mind: knowledge.map(|it| it.mind(&id, at)).unwrap_or_default(),
            hides: hidden_part(profile.as_deref().unwrap_or_default()).1,
            id,
        })
    })
}

impl KnowsReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::KnowsAnswer {
        let secret = |id: &String, fact: &String, from: Option<u32>| contract::KnownSecret {
            id: id.clone(),
            fact: fact.clone(),
            from_chapter: from,
        };
        let Mind {
            knows,
            believes,
            does_not_know,
        } = &self.mind;
        contract::KnowsAnswer {
            character: self.id.clone(),
            display_name: self.name.clone(),
            at: self.at,
            knows: knows
                .iter()
                .map(|(id, fact, from)| secret(id, fact, Some(*from)))
                .collect(),
            believes: believes
                .iter()
                .map(|(id, belief)| contract::WrongBelief {
                    secret: id.clone(),
                    belief: belief.clone(),
                })
                .collect(),
            does_not_know: does_not_know
                .iter()
                .map(|(id, fact)| secret(id, fact, None))
                .collect(),
            hides: self.hides.clone(),
            has_truth: self.has_truth,
            warnings: Vec::new(),
        }
    }
}
