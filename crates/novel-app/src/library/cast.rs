//! `novel character`: who is in the story, what holds for them, and how they leave it.

use novel_contract::library as contract;
use novel_model::{
    BookReader, Document, ErrorTable, Kind, Lang, Problem, RelPath, Row, Slug,
    files::{Character, StoryState},
    layout, message, nearest, to_json_text,
};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel};
use novel_story::{
    report::{Facts, Report, Span},
    retire::{RETIRED_CHAPTER, StillNeeded, needed_by},
};
use serde_json::{Value, json};

use crate::{BookError, Project, error::use_case_error, read_checkpoint};

/// Nobody of that id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no character {id}")]
pub struct NoCharacter {
    /// What was asked for: an id or a name.
    pub id: String,
    /// The ids and names there are.
    pub known: Vec<String>,
}

impl ErrorTable for NoCharacter {
    fn row(&self) -> Row<'_> {
        let id = &self.id;
        let message = message!(en: "there is no character `{id}`", zh: "没有角色 `{id}`");
        let known = self.known.iter().map(String::as_str);
        Row::new(Kind::Input, "NO_SUCH_CHARACTER", message).hint(match nearest(id, known) {
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

use_case_error! {
    /// Why a character cannot be shown or retired.
    pub enum CastError {
        /// The book cannot be read or written.
        Book(BookError),
        /// There is no such character.
        NoCharacter(NoCharacter),
        /// The story needs the character.
        StillNeeded(StillNeeded),
    }
}

/// The id of whoever is meant: an id, a name or an alias.
///
/// # Errors
/// When nobody is called so.
pub fn named(project: &Project, name: &str) -> Result<Slug, CastError> {
    let parsed = name.parse::<Slug>();
    if let Ok(id) = &parsed {
        return Ok(id.clone());
    }
    let everybody = project.store().look(|reader| everybody(reader))?;
    let is_meant = |card: &&CharacterCard| {
        let character = card.document.get();
        character.display_name == name || character.aliases.iter().any(|alias| alias == name)
    };
    if let Some(card) = everybody.iter().find(is_meant) {
        return Ok(card.id.clone());
    }
    // An id that was meant and is none: its form is told. Anything else is a name.
    if name.is_ascii() {
        return Ok(parsed?);
    }
    let known = everybody.iter();
    let known = known.map(|card| card.document.get().display_name.clone());
    Err(NoCharacter {
        id: name.to_owned(),
        known: known.collect(),
    }
    .into())
}

/// One character.
#[derive(Debug)]
pub struct CharacterCard {
    /// The id.
    pub id: Slug,
    /// The file.
    pub path: RelPath,
    /// Its content.
    pub document: Document<Character>,
    /// Whether the file lies with the retired.
    pub retired: bool,
    /// What the state says of them.
    pub state: Option<Value>,
    /// The written chapters that name them; empty in a list.
    pub chapters: Vec<u32>,
    /// What still needs them; empty in a list.
    pub needed_by: Vec<Problem>,
}

/// Everybody with a file: the active by id, then the retired.
///
/// # Errors
/// When a file is damaged.
pub fn list(project: &Project) -> Result<Vec<CharacterCard>, BookError> {
    project.store().look(|reader| everybody(reader))
}

fn everybody(reader: &dyn BookReader) -> Result<Vec<CharacterCard>, BookError> {
    let state = Document::<StoryState>::load(reader, &layout::state())?;
    let mut cards = Vec::new();
    for (directory, retired) in [
        (layout::characters_dir(), false),
        (layout::retired_dir(), true),
    ] {
        let mut names = reader.list(&directory)?;
        names.sort_unstable();
        for name in names {
            let id = name
                .strip_suffix(".json")
                .and_then(|stem| stem.parse::<Slug>().ok());
            let (Some(id), Ok(path)) = (id, directory.join(&name)) else {
                continue;
            };
            if let Some(document) = Document::<Character>::load(reader, &path)? {
                let known = state
                    .as_ref()
                    .and_then(|state| state.get().characters.get(id.as_str()));
                cards.push(CharacterCard {
                    state: known.cloned(),
                    id,
                    path,
                    document,
                    retired,
                    chapters: Vec::new(),
                    needed_by: Vec::new(),
                });
            }
        }
    }
    Ok(cards)
}

fn find(cards: Vec<CharacterCard>, id: &Slug) -> Result<CharacterCard, NoCharacter> {
    let known = cards.iter().map(|card| card.id.to_string()).collect();
    let found = cards.into_iter().find(|card| card.id == *id);
    found.ok_or_else(|| NoCharacter {
        id: id.to_string(),
        known,
    })
}

/// One character with the chapters that name them and what still needs them.
///
/// # Errors
/// When there is nobody of that id, or a file is damaged.
pub fn show(project: &Project, id: &Slug) -> Result<CharacterCard, CastError> {
    project.store().look(|reader| {
        let mut card = find(everybody(reader)?, id)?;
        let checkpoint = read_checkpoint(reader)?;
        let checkpoint = checkpoint.get();
        let volumes = Volumes::load(reader, checkpoint.current_volume)?;
        let span = Span {
            first: 1,
            last: checkpoint.last_completed_chapter,
            volume: None,
            volumes: volumes.planned().to_vec(),
        };
        let report = Report::of(&Facts::gather(reader, project.config(), span)?);
        let named = report
            .cast
            .characters
            .into_iter()
            .find(|who| who.id == id.as_str());
        card.chapters = named.map(|who| who.chapters).unwrap_or_default();
        if !card.retired {
            card.needed_by = needed_by(reader, id, checkpoint)?;
        }
        Ok(card)
    })
}

/// What a retirement did.
#[derive(Debug)]
pub struct RetireReport {
    /// Who.
    pub id: Slug,
    /// The last chapter they may act in.
    pub retired_chapter: u32,
    /// Where their file is now.
    pub path: RelPath,
    /// Whether they had left before.
    pub already_retired: bool,
}

/// Takes somebody out of the active cast: one transaction, which `novel undo` reverts.
///
/// # Errors
/// When there is nobody of that id, or something still needs them; nothing is written then.
pub fn retire(
    project: &Project,
    id: &Slug,
    reason: Option<&str>,
) -> Result<RetireReport, CastError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let card = find(everybody(&reader)?, id)?;
    if card.retired {
        let known = card
            .document
            .raw()
            .get(RETIRED_CHAPTER)
            .and_then(Value::as_u64);
        return Ok(RetireReport {
            id: card.id,
            retired_chapter: known
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or_default(),
            path: card.path,
            already_retired: true,
        });
    }
    let checkpoint = read_checkpoint(&reader)?;
    StillNeeded::unless_free(id, needed_by(&reader, id, checkpoint.get())?)?;
    let last = checkpoint.get().last_completed_chapter;
    let mut record = card.document.raw().clone();
    if let Value::Object(record) = &mut record {
        record.insert(RETIRED_CHAPTER.to_owned(), json!(last));
    }
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Retire, id.as_str()));
    txn.at(project.now());
    txn.remove(card.path);
    txn.write(layout::retired_character(id), to_json_text(&record));
    let profile = layout::character_profile(id);
    if let Some(text) = reader.read(&profile)? {
        txn.write(layout::retired_profile(id), text);
        txn.remove(profile);
    }
    let name = card.document.get().display_name.trim();
    let mut line = match project.config().lang() {
        Lang::Zh => format!("- 第 {last} 章后：{name}（{id}）退场"),
        Lang::En => format!("- after chapter {last}: {name} ({id}) retires"),
    };
    if let Some(reason) = reason {
        let words: Vec<&str> = reason.split_whitespace().collect();
        line.push_str(match project.config().lang() {
            Lang::Zh => "：",
            Lang::En => ": ",
        });
        line.push_str(&words.join(" "));
    }
    txn.append(layout::characters_changelog(), format!("{line}\n"));
    txn.commit()?;
    Ok(RetireReport {
        id: id.clone(),
        retired_chapter: last,
        path: layout::retired_character(id),
        already_retired: false,
    })
}

impl CharacterCard {
    /// The last chapter a retired character may act in, where their file says it.
    #[must_use]
    pub fn retired_chapter(&self) -> Option<u64> {
        self.document
            .raw()
            .get(RETIRED_CHAPTER)
            .and_then(Value::as_u64)
    }

    /// Where the state has them.
    #[must_use]
    pub fn location(&self) -> Option<&str> {
        self.state.as_ref()?.get("location")?.as_str()
    }

    /// The character in a list.
    #[must_use]
    pub fn row(&self) -> contract::CharacterRow {
        let character = self.document.get();
        contract::CharacterRow {
            id: self.id.clone(),
            display_name: character.display_name.clone(),
            aliases: character.aliases.clone(),
            standing: self.standing(),
            retired_chapter: self.retired_chapter(),
            location: self.location().map(str::to_owned),
            contracts: character.contracts.len(),
            path: self.path.to_string(),
        }
    }

    /// Everything there is to know about the character.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::CharacterAnswer {
        let character = self.document.get();
        let need = |need| novel_contract::Problem::new(need, lang);
        contract::CharacterAnswer {
            id: self.id.clone(),
            display_name: character.display_name.clone(),
            aliases: character.aliases.clone(),
            standing: self.standing(),
            retired_chapter: self.retired_chapter(),
            location: self.location().map(str::to_owned),
            contracts: character.contracts.clone(),
            path: self.path.to_string(),
            state: self.state.clone(),
            chapters: self.chapters.clone(),
            needed_by: self.needed_by.iter().map(need).collect(),
            warnings: Vec::new(),
        }
    }

    fn standing(&self) -> contract::Standing {
        if self.retired {
            contract::Standing::Retired
        } else {
            contract::Standing::Active
        }
    }
}

impl RetireReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::RetireAnswer {
        contract::RetireAnswer {
            id: self.id.clone(),
            retired_chapter: self.retired_chapter,
            path: self.path.to_string(),
            already_retired: self.already_retired,
            warnings: Vec::new(),
        }
    }
}
