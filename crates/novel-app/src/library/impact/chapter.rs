//! What rests on a chapter.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use novel_model::{
    ChapterNo, ChapterStage, Document, StepId, Warning, files::Foreshadowing, layout, message,
};
use novel_prompt::packet::{self, Request};
use novel_text::sentences;
use serde_json::Value;

use super::{
    ImpactError, ImpactReport,
    claims::{Claim, is_passing, path_of},
    ground::Found,
    survey::Survey,
};
use crate::revise::rewrite::moment;

/// Chapters whose writers are given the summary of a chapter.
const RECENT: u32 = 3;
/// Later chapters whose packet is worked out again for what was recalled.
const MOST_PACKETS: u32 = 60;

impl Survey<'_> {
    pub(super) fn chapter(&self, chapter: ChapterNo) -> Result<ImpactReport, ImpactError> {
        let checkpoint = self.view.checkpoint.get();
        let text = novel_steps::reports::committed(self.reader(), checkpoint, chapter)?;
        let title = text.get().chapter_title.clone();
        let mut claims = self.called.claims(|fact| fact.from == Some(chapter));
        claims.extend(self.things_of(chapter));
        let threads = self.threads_of(chapter)?;
        let facts = self.called.ledger.facts.iter();
        let own: BTreeSet<(String, ChapterNo)> = facts
            .filter(|fact| fact.from == Some(chapter))
            .filter_map(|fact| Some((path_of(fact), fact.to?)))
            .collect();
        let tail = text.get().scenes.last();
        let tail = tail.and_then(|scene| {
            sentences(&scene.content)
                .last()
                .map(|it| it.trim().to_owned())
        });
        let unknown = RefCell::new(Vec::new());
        let mut report = self.gather(
            &format!("{} {title}", chapter.get()),
            chapter.get(),
            |later| {
                let mut found = Found::default();
                // The writers of the next chapters were given its summary, the next one its end too.
                let distance = later.get() - chapter.get();
                if let (1, Some(tail)) = (distance, &tail) {
                    found.ground("tail", &title, chapter, tail);
                }
                if distance <= RECENT {
                    let summary = self.reader().text(&layout::summary(chapter))?;
                    let first = summary.as_deref().and_then(first_point);
                    found.ground("summary", &title, chapter, first.unwrap_or_default());
                } else if distance <= MOST_PACKETS {
                    match self.recalled(later, chapter) {
                        Some(passages) => passages.iter().for_each(|passage| {
                            found.ground("recalled", &title, chapter, passage);
                        }),
                        None => unknown.borrow_mut().push(later.get().to_string()),
                    }
                }
                self.claimed(later, &claims, &mut found)?;
                // The next change of a field goes on from what it was; a thread from where it was.
                let is_next = |path: &str| {
                    let mut held = own.iter().filter(|(own, _)| own == path);
                    held.any(|(_, last)| last.get() + 1 == later.get())
                };
                let goes_on = |path: &str| is_next(path) || threads.contains_key(path);
                self.built_on(later, goes_on, &mut found);
                found.let_pass(is_passing);
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let paths: BTreeSet<String> = said.map(|claim| claim.path.clone()).collect();
                let named = threads.iter().filter(|(id, description)| {
                    plan.contains(id.as_str())
                        || !description.is_empty() && plan.contains(description.as_str())
                });
                paths
                    .into_iter()
                    .chain(named.map(|(id, _)| id.clone()))
                    .collect()
            },
        )?;
        let unknown = unknown.into_inner();
        if !unknown.is_empty() {
            let (en, zh) = (unknown.join(", "), unknown.join("、"));
            report.warnings.push(Warning::new(
                "recall_not_looked_at",
                message!(
                    en: "what was recalled for these chapters cannot be worked out: {en}; `novel doctor` names the files that are broken",
                    zh: "第 {zh} 章的召回片段无法推算；`novel doctor` 会指出损坏的文件"
                ),
            ));
        }
        if self.last > chapter.get() + MOST_PACKETS {
            let beyond = chapter.get() + MOST_PACKETS + 1;
            report.warnings.push(Warning::new(
                "recall_not_looked_at",
                message!(
                    en: "what was recalled for chapter {beyond} and later ones was not worked out; their texts and facts were read",
                    zh: "第 {beyond} 章起未推算召回片段，只查了正文与事实"
                ),
            ));
        }
        Ok(report)
    }

    /// Items, places and factions that come into the record with a chapter.
    fn things_of(&self, chapter: ChapterNo) -> Vec<Claim> {
        let mut first: BTreeMap<(&str, &str), Option<ChapterNo>> = BTreeMap::new();
        for fact in &self.called.ledger.facts {
            let key = (fact.section.as_str(), fact.subject.as_str());
            first.entry(key).or_insert(fact.from);
        }
        let new = first.into_iter().filter(|((section, _), from)| {
            ["items", "locations", "factions"].contains(section) && *from == Some(chapter)
        });
        new.map(|((section, id), _)| {
            Claim::thing(format!("{section}.{id}"), chapter, self.called.names(id))
        })
        .collect()
    }

    /// Foreshadowing a chapter planted, advanced or resolved, with what it is.
    fn threads_of(&self, chapter: ChapterNo) -> Result<BTreeMap<String, String>, ImpactError> {
        let all = Document::<Foreshadowing>::load_value(self.reader(), &layout::foreshadowing())?;
        let items = all.map(|all| all.foreshadowing).unwrap_or_default();
        let own = items.into_iter().filter(|item| {
            let mut events = item.history.iter();
            events.any(|event| event.chapter == chapter)
        });
        Ok(own
            .map(|item| (item.id.to_string(), item.description))
            .collect())
    }

    /// Passages of a chapter that the writer of a later one was reminded of, as its packet is made. A
    /// chapter without a plan, such as an imported one, has no packet; `None` where it should have one.
    fn recalled(&self, later: ChapterNo, of: ChapterNo) -> Option<Vec<String>> {
        let (volume, _) = self.volumes.of(later.get());
        let then = moment(&self.view.checkpoint, later, volume);
        let source = self.project.files(self.reader(), then.get());
        let step = StepId::Chapter(later, ChapterStage::Draft);
        let Ok(packet) = packet::build(source, Request::new(step)) else {
            let has_plan = self.plan_of(later).is_ok_and(|plan| !plan.is_empty());
            return (!has_plan).then(Vec::new);
        };
        let passages = packet.manifest.inline.get("recalled_passages");
        let passages = passages.and_then(Value::as_array).into_iter().flatten();
        let own = passages
            .filter(|passage| passage["chapter"] == of.get())
            .filter_map(|passage| passage["text"].as_str().map(str::to_owned));
        Some(own.collect())
    }
}

/// The first event a summary lists.
fn first_point(summary: &str) -> Option<&str> {
    summary.lines().find_map(|line| line.strip_prefix("- "))
}
