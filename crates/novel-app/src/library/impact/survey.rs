//! The book as it is looked through: texts, plans and the record, chapter by chapter.

use std::collections::BTreeMap;

use novel_book::changelog::Entry;
use novel_model::{BookReader, ChapterNo, Document, files::GeneratedChapter, layout};
use novel_steps::volumes::Volumes;
use serde_json::Value;

use super::{
    ImpactError, ImpactReport, TouchedContract,
    claims::{Called, Claim},
    ground::Found,
};
use crate::{Book, Project};

pub(super) struct Survey<'a> {
    pub(super) project: &'a Project,
    pub(super) view: &'a Book<'a>,
    pub(super) called: Called<'a>,
    pub(super) log: Vec<Entry>,
    pub(super) volumes: Volumes,
    pub(super) last: u32,
}

impl Survey<'_> {
    pub(super) fn reader(&self) -> &dyn BookReader {
        self.view.reader()
    }

    pub(super) fn written(&self, after: u32) -> impl Iterator<Item = ChapterNo> + use<> {
        (after + 1..=self.last).filter_map(ChapterNo::new)
    }

    /// The contract and the outline block of a chapter.
    pub(super) fn plan_of(&self, chapter: ChapterNo) -> Result<String, ImpactError> {
        let (volume, _) = self.volumes.of(chapter.get());
        let text = self.reader().text(&layout::contract(volume, chapter))?;
        Ok(text.unwrap_or_default())
    }

    pub(super) fn scenes(&self, chapter: ChapterNo) -> Result<Vec<String>, ImpactError> {
        let path = layout::chapter_json(chapter);
        let text = Document::<GeneratedChapter>::load_value(self.reader(), &path)?;
        let scenes = text.map(|text| text.scenes).unwrap_or_default();
        Ok(scenes.into_iter().map(|scene| scene.content).collect())
    }

    /// Paths in the state that a chapter changed.
    pub(super) fn ops(&self, wanted: ChapterNo) -> BTreeMap<String, Option<String>> {
        let lines = self.log.iter().filter_map(|entry| match entry {
            Entry::Delta { chapter, ops, .. } if *chapter == wanted => Some(ops),
            _ => None,
        });
        let text = |op: &Value, key: &str| op.get(key).and_then(Value::as_str).map(str::to_owned);
        let paths = lines
            .flatten()
            .filter_map(|op| Some((text(&op.op, "path")?, text(&op.op, "evidence"))));
        paths.collect()
    }

    /// What a chapter's text claims, and which facts in force its plan speaks of.
    pub(super) fn claimed(
        &self,
        chapter: ChapterNo,
        claims: &[Claim],
        found: &mut Found,
    ) -> Result<(), ImpactError> {
        let scenes = self.scenes(chapter)?;
        let plan = self.plan_of(chapter)?;
        for claim in claims.iter().filter(|claim| claim.holds_before(chapter)) {
            let mut passages = scenes.iter().flat_map(|scene| claim.passages(scene));
            if let Some(passage) = passages.next() {
                found.ground("text", &claim.path, chapter, passage);
            } else if let (true, Some(from)) = (claim.is_about(&plan), claim.from) {
                let evidence = claim.evidence.as_deref().unwrap_or_default();
                found.ground("state", &claim.path, from, evidence);
            }
        }
        Ok(())
    }

    /// Facts a chapter recorded on top of some.
    pub(super) fn built_on(
        &self,
        chapter: ChapterNo,
        is_of: impl Fn(&str) -> bool,
        found: &mut Found,
    ) {
        for (path, evidence) in self.ops(chapter) {
            if is_of(&path) {
                found.ground("facts", &path, chapter, evidence.as_deref().unwrap_or(""));
            }
        }
    }

    pub(super) fn gather(
        &self,
        subject: &str,
        after: u32,
        look: impl Fn(ChapterNo) -> Result<Found, ImpactError>,
        in_plan: impl Fn(&str) -> Vec<String>,
    ) -> Result<ImpactReport, ImpactError> {
        let mut chapters = Vec::new();
        for chapter in self.written(after) {
            let found = look(chapter)?;
            if !found.ways.is_empty() {
                chapters.push(found.into_touched(chapter));
            }
        }
        chapters.sort_by_key(|touched| (std::cmp::Reverse(touched.weight), touched.chapter));
        Ok(ImpactReport {
            subject: subject.to_owned(),
            chapters,
            contracts: self.planned(in_plan)?,
            warnings: Vec::new(),
        })
    }

    /// Contracts of the current volume that are not written yet and rest on the thing.
    pub(super) fn planned(
        &self,
        in_plan: impl Fn(&str) -> Vec<String>,
    ) -> Result<Vec<TouchedContract>, ImpactError> {
        let checkpoint = self.view.checkpoint.get();
        let (volume, next) = (checkpoint.current_volume, checkpoint.next_chapter());
        let mut found = Vec::new();
        for name in self.reader().list(&layout::contracts_dir(volume))? {
            let number = name
                .strip_prefix("chapter-")
                .and_then(|name| name.strip_suffix(".json"))
                .and_then(|number| number.parse::<ChapterNo>().ok());
            let Some(chapter) = number.filter(|chapter| *chapter >= next) else {
                continue;
            };
            let path = layout::contract(volume, chapter);
            let because = in_plan(&self.reader().text(&path)?.unwrap_or_default());
            if !because.is_empty() {
                let path = path.to_string();
                found.push(TouchedContract {
                    chapter,
                    path,
                    because,
                });
            }
        }
        found.sort_by_key(|touched| touched.chapter);
        Ok(found)
    }
}

/// Whether a path is the other one, or below it.
pub(super) fn is_below(path: &str, other: &str) -> bool {
    path.strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
