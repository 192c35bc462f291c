//! What a chapter is to be, gathered from the packet and the book.

use std::collections::BTreeMap;

use novel_book::context::{Cast, ChapterContext};
use novel_model::{
    ChapterNo, Document, FileError, ForeshadowId, Lang, RelPath, Slug, VolumeNo,
    files::{
        ChapterContract, Character, ForeshadowAction, Packet, StoryState, StorylineSchedule,
        Storylines, StyleProfile,
    },
    layout,
};
use novel_text::{OutlineBlock, parse_outline};
use serde_json::{Map, Value};

use crate::{OfflineBook, OfflineError, prose::clean};

/// One packet to answer.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) book: OfflineBook<'a>,
    pub(crate) packet: &'a Packet,
    pub(crate) chapter: ChapterNo,
}

impl Task<'_> {
    /// The language of the book.
    pub(crate) fn lang(&self) -> Lang {
        self.book.config.lang()
    }

    /// The text of the file the packet names under `field`.
    pub(crate) fn text(&self, field: &'static str) -> Result<String, OfflineError> {
        self.optional_text(field)?
            .ok_or(OfflineError::PacketField { field })
    }

    /// The text of the file the packet names under `field`, if it names one.
    pub(crate) fn optional_text(
        &self,
        field: &'static str,
    ) -> Result<Option<String>, OfflineError> {
        let Some(path) = self.packet.manifest.paths.get(field) else {
            return Ok(None);
        };
        let path = path.as_str().and_then(|path| path.parse::<RelPath>().ok());
        let path = path.ok_or(OfflineError::PacketField { field })?;
        Ok(self.book.reader.text(&path)?)
    }

    /// The texts of the files the packet lists under `field`.
    pub(crate) fn texts(&self, field: &'static str) -> Result<Vec<String>, OfflineError> {
        let listed = self.packet.manifest.paths.get(field);
        let listed = listed.and_then(Value::as_array);
        let mut texts = Vec::new();
        for path in listed.into_iter().flatten() {
            let path = path.as_str().and_then(|path| path.parse::<RelPath>().ok());
            let path = path.ok_or(OfflineError::PacketField { field })?;
            texts.extend(self.book.reader.text(&path)?);
        }
        Ok(texts)
    }

    /// A list the packet carries itself; a missing one is empty.
    pub(crate) fn inline_list(&self, field: &str) -> &[Value] {
        let list = self.packet.manifest.inline.get(field);
        list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The state before the chapter, as the packet gives it.
    pub(crate) fn state(&self) -> Result<StoryState, OfflineError> {
        let field = "current_state";
        if let Some(text) = self.optional_text(field)? {
            return Ok(Document::parse(&layout::state(), &text)
                .map_err(FileError::from)?
                .into_value());
        }
        let given = self.packet.manifest.inline.get(field);
        let given = given.ok_or(OfflineError::PacketField { field })?;
        serde_json::from_value(given.clone()).map_err(|_| OfflineError::PacketField { field })
    }

    /// The volume of the chapter.
    pub(crate) fn volume(&self) -> Result<VolumeNo, OfflineError> {
        let number = self.packet.manifest.inline.get("volume");
        number
            .and_then(Value::as_u64)
            .and_then(|number| u32::try_from(number).ok())
            .and_then(VolumeNo::new)
            .ok_or(OfflineError::PacketField { field: "volume" })
    }

    /// The style profile.
    pub(crate) fn style(&self) -> Result<StyleProfile, OfflineError> {
        let profile = Document::<StyleProfile>::load(self.book.reader, &layout::style_profile())?;
        Ok(profile.map(Document::into_value).unwrap_or_default())
    }

    /// Gathers the plan.
    pub(crate) fn plan(&self) -> Result<ChapterPlan, OfflineError> {
        let volume = self.volume()?;
        let reader = self.book.reader;
        let context = ChapterContext::load(reader, volume, self.chapter, self.lang())?;
        let cast = Cast::load(reader)?;
        let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
        let lines = lines.map(Document::into_value);
        Ok(ChapterPlan::new(self.lang(), context, cast, lines.as_ref()))
    }
}

/// A foreshadowing item a chapter deals with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemTask {
    pub(crate) id: ForeshadowId,
    /// Empty when neither facts nor plan know the item.
    pub(crate) description: String,
    pub(crate) action: ForeshadowAction,
}

/// The plan of a chapter.
pub(crate) struct ChapterPlan {
    pub(crate) lang: Lang,
    pub(crate) title: String,
    pub(crate) contract: Document<ChapterContract>,
    pub(crate) block: OutlineBlock,
    pub(crate) cast: Cast,
    /// Whose eyes.
    pub(crate) pov: String,
    /// Who else may speak, most certain first.
    pub(crate) company: Vec<String>,
    /// In order of the scenes; never empty.
    pub(crate) places: Vec<String>,
    /// Whether storylines meet here.
    pub(crate) convergence: bool,
    /// Everybody the plan names for this chapter.
    present: Vec<Slug>,
    /// Tellers of other lines, who are not named in this chapter's plan.
    pub(crate) strangers: Vec<Slug>,
}

impl ChapterPlan {
    fn new(lang: Lang, context: ChapterContext, cast: Cast, lines: Option<&Storylines>) -> Self {
        let mut blocks = parse_outline(&context.outline.block).blocks;
        let block = if blocks.is_empty() {
            OutlineBlock {
                number: context.chapter.get(),
                title: context.outline.title.clone(),
                line: 1,
                text: context.outline.block.clone(),
                fields: Vec::new(),
            }
        } else {
            blocks.swap_remove(0)
        };
        let contract = context.contract;
        let certain = named_in_states(&cast, contract.get());
        let told = told_in_plan(&cast, &block, contract.get());
        let pov = point_of_view(&cast, &block, contract.get(), lines)
            .or_else(|| certain.first().cloned())
            .or_else(|| told.first().cloned());
        let mut present: Vec<Slug> = pov.iter().cloned().collect();
        for slug in certain.iter().chain(&told) {
            if !present.contains(slug) {
                present.push(slug.clone());
            }
        }
        let speakers = if certain.iter().any(|slug| Some(slug) != pov.as_ref()) {
            &certain
        } else {
            &present
        };
        let name = |slug: &Slug| display_name(&cast, slug);
        let company = speakers
            .iter()
            .filter(|slug| Some(*slug) != pov.as_ref())
            .filter_map(name)
            .collect();
        let schedule = context.schedule.as_ref().map(Document::get);
        let convergence = schedule.is_some_and(|schedule| meets(schedule, context.chapter));
        let strangers = strangers(&cast, lines, &contract.get().storyline_id, &present);
        let places = places(lang, block.field("Location").unwrap_or_default());
        let title = clean(&context.outline.title);
        let title = if title.is_empty() {
            places[0].clone()
        } else {
            title
        };
        let somebody = match lang {
            Lang::Zh => "来人",
            Lang::En => "the visitor",
        };
        let pov_name = pov.as_ref().and_then(name);
        Self {
            lang,
            title,
            pov: pov_name.unwrap_or_else(|| somebody.to_owned()),
            company,
            places,
            convergence,
            present,
            strangers,
            contract,
            block,
            cast,
        }
    }

    /// A field of the outline block, as a part of a sentence.
    pub(crate) fn field(&self, key: &str) -> Option<String> {
        let value = clean(self.block.field(key)?);
        let nothing = ["无", "none", "-", "—", "…", "n/a", "待定", "tbd"];
        let said = !value.is_empty() && !nothing.contains(&value.to_lowercase().as_str());
        said.then_some(value)
    }

    /// Whether a text speaks of somebody only another storyline knows.
    pub(crate) fn names_a_stranger(&self, text: &str) -> bool {
        !self.convergence
            && self
                .strangers
                .iter()
                .any(|slug| self.is_named_in(slug, text))
    }

    /// Whether a text speaks of somebody who is not in this chapter's plan.
    pub(crate) fn names_an_absentee(&self, text: &str) -> bool {
        let mut cast = self.cast.members().map(|(slug, _)| slug);
        cast.any(|slug| !self.present.contains(slug) && self.is_named_in(slug, text))
    }

    /// Whether a character is named in a text.
    pub(crate) fn is_named_in(&self, slug: &Slug, text: &str) -> bool {
        let mut members = self.cast.members();
        members.any(|(id, member)| id == slug && is_named(&member.character, text))
    }

    /// Descriptions of foreshadowing items by id, as the packet gives them.
    pub(crate) fn foreshadow_descriptions(task: &Task<'_>) -> BTreeMap<String, String> {
        let given = ["foreshadowing_tasks", "open_foreshadowing"];
        let items = given.iter().flat_map(|field| task.inline_list(field));
        items
            .filter_map(|item| {
                let text = clean(item["description"].as_str()?);
                Some((item["id"].as_str()?.to_owned(), text))
            })
            .collect()
    }

    /// Everybody the plan names.
    pub(crate) fn present(&self) -> impl Iterator<Item = (&Slug, String)> {
        self.present
            .iter()
            .filter_map(|slug| Some((slug, display_name(&self.cast, slug)?)))
    }
}

/// What the contract wants of the foreshadowing, with descriptions from the packet.
pub(crate) fn item_tasks(task: &Task<'_>, contract: &ChapterContract) -> Vec<ItemTask> {
    let described = task.inline_list("foreshadowing_tasks");
    let description = |id: &str| {
        let item = described.iter().find(|item| item["id"] == id);
        let text = item.and_then(|item| item["description"].as_str());
        text.map(clean).filter(|text| !text.is_empty())
    };
    contract
        .postconditions
        .foreshadowing_updates
        .iter()
        .filter_map(|(id, action)| {
            let action = ForeshadowAction::from_word(action.as_str()?)?;
            Some(ItemTask {
                id: id.parse().ok()?,
                description: description(id).unwrap_or_default(),
                action,
            })
        })
        .collect()
}

fn display_name(cast: &Cast, slug: &Slug) -> Option<String> {
    let mut members = cast.members();
    let (_, member) = members.find(|(id, _)| *id == slug)?;
    Some(member.character.display_name.trim().to_owned())
}

fn is_named(character: &Character, text: &str) -> bool {
    std::iter::once(&character.display_name)
        .chain(&character.aliases)
        .map(|name| name.trim())
        .any(|name| !name.is_empty() && mentions(text, name))
}

/// Whether `name` stands in `text`; a Latin name not inside a longer word.
fn mentions(text: &str, name: &str) -> bool {
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
    })
}

fn named_in_states(cast: &Cast, contract: &ChapterContract) -> Vec<Slug> {
    let before = contract.preconditions.character_states.iter();
    let before = before.flat_map(Map::keys);
    let after = contract.postconditions.state_changes.keys();
    let mut named: Vec<Slug> = Vec::new();
    for slug in before.chain(after).filter_map(|name| cast.named(name)) {
        if !named.contains(slug) {
            named.push(slug.clone());
        }
    }
    named
}

/// What the plan tells of this chapter; hints for the next one are left out.
fn told_in_plan(cast: &Cast, block: &OutlineBlock, contract: &ChapterContract) -> Vec<Slug> {
    let fields = ["POV", "Location", "Conflict", "Arc", "StateChanges"];
    let mut told: String = fields
        .iter()
        .filter_map(|key| block.field(key))
        .collect::<Vec<_>>()
        .join("\n");
    for objective in &contract.objectives {
        told.push('\n');
        told.push_str(&objective.description);
    }
    cast.members()
        .filter(|(_, member)| is_named(&member.character, &told))
        .map(|(slug, _)| slug.clone())
        .collect()
}

/// Who tells the chapter: the first person named in the outline's POV, else the line's teller.
fn point_of_view(
    cast: &Cast,
    block: &OutlineBlock,
    contract: &ChapterContract,
    lines: Option<&Storylines>,
) -> Option<Slug> {
    let said = block.field("POV").unwrap_or_default();
    let first = |name: &str| said.find(name.trim()).filter(|_| !name.trim().is_empty());
    let by_outline = cast
        .members()
        .filter_map(|(slug, member)| {
            let character = &member.character;
            let names = std::iter::once(&character.display_name).chain(&character.aliases);
            let at = names.filter_map(|name| first(name)).min()?;
            Some((at, slug))
        })
        .min()
        .map(|(_, slug)| slug.clone());
    by_outline.or_else(|| {
        let line = lines?
            .storylines
            .iter()
            .find(|line| line.id == contract.storyline_id)?;
        line.pov_characters
            .iter()
            .find_map(|name| member_of(cast, name))
    })
}

/// A character by id, name or alias.
fn member_of(cast: &Cast, name: &str) -> Option<Slug> {
    let by_id = cast
        .members()
        .find(|(slug, _)| slug.as_str() == name.trim());
    by_id
        .map(|(slug, _)| slug)
        .or_else(|| cast.named(name))
        .cloned()
}

fn strangers(cast: &Cast, lines: Option<&Storylines>, line: &Slug, present: &[Slug]) -> Vec<Slug> {
    let mut strangers: Vec<Slug> = lines
        .into_iter()
        .flat_map(|lines| &lines.storylines)
        .filter(|other| other.id != *line)
        .flat_map(|other| &other.pov_characters)
        .filter_map(|name| member_of(cast, name))
        .filter(|slug| !present.contains(slug))
        .collect();
    strangers.sort();
    strangers.dedup();
    strangers
}

fn meets(schedule: &StorylineSchedule, chapter: ChapterNo) -> bool {
    schedule
        .convergence_events
        .iter()
        .any(|event| event.contains(chapter))
}

/// The places of the outline in order: `A → B（夜）` gives two.
fn places(lang: Lang, location: &str) -> Vec<String> {
    let found: Vec<String> = location
        .split(['→', '；', ';'])
        .flat_map(|part| part.split("->"))
        .map(|part| {
            let ends: &[char] = match lang {
                Lang::Zh => &['（', '(', '，', '、'],
                Lang::En => &['（', '(', ','],
            };
            clean(part.split(ends).next().unwrap_or_default())
        })
        .filter(|place| !place.is_empty())
        .map(|place| match lang {
            Lang::Zh => place,
            Lang::En => crate::prose::lower_first(&place),
        })
        .collect();
    if found.is_empty() {
        let here = match lang {
            Lang::Zh => "原来的地方",
            Lang::En => "the usual place",
        };
        vec![here.to_owned()]
    } else {
        found
    }
}
