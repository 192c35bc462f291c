//! Prompt files: where they come from, their form, how they are rendered.
//!
//! A file has a version line, the rules of the agent, a line `<!-- task -->` and the task. Rules
//! may use only what stays the same through a book, so that a provider's prefix cache pays; the
//! task stands at the very end of the prompt and knows the chapter. A project's own file
//! (`agents/NAME.md`) replaces the built-in one whole; a broken one is an error.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig};
use novel_model::{BookReader, Lang, Message, Problem, RelPath, layout, message};

use super::{Agent, Mode, PromptError, agents::version_of};

/// Separates the rules from the task.
const TASK_LINE: &str = "<!-- task -->";
/// The name of the one template of an environment.
const PROMPT: &str = "prompt";
/// Steps a template may take; far more than any prompt needs, far less than a loop without end.
const FUEL: u64 = 50_000;

/// Where a prompt file comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Shipped with the program.
    BuiltIn,
    /// The project has its own.
    Project(RelPath),
}

/// A prompt file, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Whose it is.
    pub agent: Agent,
    /// Its language.
    pub lang: Lang,
    /// Its version line.
    pub version: u32,
    /// Where it comes from.
    pub origin: Origin,
    path: RelPath,
    /// Both parts begin with empty lines, so that the line numbers of errors are the file's.
    rules: String,
    task: String,
}

impl Template {
    /// The prompt file of an agent: the project's own, else the built-in one.
    ///
    /// # Errors
    /// When the project's own is there but cannot be read or is broken.
    pub fn load(reader: &dyn BookReader, agent: Agent, lang: Lang) -> Result<Self, PromptError> {
        let path = override_path(agent);
        match reader.text(&path)? {
            Some(text) => Self::parse(agent, lang, Origin::Project(path.clone()), path, &text),
            None => Self::built_in(agent, lang, path),
        }
    }

    /// Read once: the files are part of the program.
    fn built_in(agent: Agent, lang: Lang, path: RelPath) -> Result<Self, PromptError> {
        static READ: Mutex<BTreeMap<(Agent, &str), Template>> = Mutex::new(BTreeMap::new());
        let text = agent.built_in(lang);
        let read = || READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(template) = read().get(&(agent, text)) {
            return Ok(template.clone());
        }
        let template = Self::parse(agent, lang, Origin::BuiltIn, path, text)?;
        read().insert((agent, text), template.clone());
        Ok(template)
    }

    fn parse(
        agent: Agent,
        lang: Lang,
        origin: Origin,
        path: RelPath,
        text: &str,
    ) -> Result<Self, PromptError> {
        let Some(version) = version_of(text) else {
            let what = message!(
                en: "the first line is not a version line",
                zh: "第一行不是版本行"
            );
            let problem = Problem::new("no_version", &path, what).at_line(1);
            return Err(PromptError::template(problem.hint(message!(
                en: "begin the file with `<!-- version: 1 -->`",
                zh: "请以 `<!-- version: 1 -->` 作为第一行"
            ))));
        };
        let Some(at) = text.lines().position(|line| line.trim() == TASK_LINE) else {
            let what = message!(
                en: "the line `{TASK_LINE}` between rules and task is missing",
                zh: "缺少分隔规则与任务的一行 `{TASK_LINE}`"
            );
            let name = agent.name();
            let problem = Problem::new("no_task", &path, what).hint(message!(
                en: "see the built-in file: `novel agents show {name}`",
                zh: "参照内置文件：`novel agents show {name}`"
            ));
            return Err(PromptError::template(problem));
        };
        let part = |from: usize, to: usize| {
            let lines: Vec<&str> = text.lines().skip(from).take(to - from).collect();
            format!("{}{}", "\n".repeat(from), lines.join("\n"))
        };
        let template = Self {
            agent,
            lang,
            version,
            origin,
            rules: part(1, at),
            task: part(at + 1, text.lines().count()),
            path,
        };
        for source in [&template.rules, &template.task] {
            compiled(source).map_err(|error| template.broken(&error))?;
        }
        Ok(template)
    }

    /// The rules: the same bytes for every chapter of a book.
    pub(super) fn rules(&self, values: Value) -> Result<String, PromptError> {
        self.render(&self.rules, values)
    }

    /// The task of one step.
    pub(super) fn task(&self, values: Value) -> Result<String, PromptError> {
        self.render(&self.task, values)
    }

    /// A project's own file may be older than a mode.
    pub(super) fn check_mode(&self, mode: Mode) -> Result<(), PromptError> {
        let word = mode.word();
        let newer = matches!(
            mode,
            Mode::PlanScenes | Mode::WriteScene | Mode::Introduce | Mode::Retell
        );
        // A part of before retells from summaries, in the form of a plan.
        let sign = if mode == Mode::Retell {
            "chapter_texts"
        } else {
            word
        };
        if !newer || self.task.contains(sign) {
            return Ok(());
        }
        let name = self.agent.name();
        let problem = Problem::new(
            "no_mode",
            &self.path,
            message!(
                en: "the task has no part for the mode `{word}`",
                zh: "任务部分没有 `{word}` 模式"
            ),
        );
        let hint = if mode == Mode::Retell {
            message!(
                en: "take the part over from `novel agents show {name}`",
                zh: "请从 `novel agents show {name}` 中取来这一部分"
            )
        } else if mode == Mode::Introduce {
            message!(
                en: "take the part over from `novel agents show {name}`, or take the plan as it is with `novel plan approve`",
                zh: "请从 `novel agents show {name}` 中取来这一部分，或用 `novel plan approve` 按原样采用规划"
            )
        } else {
            message!(
                en: "take the part over from `novel agents show {name}`, or set drafting = \"chapter\" in novel.toml",
                zh: "请从 `novel agents show {name}` 中取来这一部分，或在 novel.toml 中设 drafting = \"chapter\""
            )
        };
        Err(PromptError::template(problem.hint(hint)))
    }

    fn render(&self, source: &str, values: Value) -> Result<String, PromptError> {
        let rendered = compiled(source)
            .and_then(|compiled| compiled.get_template(PROMPT)?.render(values))
            .map_err(|error| self.broken(&error))?;
        Ok(squeeze_blank_lines(rendered.trim()))
    }

    fn broken(&self, error: &minijinja::Error) -> PromptError {
        let reason = match error.detail() {
            Some(detail) => format!("{} ({detail})", error.kind()),
            None => error.kind().to_string(),
        };
        let mut problem = Problem::new("broken_prompt", &self.path, Message::same(reason));
        if let Some(line) = error.line() {
            problem = problem.at_line(line);
        }
        PromptError::template(problem.hint(hint(self.agent)))
    }
}

/// The file that replaces an agent's built-in prompt.
#[must_use]
pub fn override_path(agent: Agent) -> RelPath {
    let directory = layout::agents_dir();
    // An agent's name is a plain file name.
    directory
        .join(&format!("{}.md", agent.name()))
        .unwrap_or(directory)
}

fn hint(agent: Agent) -> Message {
    let name = agent.name();
    message!(
        en: "repair that line, or remove the file to use the built-in prompt; docs/agents.md lists the variables, `novel agents show {name}` the built-in file",
        zh: "请修好该行，或删除该文件以使用内置提示词；可用变量见 docs/agents.md，内置文件见 `novel agents show {name}`"
    )
}

/// An environment with one template, compiled.
fn compiled(source: &str) -> Result<Environment<'_>, minijinja::Error> {
    let mut environment = environment();
    environment.add_template(PROMPT, source)?;
    Ok(environment)
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    // Only delimiters can be refused, and they are the usual ones.
    environment.set_syntax(syntax.build().unwrap_or_default());
    environment.set_fuel(Some(FUEL));
    environment
}

/// Conditions leave holes; two empty lines in a row say nothing.
fn squeeze_blank_lines(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    let mut blank = false;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        if !squeezed.is_empty() {
            squeezed.push('\n');
        }
        squeezed.push_str(line);
    }
    squeezed
}
