//! A section that the prompt of an agent names is in its packet when the book has it.

use std::collections::BTreeSet;

use novel_book::config::StyleSource;
use novel_model::Lang;
use novel_prompt::prompt::{Agent, Mode, Output, output_in, section_names};
use serde_json::json;

use super::book::Sample;

/// The sections that stand between backticks in the prompt of an agent. Keys of its own answer that
/// are called like a section are no sections.
fn named(agent: Agent, lang: Lang) -> BTreeSet<&'static str> {
    let quoted: BTreeSet<&str> = agent.built_in(lang).split('`').skip(1).step_by(2).collect();
    let forms: Vec<String> = agent
        .modes()
        .iter()
        .filter_map(|mode| match output_in(agent, *mode) {
            Output::Json { schema, .. } => Some(schema.to_string()),
            Output::Markdown | Output::Scene => None,
        })
        .collect();
    // The first part of a path in the state; a kind of issue.
    let others = [
        (Agent::Summarizer, "characters"),
        (Agent::LogicReviewer, "foreshadowing"),
    ];
    let is_other = |name: &str| others.contains(&(agent, name));
    let is_key = |name: &str| {
        forms
            .iter()
            .any(|form| form.contains(&format!("\"{name}\":")))
    };
    section_names()
        .filter(|name| quoted.contains(name) && !is_key(name) && !is_other(name))
        .collect()
}

/// A book that has everything, and what each agent is sent of it.
fn given(lang: Lang, agent: Agent) -> BTreeSet<String> {
    let sample = Sample::new(lang, 5);
    let mut given = BTreeSet::new();
    for mode in agent.modes() {
        let prompt = sample.prompt(agent, *mode);
        given.extend(prompt.sections.into_iter().map(|section| section.name));
        given.extend(prompt.left_out.into_iter().map(|left| left.name));
    }
    if agent == Agent::PlotArchitect {
        let mut begun = Sample::new(lang, 5);
        begun.write("staging/notes/volume-02-plan.md", "…\n");
        let chapter = json!({"chapter": 6, "title": "…", "storyline_id": "lamp", "pov": "…", "location": "…",
            "conflict": "…", "arc": "…", "before": [], "objectives": [], "after": [], "transition": "…"});
        let plan = json!({"title": "…", "storylines": [], "chapters": [chapter]});
        let draft = json!({"first_chapter": 6, "last_chapter": 30, "plan": plan});
        begun.write("staging/volumes/vol-02/plan.json", draft.to_string());
        let prompt = begun.prompt(agent, Mode::Plan);
        given.extend(prompt.sections.into_iter().map(|section| section.name));
    }
    if agent == Agent::StyleAnalyzer {
        let mut other = Sample::new(lang, 5);
        other.write("samples/own.md", "雾。\n");
        for source in [StyleSource::Original, StyleSource::Reference] {
            other.config.style.source = Some(source);
            other.config.style.reference = Some("somebody".to_owned());
            let prompt = other.prompt(agent, Mode::Analyze);
            given.extend(prompt.sections.into_iter().map(|section| section.name));
        }
    }
    given
}

#[test]
fn every_section_a_prompt_names_is_in_the_packet() {
    for lang in [Lang::Zh, Lang::En] {
        for agent in Agent::ALL.iter().copied() {
            let given = given(lang, agent);
            for name in named(agent, lang) {
                assert!(
                    given.contains(name),
                    "{lang:?} {agent:?} names `{name}`: {given:?}"
                );
            }
        }
    }
}

#[test]
fn both_languages_name_the_same_sections() {
    for agent in Agent::ALL.iter().copied() {
        assert_eq!(named(agent, Lang::Zh), named(agent, Lang::En), "{agent:?}");
    }
}
