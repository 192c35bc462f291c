//! `novel world add`: something new in the world, by the world-builder, in one transaction.

use novel_book::validate::Rejected;
use novel_contract::library as contract;
use novel_model::{
    BookReader, Document, Explain, QuickstartPhase, RelPath, StepId,
    files::{WorldAnswer, WorldRule, WorldRules},
    layout, message,
};
use novel_prompt::packet::{self, PacketMode};
use novel_store::{TxnKind, TxnLabel};
use novel_story::plan::{self, Files, Touched};

use crate::runner::{AnswerNeed, AskError, Inquiry, Reuse, Runner, Spent, prompt_for};

/// What was added, and what speaks of it.
#[derive(Debug)]
pub struct WorldReport {
    /// The new rules.
    pub rules: Vec<WorldRule>,
    /// The files that changed.
    pub written: Vec<RelPath>,
    /// L2 and L3 contracts that speak of the same.
    pub touched: Vec<Touched>,
    /// What it cost.
    pub spent: Spent,
}

/// Adds to the world what the author asks for.
///
/// # Errors
/// When there is no world yet, or the world-builder gives no usable answer; nothing is written then.
pub fn add(runner: &Runner<'_>, request: &str) -> Result<WorldReport, AskError> {
    let project = runner.project;
    let writer = project.store().acquire(None)?;
    let _alive = writer.heartbeat();
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let path = layout::world_rules();
    let hint = message!(
        en: "there is no world yet: `novel quickstart` makes one",
        zh: "还没有世界设定：请先运行 `novel quickstart`"
    );
    let mut rules = Document::<WorldRules>::require(&reader, &path, hint)?;
    let source = project.files(&reader, view.checkpoint.get());
    let step = StepId::Quickstart(QuickstartPhase::World);
    let packet = packet::world_extension(source, request, PacketMode::Both)?;
    let inquiry = Inquiry {
        step,
        book: &reader,
        prompt: prompt_for(project.config(), &reader, &packet)?,
        packet: packet::naming_files(packet),
        reuse: Reuse::Kept,
        answer: AnswerNeed::Required,
    };
    let mut spent = Spent::default();
    let staged = layout::staged(&path);
    let consulted = runner.consult(&writer, &mut spent, &inquiry, |text, _| {
        let answer = Document::<WorldAnswer>::parse(&staged, text)
            .map_err(|broken| Rejected::new(step, broken.problems().to_vec()))?
            .into_value();
        let problems = plan::check_addition(&answer);
        if problems.is_empty() {
            Ok(answer)
        } else {
            Err(Rejected::new(step, problems).into())
        }
    })?;
    let next = view.checkpoint.get().next_chapter();
    let mut texts = Files::new();
    for file in [
        layout::world_geography(),
        layout::world_history(),
        layout::world_rules_text(),
        layout::world_changelog(),
    ] {
        if let Some(text) = reader.text(&file)? {
            texts.insert(file, text);
        }
    }
    let now = project.now().to_string();
    let date = now.split('T').next().unwrap_or_default();
    let note = (date, request);
    let (mut files, new) =
        plan::extended_world(&consulted.answer, rules.get(), &texts, next.get(), note);
    rules.edit(|rules| rules.rules.extend(new.iter().cloned()));
    files.insert(path, rules.to_text());
    let mut spoken: Vec<&str> = new.iter().map(|rule| rule.rule.as_str()).collect();
    spoken.push(request);
    let volume = view.checkpoint.get().current_volume;
    let touched = plan::touched(&reader, &spoken.join("\n"), volume, next)?;
    let written = files.keys().cloned().collect();
    let mut changes = consulted.put_away;
    for (file, text) in files {
        changes.write(file, text);
    }
    let label = TxnLabel::new(TxnKind::Lifecycle, "world");
    project.write(&writer, label, changes)?;
    Ok(WorldReport {
        rules: new,
        written,
        touched,
        spent,
    })
}

impl WorldReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::WorldAnswer {
        let touched = |it: &Touched| contract::TouchedContract {
            path: it.path.to_string(),
            id: it.id.clone(),
            chapter: it.chapter,
            terms: it.terms.clone(),
        };
        contract::WorldAnswer {
            rules: self.rules.clone(),
            written: self.written.iter().map(RelPath::to_string).collect(),
            touched: self.touched.iter().map(touched).collect(),
            warnings: Vec::new(),
        }
    }
}
