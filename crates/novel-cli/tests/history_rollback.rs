//! Going back to a chapter: nothing of what came later is left, and writing it again is the same.

use std::collections::BTreeMap;

use novel_book::operations::{KeptContents, Operation, OperationLog};
use novel_store::Store;
use novel_testkit::{Driver, Manner, Node, Plan, TestBook, Tree, assert_same_tree, differences};
use serde_json::json;

/// The chapters of the demo book that are written here.
const LAST: u32 = 6;

#[test]
fn a_rollback_leaves_the_files_of_that_moment_and_the_same_chapters_come_again() {
    let book = TestBook::demo(0);
    let mut after = vec![book.content()];
    for chapter in 1..=LAST {
        book.write_to(chapter);
        after.push(book.content());
    }
    let mut wrong = Vec::new();
    for last in (0..LAST).rev() {
        let again = book.copy();
        let data = again.ask(&["rollback", &last.to_string()]).data();
        assert_eq!(data, json!({"chapter": last, "removed": LAST - last}));
        let what = format!("rollback to {last}");
        let (found, expected) = (again.content(), &after[last as usize]);
        if last == 0 {
            let (found, expected) = (without_checkpoint(&found), without_checkpoint(expected));
            wrong.extend(unlike(&found, &expected, &what));
            assert_eq!(again.ask(&["next"]).data()["step"], "chapter:001:draft");
        } else {
            wrong.extend(unlike(&found, expected, &what));
        }
        again.write_to(LAST);
        let what = format!("{what}, rewritten");
        wrong.extend(unlike(&again.content(), &after[LAST as usize], &what));
        assert_eq!(again.ask(&["doctor"]).data()["findings"], json!([]));
    }
    // From where a rollback led, further back.
    for last in [4, 2, 1] {
        book.ask(&["rollback", &last.to_string()]).data();
        let what = format!("further back to {last}");
        wrong.extend(unlike(&book.content(), &after[last as usize], &what));
    }
    book.write_to(LAST);
    wrong.extend(unlike(
        &book.content(),
        &after[LAST as usize],
        "all rewritten",
    ));
    assert_eq!(wrong, Vec::<String>::new());
}

/// Before the first chapter the checkpoint is of another time.
fn without_checkpoint(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.remove(".checkpoint.json");
    tree
}

/// The files in which two books differ.
fn unlike(found: &Tree, expected: &Tree, what: &str) -> Vec<String> {
    let paths = differences(found, expected);
    paths
        .into_iter()
        .map(|path| format!("{what}: {path}"))
        .collect()
}

#[test]
fn nothing_is_deleted() {
    let book = TestBook::demo(3);
    let before = book.tree();
    book.ask(&["rollback", "1"]).data();
    let reader = Store::open(&book.root()).unwrap().reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let mut kept: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for (line, change) in log.operations.iter().flat_map(Operation::changes) {
        if change.kept().is_some() {
            let versions = kept.entry(change.path().to_string()).or_default();
            versions.push(reader.kept_before(line, change).unwrap());
        }
    }
    let after = book.tree();
    for (path, node) in &before {
        let (Node::File(bytes), now) = (node, after.get(path)) else {
            continue;
        };
        // Of a log that is cut the tail is kept; packs and the log of operations only grow.
        let still = match now {
            Some(Node::File(now)) => now.starts_with(bytes),
            _ => false,
        };
        let mut versions = kept.get(path).into_iter().flatten();
        let found = versions.any(|version| version == bytes || bytes.ends_with(version));
        assert!(still || found, "{path}");
    }
}

#[test]
fn a_chapter_under_way_goes_along() {
    let book = TestBook::demo(2);
    let before = book.content();
    book.begin(3);
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:003:summarize");
    let data = book.ask(&["rollback", "2"]).data();
    assert_eq!(data, json!({"chapter": 2, "removed": 0}));
    assert_same_tree(&book.content(), &before, "chapter 3 was under way");
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:003:draft");
}

#[test]
fn there_is_no_way_forward() {
    let book = TestBook::demo(2);
    let before = book.tree();
    for (number, code) in [("3", "NO_SUCH_CHAPTER"), ("-1", "USAGE"), ("two", "USAGE")] {
        let error = book.ask(&["rollback", number]).fails(2);
        assert_eq!(error["code"], code, "{error:#}");
    }
    assert_same_tree(&book.tree(), &before, "refused");
}

/// Two volumes with all that rides along with a commit: a drifted style, a blacklist that grows,
/// unknown names, foreshadowing, key chapters, the review between the volumes.
struct Long {
    book: TestBook,
    second: Plan,
}

const VOLUME: u32 = 6;

impl Long {
    fn new() -> Self {
        Self {
            book: TestBook::planned(Plan::volume(1, VOLUME).lines(2)),
            second: Plan::volume(2, VOLUME).lines(2),
        }
    }

    fn write(&mut self, chapter: u32) {
        if chapter == VOLUME + 1 {
            self.turn_the_volume();
        }
        let manner = if chapter <= 5 {
            Manner::Drifted
        } else {
            Manner::Usual
        };
        let phrase = format!("口头禅{}", novel_testkit::plan::numeral(chapter));
        let said = format!("\n\n{phrase}，{phrase}，{phrase}，{phrase}。\n");
        let is_noticed = chapter % 3 == 2;
        let driver = self.book.driver().manner(manner);
        let driver = driver.adding(if is_noticed { &said } else { "" });
        driver.up_to_refined(chapter);
        let mut verdict = self.book.plan().verdict(chapter, 4.1);
        if is_noticed {
            verdict["anti_ai"]["blacklist_update_suggestions"] = json!([
                {"phrase": phrase, "count_in_chapter": 4, "examples": [phrase],
                 "confidence": "high", "note": ""}
            ]);
        }
        driver.judge(chapter, &verdict);
        driver.commit(chapter);
    }

    /// The review of the first volume, and the plan of the second.
    fn turn_the_volume(&mut self) {
        let review = ["submit", "volume:01:review", "-"];
        self.book
            .feed(&review, "# 第一卷回顾\n\n伏笔都在。\n")
            .data();
        self.book.ask(&["advance", "volume:01:review"]).data();
        for (path, bytes) in self.second.volume_files() {
            self.book.write(&format!("staging/{path}"), bytes);
        }
        assert_eq!(self.book.next(), "volume:02:commit");
        self.book.ask(&["commit", "--volume", "2"]).data();
        self.second = self.book.replace_plan(self.second.clone());
    }

    fn rollback(&mut self, last: u32) {
        self.book.ask(&["rollback", &last.to_string()]).data();
        if last <= VOLUME && self.book.plan().first > 1 {
            self.second = self.book.replace_plan(self.second.clone());
        }
    }
}

#[test]
fn all_that_rides_along_with_a_commit_goes_back_across_a_volume_end() {
    let mut long = Long::new();
    let mut after: BTreeMap<u32, Tree> = BTreeMap::from([(0, long.book.content())]);
    let last = VOLUME + 2;
    for chapter in 1..=last {
        long.write(chapter);
        after.insert(chapter, long.book.content());
    }
    for path in [
        "style-drift.json",
        "logs/unknown-entities.jsonl",
        "foreshadowing/global.json",
    ] {
        assert!(matches!(after[&last][path], Node::File(_)), "{path}");
    }
    let blacklists: Vec<&Node> = after
        .values()
        .map(|tree| &tree["ai-blacklist.json"])
        .collect();
    assert_ne!(blacklists[1], blacklists[2]);
    assert_ne!(blacklists[4], blacklists[5]);
    let mut wrong = Vec::new();
    for target in [VOLUME + 1, VOLUME, 5, 4, 2, 1] {
        long.rollback(target);
        wrong.extend(unlike(
            &long.book.content(),
            &after[&target],
            &format!("rollback to {target}"),
        ));
        let next = match target {
            VOLUME => "volume:01:review".to_owned(),
            other => Driver::step(other + 1, "draft"),
        };
        assert_eq!(long.book.next(), next);
        for chapter in target + 1..=last {
            long.write(chapter);
            let what = format!("chapter {chapter} again, after a rollback to {target}");
            wrong.extend(unlike(&long.book.content(), &after[&chapter], &what));
        }
    }
    long.rollback(0);
    assert_eq!(long.book.next(), "chapter:001:draft");
    let planned = without_checkpoint(&after[&0]);
    wrong.extend(unlike(
        &without_checkpoint(&long.book.content()),
        &planned,
        "rollback to 0",
    ));
    assert_eq!(wrong, Vec::<String>::new());
}
