//! Why a chapter is touched, and how much.

use std::{cmp::Reverse, collections::BTreeSet};

use novel_model::ChapterNo;

/// Grounds shown of one chapter.
const GROUNDS: usize = 5;

/// One reason why a chapter is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// `text`, `facts`, `verdict`, or what its writer was shown: `tail`, `summary`, `recalled`, `state`.
    pub way: &'static str,
    /// What it is about: a path in the state, a name, an id.
    pub of: String,
    /// The chapter the passage stands in.
    pub stands_in: ChapterNo,
    /// The passage; empty where there is none to show.
    pub quotation: String,
    /// Whether it is of something that passes by itself: a mood, the time. It weighs nothing.
    pub is_passing: bool,
}

impl Ground {
    /// How much a chapter rests on the thing by this.
    const fn weight(&self) -> u32 {
        if self.is_passing {
            return 0;
        }
        match self.way.as_bytes() {
            b"text" => 6,
            b"facts" | b"verdict" => 4,
            b"recalled" => 3,
            b"tail" => 2,
            _ => 1,
        }
    }
}

/// A chapter of the book that the thing is in.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchedChapter {
    /// Written chapter that rests on the thing.
    pub chapter: ChapterNo,
    /// How it knows the thing: `shown`, `text`, `facts`, `verdict`.
    pub ways: BTreeSet<&'static str>,
    /// Passages of its own text, or what its judge quoted.
    pub quotations: Vec<String>,
    /// Why, the strongest first.
    pub grounds: Vec<Ground>,
    /// How much it rests on the thing.
    pub weight: u32,
}

impl TouchedChapter {
    /// Whether nothing but what passes by itself touches it.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        !self.grounds.is_empty() && self.weight == 0
    }
}

/// What a chapter has of the thing.
#[derive(Default)]
pub(super) struct Found {
    pub(super) ways: BTreeSet<&'static str>,
    pub(super) grounds: Vec<Ground>,
}

impl Found {
    pub(super) fn way(&mut self, way: &'static str) {
        self.ways.insert(way);
    }

    pub(super) fn has(&self, way: &str) -> bool {
        self.ways.contains(way)
    }

    pub(super) fn ground(
        &mut self,
        way: &'static str,
        of: &str,
        stands_in: ChapterNo,
        quotation: &str,
    ) {
        self.way(match way {
            "text" | "facts" | "verdict" => way,
            _ => "shown",
        });
        let quotation = quotation.trim().to_owned();
        let is_known = |ground: &Ground| ground.way == way && ground.of == of;
        if !self.grounds.iter().any(is_known) || way == "recalled" {
            self.grounds.push(Ground {
                way,
                of: of.to_owned(),
                stands_in,
                quotation,
                is_passing: false,
            });
        }
    }

    /// What passes by itself weighs nothing.
    pub(super) fn let_pass(&mut self, is_passing: impl Fn(&str) -> bool) {
        for ground in &mut self.grounds {
            let is_fact = matches!(ground.way, "text" | "facts" | "state");
            ground.is_passing = is_fact && is_passing(&ground.of);
        }
    }

    pub(super) fn into_touched(mut self, chapter: ChapterNo) -> TouchedChapter {
        self.grounds.sort_by_key(|it| Reverse(it.weight()));
        let weight = self.grounds.iter().map(Ground::weight).sum();
        let own = self.grounds.iter().filter(|ground| {
            let is_of_it = matches!(ground.way, "text" | "facts" | "verdict");
            is_of_it && ground.stands_in == chapter && !ground.quotation.is_empty()
        });
        let mut quotations: Vec<String> = Vec::new();
        for ground in own.take(GROUNDS) {
            if !quotations.contains(&ground.quotation) {
                quotations.push(ground.quotation.clone());
            }
        }
        self.grounds.truncate(GROUNDS);
        TouchedChapter {
            chapter,
            ways: self.ways,
            quotations,
            grounds: self.grounds,
            weight,
        }
    }
}
