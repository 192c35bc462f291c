//! Prompt files: the built-in ones, a project's own, broken ones.

use novel_model::{Explain, Lang, Place};
use novel_prompt::prompt::{self, Agent, Limits, Mode, Origin, PromptError, Role, Template};

use super::book::{Sample, all_modes};

/// The version of a built-in prompt; it grows with every change of its rules.
fn version_of(agent: Agent) -> u32 {
    match agent {
        Agent::PlotArchitect | Agent::Summarizer => 6,
        Agent::ChapterWriter => 5,
        Agent::QualityJudge => 4,
        Agent::CharacterWeaver | Agent::ConsistencyAuditor => 3,
        Agent::StyleAnalyzer | Agent::BookReader => 1,
        _ => 2,
    }
}

#[test]
fn every_built_in_prompt_renders_in_every_mode_and_language() {
    for lang in [Lang::Zh, Lang::En] {
        let sample = Sample::new(lang, 5);
        for (agent, mode) in all_modes() {
            for bounds in [
                (None, None),
                (Some(2000), None),
                (None, Some(4000)),
                (Some(2000), Some(4000)),
            ] {
                let limits = Limits {
                    min_words: bounds.0,
                    max_words: bounds.1,
                    ..Limits::of(agent)
                };
                let prompt = sample.try_prompt(agent, mode, &limits).unwrap();
                assert_eq!(
                    (prompt.agent, prompt.mode, prompt.template_version),
                    (agent, mode, version_of(agent))
                );
                let system = prompt.text(Role::System);
                assert!(!system.contains("{{") && !system.contains("{%"), "{system}");
                if agent == Agent::ChapterWriter {
                    for bound in [bounds.0, bounds.1].into_iter().flatten() {
                        assert!(system.contains(&bound.to_string()), "{lang:?} {bounds:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_refiner_is_told_how_much_this_book_lets_it_change() {
    for lang in [Lang::Zh, Lang::En] {
        let sample = Sample::new(lang, 5);
        for mode in [Mode::Refine, Mode::Polish] {
            let limits = Limits {
                max_change_percent: 37,
                ..Limits::of(Agent::StyleRefiner)
            };
            let prompt = sample
                .try_prompt(Agent::StyleRefiner, mode, &limits)
                .unwrap();
            let rules = prompt.text(Role::System);
            let task = prompt.sections.last().unwrap().text.as_str();
            assert!(rules.contains("37"), "{rules}");
            assert!(task.contains("37"), "{task}");
        }
        let usual = sample.prompt(Agent::StyleRefiner, Mode::Refine);
        assert!(usual.text(Role::System).contains("15"));
    }
}

#[test]
fn the_task_names_the_chapter_and_what_is_asked() {
    let sample = Sample::new(Lang::Zh, 5);
    let task = |agent, mode| {
        sample
            .prompt(agent, mode)
            .sections
            .last()
            .unwrap()
            .text
            .clone()
    };
    assert!(task(Agent::ChapterWriter, Mode::Draft).contains("写第 6 章"));
    assert!(task(Agent::ChapterWriter, Mode::Revise).contains("修订第 6 章"));
    assert!(task(Agent::ChapterWriter, Mode::PlanScenes).contains("规划第 6 章"));
    let scene = task(Agent::ChapterWriter, Mode::WriteScene);
    assert!(scene.contains("第 2 场，全章共 3 场"), "{scene}");
    assert!(scene.contains("`previous_scene` 的最后一句"), "{scene}");
    assert!(!scene.contains("# 第 6 章"), "{scene}");
    let summary = task(Agent::Summarizer, Mode::Summarize);
    assert!(
        summary.contains("`delta.base_state_version` 为 5"),
        "{summary}"
    );
    let line = "`delta.storyline_id` 与 `crossref.storyline_id` 都是 `lamp`";
    assert!(summary.contains(line), "{summary}");
    assert!(task(Agent::StyleRefiner, Mode::Polish).contains("最后一次打磨"));
    assert!(!task(Agent::QualityJudge, Mode::Judge).contains("关键章"));
    assert!(task(Agent::LogicReviewer, Mode::Review).contains("审查第 6 章"));
    assert!(task(Agent::ConsistencyAuditor, Mode::Audit).contains("审计第 6 章"));
    let revision = task(Agent::ChapterReviser, Mode::Amend);
    assert!(revision.contains("修订第 6 章"), "{revision}");
    let first = Sample::new(Lang::Zh, 0).prompt(Agent::QualityJudge, Mode::Judge);
    assert!(first.sections.last().unwrap().text.contains("关键章"));
}

#[test]
fn agents_are_listed_with_equal_versions_and_their_files() {
    let names: Vec<&str> = prompt::agents().iter().map(|agent| agent.name).collect();
    assert_eq!(
        names,
        [
            "chapter-writer",
            "summarizer",
            "style-refiner",
            "quality-judge",
            "logic-reviewer",
            "consistency-auditor",
            "chapter-reviser",
            "world-builder",
            "character-weaver",
            "style-analyzer",
            "plot-architect",
            "volume-reviewer",
            "book-reader"
        ]
    );
    for agent in prompt::agents() {
        assert_eq!(
            Some(agent.version),
            Agent::from_name(agent.name).map(version_of)
        );
        for lang in agent.languages {
            let file = prompt::source(agent.name, lang).unwrap();
            assert!(file.starts_with(&format!("<!-- version: {} -->\n", agent.version)));
            assert!(!agent.description.get(lang).is_empty());
        }
    }
    assert_eq!(prompt::source("nobody", Lang::Zh), None);
}

#[test]
fn a_projects_own_file_replaces_the_built_in_one() {
    let mut sample = Sample::new(Lang::Zh, 5);
    sample.write(
        "agents/chapter-writer.md",
        "<!-- version: 7 -->\n自己的规则\n<!-- task -->\n写第 {{ chapter }} 章\n",
    );
    let prompt = sample.prompt(Agent::ChapterWriter, Mode::Draft);
    assert_eq!(prompt.template_version, 7);
    assert_eq!(prompt.text(Role::System), "自己的规则");
    assert_eq!(prompt.sections.last().unwrap().text, "写第 6 章");
    assert!(
        prompt.sections[0]
            .why
            .zh
            .contains("agents/chapter-writer.md")
    );
    assert!(matches!(
        sample.template(Agent::ChapterWriter).origin,
        Origin::Project(_)
    ));
    assert_eq!(sample.template(Agent::Summarizer).origin, Origin::BuiltIn);
}

#[test]
fn an_ejected_file_gives_the_same_prompt() {
    for lang in [Lang::Zh, Lang::En] {
        let mut sample = Sample::new(lang, 5);
        for (agent, mode) in all_modes() {
            let built_in = sample.prompt(agent, mode);
            let path = prompt::override_path(agent);
            sample.write(path.as_str(), prompt::source(agent.name(), lang).unwrap());
            assert_eq!(sample.prompt(agent, mode).hash, built_in.hash);
            sample.files.remove(&path);
        }
    }
}

fn broken(file: &str) -> (Place, String) {
    let mut sample = Sample::new(Lang::Zh, 5);
    sample.write("agents/chapter-writer.md", file);
    let result =
        Template::load(&sample.files, Agent::ChapterWriter, Lang::Zh).and_then(|template| {
            prompt::build(
                &sample.packet(Mode::Draft),
                &template,
                &Limits::of(Agent::ChapterWriter),
            )
        });
    let error = result.expect_err("a broken file is never the default");
    assert_eq!(error.code(), "BROKEN_PROMPT");
    assert!(error.hint().is_some());
    let problem = error.problems().first().expect("a problem").clone();
    assert_eq!(problem.path.as_str(), "agents/chapter-writer.md");
    (problem.place, problem.message.en)
}

fn line(line: usize) -> Place {
    Place::Line { line, column: None }
}

#[test]
fn a_broken_file_is_an_error_with_its_line() {
    assert_eq!(broken("rules\n<!-- task -->\ntask\n").0, line(1));
    assert_eq!(broken("<!-- version: one -->\n<!-- task -->\n").0, line(1));
    assert_eq!(broken("<!-- version: 1 -->\nrules\n").0, Place::File);
    assert_eq!(
        broken("<!-- version: 1 -->\na\n{% if %}\n<!-- task -->\nt\n").0,
        line(3)
    );
    assert_eq!(
        broken("<!-- version: 1 -->\na\n<!-- task -->\nt\n{{ chapter | nothing }}\n").0,
        line(5)
    );
    // What changes from chapter to chapter is not known to the rules: it would spoil the cache.
    let (place, message) =
        broken("<!-- version: 1 -->\na\nchapter {{ chapter }}\n<!-- task -->\nt\n");
    assert_eq!(place, line(3));
    assert!(message.contains("undefined"), "{message}");
    assert_eq!(
        broken("<!-- version: 1 -->\na\n<!-- task -->\n{{ chapterr }}\n").0,
        line(4)
    );
}

#[test]
fn a_template_without_end_runs_out_of_fuel() {
    let (_, message) = broken(
        "<!-- version: 1 -->\n{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}\n<!-- task -->\nt\n",
    );
    assert!(message.contains("fuel"), "{message}");
}

#[test]
fn a_packet_without_contents_or_for_another_agent_is_refused() {
    let sample = Sample::new(Lang::Zh, 5);
    let template = sample.template(Agent::ChapterWriter);
    let limits = Limits::of(Agent::ChapterWriter);
    let mut packet = sample.packet(Mode::Draft);
    packet.agent.mode = Some("sing".into());
    let refused = prompt::build(&packet, &template, &limits);
    assert!(
        matches!(refused, Err(PromptError::UnknownMode { .. })),
        "{refused:?}"
    );
    let refused = prompt::build(&sample.packet(Mode::Judge), &template, &limits);
    assert!(
        matches!(refused, Err(PromptError::UnknownAgent { .. })),
        "{refused:?}"
    );
    let mut packet = sample.packet(Mode::Draft);
    packet
        .manifest
        .embedded
        .as_mut()
        .unwrap()
        .insert("project_brief".into(), "bare text".into());
    let refused = prompt::build(&packet, &template, &limits);
    assert!(
        matches!(&refused, Err(PromptError::BrokenField { field }) if field == "project_brief"),
        "{refused:?}"
    );
    packet.manifest.embedded = None;
    let refused = prompt::build(&packet, &template, &limits);
    assert!(
        matches!(refused, Err(PromptError::NotEmbedded)),
        "{refused:?}"
    );
}

/// What stands between quotation marks in a text.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [('“', '”'), ('「', '」'), ('"', '"'), ('‘', '’')] {
        for line in text.lines() {
            let mut rest = line;
            while let Some((_, after)) = rest.split_once(open) {
                let Some((inside, behind)) = after.split_once(close) else {
                    break;
                };
                found.push(inside);
                rest = behind;
            }
        }
    }
    found
}

#[test]
fn no_prompt_contains_a_quotation_long_enough_to_be_copied_and_believed() {
    for lang in [Lang::Zh, Lang::En] {
        for agent in [
            Agent::QualityJudge,
            Agent::Summarizer,
            Agent::LogicReviewer,
            Agent::ConsistencyAuditor,
            Agent::VolumeReviewer,
            Agent::BookReader,
        ] {
            let text = agent.built_in(lang);
            for quotation in quoted(text) {
                let is_han = |char: &char| ('\u{4E00}'..='\u{9FFF}').contains(char);
                let han = quotation.chars().filter(is_han).count();
                let words = quotation.split_whitespace().count();
                // A located quotation has at least eight Han characters or five words.
                assert!(han < 8 && words < 5, "{agent:?} {lang:?}: {quotation}");
            }
        }
    }
}
