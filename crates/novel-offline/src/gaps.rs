//! Where a chapter can be filled without breaking what belongs together.

use crate::scene::{Paragraph, Purpose, Scenes};

/// The places between the paragraphs of the plan, and what goes there.
pub(crate) struct Gaps(Vec<Gap>);

struct Gap {
    scene: usize,
    /// The paragraph it comes after.
    after: usize,
    /// Whether that paragraph is talk.
    after_talk: bool,
    /// Whether the next one is.
    before_talk: bool,
    filling: Vec<Paragraph>,
}

impl Gaps {
    /// After every paragraph but the last of the chapter.
    pub(crate) fn of(scenes: &Scenes) -> Self {
        let talks =
            |part: Option<&Paragraph>| part.is_some_and(|part| part.purpose == Purpose::Talk);
        let mut gaps = Vec::new();
        for (scene, parts) in scenes.0.iter().enumerate() {
            for (after, part) in parts.iter().enumerate() {
                gaps.push(Gap {
                    scene,
                    after,
                    after_talk: talks(Some(part)),
                    before_talk: talks(parts.get(after + 1)),
                    filling: Vec::new(),
                });
            }
        }
        gaps.pop();
        // What answers an event follows it at once.
        gaps.retain(|gap| !gap.before_talk);
        Self(gaps)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn scene(&self, gap: usize) -> usize {
        self.0[gap].scene
    }

    pub(crate) fn ends_in_talk(&self, gap: usize) -> bool {
        let gap = &self.0[gap];
        let last = gap.filling.last();
        last.map_or(gap.after_talk, |part| part.purpose == Purpose::Talk)
    }

    pub(crate) fn add(&mut self, gap: usize, paragraph: Paragraph) {
        self.0[gap].filling.push(paragraph);
    }

    /// Puts everything into its place, from the end so that places stay right.
    pub(crate) fn weave(self, scenes: &mut Scenes) {
        for gap in self.0.into_iter().rev() {
            let at = gap.after + 1;
            scenes.0[gap.scene].splice(at..at, gap.filling);
        }
    }
}
