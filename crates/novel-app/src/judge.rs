//! `novel judge`: how far the judge can be trusted, measured on copies of finished chapters. The book
//! itself is never changed.

use novel_book::{
    believe::verdict::{self, Contracts},
    context::{Cast, load_contract},
    edit::{Changes, Edit},
    manuscript::{self, Manuscript},
    probe::{self, Calibration, Fault, Found, Ground, Probe},
    validate::Rejected,
};
use novel_contract::care as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ChapterStage, Document, Explain, FileError, Problem, StepId,
    VolumeNo,
    files::{
        Blacklist, Checkpoint, ConstraintType, Evaluation, GeneratedChapter, StoryState, WorldRules,
    },
    layout, message,
};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel, Writer};
use serde_json::{Value, json};

use crate::{
    BookError, Project,
    runner::{AskError, Inquiry, Runner, Spent},
};

/// What is known of the judges of a book.
#[derive(Debug)]
pub struct JudgeReport {
    /// Copies that were judged now.
    pub probes: Vec<Probe>,
    /// What all probes so far say, by model and version of the prompt.
    pub calibrations: Vec<Calibration>,
    /// What it cost.
    pub spent: Spent,
}

/// What was found out about the judges so far.
///
/// # Errors
/// When the record cannot be read.
pub fn known(project: &Project) -> Result<JudgeReport, BookError> {
    let probes = project
        .store()
        .look(|reader| Ok::<_, BookError>(probe::read(reader)?))?;
    Ok(JudgeReport {
        calibrations: probe::calibrations(&probes),
        probes: Vec::new(),
        spent: Spent::default(),
    })
}

/// Has the judge judge copies of the last chapters with planted faults and copies without.
///
/// # Errors
/// When the judge gives no usable verdict, or the budget forbids a call.
pub fn calibrate(runner: &Runner<'_>, chapters: u32) -> Result<JudgeReport, AskError> {
    let writer = runner.project.store().acquire(None)?;
    let _alive = writer.heartbeat();
    let reader = writer.reader()?;
    let checkpoint = crate::read_checkpoint(&reader)?;
    let last = checkpoint.get().last_completed_chapter;
    let first = last.saturating_sub(chapters.max(1)) + 1;
    let mut spent = Spent::default();
    let mut made = Vec::new();
    for chapter in (first..=last).filter_map(ChapterNo::new) {
        let mut usual = None;
        for fault in Fault::ALL {
            let copy = Copy {
                checkpoint: &checkpoint,
                chapter,
                fault,
            };
            if let Some((probe, evaluation)) =
                copy.judged(runner, &writer, &mut spent, usual.as_ref())?
            {
                made.push(probe);
                if fault == Fault::Decoy {
                    usual = Some(evaluation);
                }
            }
        }
    }
    let probes = probe::read(&writer.reader()?)?;
    Ok(JudgeReport {
        probes: made,
        calibrations: probe::calibrations(&probes),
        spent,
    })
}

/// One probe beside a run, where the configuration asks for it: the kinds take turns.
///
/// # Errors
/// As [`calibrate`].
pub(crate) fn probe_after(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    chapter: ChapterNo,
) -> Result<(), AskError> {
    let every = runner.project.config().gate.probe_every.unwrap_or(0);
    if every == 0 || !chapter.get().is_multiple_of(every) {
        return Ok(());
    }
    let reader = writer.reader()?;
    let checkpoint = crate::read_checkpoint(&reader)?;
    let turn = (chapter.get() / every) as usize;
    // A kind the chapter offers no ground for leaves its turn to the next one.
    for offset in 0..Fault::ALL.len() {
        let copy = Copy {
            checkpoint: &checkpoint,
            chapter,
            fault: Fault::ALL[(turn + offset) % Fault::ALL.len()],
        };
        if copy.judged(runner, writer, spent, None)?.is_some() {
            break;
        }
    }
    Ok(())
}

/// A copy of a chapter with a fault.
struct Copy<'a> {
    checkpoint: &'a Document<Checkpoint>,
    chapter: ChapterNo,
    fault: Fault,
}

impl Copy<'_> {
    /// Has the copy judged and keeps what came of it; nothing where the fault cannot be planted.
    fn judged(
        &self,
        runner: &Runner<'_>,
        writer: &Writer,
        spent: &mut Spent,
        usual: Option<&Evaluation>,
    ) -> Result<Option<(Probe, Evaluation)>, AskError> {
        let (chapter, config) = (self.chapter, runner.project.config());
        let reader = writer.reader()?;
        let current = self.checkpoint.get().current_volume;
        let (volume, _) = Volumes::load(&reader, current)?.of(chapter.get());
        let Some(ground) = ground(&reader, volume, chapter)? else {
            return Ok(None);
        };
        let turn = chapter.get() as usize;
        let Some(planted) = probe::plant(self.fault, &ground.ground, turn, config.lang()) else {
            return Ok(None);
        };
        let copy = manuscript::chapter_of(chapter, &ground.title, &planted.scenes);
        let copy = Manuscript::from_chapter(copy, config.lang());
        let mut book = Edit::on(&reader);
        book.write(layout::staged_chapter(chapter), copy.markdown.clone());
        if let Some(crossref) = reader.read(&layout::crossref(chapter))? {
            book.write(layout::staged_crossref(chapter), crossref);
        }
        let mut then = self.checkpoint.clone();
        then.edit(|checkpoint| checkpoint.current_volume = volume);
        let step = StepId::Chapter(chapter, ChapterStage::Judge);
        let inquiry = Inquiry::of_step(runner, &book, then.get(), step)?;
        let contracts = Contracts::load(&reader, volume, chapter)?;
        let asked = runner.consult(writer, spent, &inquiry, |text, _| {
            let mut value: Value = serde_json::from_str(text).unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.insert("chapter".to_owned(), json!(chapter));
            }
            let path = layout::staged_evaluation(chapter);
            let verdict = Document::<Evaluation>::from_value(&path, value)
                .map_err(|broken| Rejected::new(step, broken.problems().to_vec()))?;
            let mut evaluation = verdict.into_value();
            verdict::write_out(&mut evaluation, &contracts);
            verdict::mark(&mut evaluation, &copy.markdown);
            Ok(evaluation)
        })?;
        let found: Found = probe::assess(&planted, &asked.answer, usual);
        let model = asked.stages.last().and_then(|stage| stage.model.clone());
        let probe = Probe {
            at: runner.project.now().to_string(),
            model: model.unwrap_or_default(),
            prompt_version: inquiry.prompt.template_version,
            chapter: chapter.get(),
            fault: self.fault,
            found,
        };
        let mut changes: Changes = asked.put_away;
        let line = serde_json::to_string(&probe).unwrap_or_default();
        changes.append(layout::judge_probes(), format!("{line}\n"));
        let label = TxnLabel::new(TxnKind::Call, format!("judge-probe-{chapter}"));
        runner.project.write(writer, label, changes)?;
        Ok(Some((probe, asked.answer)))
    }
}

struct Offered {
    title: String,
    ground: Ground,
}

/// What a finished chapter offers for planting.
fn ground(
    reader: &dyn BookReader,
    volume: VolumeNo,
    chapter: ChapterNo,
) -> Result<Option<Offered>, AskError> {
    let Some(text) = Document::<GeneratedChapter>::load(reader, &layout::chapter_json(chapter))?
    else {
        return Ok(None);
    };
    let text = text.into_value();
    let rules = Document::<WorldRules>::load(reader, &layout::world_rules())?;
    let contract = load_contract(reader, volume, chapter, None)?;
    let cast = Cast::load(reader)?;
    let state = Document::<StoryState>::load(reader, &layout::state())?;
    let is_dead = |id: &str| {
        let status = state
            .as_ref()
            .and_then(|state| state.get().characters.get(id)?.get("status")?.as_str());
        status.is_some_and(|status| matches!(status, "dead" | "死亡" | "已死"))
    };
    let states = contract.get().preconditions.character_states.as_ref();
    let is_there = |name: &str| states.is_some_and(|states| states.contains_key(name));
    let people = || {
        cast.members()
            .map(|(id, member)| (id, member.character.display_name.trim()))
    };
    let dead = people()
        .find(|(id, _)| is_dead(id.as_str()))
        .or_else(|| people().find(|(_, name)| !is_there(name)))
        .map(|(_, name)| name.to_owned());
    let blacklist = Document::<Blacklist>::load(reader, &layout::blacklist())?;
    Ok(Some(Offered {
        title: text.chapter_title,
        ground: Ground {
            scenes: text.scenes.into_iter().map(|scene| scene.content).collect(),
            rules: rules
                .map(|rules| rules.into_value().rules)
                .unwrap_or_default()
                .into_iter()
                .filter(|rule| rule.constraint_type == ConstraintType::Hard)
                .map(|rule| (rule.id, rule.rule))
                .collect(),
            objectives: contract
                .get()
                .objectives
                .iter()
                .filter(|objective| objective.required)
                .map(|objective| (objective.id.clone(), objective.description.clone()))
                .collect(),
            dead,
            secret: secret(reader, chapter)?,
            blacklist: blacklist
                .map(|list| list.get().effective_words())
                .unwrap_or_default(),
        },
    }))
}

/// A secret of `world/truth.json` that the reader does not know in this chapter.
fn secret(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Option<String>, FileError> {
    let path = layout::truth();
    let Some(text) = reader.text(&path)? else {
        return Ok(None);
    };
    let truth: Value = serde_json::from_str(&text).map_err(|error| {
        let what = message!(en: "not JSON: {error}", zh: "不是 JSON：{error}");
        BrokenFile::new(Problem::new("json_syntax", &path, what))
    })?;
    let secrets = truth.get("secrets").and_then(Value::as_array);
    let hidden = secrets.into_iter().flatten().find(|secret| {
        let from = secret.get("reader_from_chapter").and_then(Value::as_u64);
        from.is_none_or(|from| from > u64::from(chapter.get()))
    });
    Ok(hidden
        .and_then(|secret| secret.get("fact")?.as_str())
        .map(str::to_owned))
}

impl JudgeReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::JudgeAnswer {
        contract::JudgeAnswer {
            probes: self.probes.len(),
            judges: self.calibrations.iter().map(Calibration::answer).collect(),
            warnings: Vec::new(),
        }
    }
}
