//! From an empty directory to volume two without a question, by the offline author.

use novel_testkit::{Node, TestBook, Tree, assert_same_tree, replay::replay};
use serde_json::{Value, json};

fn numbers(data: &Value) -> Vec<u64> {
    let finished = data["finished"].as_array().unwrap();
    let number = |chapter: &Value| chapter["chapter"].as_u64().unwrap();
    finished.iter().map(number).collect()
}

fn steps(data: &Value) -> Vec<&str> {
    let steps = data["steps"].as_array().unwrap();
    steps.iter().map(|step| step.as_str().unwrap()).collect()
}

/// What holds for every book at rest.
#[track_caller]
fn assert_sound(home: &TestBook) {
    let doctor = home.ask(&["doctor"]).data();
    assert_eq!(doctor["healthy"], true, "{doctor:#}");
    let check = home.ask(&["check", "all"]).data();
    assert_eq!(check["findings"], json!([]), "{check:#}");
    assert_eq!(
        replay(&home.text("state/changelog.jsonl")),
        home.text("state/current-state.json"),
        "the changelog replays to the state byte for byte"
    );
    let lock = home.ask(&["lock", "status"]).data();
    assert_eq!(lock["state"], "free", "{lock:#}");
}

#[test]
fn init_and_run_write_volume_one_review_it_plan_volume_two_and_go_on() {
    let home = TestBook::empty();
    home.ask(&["init", "--genre", "悬疑", "--yes"]).data();
    let data = home.ask(&["run", "--to", "30"]).data();
    assert_eq!(numbers(&data), (1..=30).collect::<Vec<u64>>());
    assert_eq!(
        steps(&data),
        [
            "quickstart:world",
            "quickstart:characters",
            "quickstart:style",
            "quickstart:trial",
            "quickstart:results",
            "volume:01:plan",
            "volume:01:plan",
            "volume:01:plan",
            "volume:01:commit",
        ],
        "27 chapters are planned in three parts"
    );
    assert_eq!(data["stop"], "volume_end");
    assert_eq!(home.state(), "VOL_REVIEW");
    assert_sound(&home);
    let data = home.ask(&["run", "--to", "33"]).data();
    assert_eq!(numbers(&data), [31, 32, 33]);
    assert_eq!(
        steps(&data),
        [
            "volume:01:review",
            "volume:02:plan",
            "volume:02:plan",
            "volume:02:plan",
            "volume:02:commit",
        ]
    );
    assert!(home.has("volumes/vol-01/review.md"));
    assert!(home.has("state/history/vol-01-state.json"));
    assert_eq!(home.checkpoint()["current_volume"], 2);
    assert_eq!(home.state(), "WRITING");
    assert_sound(&home);
}

/// All files; of the log of a run, without the process that made it.
fn compared(home: &TestBook) -> Tree {
    let mut tree = home.tree();
    for (path, node) in &mut tree {
        let Node::File(bytes) = node else {
            continue;
        };
        if path.starts_with("logs/runs/") {
            let text = String::from_utf8(std::mem::take(bytes)).unwrap();
            let lines = text.lines().map(|line| {
                let mut event: Value = serde_json::from_str(line).unwrap();
                for own in ["pid", "process_start"] {
                    event.as_object_mut().unwrap().shift_remove(own);
                }
                format!("{event}\n")
            });
            *bytes = lines.collect::<String>().into_bytes();
        }
    }
    tree
}

#[test]
fn one_run_crosses_the_ends_of_short_volumes_and_the_same_again_gives_the_same_bytes() {
    let write = || {
        let home = TestBook::empty();
        home.ask(&[
            "init",
            "--genre",
            "科幻",
            "--protagonist",
            "沈青禾",
            "--yes",
        ])
        .data();
        let config = home.text("novel.toml");
        home.write("novel.toml", format!("{config}\n[plan]\nchapters = 5\n"));
        let data = home.ask(&["run", "--to", "12"]).data();
        assert_eq!(numbers(&data), (1..=12).collect::<Vec<u64>>());
        let planned = ["volume:01:commit", "volume:02:commit", "volume:03:commit"];
        let done: Vec<&str> = steps(&data)
            .into_iter()
            .filter(|step| step.ends_with(":commit"))
            .collect();
        assert_eq!(done, planned);
        assert_sound(&home);
        home
    };
    assert_same_tree(&compared(&write()), &compared(&write()), "written again");
}

#[test]
fn a_plan_in_parts_is_announced_part_by_part_and_once_as_a_whole() {
    let home = TestBook::planning();
    let config = home.text("novel.toml");
    home.write(
        "novel.toml",
        format!("{config}\n[plan]\nchapters = 12\nchunk = 3\n"),
    );
    let output = home.command(&["plan"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let told: Vec<&str> = said
        .lines()
        .filter(|line| {
            line.ends_with('.') && line.contains("volume") || line.contains("Volume 1 is")
        })
        .collect();
    assert_eq!(
        told,
        [
            "Chapters 4 to 6 of volume 1 are planned.",
            "Chapters 7 to 9 of volume 1 are planned.",
            "Volume 1 is planned.",
            "The new characters of volume 1 are ready.",
        ],
        "{said}"
    );
}

#[test]
fn without_approval_the_same_run_stops_at_the_trial_and_at_every_plan() {
    let home = TestBook::initialised();
    let error = home.ask(&["run", "--to", "30"]).fails(3);
    assert_eq!(error["code"], "TRIAL_WAITS", "{error:#}");
    assert_eq!(error["details"]["finished"].as_array().unwrap().len(), 3);
    let error = home.ask(&["run", "--to", "30"]).fails(3);
    assert_eq!(
        error["code"], "TRIAL_WAITS",
        "it asks again, and pays nothing"
    );
    assert_eq!(error["details"]["spent"]["calls"], 0);
    home.ask(&["quickstart", "accept"]).data();
    let error = home.ask(&["run", "--to", "30"]).fails(3);
    assert_eq!(error["code"], "PLAN_WAITS", "{error:#}");
    home.ask(&["plan", "approve"]).data();
    let data = home.ask(&["run", "--to", "4"]).data();
    assert_eq!(numbers(&data), [4]);
    // One word for this run alone.
    let data = home.ask(&["run", "--to", "5", "--yes"]).data();
    assert_eq!(numbers(&data), [5]);
}
