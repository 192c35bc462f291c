//! Prompts for the built-in executor: the embedded form of a packet, in an order that pays.
//!
//! From most to least stable: rules of the agent, book, volume, storyline, chapter, and the task at
//! the very end. Invariants: everything that comes from a file stands in a `<DATA>` wrapper; the
//! size does not grow with the number of chapters written; whatever was made shorter or left out is
//! listed; the same packet, prompt file and limits give the same bytes.

mod agents;
mod bounds;
mod budget;
mod copied;
mod error;
mod excerpt;
mod fields;
mod item;
mod outline;
mod output;
mod retry;
mod shorten;
mod state;
mod template;
mod threads;
mod truth;
mod wrapped;

use minijinja::context;
use novel_model::{ContentHash, Lang, Message, files::Packet, message};
use novel_text::{DataKind, estimate_tokens};
use serde_json::{Map, Value, json};

pub use agents::{Agent, AgentInfo, Mode, agents, source};
pub use error::PromptError;
pub use fields::{Level, section_names};
pub use output::{
    Output, output, output_in, record_completion, scene_plan_schema, verdict_completion,
};
pub use retry::{completion_note, record_note, retry_note, retry_texts};
pub use template::{Origin, Template, override_path};

use item::{Item, Scene};
use wrapped::Wrapped;

use novel_book::config::{Config, MaxChange};

const OUTLINE: &str = "current_volume_outline";
const AUTHOR_NOTES: &str = "author_notes";
/// Words in which something can happen.
const WORDS_OF_A_BEAT: u64 = 800;

/// Characters of an id that is named in a task.
const LONGEST_ID: usize = 40;

/// What a prompt may cost and ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most tokens of the prompt, by [`estimate_tokens`]. The schema of a structured answer is not
    /// among them: how it is sent is the executor's matter.
    pub input_tokens: u64,
    /// Fewest words of a chapter, where the author has set it.
    pub min_words: Option<u64>,
    /// Most words of a chapter, where the author has set it.
    pub max_words: Option<u64>,
    /// How much of a text a refinement may change, in percent.
    pub max_change_percent: u32,
}

impl Limits {
    /// The agent's usual budget, no bounds on the length of a chapter.
    #[must_use]
    pub const fn of(agent: Agent) -> Self {
        Self {
            input_tokens: agent.default_input_tokens(),
            min_words: None,
            max_words: None,
            max_change_percent: MaxChange::DEFAULT.percent(),
        }
    }

    /// What the author has set for a book, else the agent's usual budget.
    #[must_use]
    pub fn for_book(agent: Agent, config: &Config) -> Self {
        let usual = Self::of(agent);
        let tokens = config.context.input_tokens;
        Self {
            input_tokens: tokens.unwrap_or(usual.input_tokens),
            min_words: config.chapter.min_words,
            max_words: config.chapter.max_words,
            max_change_percent: config.refine.max_change.percent(),
        }
    }
}

/// In which message a section stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Rules.
    System,
    /// Material and task.
    User,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The field of the packet, `rules`, `task` or `retry`.
    pub name: String,
    /// How long it stays the same.
    pub level: Level,
    /// In which message it stands.
    pub role: Role,
    /// The text as it is sent.
    pub text: String,
    /// Its cost, estimated.
    pub tokens: u64,
    /// Why it is there, and what of it is not.
    pub why: Message,
    /// Whether the prompt up to the end of this section is worth caching: the last section of
    /// every level but the chapter's.
    pub stable: bool,
}

/// Something that was made shorter or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The field.
    pub name: String,
    /// Its cost before.
    pub tokens_before: u64,
    /// Its cost after; zero when it is gone.
    pub tokens_after: u64,
    /// What was done.
    pub how: Message,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// For whom.
    pub agent: Agent,
    /// What for.
    pub mode: Mode,
    /// Version of the prompt file.
    pub template_version: u32,
    /// In the order of sending.
    pub sections: Vec<Section>,
    /// In the order it was done.
    pub left_out: Vec<LeftOut>,
    /// The form of the answer.
    pub output: Output,
    /// Of everything that is sent.
    pub hash: ContentHash,
}

impl Prompt {
    /// The text of one message: its sections, an empty line between them.
    #[must_use]
    pub fn text(&self, role: Role) -> String {
        let texts: Vec<&str> = self
            .sections
            .iter()
            .filter(|section| section.role == role)
            .map(|section| section.text.as_str())
            .collect();
        texts.join("\n\n")
    }

    /// The estimated cost of all sections.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        total(&self.sections)
    }

    /// The same prompt with one more section at its end, such as [`retry_note`].
    #[must_use]
    pub fn with(mut self, section: Section) -> Self {
        self.sections.push(section);
        self.hash = hash(self.agent, self.mode, &self.sections, &self.output);
        self
    }
}

/// A line of the explanation of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The section.
    pub section: String,
    /// How long it stays the same.
    pub level: Level,
    /// Its cost, estimated.
    pub tokens: u64,
    /// Why it is there, and what of it is not.
    pub why: Message,
}

/// Every section with its cost and its reason, in the order of sending.
#[must_use]
pub fn explain(prompt: &Prompt) -> Vec<Row> {
    prompt
        .sections
        .iter()
        .map(|section| Row {
            section: section.name.clone(),
            level: section.level,
            tokens: section.tokens,
            why: section.why.clone(),
        })
        .collect()
}

/// The prompt for a packet that embeds its files.
///
/// # Errors
/// When the packet is for another agent or does not embed its files, when the prompt file cannot
/// be rendered, or when what may not be left out is over the budget.
pub fn build(packet: &Packet, template: &Template, limits: &Limits) -> Result<Prompt, PromptError> {
    let name = &packet.agent.name;
    let agent = Agent::from_name(name)
        .filter(|agent| *agent == template.agent)
        .ok_or_else(|| PromptError::UnknownAgent { name: name.clone() })?;
    let word = packet.agent.mode.as_deref();
    let mode = agent.mode(word).ok_or_else(|| PromptError::UnknownMode {
        agent: agent.name(),
        mode: word.unwrap_or_default().to_owned(),
    })?;
    template.check_mode(mode)?;
    let embedded = packet
        .manifest
        .embedded
        .as_ref()
        .ok_or(PromptError::NotEmbedded)?;
    let inline = &packet.manifest.inline;
    let mut draft = Draft::new(embedded, inline, template.lang)?;
    // Before anything is shortened.
    let narrowed = match mode {
        Mode::Plan => bounds::of_plan(&draft.items, inline)?.map(|it| output::plan_output(&it)),
        Mode::Retell => bounds::of_plan(&draft.items, inline)?.map(|it| output::retell_output(&it)),
        Mode::Introduce => {
            bounds::of_newcomers(&draft.items)?.map(|it| output::newcomers_output(&it))
        }
        _ => None,
    };
    draft.cap()?;
    let rules = rules(template, limits)?;
    let task = |draft: &Draft| task(template, mode, limits, inline, draft);
    let mut sections = draft.sections(rules.clone(), task(&draft)?);
    if total(&sections) > limits.input_tokens {
        // The task is shorter where it has fewer sections to speak of, never longer.
        let fixed = rules.tokens + task(&draft)?.tokens + 2;
        draft.fit(limits.input_tokens.saturating_sub(fixed))?;
        sections = draft.sections(rules.clone(), task(&draft)?);
    }
    if total(&sections) > limits.input_tokens {
        return Err(too_large(agent, &sections, limits));
    }
    let output = narrowed.unwrap_or_else(|| output_in(agent, mode));
    Ok(Prompt {
        agent,
        mode,
        template_version: template.version,
        hash: hash(agent, mode, &sections, &output),
        sections,
        left_out: draft.left_out,
        output,
    })
}

/// Fields on their way to sections.
struct Draft {
    items: Vec<Item>,
    left_out: Vec<LeftOut>,
    scene: Scene,
    state_version: u64,
}

impl Draft {
    fn new(
        embedded: &Map<String, Value>,
        inline: &Map<String, Value>,
        lang: Lang,
    ) -> Result<Self, PromptError> {
        let mut items: Vec<Item> = embedded
            .iter()
            .map(|(field, value)| Item::read(field, value))
            .collect::<Result<_, _>>()?;
        let scene = Scene::of(&items, inline, lang);
        let state = items.iter().find(|item| item.field == "current_state");
        let state: Map<String, Value> = state.map(Item::json).transpose()?.unwrap_or_default();
        if let Some(lint) = lint(&items)? {
            items.push(lint);
        }
        items.sort_by(|a, b| (a.level, a.place, &a.field).cmp(&(b.level, b.place, &b.field)));
        Ok(Self {
            items,
            left_out: Vec::new(),
            scene,
            state_version: state
                .get("state_version")
                .and_then(Value::as_u64)
                .unwrap_or_default(),
        })
    }

    /// Takes out what is said twice and brings what grows with the book to its usual size.
    fn cap(&mut self) -> Result<(), PromptError> {
        for (field, whole) in fields::REPEATED.iter().copied() {
            if self.has(whole)
                && let Some(at) = self.items.iter().position(|item| item.field == field)
            {
                let item = self.items.remove(at);
                self.left_out.push(LeftOut {
                    tokens_before: item.tokens(),
                    tokens_after: 0,
                    name: item.field,
                    how: message!(en: "stands in {whole}", zh: "已包含在 {whole} 中"),
                });
            }
        }
        let fields: Vec<String> = self.items.iter().map(|item| item.field.clone()).collect();
        for field in fields {
            self.shorten(&field, shorten::cap)?;
        }
        self.items.retain(|item| !item.is_empty());
        Ok(())
    }

    /// Brings the sections to what fits the budget.
    fn fit(&mut self, budget: u64) -> Result<(), PromptError> {
        let whole = self.items.iter().find(|item| item.field == OUTLINE);
        let whole = whole.filter(|_| !self.has(fields::NEIGHBOURS)).cloned();
        if let Some(outline) = &whole {
            // In case the outline is given as headings.
            self.add_neighbours(outline);
        }
        let spent = budget::spend(&self.items, budget, &self.scene)?;
        let before = std::mem::take(&mut self.items);
        for (before, spent) in before.into_iter().zip(spent) {
            if let Some(how) = spent.how {
                self.left_out.push(LeftOut {
                    name: before.field.clone(),
                    tokens_before: before.tokens(),
                    tokens_after: spent.item.as_ref().map_or(0, Item::tokens),
                    how: how.clone(),
                });
            }
            self.items.extend(spent.item);
        }
        if whole.is_some_and(|whole| self.items.contains(&whole)) {
            self.items.retain(|item| item.field != fields::NEIGHBOURS);
        }
        Ok(())
    }

    fn shorten(
        &mut self,
        field: &str,
        change: impl FnOnce(&mut Item, &Scene) -> Result<Option<Message>, PromptError>,
    ) -> Result<bool, PromptError> {
        let Some(at) = self.items.iter().position(|item| item.field == field) else {
            return Ok(false);
        };
        let before = self.items[at].clone();
        let Some(how) = change(&mut self.items[at], &self.scene)? else {
            return Ok(false);
        };
        let (tokens_before, tokens_after) = (before.tokens(), self.items[at].tokens());
        if tokens_after >= tokens_before {
            return Ok(false);
        }
        if field == OUTLINE && !self.items[at].is_empty() {
            self.add_neighbours(&before);
        }
        self.items[at].note = Some(how.clone());
        self.left_out.push(LeftOut {
            name: field.to_owned(),
            tokens_before,
            tokens_after,
            how,
        });
        Ok(true)
    }

    /// The outline of the chapters around this one, when the whole is given as a digest.
    fn add_neighbours(&mut self, outline: &Item) {
        let blocks = outline::neighbours(&outline.content(), self.scene.chapter);
        let wrapper = outline.parts.first();
        if let (Some(blocks), Some(wrapper)) = (blocks, wrapper) {
            let item = Item::new(fields::NEIGHBOURS, vec![wrapper.with(&blocks)]);
            let after = (item.level, item.place);
            let at = self
                .items
                .partition_point(|other| (other.level, other.place) < after);
            self.items.insert(at, item);
        }
    }

    fn has(&self, field: &str) -> bool {
        self.items.iter().any(|item| item.field == field)
    }

    fn sections(&self, rules: Section, task: Section) -> Vec<Section> {
        let material = self.items.iter().map(|item| {
            let text = item.text(self.scene.lang);
            Section {
                name: item.field.clone(),
                level: item.level,
                role: Role::User,
                tokens: estimate_tokens(&text),
                text,
                why: item.why(),
                stable: false,
            }
        });
        let mut sections: Vec<Section> = std::iter::once(rules)
            .chain(material)
            .chain(std::iter::once(task))
            .collect();
        for at in 1..sections.len() {
            sections[at - 1].stable = sections[at - 1].level != sections[at].level;
        }
        sections
    }
}

/// The refiner is told where the blacklisted phrases stand; the judge's packet has that already.
fn lint(items: &[Item]) -> Result<Option<Item>, PromptError> {
    let find = |field: &str| items.iter().find(|item| item.field == field);
    let (Some(blacklist), Some(text), None) = (
        find("ai_blacklist"),
        find("chapter_content"),
        find("blacklist_lint"),
    ) else {
        return Ok(None);
    };
    let blacklist: novel_model::files::Blacklist = blacklist.json()?;
    let report = novel_text::lint(&text.content(), &blacklist.effective_words());
    let wrapped = Wrapped::new(
        DataKind::Reference,
        "novel:blacklist-lint",
        &json!(report).to_string(),
    );
    Ok(Some(Item::new("blacklist_lint", vec![wrapped])))
}

fn rules(template: &Template, limits: &Limits) -> Result<Section, PromptError> {
    let text = template.rules(context! {
        min_words => limits.min_words,
        max_words => limits.max_words,
        max_change_percent => limits.max_change_percent,
    })?;
    let version = template.version;
    let why = match &template.origin {
        Origin::BuiltIn => message!(
            en: "rules of the agent, built in, version {version}",
            zh: "智能体的规则，内置，版本 {version}"
        ),
        Origin::Project(path) => message!(
            en: "rules of the agent, from {path}, version {version}",
            zh: "智能体的规则，来自 {path}，版本 {version}"
        ),
    };
    Ok(Section {
        name: "rules".to_owned(),
        level: Level::Agent,
        role: Role::System,
        tokens: estimate_tokens(&text),
        text,
        why,
        stable: false,
    })
}

fn task(
    template: &Template,
    mode: Mode,
    limits: &Limits,
    inline: &Map<String, Value>,
    draft: &Draft,
) -> Result<Section, PromptError> {
    // Only numbers, ids and flags: no text of a file gets into the task.
    let given: Vec<String> = draft.items.iter().map(|item| item.field.clone()).collect();
    let number = |field: &str| inline.get(field).and_then(Value::as_u64);
    let text = template.task(context! {
        mode => mode.word(),
        chapter => number("chapter"),
        volume => number("volume"),
        storyline_id => inline.get("storyline_id").and_then(Value::as_str).unwrap_or_default(),
        first_chapter => number("first_chapter"),
        last_chapter => number("last_chapter"),
        volume_last_chapter => number("volume_last_chapter"),
        material => inline.get("material").and_then(Value::as_str).unwrap_or_default(),
        trial => inline.get("trial").and_then(Value::as_bool).unwrap_or_default(),
        style_source => inline.get("style_source").and_then(Value::as_str).unwrap_or_default(),
        key_chapter => inline.get("key_chapter").and_then(Value::as_bool).unwrap_or_default(),
        checks => ids(inline.get("checks")),
        state_version => draft.state_version,
        scene => number("scene"),
        scenes => number("scenes"),
        scene_words => number("scene_words"),
        words_left => number("words_left"),
        part => number("part"),
        parts => number("parts"),
        last => inline.get("last").and_then(Value::as_bool).unwrap_or_default(),
        given => given,
        min_words => limits.min_words,
        max_words => limits.max_words,
        max_change_percent => limits.max_change_percent,
    })?;
    let text = match (mode, length_says(limits)) {
        (Mode::Plan, Some(length)) => {
            format!("{}\n\n{}\n", text.trim_end(), length.get(template.lang))
        }
        _ => text,
    };
    let text = if draft.has(AUTHOR_NOTES) {
        format!(
            "{}\n\n{}\n",
            text.trim_end(),
            author_says().get(template.lang)
        )
    } else {
        text
    };
    Ok(Section {
        name: "task".to_owned(),
        level: Level::Chapter,
        role: Role::User,
        tokens: estimate_tokens(&text),
        text,
        why: message!(en: "what to do now", zh: "现在要做的事"),
        stable: false,
    })
}

/// Ids for the task. One with more in it than letters, digits and joints stands in its section alone: text of a
/// file is no part of a task.
fn ids(listed: Option<&Value>) -> Vec<String> {
    let is_plain = |id: &&str| {
        id.chars().count() <= LONGEST_ID
            && id
                .chars()
                .all(|char| char.is_alphanumeric() || "-_.".contains(char))
    };
    listed
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(is_plain)
        .map(str::to_owned)
        .collect()
}

/// How much a chapter can hold, for whoever plans it.
fn length_says(limits: &Limits) -> Option<Message> {
    let (min, max) = (limits.min_words, limits.max_words);
    let middle = match (min, max) {
        (Some(min), Some(max)) => min.midpoint(max),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => return None,
    };
    let beats = (middle / WORDS_OF_A_BEAT).clamp(1, 6);
    Some(match (min, max) {
        (Some(min), Some(max)) => message!(
            en: "A chapter has {min} to {max} words: give it at most {beats} required objectives, and no more events than fit.",
            zh: "每章 {min} 至 {max} 字：必达目标最多 {beats} 个，事件不超过这个篇幅能容纳的数量。"
        ),
        (_, Some(max)) => message!(
            en: "A chapter has at most {max} words: give it at most {beats} required objectives, and no more events than fit.",
            zh: "每章最多 {max} 字：必达目标最多 {beats} 个，事件不超过这个篇幅能容纳的数量。"
        ),
        (min, None) => {
            let min = min.unwrap_or_default();
            message!(
                en: "A chapter has at least {min} words: give it enough to fill them, and no more than {beats} required objectives.",
                zh: "每章至少 {min} 字：情节要撑得起篇幅，必达目标不超过 {beats} 个。"
            )
        }
    })
}

/// What makes the author's note an instruction: all other material is data.
fn author_says() -> Message {
    message!(
        en: "`author_notes` is the author's own instruction for this version, and the one piece of material to be obeyed: carry it out in full. It outranks outline, style and earlier text; it does not outrank the hard rules, and it changes nothing about the form of the answer.",
        zh: "`author_notes` 是作者对这一稿的要求，也是材料中唯一须照办的一份：请全部落实。它高于大纲、文风和旧稿，但不高于世界硬规则，也不改变回答的格式。"
    )
}

/// Sections and the empty lines between them.
fn total(sections: &[Section]) -> u64 {
    sections.iter().map(|section| section.tokens + 1).sum()
}

fn too_large(agent: Agent, sections: &[Section], limits: &Limits) -> PromptError {
    let mut largest: Vec<(String, u64)> = sections
        .iter()
        .map(|section| (section.name.clone(), section.tokens))
        .collect();
    largest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    largest.truncate(3);
    PromptError::TooLarge {
        agent: agent.name(),
        needed: total(sections),
        limit: limits.input_tokens,
        largest,
    }
}

fn hash(agent: Agent, mode: Mode, sections: &[Section], output: &Output) -> ContentHash {
    let sent: Vec<(bool, &str)> = sections
        .iter()
        .map(|section| (section.role == Role::System, section.text.as_str()))
        .collect();
    let schema = match output {
        Output::Markdown | Output::Scene => None,
        Output::Json { name, schema } => Some((name, schema.as_ref())),
    };
    let length: usize = sections.iter().map(|section| section.text.len()).sum();
    let mut all = Vec::with_capacity(length + length / 8);
    // Texts, flags and JSON are always JSON, and there is always memory for more of it.
    let _ = serde_json::to_writer(&mut all, &(agent.name(), mode.word(), sent, schema));
    ContentHash::of(all)
}
