//! What the story checker reports: a contradiction with both its sides and their places.

use std::{fmt, ops::Range, str::FromStr};

use novel_contract::care as contract;
use novel_model::{ChapterNo, ContentHash, Lang, Message, RelPath, files::Severity};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $severity:ident;)+) => {
        /// What kind of contradiction a finding is. Codes are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingCode {
            $($(#[$doc])* $name,)+
        }

        impl FindingCode {
            /// Every code, in the order of the rules.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code in files and on the terminal.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }

            /// How bad a finding of this kind is: `high` breaks the story for every reader,
            /// `medium` is a contradiction between files or lines that a reader may notice,
            /// `low` is a loose end.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity),+ }
            }
        }
    };
}

codes! {
    /// Somebody who is dead in the state before the chapter acts or speaks.
    DeadCharacterActs = "DEAD_CHARACTER_ACTS", High;
    /// Somebody who left the story acts or speaks.
    RetiredCharacterActs = "RETIRED_CHARACTER_ACTS", Medium;
    /// Somebody who is away in the state before the chapter acts or speaks in company.
    AbsentCharacterActs = "ABSENT_CHARACTER_ACTS", Medium;
    /// Somebody who lives in the state is taken for dead.
    LifeContradicted = "LIFE_CONTRADICTED", High;
    /// The contract starts from something the state does not say.
    PreconditionMismatch = "PRECONDITION_MISMATCH", Medium;
    /// The contract asks for a change the chapter's delta did not make.
    PostconditionNotMet = "POSTCONDITION_NOT_MET", Medium;
    /// The contract asks for a foreshadowing update the chapter's delta does not hold.
    ForeshadowUpdateMissing = "FORESHADOW_UPDATE_MISSING", Medium;
    /// A foreshadowing item is paid off that nobody laid.
    ForeshadowResolvedBeforePlanted = "FORESHADOW_RESOLVED_BEFORE_PLANTED", Medium;
    /// A foreshadowing item is laid a second time.
    ForeshadowPlantedTwice = "FORESHADOW_PLANTED_TWICE", Low;
    /// A short item is open past the end of its range.
    ForeshadowOverdue = "FORESHADOW_OVERDUE", Low;
    /// Somebody whom only another storyline knows is named outside a convergence.
    ForeignCastNamed = "FOREIGN_CAST_NAMED", Medium;
    /// An unregistered name appears in a third chapter.
    UnregisteredNameRecurs = "UNREGISTERED_NAME_RECURS", Low;
    /// Somebody uses an item that left their hands in an earlier chapter.
    ItemUsedAfterGivenAway = "ITEM_USED_AFTER_GIVEN_AWAY", Medium;
    /// Somebody uses an item that is destroyed or lost.
    ItemUsedAfterDestroyed = "ITEM_USED_AFTER_DESTROYED", Medium;
    /// Somebody uses an item that somebody else holds.
    ItemHeldByAnother = "ITEM_HELD_BY_ANOTHER", Medium;
    /// More of an item is used than there are.
    ItemCountMismatch = "ITEM_COUNT_MISMATCH", Medium;
    /// Somebody uses a part of the body that is lost, or a sense.
    BodyContradicted = "BODY_CONTRADICTED", High;
    /// Somebody is where they are not.
    PlaceContradicted = "PLACE_CONTRADICTED", Medium;
    /// A journey takes less time than it can.
    TravelTooFast = "TRAVEL_TOO_FAST", Medium;
    /// Somebody is older or younger than they are.
    AgeContradicted = "AGE_CONTRADICTED", Medium;
    /// Two people are related in two ways.
    KinshipContradicted = "KINSHIP_CONTRADICTED", Medium;
    /// Two people stand to each other in two ways.
    RelationContradicted = "RELATION_CONTRADICTED", Medium;
    /// Somebody knows what they have not learnt.
    KnownBeforeRevealed = "KNOWN_BEFORE_REVEALED", High;
    /// Somebody has a different rank from the one in the record.
    RankContradicted = "RANK_CONTRADICTED", Medium;
    /// A hard rule of the world is broken.
    WorldRuleBroken = "WORLD_RULE_BROKEN", High;
    /// A foreshadowing item is advanced that nobody laid.
    ForeshadowAdvancedBeforePlanted = "FORESHADOW_ADVANCED_BEFORE_PLANTED", Medium;
    /// A foreshadowing item goes on after it was paid off.
    ForeshadowAfterResolved = "FORESHADOW_AFTER_RESOLVED", Medium;
    /// A medium or long item is open past the range it was given.
    ForeshadowRangePassed = "FORESHADOW_RANGE_PASSED", Low;
    /// The chapter plays on a day that is past.
    DayContradicted = "DAY_CONTRADICTED", Medium;
    /// The time marker of a storyline goes back.
    TimeRunsBackwards = "TIME_RUNS_BACKWARDS", Medium;
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no finding code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a finding code")]
pub struct UnknownCode(pub String);

impl FromStr for FindingCode {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

/// A place inside a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// In the text of a chapter.
    Text {
        /// The scene, from one.
        scene: u32,
        /// The line of the scene, from one.
        line: usize,
        /// First byte of the quotation in the scene's content.
        start: usize,
        /// The byte after it.
        end: usize,
    },
    /// A line of a file, from one.
    Line(usize),
    /// A JSON pointer.
    Pointer(String),
}

/// One side of a contradiction, quoted with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The file.
    pub path: RelPath,
    /// Where in it.
    pub spot: Spot,
    /// What stands there, word for word.
    pub quotation: String,
    /// The decisive bytes of the quotation; all of it when `None`.
    pub focus: Option<Range<usize>>,
}

impl Side {
    /// A side at a JSON pointer.
    pub(super) fn pointer(path: RelPath, pointer: String, quotation: String) -> Self {
        Self {
            path,
            spot: Spot::Pointer(pointer),
            quotation,
            focus: None,
        }
    }

    /// A side on a line of a file.
    pub(super) fn line(path: RelPath, line: usize, quotation: String) -> Self {
        Self {
            path,
            spot: Spot::Line(line),
            quotation,
            focus: None,
        }
    }

    /// A subject bound to the words that stand here.
    pub(super) fn bound(&self, subject: &str) -> String {
        format!("{subject}\n{}", self.quotation)
    }

    /// `chapters/chapter_048.json scene 2, line 5`, `state/changelog.jsonl:48`, `file#/pointer`.
    #[must_use]
    pub fn location(&self, lang: Lang) -> String {
        let path = &self.path;
        match (&self.spot, lang) {
            (Spot::Text { scene, line, .. }, Lang::En) => {
                format!("{path} scene {scene}, line {line}")
            }
            (Spot::Text { scene, line, .. }, Lang::Zh) => {
                format!("{path} 第 {scene} 场第 {line} 行")
            }
            (Spot::Line(line), _) => format!("{path}:{line}"),
            (Spot::Pointer(pointer), _) => format!("{path}#{pointer}"),
        }
    }

    /// The side as answers and reports tell it.
    #[must_use]
    pub fn answer(&self) -> contract::Side {
        let mut side = contract::Side {
            path: self.path.to_string(),
            scene: None,
            line: None,
            start: None,
            end: None,
            pointer: None,
            quotation: self.quotation.clone(),
            focus: self
                .focus
                .clone()
                .and_then(|focus| self.quotation.get(focus))
                .map(str::to_owned),
        };
        match &self.spot {
            Spot::Text {
                scene,
                line,
                start,
                end,
            } => {
                side.scene = Some(*scene);
                side.line = Some(*line);
                side.start = Some(*start);
                side.end = Some(*end);
            }
            Spot::Line(line) => side.line = Some(*line),
            Spot::Pointer(pointer) => side.pointer = Some(pointer.clone()),
        }
        side
    }
}

/// One contradiction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub code: FindingCode,
    /// How bad.
    pub severity: Severity,
    /// The chapter it is reported for.
    pub chapter: ChapterNo,
    /// What is wrong: in the text where the text shows it, else in the contract or the changelog.
    pub place: Side,
    /// What it contradicts.
    pub other_side: Side,
    /// The contradiction in words.
    pub message: Message,
    /// Display names of whom it concerns.
    pub related_characters: Vec<String>,
    /// How to repair the text, in the language of the book, where a repair is clear.
    pub fix_instructions: Option<String>,
    /// Stable over runs and over changes elsewhere: made of code, chapter and subject.
    pub fingerprint: String,
}

impl Finding {
    /// A finding without related characters and without a fix. `subject` is what it is about: an
    /// id, a name, a path; two findings of one code in one chapter have different subjects. A rule
    /// that can find a subject several times in a chapter binds it to the sentence, see
    /// [`Side::bound`]: a waiver never moves on to another sentence.
    pub(super) fn new(
        code: FindingCode,
        chapter: ChapterNo,
        subject: &str,
        (place, other_side): (Side, Side),
        message: Message,
    ) -> Self {
        Self {
            code,
            severity: code.severity(),
            chapter,
            place,
            other_side,
            message,
            related_characters: Vec::new(),
            fix_instructions: None,
            fingerprint: fingerprint(code, chapter, subject),
        }
    }

    /// The same finding about somebody.
    pub(super) fn about(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.related_characters.extend(names);
        self
    }

    /// The same finding with a repair.
    pub(super) fn fix(mut self, lang: Lang, instructions: &Message) -> Self {
        self.fix_instructions = Some(instructions.get(lang).to_owned());
        self
    }

    /// The scene, when the text shows the fault.
    #[must_use]
    pub fn scene(&self) -> Option<u32> {
        match self.place.spot {
            Spot::Text { scene, .. } => Some(scene),
            Spot::Line(_) | Spot::Pointer(_) => None,
        }
    }

    /// The finding in one language, as answers tell it.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::Finding {
        contract::Finding {
            code: self.code.as_str().to_owned(),
            severity: self.severity,
            chapter: self.chapter,
            fingerprint: self.fingerprint.clone(),
            message: self.message.get(lang).to_owned(),
            place: self.place.answer(),
            other_side: self.other_side.answer(),
            related_characters: self.related_characters.clone(),
            fix_instructions: self.fix_instructions.clone(),
            repair: self.repair(lang),
        }
    }

    /// What removes the finding: the repair of the text where one is clear, else what its code says.
    #[must_use]
    pub fn repair(&self, lang: Lang) -> String {
        let by_code = || super::explain::repair(self.code).get(lang).to_owned();
        self.fix_instructions.clone().unwrap_or_else(by_code)
    }
}

/// Sixteen hexadecimal digits; the fields are kept apart by a character no id can hold.
fn fingerprint(code: FindingCode, chapter: ChapterNo, subject: &str) -> String {
    let hash = ContentHash::of(format!("{code}\n{chapter}\n{subject}"));
    let digits = hash.as_str().trim_start_matches("blake3:");
    digits.chars().take(16).collect()
}
