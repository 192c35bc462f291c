//! Review, audit and repair of a committed chapter of the demo book, with and without a fault.

use novel_book::{
    changelog::{self, Entry},
    manuscript::{Manuscript, render},
    ops,
    review::{self, Accepted, BlockReason},
    revision::{self, RevisedRejected},
};
use novel_model::{
    ChapterNo, ChapterStage, ContentHash, Document, Lang, StepId, VolumeNo,
    files::{Character, GeneratedChapter, LogicReview, RevisionTrigger, StoryState},
    layout, to_json_text,
};
use novel_offline::OfflineBook;
use novel_prompt::packet::{self, BookFiles, PacketMode, Request, Revision};
use novel_story::check::{self, CheckInput, Finding, Waivers};
use serde_json::{Value, json};

use super::pipeline::{Desk, demo};

/// The demo book with its first chapter committed, and somebody dead whom the chapter does not name.
struct Committed {
    desk: Desk,
    chapter: GeneratedChapter,
    /// The name of the dead.
    dead: String,
}

impl Committed {
    fn new(lang: Lang) -> Self {
        let mut desk = Desk::new(demo(lang));
        let written = desk.write_and_commit();
        let number = ChapterNo::first();
        let chapter = Manuscript::from_markdown(number, &written.refined, lang).chapter;
        let text = render(&chapter, lang);
        let directory = layout::characters_dir();
        let people = desk.book.files().iter().filter_map(|(path, bytes)| {
            let id = path.file_name().strip_suffix(".json")?;
            let text = std::str::from_utf8(bytes).ok()?;
            let person = Document::<Character>::parse(path, text);
            let is_cast = path.is_under(&directory);
            is_cast.then(|| (id.to_owned(), person.unwrap().get().display_name.clone()))
        });
        let absent = people.into_iter().find(|(_, name)| !text.contains(name));
        let (id, dead) = absent.expect("somebody who is not in the first chapter");
        let mut before = serde_json::to_value(StoryState::initial()).unwrap();
        before["characters"] = json!({id: {"display_name": dead, "status": "dead"}});
        let log = changelog_of(before, number, &written.answer.delta.ops);
        desk.book.write(layout::state_changelog(), log);
        let mut committed = Self {
            desk,
            chapter,
            dead,
        };
        committed.write();
        committed
    }

    fn write(&mut self) {
        let path = layout::chapter_json(self.chapter.chapter_number);
        self.desk.book.write(path, to_json_text(&self.chapter));
    }

    /// A sentence in which the dead act, in the middle of the last scene.
    fn plant(&mut self, lang: Lang) -> String {
        let fault = match lang {
            Lang::Zh => format!("{}推开门，走了进来。", self.dead),
            Lang::En => format!("{} walked in and closed the door.", self.dead),
        };
        let scene = self.chapter.scenes.last_mut().unwrap();
        let (first, rest) = scene.content.split_once("\n\n").unwrap();
        scene.content = format!("{first}\n\n{fault}\n\n{rest}");
        self.write();
        fault
    }

    fn book(&self) -> BookFiles<'_> {
        BookFiles {
            reader: &self.desk.book,
            config: &self.desk.config,
            checkpoint: &self.desk.checkpoint,
            digests: &self.desk.digests,
        }
    }

    fn answer(&self, packet: &novel_model::files::Packet) -> String {
        let book = OfflineBook {
            reader: &self.desk.book,
            config: &self.desk.config,
        };
        novel_offline::answer(book, packet).unwrap()
    }

    fn ask(&self, stage: ChapterStage) -> String {
        let step = StepId::Chapter(self.chapter.chapter_number, stage);
        let packet = packet::build(self.book(), Request::new(step)).unwrap();
        self.answer(&packet)
    }

    fn review(&self, lang: Lang) -> Accepted<LogicReview> {
        let hash = ContentHash::of(render(&self.chapter, lang));
        let answer = self.ask(ChapterStage::Review);
        review::accept_logic_review(&answer, &self.chapter, &hash, lang).unwrap()
    }

    fn findings(&self) -> Vec<Finding> {
        check::check_chapter(CheckInput {
            reader: &self.desk.book,
            config: &self.desk.config,
            chapter: self.chapter.chapter_number,
            volume: VolumeNo::first(),
        })
        .unwrap()
    }

    fn amend(&self, notes: &str) -> String {
        let revision = Revision {
            trigger: RevisionTrigger::LogicReview,
            chapter: &self.chapter,
            notes,
            author: None,
            mode: PacketMode::Paths,
        };
        self.answer(&packet::reviser(self.book(), revision).unwrap())
    }
}

fn changelog_of(before: Value, chapter: ChapterNo, delta: &[Value]) -> String {
    let mut after = before.clone();
    let outcome = ops::apply(&mut after, delta);
    changelog::stamp(&mut after, 1, chapter);
    let snapshot = Entry::Snapshot {
        reason: "initial".into(),
        state_hash: ContentHash::of(to_json_text(&before)),
        state: before,
    };
    let delta = Entry::Delta {
        chapter,
        storyline_id: "main-arc".parse().unwrap(),
        base_state_version: 0,
        state_version: 1,
        previous_chapter: 0,
        ops: outcome.applied,
        dropped: outcome.dropped,
        state_hash: ContentHash::of(to_json_text(&after)),
    };
    format!("{}{}", snapshot.to_line(), delta.to_line())
}

#[test]
fn a_sound_chapter_of_the_demo_book_passes_review_and_audit() {
    for lang in [Lang::Zh, Lang::En] {
        let committed = Committed::new(lang);
        let review = committed.review(lang);
        assert_eq!(review.report.issues, []);
        assert_eq!(review.report.overall_score, 100);
        assert_eq!(review::logic_blocks(&review.report, 75), None);
        let honest = match lang {
            Lang::Zh => "不是语言模型",
            Lang::En => "is not a language model",
        };
        assert!(review.report.summary.contains(honest));
        let proved = check::to_report(
            committed.chapter.chapter_number,
            &[],
            &Waivers::default(),
            lang,
        );
        let answer = committed.ask(ChapterStage::Audit);
        let audit = review::accept_audit(&answer, &committed.chapter, proved, lang).unwrap();
        assert_eq!(audit.report.issues, []);
    }
}

#[test]
fn a_planted_fault_blocks_is_repaired_and_passes() {
    for lang in [Lang::Zh, Lang::En] {
        let mut committed = Committed::new(lang);
        let clean = committed.chapter.clone();
        let fault = committed.plant(lang);
        let review = committed.review(lang);
        assert!(review.unfound.is_empty(), "{:?}", review.report);
        // The dead act; in the Chinese book they are of another storyline too.
        let score = match lang {
            Lang::Zh => 50,
            Lang::En => 60,
        };
        assert_eq!(review.report.overall_score, score);
        assert_eq!(
            review::logic_blocks(&review.report, 75),
            Some(BlockReason::HighSeverity { issues: 1 })
        );
        let evidence = review.report.issues[0].evidence.clone().unwrap();
        assert!(
            fault.contains(&evidence) || evidence.contains(&fault),
            "{evidence}"
        );

        let notes = revision::notes(&review.report.issues).unwrap();
        let answer = committed.amend(&notes);
        let revised = revision::revise(&committed.chapter, &answer, &notes).unwrap();
        assert_eq!(revised.restored, []);
        committed.chapter = revised.chapter;
        committed.write();
        assert!(!render(&committed.chapter, lang).contains(&fault));
        assert_eq!(committed.findings(), []);
        assert_eq!(committed.review(lang).report.overall_score, 100);
        // Nothing but the fault is gone.
        let contents = |chapter: &GeneratedChapter| -> Vec<String> {
            let scenes = chapter.scenes.iter();
            scenes.map(|scene| scene.content.clone()).collect()
        };
        assert_eq!(contents(&committed.chapter), contents(&clean));
    }
}

#[test]
fn a_note_it_can_not_carry_out_changes_nothing() {
    let committed = Committed::new(Lang::Zh);
    let notes = "- 请让结尾更有力量";
    let answer = committed.amend(notes);
    let refused = revision::revise(&committed.chapter, &answer, notes).unwrap_err();
    assert!(
        matches!(refused, RevisedRejected::Unchanged { .. }),
        "{refused:?}"
    );
}
