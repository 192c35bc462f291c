//! Several drafts of one chapter: what the program can prove of each, the judge's word, and a choice.
//!
//! Every draft and every verdict is a question of its own, so that a crash pays for nothing twice. The
//! chosen draft goes on like any other; the others lie in `staging/drafts/` until the chapter is
//! committed, and in the ledger of answers afterwards (`novel read N --draft K`).

use std::collections::BTreeSet;

use novel_book::{
    believe::Hearing,
    config::ExecutorKind,
    context::blacklist_lint,
    edit::{Changes, Edit},
    gate::Overall,
    manuscript::Manuscript,
    next::Round,
    run::{Event, Task},
    scenes::Part,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Lang, StepId,
    files::{
        Blacklist, ChapterContract, CrossReferences, Evaluation, GeneratedChapter, JudgeRole,
        LeakRisk, ScoredBy, StyleProfile,
    },
    layout, message, to_json_text,
};
use novel_prompt::prompt::{Level, Role, Section};
use novel_steps::{
    consistency,
    texts::{self, ChapterText},
};
use novel_store::{TxnKind, TxnLabel};
use novel_story::plan::terms;
use novel_text::{estimate_tokens, measure};

use super::{Drive, accept::strip_wrapping, ask::judge_key, cause::StopCause};
use crate::{
    Book,
    executor::VARIANT,
    runner::{Candidate, Inquiry, Pick, WatchEvent, ledger::Recorded},
};

/// Characters of a run that counts as repeated.
const SHINGLE: usize = 12;
/// Chapters a draft is compared with.
const COMPARED: u32 = 3;

/// The judge's choice: the best score, then the fewest contradictions, then the first.
fn best(candidates: &[Candidate]) -> usize {
    let rank = |candidate: &Candidate| {
        let score = candidate.overall.unwrap_or(0.0);
        (
            ordered(-score),
            candidate.contradictions,
            !candidate.within_bounds,
            candidate.number,
        )
    };
    let ranked = candidates
        .iter()
        .enumerate()
        .min_by_key(|(_, candidate)| rank(candidate));
    ranked.map_or(0, |(at, _)| at)
}

/// A score as something that can be ordered.
fn ordered(score: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "scores are small; thousandths are enough"
    )]
    let thousandths = (score * 1000.0).round() as i64;
    thousandths
}

impl Drive<'_> {
    /// Whether several drafts are to be written for an ask.
    pub(super) fn wants_candidates(&self, task: Task, attempt: u32) -> bool {
        let several = self.runner.project.config().drafting.candidates > 1;
        let is_draft = matches!(task.step, StepId::Chapter(_, ChapterStage::Draft));
        several
            && is_draft
            && task.round == Round::First
            && task.part == Part::Whole
            && attempt == 1
    }

    /// Writes the drafts and chooses one. A draft that fails leaves the others; without any the first
    /// failure is told.
    pub(super) fn ask_candidates(&mut self, task: Task) -> Vec<Event> {
        match self.drafts(task) {
            Ok(Ok(())) => vec![Event::Answered(JudgeRole::Primary)],
            Ok(Err(event)) => vec![event],
            Err(failure) => vec![self.blocked(failure)],
        }
    }

    fn drafts(&mut self, task: Task) -> Result<Result<(), Event>, StopCause> {
        let count = self.runner.project.config().drafting.candidates;
        let mut answers: Vec<(u32, Recorded)> = Vec::new();
        let mut failed = None;
        for number in 1..=count {
            match self.draft(task, number, count)? {
                Ok(answer) => answers.push((number, answer)),
                Err(Event::OverBudget) if answers.is_empty() => return Ok(Err(Event::OverBudget)),
                Err(event) => {
                    failed.get_or_insert(event);
                }
            }
            if self.runner.cancel.is_cancelled() {
                return Ok(Err(Event::Interrupted));
            }
        }
        if answers.is_empty() {
            return Ok(Err(failed.unwrap_or(Event::Interrupted)));
        }
        self.cause = None;
        let StepId::Chapter(chapter, _) = task.step else {
            return Ok(Err(Event::Interrupted));
        };
        let mut candidates = Vec::new();
        for (number, answer) in &answers {
            candidates.push(self.measured(chapter, *number, answer)?);
        }
        // On the disk before anybody is asked: the author may read them there, or come back later.
        let mut changes = Changes::default();
        for candidate in &candidates {
            let path = layout::staged_candidate(chapter, candidate.number);
            changes.write(path, staged_candidate_text(&candidate.text));
        }
        let label = TxnLabel::new(TxnKind::Submit, task.step.to_string());
        self.runner.project.write(self.writer, label, changes)?;
        let judged = best(&candidates);
        let chosen = match self.runner.watch.choose(chapter, &candidates, judged) {
            Pick::Draft(at) if at < candidates.len() => at,
            Pick::Draft(_) | Pick::Judge => judged,
            Pick::Stop => return Ok(Err(Event::Interrupted)),
        };
        self.runner.watch.event(&WatchEvent::Chosen {
            chapter,
            candidates: &candidates,
            chosen,
        });
        self.candidates = candidates;
        let (_, answer) = answers.swap_remove(chosen);
        self.answers.insert(judge_key(JudgeRole::Primary), answer);
        Ok(Ok(()))
    }

    /// One draft, from the ledger or the writer.
    fn draft(
        &mut self,
        task: Task,
        number: u32,
        count: u32,
    ) -> Result<Result<Recorded, Event>, StopCause> {
        let call = {
            let reader = self.reader()?;
            let view = self.runner.project.view(&reader)?;
            let lang = self.runner.project.config().lang();
            let other = (number > 1).then(|| variant(number, count, lang));
            self.prepare_with(&view, (task, JudgeRole::Primary, 1), other)?
        };
        let events = if call.is_open() {
            if self.over_budget(std::slice::from_ref(&call)) {
                return Ok(Err(Event::OverBudget));
            }
            self.call_all(vec![call])
        } else {
            self.reuse(vec![call])
        };
        let answer = self.answers.remove(judge_key(JudgeRole::Primary));
        Ok(match (answer, events.into_iter().next()) {
            (Some(answer), _) => Ok(answer),
            (None, Some(event)) => Err(event),
            (None, None) => Err(Event::Interrupted),
        })
    }

    /// What the program can prove of a draft, and the judge's word.
    fn measured(
        &mut self,
        chapter: ChapterNo,
        number: u32,
        answer: &Recorded,
    ) -> Result<Candidate, StopCause> {
        let reader = self.reader()?;
        let project = self.runner.project;
        let config = project.config();
        let view = project.view(&reader)?;
        let volume = view.checkpoint.get().current_volume;
        let manuscript =
            Manuscript::from_markdown(chapter, strip_wrapping(&answer.text), config.lang());
        let text = &manuscript.markdown;
        let words = manuscript.chapter.total_words;
        let bounds = (config.chapter.min_words, config.chapter.max_words);
        let contract =
            Document::<ChapterContract>::load(&reader, &layout::contract(volume, chapter))?;
        let required: Vec<String> = contract
            .iter()
            .flat_map(|contract| &contract.get().objectives)
            .filter(|goal| goal.required)
            .map(|goal| goal.description.clone())
            .collect();
        let said = terms(text);
        let named = required
            .iter()
            .filter(|goal| terms(goal).intersection(&said).next().is_some())
            .count();
        let mut book = Edit::on(&reader);
        book.write(
            layout::chapter_json(chapter),
            to_json_text(&manuscript.chapter),
        );
        let report = consistency::report(config, &book, &manuscript, volume)
            .ok()
            .flatten();
        let blacklist = Document::<Blacklist>::load(&reader, &layout::blacklist())?;
        let hits = blacklist.map_or(0, |list| {
            let hits = blacklist_lint(text, list.get()).total_hits;
            u64::try_from(hits).unwrap_or(u64::MAX)
        });
        let profile = Document::<StyleProfile>::load(&reader, &layout::style_profile())?;
        let style_distance = profile.map_or(0.0, |profile| distance(text, profile.get()));
        let repetition = repetition(&reader, chapter, text)?;
        let judged = self.judged(&view, chapter, strip_wrapping(&answer.text));
        Ok(Candidate {
            number,
            words,
            within_bounds: bounds.0.is_none_or(|min| words >= min)
                && bounds.1.is_none_or(|max| words <= max),
            objectives: (named, required.len()),
            contradictions: report.map_or(0, |report| report.issues.len()),
            blacklist_hits: hits,
            repetition,
            style_distance,
            cost_usd: answer.cost_usd,
            overall: judged.map(|(score, _)| score),
            scored_by: judged.map(|(_, by)| by),
            text: strip_wrapping(&answer.text).to_owned(),
        })
    }

    /// The judge's score of a draft; nothing when the judge gives no usable verdict, or the text is no
    /// chapter.
    fn judged(
        &mut self,
        view: &Book<'_>,
        chapter: ChapterNo,
        draft: &str,
    ) -> Option<(f64, ScoredBy)> {
        let config = self.runner.project.config();
        let staged = view.staged_of(chapter).ok()?;
        let text = ChapterText {
            stage: ChapterStage::Draft,
            round: Round::First,
            markdown: draft,
        };
        // As it would be taken: what is said around a chapter is none.
        let settled = texts::settle(view, &staged, text, Hearing::Last).ok()?;
        if !settled.findings.problems.is_empty() {
            return None;
        }
        let line = view.contract_line(chapter).ok()??;
        let mut book = Edit::on(view.reader());
        book.write(layout::staged_chapter(chapter), settled.markdown);
        let references = CrossReferences {
            storyline_id: line,
            cross_references: Vec::new(),
            leak_risk: LeakRisk::default(),
            leak_detail: None,
            unknown_entities: Vec::new(),
        };
        book.write(layout::staged_crossref(chapter), to_json_text(&references));
        let step = StepId::Chapter(chapter, ChapterStage::Judge);
        let checkpoint = view.checkpoint.get();
        let inquiry = Inquiry::of_step(self.runner, &book, checkpoint, step).ok()?;
        let weights = config.weights();
        let path = layout::staged_evaluation(chapter);
        let verdict = self
            .runner
            .consult(self.writer, &mut self.spent, &inquiry, |text, _| {
                let mut value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
                value["chapter"] = serde_json::json!(chapter);
                let evaluation = Document::<Evaluation>::from_value(&path, value)?;
                Ok(Overall::of(&evaluation.get().scores, &weights).value())
            });
        let by = match self.runner.executor.kind() {
            ExecutorKind::Offline => ScoredBy::OfflineAuthor,
            _ => ScoredBy::Judge,
        };
        verdict.ok().map(|verdict| (verdict.answer, by))
    }
}

/// The file of one of several drafts, made from the answer of its writer.
pub(crate) fn staged_candidate_text(answer: &str) -> String {
    format!("{}\n", strip_wrapping(answer))
}

/// What tells the writer of a further draft that it is one.
fn variant(number: u32, count: u32, lang: Lang) -> Section {
    let text = message!(
        en: "This is draft {number} of {count}, written without knowledge of the others. Fulfil the same contract by another way: another opening image, another order or weight of the scenes, another turn of the talk.",
        zh: "这是 {count} 份独立草稿中的第 {number} 份，写时不知道其他几份。契约不变，走另一条路：换一个开场画面，换一种场面次序或轻重，换一种对话走向。"
    );
    let text = text.get(lang).to_owned();
    Section {
        name: VARIANT.to_owned(),
        level: Level::Chapter,
        role: Role::User,
        tokens: estimate_tokens(&text),
        text,
        why: message!(en: "one of several drafts", zh: "多份草稿之一"),
        stable: false,
    }
}

fn distance(text: &str, profile: &StyleProfile) -> f64 {
    let measured = measure(text);
    let sentences = profile.avg_sentence_length.filter(|wanted| *wanted > 0.0);
    let sentences = sentences.map_or(0.0, |wanted| {
        (measured.avg_sentence_length - wanted).abs() / wanted
    });
    let dialogue = profile.dialogue_ratio;
    let dialogue = dialogue.map_or(0.0, |wanted| (measured.dialogue_ratio - wanted).abs());
    sentences + dialogue
}

/// The share of a text's runs of characters that stand in the last chapters too.
fn repetition(reader: &dyn BookReader, chapter: ChapterNo, text: &str) -> Result<f64, StopCause> {
    let runs = |text: &str| -> BTreeSet<Vec<char>> {
        let chars: Vec<char> = text.chars().filter(|char| char.is_alphanumeric()).collect();
        chars.windows(SHINGLE).map(<[char]>::to_vec).collect()
    };
    let own = runs(text);
    let mut earlier = BTreeSet::new();
    let first = chapter.get().saturating_sub(COMPARED).max(1);
    for number in (first..chapter.get()).filter_map(ChapterNo::new) {
        let path = layout::chapter_json(number);
        if let Some(before) = Document::<GeneratedChapter>::load(reader, &path)? {
            for scene in &before.get().scenes {
                earlier.extend(runs(&scene.content));
            }
        }
    }
    if own.is_empty() {
        return Ok(0.0);
    }
    let again = own.intersection(&earlier).count();
    let share = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    Ok(share(again) / share(own.len()))
}
