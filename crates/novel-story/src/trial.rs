//! The trial: three chapters with a light contract, before any volume is planned.
//!
//! No agent plans them. The program takes the protagonist, the main storyline and the core conflict
//! as they stand and asks for no more than an opening, a first blow and a turn.

use novel_model::{
    BookReader, ChapterNo, Document, Lang, Slug,
    files::{ChapterContract, Objective, Postconditions, Preconditions, Storylines},
    layout, message,
};
use serde_json::json;

use novel_book::{
    brief::Brief,
    context::{Cast, ContextError, missing},
};

/// Chapters of a trial.
pub const TRIAL_CHAPTERS: u32 = 3;

/// What the trial chapters are written from.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialPlan {
    /// The outline, one block per chapter.
    pub outline: String,
    /// The contracts.
    pub contracts: Vec<ChapterContract>,
}

impl TrialPlan {
    /// The plan for a book that has a world, a cast and a storyline.
    ///
    /// # Errors
    /// When one of its files is damaged.
    pub fn of(reader: &dyn BookReader, lang: Lang) -> Result<Self, ContextError> {
        let cast = Cast::load(reader)?;
        let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
        let brief = Brief::parse(&reader.text(&layout::brief())?.unwrap_or_default());
        let hero = protagonist(&cast, lines.as_ref().map(Document::get), &brief);
        let Some(line) = main_line(lines.as_ref().map(Document::get)) else {
            let hint = message!(
                en: "`novel quickstart redo world` makes it again",
                zh: "用 `novel quickstart redo world` 重新生成"
            );
            let problems = vec![missing(&layout::storylines(), hint)];
            return Err(ContextError::Missing { problems });
        };
        let others = cast
            .members()
            .map(|(_, member)| member.character.display_name.trim().to_owned())
            .filter(|name| *name != hero)
            .collect();
        let setting = Setting {
            lang,
            hero,
            others,
            line,
            conflict: brief.conflict,
        };
        let chapters: Vec<(ChapterNo, Beat)> = (1..=TRIAL_CHAPTERS)
            .filter_map(ChapterNo::new)
            .zip(setting.beats())
            .collect();
        let blocks: Vec<String> = chapters
            .iter()
            .map(|(chapter, beat)| setting.block(*chapter, beat))
            .collect();
        let head = match lang {
            Lang::Zh => "# 试写",
            Lang::En => "# Trial",
        };
        Ok(Self {
            outline: format!("{head}\n\n{}", blocks.join("\n")),
            contracts: chapters
                .iter()
                .map(|(chapter, beat)| setting.contract(*chapter, beat))
                .collect(),
        })
    }
}

/// Who the book is about: whom the brief names, who tells the main line, or else the first.
fn protagonist(cast: &Cast, lines: Option<&Storylines>, brief: &Brief) -> String {
    let name = |slug: &Slug| {
        cast.members()
            .find(|(id, _)| *id == slug)
            .map(|(_, member)| member.character.display_name.trim().to_owned())
    };
    let told = lines
        .and_then(|lines| lines.storylines.iter().find(|line| is_main(&line.kind)))
        .and_then(|line| line.pov_characters.first());
    let named = cast
        .members()
        .map(|(slug, member)| (slug, member.character.display_name.trim()))
        .find(|(_, display)| {
            let brief = brief.protagonist.as_deref().unwrap_or_default();
            !display.is_empty() && brief.contains(display)
        })
        .map(|(slug, _)| slug.clone());
    let teller = told.and_then(|told| {
        let slug = told.parse::<Slug>().ok();
        cast.named(told).cloned().or(slug)
    });
    named
        .as_ref()
        .or(teller.as_ref())
        .and_then(name)
        .or_else(|| {
            cast.members()
                .next()
                .map(|(_, member)| member.character.display_name.trim().to_owned())
        })
        .unwrap_or_default()
}

fn is_main(kind: &str) -> bool {
    kind.replace('-', "_").eq_ignore_ascii_case("main_arc")
}

fn main_line(lines: Option<&Storylines>) -> Option<Slug> {
    let lines = &lines?.storylines;
    lines
        .iter()
        .find(|line| is_main(&line.kind))
        .or_else(|| lines.first())
        .map(|line| line.id.clone())
}

/// What all trial chapters share.
struct Setting {
    lang: Lang,
    hero: String,
    others: Vec<String>,
    line: Slug,
    conflict: Option<String>,
}

/// What one trial chapter does.
struct Beat {
    title: &'static str,
    conflict: String,
    arc: String,
    objective: String,
    handover: &'static str,
}

impl Setting {
    fn beats(&self) -> [Beat; TRIAL_CHAPTERS as usize] {
        let hero = &self.hero;
        let other = self.others.first();
        let conflict = self.conflict.as_deref();
        match self.lang {
            Lang::Zh => {
                let conflict = conflict.map_or_else(
                    || "想要的东西和挡在面前的力量".to_owned(),
                    |text| text.trim_end_matches(['。', '.']).to_owned(),
                );
                let met = other.map_or_else(
                    || format!("{hero}独自迎上第一次正面冲突"),
                    |other| format!("{hero}与{other}正面相遇，各执一词"),
                );
                [
                    Beat {
                        title: "起",
                        conflict: format!("{hero}的日常被一件反常的事打断"),
                        arc: format!("{hero}从旁观到不得不过问"),
                        objective: format!("{hero}登场，并遇上这件事：{conflict}"),
                        handover: "反常的事还没有完",
                    },
                    Beat {
                        title: "承",
                        conflict: met.clone(),
                        arc: format!("{hero}第一次付出代价"),
                        objective: met,
                        handover: "退路已经不在了",
                    },
                    Beat {
                        title: "转",
                        conflict: format!("{hero}必须作出选择"),
                        arc: format!("{hero}下定决心"),
                        objective: format!("{hero}作出一个不能收回的决定"),
                        handover: "决定之后，真正的难处才刚刚开始",
                    },
                ]
            }
            Lang::En => {
                let conflict = conflict.map_or_else(
                    || "what is wanted and what stands in the way".to_owned(),
                    |text| text.trim_end_matches(['。', '.']).to_owned(),
                );
                let met = other.map_or_else(
                    || format!("{hero} meets the first open resistance alone"),
                    |other| format!("{hero} and {other} face each other and neither gives way"),
                );
                [
                    Beat {
                        title: "Opening",
                        conflict: format!("something out of order breaks into {hero}'s day"),
                        arc: format!("{hero} goes from watching to taking part"),
                        objective: format!("{hero} enters and runs into it: {conflict}"),
                        handover: "the matter is not over",
                    },
                    Beat {
                        title: "First blow",
                        conflict: met.clone(),
                        arc: format!("{hero} pays a price for the first time"),
                        objective: met,
                        handover: "the way back is gone",
                    },
                    Beat {
                        title: "Turn",
                        conflict: format!("{hero} has to choose"),
                        arc: format!("{hero} makes up their mind"),
                        objective: format!("{hero} takes a decision that cannot be taken back"),
                        handover: "after the decision the hard part begins",
                    },
                ]
            }
        }
    }

    fn block(&self, chapter: ChapterNo, beat: &Beat) -> String {
        let Beat {
            title,
            conflict,
            arc,
            handover,
            ..
        } = beat;
        let (number, line, hero) = (chapter.get(), &self.line, &self.hero);
        let (heading, nothing) = match self.lang {
            Lang::Zh => (format!("### 第 {number} 章：{title}"), "无"),
            Lang::En => (format!("### Chapter {number}: {title}"), "none"),
        };
        format!(
            "{heading}\n- **Storyline**: {line}\n- **POV**: {hero}\n- **Location**:\n- **Conflict**: {conflict}\n- **Arc**: {arc}\n- **Foreshadowing**: {nothing}\n- **StateChanges**: {nothing}\n- **TransitionHint**: {handover}\n"
        )
    }

    /// One objective and no conditions on the state: the trial is to show voice and people.
    fn contract(&self, chapter: ChapterNo, beat: &Beat) -> ChapterContract {
        let states = [(self.hero.clone(), json!({}))];
        ChapterContract {
            chapter,
            storyline_id: self.line.clone(),
            storyline_context: None,
            transition_hint: None,
            preconditions: Preconditions {
                character_states: Some(states.into_iter().collect()),
                required_world_rules: Vec::new(),
            },
            objectives: vec![Objective {
                id: format!("OBJ-{}-1", chapter.get()),
                kind: "plot".to_owned(),
                required: true,
                description: beat.objective.clone(),
            }],
            postconditions: Postconditions::default(),
            acceptance_criteria: Vec::new(),
            function: None,
        }
    }
}

#[cfg(test)]
#[path = "trial_tests.rs"]
mod tests;
