//! `chapters/marks.json`: which chapters readers have, which the author has locked, and what must be
//! explained because it can no longer be changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ReviewIssue;
use crate::{ChapterNo, VolumeNo};

/// `chapters/marks.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Marks {
    /// The last chapter that is published; zero when none is.
    #[serde(default)]
    pub published_to: u32,
    /// Chapters the author has locked, ascending.
    #[serde(default)]
    pub locked: Vec<ChapterNo>,
    /// Issues of walled chapters, which later chapters must explain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forward_repairs: Vec<ForwardRepair>,
}

/// An issue of a chapter that stays as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForwardRepair {
    /// The chapter.
    pub chapter: ChapterNo,
    /// What is wrong with it.
    pub issue: ReviewIssue,
    /// The volume whose plan was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_volume: Option<VolumeNo>,
    /// The chapter whose writer was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_chapter: Option<ChapterNo>,
}

/// Why a chapter's title and text are not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// Readers have it.
    Published,
    /// The author has locked it.
    Locked,
}

impl Marks {
    /// The wall around a chapter, if there is one.
    #[must_use]
    pub fn wall(&self, chapter: ChapterNo) -> Option<Wall> {
        if chapter.get() <= self.published_to {
            Some(Wall::Published)
        } else if self.locked.contains(&chapter) {
            Some(Wall::Locked)
        } else {
            None
        }
    }

    /// Adds what is wrong with a chapter; what is known already is not added twice.
    pub fn add_repairs(&mut self, chapter: ChapterNo, issues: &[ReviewIssue]) {
        for issue in issues {
            let known = self.forward_repairs.iter().any(|known| {
                known.chapter == chapter && known.issue.description == issue.description
            });
            if !known {
                self.forward_repairs.push(ForwardRepair {
                    chapter,
                    issue: issue.clone(),
                    told_volume: None,
                    told_chapter: None,
                });
            }
        }
        self.forward_repairs.sort_by_key(|repair| repair.chapter);
    }

    /// Forgets everything about chapters after `last`.
    pub fn cut(&mut self, last: u32) {
        self.published_to = self.published_to.min(last);
        self.locked.retain(|chapter| chapter.get() <= last);
        self.forward_repairs
            .retain(|repair| repair.chapter.get() <= last);
        for repair in &mut self.forward_repairs {
            repair.told_chapter = repair.told_chapter.filter(|told| told.get() <= last);
        }
    }
}
