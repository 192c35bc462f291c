//! The storylines of a volume: the main one, one that goes on, and new ones with new people.

use novel_book::{config::PlanMaterial, context::Cast};
use novel_model::{
    Document, Slug,
    files::{NewCharacter, PlannedLine, Storyline, Storylines, VolumeRole},
    layout,
};

use super::{
    Task,
    cast::person,
    names::{Name, Names},
    words::{Words, fill},
};
use crate::OfflineError;

/// From this length on a volume has three lines.
const THREE_LINES: u32 = 12;

/// A line and the two people it is about.
pub(super) struct Line {
    pub(super) planned: PlannedLine,
    pub(super) lead: String,
    pub(super) other: String,
}

/// Who and what is on stage.
pub(super) struct Stage {
    /// The main line first.
    pub(super) lines: Vec<Line>,
    pub(super) dormant: Vec<Slug>,
    pub(super) new: Vec<NewCharacter>,
}

impl Stage {
    pub(super) fn of(task: Task<'_>, words: &Words, chapters: u32) -> Result<Self, OfflineError> {
        let reader = task.book.reader;
        let cast = Cast::load(reader)?;
        let known = Document::<Storylines>::load(reader, &layout::storylines())?;
        let known = known
            .map(|lines| lines.into_value().storylines)
            .unwrap_or_default();
        let mut company = Company {
            words,
            names: Names::of(task, words)?,
            new: Vec::new(),
            index: cast.members().count(),
        };
        let main = known
            .iter()
            .find(|line| line.kind == "main_arc")
            .or(known.first());
        let mut lines = vec![main_line(&cast, &known, main, &mut company)?];
        let wanted = match chapters {
            // A trial is told on the main line alone; the others do not rest, they wait.
            _ if task.is_trial() => {
                return Ok(Self {
                    lines,
                    dormant: Vec::new(),
                    new: company.new,
                });
            }
            THREE_LINES.. => 2,
            _ => 1,
        };
        let may_invent = task.book.config.plan.material == PlanMaterial::Open;
        // The youngest line goes on, if there is room for a new one beside it.
        let others = known
            .iter()
            .filter(|line| Some(line.id.as_str()) != main.map(|it| it.id.as_str()));
        let going_on = others
            .filter(|line| line.status.as_deref() == Some("active"))
            .filter_map(|line| two_of(&cast, line).map(|pair| (line, pair)))
            .next_back()
            .filter(|_| wanted > 1 || !may_invent);
        if let Some((line, (lead, other))) = going_on {
            lines.push(Line {
                planned: planned(line, VolumeRole::Secondary, &[&lead, &other]),
                lead,
                other,
            });
        }
        let mut at = 0;
        while may_invent && lines.len() <= wanted {
            let role = if lines.len() == 1 {
                VolumeRole::Secondary
            } else {
                VolumeRole::Seasoning
            };
            lines.push(company.new_line(&known, role, &mut at)?);
        }
        let on_stage = |id: &Slug| lines.iter().any(|line| line.planned.id == *id);
        let dormant = known.iter().map(|line| &line.id).filter(|id| !on_stage(id));
        let dormant = dormant.cloned().collect();
        Ok(Self {
            lines,
            dormant,
            new: company.new,
        })
    }
}

struct Company<'a> {
    words: &'a Words,
    names: Names<'a>,
    new: Vec<NewCharacter>,
    index: usize,
}

impl Company<'_> {
    fn newcomer(&mut self) -> Name {
        let name = self.names.fresh();
        self.new.push(person(self.words, &name, self.index, None));
        self.index += 1;
        name
    }

    fn new_line(
        &mut self,
        known: &[Storyline],
        role: VolumeRole,
        at: &mut usize,
    ) -> Result<Line, OfflineError> {
        let size = self.words.all("line").len().max(1);
        let (id, parts) = loop {
            let parts = self.words.parts("line", *at);
            let word = parts.first().copied().unwrap_or("side");
            let id = match *at / size {
                0 => word.to_owned(),
                round => format!("{word}-{}", round + 1),
            };
            *at += 1;
            if !known.iter().any(|line| line.id.as_str() == id) {
                break (id, parts);
            }
        };
        let (lead, other) = (self.newcomer().display, self.newcomer().display);
        let part = |at: usize| parts.get(at).copied().unwrap_or_default();
        Ok(Line {
            planned: PlannedLine {
                id: id.parse().map_err(OfflineError::Step)?,
                name: part(1).to_owned(),
                volume_role: role,
                pov_characters: vec![lead.clone(), other.clone()],
                description: fill(part(2), &[("lead", &lead)]),
            },
            lead,
            other,
        })
    }
}

fn planned(line: &Storyline, role: VolumeRole, tellers: &[&str]) -> PlannedLine {
    PlannedLine {
        id: line.id.clone(),
        name: line.name.clone(),
        volume_role: role,
        pov_characters: tellers.iter().map(|name| (*name).to_owned()).collect(),
        description: line.description.clone().unwrap_or_default(),
    }
}

/// The protagonist and whoever tells no other line.
fn main_line(
    cast: &Cast,
    known: &[Storyline],
    main: Option<&Storyline>,
    company: &mut Company<'_>,
) -> Result<Line, OfflineError> {
    let told = main.and_then(|line| line.pov_characters.first());
    let first = || cast.members().next().map(|(slug, _)| slug.clone());
    let lead = told.and_then(|name| member(cast, name)).or_else(first);
    let tellers: Vec<Slug> = known
        .iter()
        .flat_map(|line| &line.pov_characters)
        .filter_map(|name| member(cast, name))
        .collect();
    let free = cast.members().map(|(slug, _)| slug);
    let mut free = free.filter(|slug| Some(*slug) != lead.as_ref() && !tellers.contains(slug));
    let other = free.next().cloned();
    let mut named = |slug: Option<Slug>| match slug.and_then(|slug| display(cast, &slug)) {
        Some(name) => name,
        None => company.newcomer().display,
    };
    let (lead, other) = (named(lead), named(other));
    let planned = match main {
        Some(line) => planned(line, VolumeRole::Primary, &[&lead]),
        None => PlannedLine {
            id: "main-arc".parse().map_err(OfflineError::Step)?,
            name: company.words.pick("arc_name", 0).to_owned(),
            volume_role: VolumeRole::Primary,
            pov_characters: vec![lead.clone()],
            description: company.words.say(
                "arc",
                0,
                &[
                    ("hero", &lead),
                    ("faction", company.words.pick("faction", 0)),
                ],
            ),
        },
    };
    Ok(Line {
        planned,
        lead,
        other,
    })
}

/// The two tellers of a line that was planned here before.
fn two_of(cast: &Cast, line: &Storyline) -> Option<(String, String)> {
    let mut people = line.pov_characters.iter();
    let mut next = || display(cast, &member(cast, people.next()?)?);
    Some((next()?, next()?))
}

fn member(cast: &Cast, name: &str) -> Option<Slug> {
    let by_id = cast
        .members()
        .find(|(slug, _)| slug.as_str() == name.trim());
    by_id
        .map(|(slug, _)| slug.clone())
        .or_else(|| cast.named(name).cloned())
}

fn display(cast: &Cast, slug: &Slug) -> Option<String> {
    let found = cast.members().find(|(id, _)| *id == slug);
    found.map(|(_, member)| member.character.display_name.trim().to_owned())
}
