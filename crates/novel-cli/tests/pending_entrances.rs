//! The pending gate at every entrance.
//!
//! Every command that works on a chapter, or builds on all of them, against revisions before, at and
//! after its target. A refusal is the same object everywhere, with exit code 3, and leaves every
//! byte of the project as it was.

use std::fs;

use novel_testkit::{
    Output, Plan, TestBook, assert_same_tree,
    faulty::{FAULTY, markdown, revision},
    plan::numeral,
    pretty,
};
use serde_json::{Value, json};

/// Where a book stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Three chapters; the fourth is to be drafted.
    Fresh,
    /// The draft of the fourth is handed in.
    Submitted,
    /// The fourth is to be committed.
    Judged,
    /// The Markdown of the third was edited by hand.
    Edited,
    /// The scenes of the fourth are planned.
    ScenePlanned,
    /// They are written.
    ScenesWritten,
    /// There is no outline of the volume.
    NoOutline,
    /// A volume of two chapters is written and is to be reviewed.
    VolumeEnd,
    /// Its review is handed in.
    Reviewed,
    /// The next volume is to be planned.
    Planning,
    /// Its plan is staged.
    Planned,
}

/// Hands in, step by step, what the offline author answers for the fourth chapter in a twin.
fn hand_in_the_chapter(book: &TestBook) {
    let twin = book.copy();
    twin.write_to(4);
    let calls = twin.ledger();
    for stage in ["draft", "summarize", "refine", "judge"] {
        let step = format!("chapter:004:{stage}");
        let call = calls.iter().find(|call| call["step"] == step.as_str());
        let answer = call.unwrap()["text"].as_str().unwrap();
        book.feed(&["submit", &step, "-"], answer).data();
        book.ask(&["advance", &step]).data();
    }
}

impl Stand {
    /// A book that stands there; made once.
    fn book(self) -> TestBook {
        TestBook::once(&format!("entrance {self:?}"), || self.make())
    }

    fn make(self) -> TestBook {
        match self {
            Self::Fresh => TestBook::demo(FAULTY - 1),
            Self::Submitted => {
                let book = Self::Fresh.book();
                enter(&book, &["submit", "chapter:004:draft", "{draft}"]).data();
                book
            }
            Self::Judged => {
                let book = Self::Fresh.book();
                hand_in_the_chapter(&book);
                book
            }
            Self::Edited => {
                let book = Self::Fresh.book();
                let text = book.text(&markdown(3)).replacen('。', "，天黑了。", 1);
                book.write(&markdown(3), text);
                book
            }
            Self::ScenePlanned => {
                let book = Self::Fresh.book();
                book.ask(&["scene", "plan", "4"]).data();
                book
            }
            Self::ScenesWritten => {
                let book = Self::ScenePlanned.book();
                book.ask(&["scene", "generate", "4"]).data();
                book
            }
            Self::NoOutline => {
                let book = Self::Fresh.book();
                book.remove("volumes/vol-01/outline.md");
                book
            }
            Self::VolumeEnd => {
                let book = TestBook::planned(Plan::volume(1, 2));
                book.driver().write(1);
                book.driver().write(2);
                TestBook::of(&book.tree())
            }
            Self::Reviewed => {
                let book = Self::VolumeEnd.book();
                enter(&book, &["submit", "volume:01:review", "{review}"]).data();
                book
            }
            Self::Planning => {
                let book = Self::Reviewed.book();
                book.ask(&["advance", "volume:01:review"]).data();
                book
            }
            Self::Planned => {
                let book = Self::Planning.book();
                for (path, text) in Plan::volume(2, 2).volume_files() {
                    book.write(&format!("staging/{path}"), text);
                }
                book
            }
        }
    }
}

/// A command that works on a chapter, or past it.
#[derive(Debug, Clone, Copy)]
struct Entrance {
    stand: Stand,
    args: &'static [&'static str],
    /// The chapter it works on, or the first that is not in the book yet.
    target: u32,
}

const fn entrance(stand: Stand, target: u32, args: &'static [&'static str]) -> Entrance {
    Entrance {
        stand,
        args,
        target,
    }
}

const ENTRANCES: &[Entrance] = &[
    entrance(Stand::Fresh, 4, &["next"]),
    entrance(Stand::Fresh, 4, &["continue"]),
    entrance(Stand::Fresh, 4, &["run", "--to", "4"]),
    entrance(Stand::Fresh, 4, &["resume", "--to", "4"]),
    entrance(Stand::Fresh, 4, &["instructions", "chapter:004:draft"]),
    entrance(
        Stand::Fresh,
        4,
        &["instructions", "chapter:004:draft", "--write-manifest"],
    ),
    entrance(Stand::Fresh, 4, &["submit", "chapter:004:draft", "{draft}"]),
    entrance(Stand::Fresh, 4, &["chapter", "generate", "4"]),
    entrance(Stand::Fresh, 4, &["scene", "plan", "4"]),
    entrance(Stand::ScenePlanned, 4, &["scene", "generate", "4"]),
    entrance(Stand::ScenePlanned, 4, &["scene", "generate", "4", "1"]),
    entrance(Stand::ScenesWritten, 4, &["scene", "merge", "4"]),
    entrance(
        Stand::Submitted,
        4,
        &["chapter", "generate", "4", "--force"],
    ),
    entrance(Stand::Submitted, 4, &["validate", "chapter:004:draft"]),
    entrance(Stand::Submitted, 4, &["advance", "chapter:004:draft"]),
    entrance(Stand::Submitted, 4, &["continue"]),
    entrance(Stand::Judged, 4, &["commit", "--chapter", "4"]),
    entrance(Stand::Judged, 4, &["commit", "--chapter", "4", "--dry-run"]),
    entrance(Stand::Judged, 4, &["continue"]),
    entrance(Stand::Fresh, 3, &["regen", "3"]),
    entrance(Stand::Fresh, 3, &["review", "run", "3"]),
    entrance(Stand::Fresh, 3, &["memory", "rebuild", "3"]),
    entrance(Stand::Fresh, 3, &["state", "rebuild", "--from", "3"]),
    entrance(Stand::Edited, 3, &["adopt", "3"]),
    entrance(Stand::VolumeEnd, 3, &["next"]),
    entrance(Stand::VolumeEnd, 3, &["instructions", "volume:01:review"]),
    entrance(
        Stand::VolumeEnd,
        3,
        &["submit", "volume:01:review", "{review}"],
    ),
    entrance(Stand::Reviewed, 3, &["validate", "volume:01:review"]),
    entrance(Stand::Reviewed, 3, &["advance", "volume:01:review"]),
    entrance(Stand::Planning, 3, &["next"]),
    entrance(Stand::Planning, 3, &["instructions", "volume:02:plan"]),
    entrance(Stand::Planned, 3, &["validate", "volume:02:commit"]),
    entrance(Stand::Planned, 3, &["plan", "redo"]),
    entrance(Stand::Planned, 3, &["plan", "approve"]),
    entrance(Stand::Planned, 3, &["commit", "--volume", "2"]),
];

/// Commands that need a revision of their own chapter: refused past another one all the same.
const OWN_REVISION: &[Entrance] = &[
    entrance(Stand::Fresh, 3, &["revision", "candidate", "3"]),
    entrance(Stand::Fresh, 3, &["revision", "apply", "3"]),
];

/// Commands that only work where nothing waits, whose success is tested elsewhere.
const ONLY_REFUSED: &[Entrance] = &[
    entrance(Stand::VolumeEnd, 3, &["continue"]),
    entrance(Stand::VolumeEnd, 3, &["run"]),
    entrance(Stand::Planning, 3, &["plan"]),
    entrance(Stand::NoOutline, 4, &["plan"]),
    entrance(Stand::Planning, 3, &["continue"]),
    entrance(
        Stand::Planning,
        3,
        &["submit", "volume:02:plan", "{review}"],
    ),
    entrance(Stand::Fresh, 2, &["regen", "2", "--cascade"]),
    entrance(
        Stand::Fresh,
        4,
        &["submit", "chapter:004:review", "{review}"],
    ),
    entrance(Stand::Judged, 4, &["gate", "rewrite", "4"]),
];

/// Runs a command; names in braces are files an agent would hand in.
#[track_caller]
fn enter(book: &TestBook, args: &[&str]) -> Output {
    let (draft, review) = (
        book.outside().join("draft.md"),
        book.outside().join("review.md"),
    );
    let sentences = (1..=40).map(|number| {
        let (own, lamp) = (numeral(400 + number), numeral(number));
        format!("灯塔的第{own}级台阶上，他数到了第{lamp}盏灯。")
    });
    let prose: Vec<String> = sentences.collect();
    let text = format!("# 第 4 章 台阶\n\n{}\n", prose.join("\n\n"));
    fs::write(&draft, text).unwrap();
    fs::write(&review, "# 第一卷回顾\n\n伏笔都在。\n").unwrap();
    let args: Vec<&str> = args
        .iter()
        .map(|arg| match *arg {
            "{draft}" => draft.to_str().unwrap(),
            "{review}" => review.to_str().unwrap(),
            other => other,
        })
        .collect();
    book.ask(&args)
}

const TRUNCATED: &str = "{\"chapter_number\": 1, \"status\": \"acc";

fn mark(book: &TestBook, chapter: u32, status: &str) {
    let status = json!({"chapter_number": chapter, "status": status,
        "triggered_by": "logic_review", "revision_notes": "- 改写", "issues": [],
        "logic_review_report_file": format!("reviews/chapter_{chapter:03}_logic_review.json")});
    book.write(&revision(chapter), pretty(&status));
}

/// What waits, seen from the chapter a command works on.
#[derive(Debug, Clone, Copy)]
enum Waits {
    Before,
    Several,
    UnreadableBefore,
    UnreadableAndPending,
    At,
    UnreadableAt,
    After,
    UnreadableAfter,
    Accepted,
    Rejected,
}

impl Waits {
    const REFUSED: [Self; 4] = [
        Self::Before,
        Self::Several,
        Self::UnreadableBefore,
        Self::UnreadableAndPending,
    ];
    const ALLOWED: [Self; 4] = [Self::At, Self::After, Self::Accepted, Self::Rejected];
    const ALLOWED_UNREADABLE: [Self; 2] = [Self::UnreadableAt, Self::UnreadableAfter];

    /// Puts the revisions there; gives what a refusal says, or nothing.
    fn put(self, book: &TestBook, target: u32) -> Option<Value> {
        let first = target.saturating_sub(2).max(1);
        let before = target - 1;
        match self {
            Self::Before => {
                mark(book, before, "pending");
                Some(expected(before, &[before], Readable::Yes))
            }
            Self::Several => {
                for chapter in [first, before, target, target + 1] {
                    mark(book, chapter, "pending");
                }
                let mut all = vec![first, before, target, target + 1];
                all.dedup();
                Some(expected(first, &all, Readable::Yes))
            }
            Self::UnreadableBefore => {
                book.write(&revision(before), TRUNCATED);
                Some(expected(before, &[before], Readable::No))
            }
            Self::UnreadableAndPending => {
                mark(book, target, "pending");
                book.write(&revision(before), TRUNCATED);
                Some(expected(before, &[before, target], Readable::No))
            }
            Self::At => {
                mark(book, target, "pending");
                None
            }
            Self::UnreadableAt => {
                book.write(&revision(target), TRUNCATED);
                None
            }
            Self::After => {
                mark(book, target + 1, "pending");
                None
            }
            Self::UnreadableAfter => {
                book.write(&revision(target + 1), TRUNCATED);
                None
            }
            Self::Accepted => {
                mark(book, before, "accepted");
                None
            }
            Self::Rejected => {
                mark(book, before, "rejected");
                None
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Readable {
    Yes,
    No,
}

/// The error of every entrance: code and details.
fn expected(blocked: u32, pending: &[u32], readable: Readable) -> Value {
    let (code, report) = match readable {
        Readable::Yes => (
            "PENDING_REVISION",
            json!(format!("reviews/chapter_{blocked:03}_logic_review.json")),
        ),
        Readable::No => ("PENDING_REVISION_UNREADABLE", Value::Null),
    };
    let mut actions = vec![
        ("review", format!("novel review show {blocked}")),
        (
            "generate_candidate",
            format!("novel revision candidate {blocked}"),
        ),
        ("apply_revision", format!("novel revision apply {blocked}")),
        ("reject", format!("novel revision reject {blocked}")),
        ("regen", format!("novel regen {blocked}")),
    ];
    if blocked > 1 {
        actions.push(("rollback", format!("novel rollback {}", blocked - 1)));
    }
    let actions: Vec<Value> = actions
        .into_iter()
        .map(|(action, command)| json!({"action": action, "command": command}))
        .collect();
    json!({"code": code, "details": {
        "blocked_chapter": blocked,
        "pending_chapters": pending,
        "revision_status_file": revision(blocked),
        "logic_review_report_file": report,
        "next_actions": actions,
    }})
}

/// What a refusal said, cut to what every entrance says alike.
fn cut(error: &Value) -> Value {
    let keys = [
        "blocked_chapter",
        "pending_chapters",
        "revision_status_file",
        "logic_review_report_file",
        "next_actions",
    ];
    let details: serde_json::Map<String, Value> = keys
        .into_iter()
        .map(|key| (key.to_owned(), error["details"][key].clone()))
        .collect();
    json!({"code": error["code"], "details": details})
}

/// Tries one entrance; gives what is wrong.
fn try_refused(entrance: Entrance, waits: Waits) -> Option<String> {
    let book = entrance.stand.book();
    let expected = waits.put(&book, entrance.target).unwrap();
    let before = book.tree();
    let run = enter(&book, entrance.args);
    let what = format!("{:?} with {waits:?} at {:?}", entrance.args, entrance.stand);
    let changed = novel_testkit::differences(&before, &book.tree());
    if !changed.is_empty() {
        return Some(format!("{what}: wrote {changed:?}"));
    }
    let error = run.json()["error"].take();
    if run.code != 3 || cut(&error) != expected {
        return Some(format!("{what}: {} {error:#}\nnot {expected:#}", run.code));
    }
    let n = expected["details"]["blocked_chapter"].to_string();
    let message = error["message"].as_str().unwrap();
    (!message.contains(&format!("chapter {n}"))).then(|| format!("{what}: {message}"))
}

/// Tries one entrance that must be open; gives what is wrong.
fn try_allowed(entrance: Entrance, waits: Waits) -> Option<String> {
    let book = entrance.stand.book();
    assert!(waits.put(&book, entrance.target).is_none());
    let run = enter(&book, entrance.args);
    let what = format!("{:?} with {waits:?} at {:?}", entrance.args, entrance.stand);
    // A run that has done its chapter may stop at what it finds then.
    let done = ["continue", "run", "resume"].contains(&entrance.args[0])
        && book.json(".checkpoint.json")["last_completed_chapter"] == entrance.target;
    (run.code != 0 && !done).then(|| format!("{what}: {run:#?}"))
}

#[track_caller]
fn assert_none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn all(entrances: &[&[Entrance]], cases: &[Waits], check: fn(Entrance, Waits) -> Option<String>) {
    let mut wrong = Vec::new();
    for entrance in entrances.concat() {
        for waits in cases {
            wrong.extend(check(entrance, *waits));
        }
    }
    assert_none(wrong);
}

#[test]
fn every_entrance_is_closed_past_a_pending_revision() {
    all(&[ENTRANCES, OWN_REVISION], &Waits::REFUSED, try_refused);
}

#[test]
fn every_entrance_is_open_to_what_does_not_wait() {
    all(&[ENTRANCES], &Waits::ALLOWED, try_allowed);
}

#[test]
fn an_unreadable_revision_of_a_later_chapter_closes_nothing() {
    let reading: Vec<Entrance> = ENTRANCES
        .iter()
        .copied()
        .filter(|entrance| {
            ["next", "instructions", "submit", "advance"].contains(&entrance.args[0])
        })
        .collect();
    all(&[&reading], &Waits::ALLOWED_UNREADABLE, try_allowed);
}

#[test]
fn entrances_of_other_stands_are_closed_too() {
    all(
        &[ONLY_REFUSED],
        &[Waits::Before, Waits::UnreadableBefore],
        try_refused,
    );
}

#[test]
fn whatever_can_not_be_read_closes_the_gate() {
    let no_utf8: &[u8] = &[0xff, 0xfe, 0x00];
    let contents: [&[u8]; 6] = [
        b"",
        b"[]",
        b"{\"chapter_number\": 3}",
        b"{\"chapter_number\": 3, \"status\": \"maybe\"}",
        b"{\"chapter_number\": 3, \"status\": \"pending\"",
        no_utf8,
    ];
    for content in contents {
        let book = Stand::Fresh.book();
        book.write(&revision(3), content);
        let before = book.tree();
        for args in [["next"], ["continue"]] {
            let error = book.ask(&args).fails(3);
            assert_eq!(cut(&error), expected(3, &[3], Readable::No), "{content:?}");
            assert!(
                error["hint"].as_str().unwrap().contains(&revision(3)),
                "{error:#}"
            );
        }
        assert_same_tree(&book.tree(), &before, "refused");
    }
    let book = Stand::Fresh.book();
    fs::create_dir(book.path(&revision(3))).unwrap();
    let error = book.ask(&["next"]).fails(3);
    assert_eq!(error["code"], "PENDING_REVISION_UNREADABLE", "{error:#}");
}

#[test]
fn the_way_out_of_an_unreadable_revision_is_open() {
    for way in [&["rollback", "2"][..], &["regen", "3"]] {
        let book = Stand::Fresh.book();
        book.write(&revision(3), TRUNCATED);
        book.ask(way).data();
        assert!(!book.has(&revision(3)), "{way:?}");
        book.ask(&["next"]).data();
    }
}

#[test]
fn start_offers_what_resolves_it_and_nothing_else() {
    for unreadable in [false, true] {
        let book = Stand::Fresh.book();
        mark(&book, 3, "pending");
        if unreadable {
            book.write(&revision(3), TRUNCATED);
        }
        let before = book.tree();
        let offered = book.ask(&["start"]);
        let said = offered.json();
        if let Some(choices) = said["data"]["choices"].as_array() {
            let names: Vec<&str> = choices
                .iter()
                .map(|choice| choice["id"].as_str().unwrap())
                .collect();
            for name in &names {
                assert!(
                    [
                        "review",
                        "generate_candidate",
                        "apply_revision",
                        "reject",
                        "regen",
                        "rollback"
                    ]
                    .contains(name),
                    "{names:?}"
                );
            }
        }
        // The recommended thing is to look; nothing is written by it.
        let _ = book.ask(&["start", "--yes"]);
        assert_same_tree(&book.tree(), &before, "start --yes");
    }
}
