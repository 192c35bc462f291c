//! Bad input: exit code 2, the file named in both languages, nothing changed, the lock given back.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, chown, symlink},
        process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::Command,
};

use novel_testkit::{Driver, Manner, Plan, TestBook, assert_same_tree, pretty, tree};
use serde_json::{Value, json};

/// Runs a command that must be refused because of `path`, in both languages.
#[track_caller]
fn refused(book: &TestBook, args: &[&str], input: impl AsRef<[u8]>, path: &str) -> [Value; 2] {
    let before = book.tree();
    let errors = book.fails_in_both(2, args, input);
    for error in &errors {
        let message = error["message"].as_str().unwrap();
        let problems = error["details"]["problems"].to_string();
        assert!(
            message.contains(path) || problems.contains(path),
            "`{path}` is not named: {error:#}"
        );
        assert!(!message.contains("invalid JSON"), "{message}");
        for bare in ["panicked", "backtrace", "src/"] {
            assert!(!message.contains(bare), "{message}");
        }
    }
    assert_same_tree(&before, &book.tree(), "a refused command changes nothing");
    assert!(!book.has(".novel.lock"));
    errors
}

/// The first half of a file, cut inside.
fn truncate(book: &TestBook, path: &str) {
    let bytes = fs::read(book.path(path)).unwrap();
    book.write(path, &bytes[..bytes.len() / 2]);
}

fn book() -> TestBook {
    TestBook::planned(Plan::new(3))
}

fn judged() -> TestBook {
    let book = book();
    book.driver().write(1);
    book.driver().up_to_judged(2);
    book
}

const DRAFT: [&str; 2] = ["instructions", "chapter:001:draft"];
const COMMIT: [&str; 3] = ["commit", "--chapter", "2"];
const JSON_COMMIT: [&str; 4] = ["--json", "commit", "--chapter", "2"];
const CONTRACT: &str = "volumes/vol-01/chapter-contracts/chapter-001.json";

#[test]
fn a_truncated_checkpoint() {
    let book = judged();
    truncate(&book, ".checkpoint.json");
    for args in [
        &["next"][..],
        &["status"],
        &COMMIT,
        &["advance", "chapter:002:judge"],
    ] {
        let errors = refused(&book, args, "", ".checkpoint.json");
        assert!(
            errors[0]["details"]["problems"][0]["line"].is_u64(),
            "{:#}",
            errors[0]
        );
    }
}

#[test]
fn a_truncated_contract() {
    let book = book();
    truncate(&book, CONTRACT);
    refused(&book, &DRAFT, "", CONTRACT);
}

#[test]
fn a_truncated_state() {
    let book = judged();
    truncate(&book, "state/current-state.json");
    refused(&book, &COMMIT, "", "state/current-state.json");
}

#[test]
fn a_truncated_changelog() {
    let book = judged();
    let text = book.text("state/changelog.jsonl");
    book.write("state/changelog.jsonl", &text[..text.trim_end().len() - 9]);
    refused(&book, &COMMIT, "", "state/changelog.jsonl");
}

#[test]
fn a_truncated_evaluation() {
    let book = book();
    book.driver().up_to_refined(1);
    let path = "staging/evaluations/chapter-001-eval.json";
    book.write(path, pretty(&book.plan().verdict(1, 4.0)));
    truncate(&book, path);
    refused(&book, &["advance", "chapter:001:judge"], "", path);
    refused(&book, &["validate", "chapter:001:judge"], "", path);
    let half = pretty(&book.plan().verdict(1, 4.0));
    refused(
        &book,
        &["submit", "chapter:001:judge", "-"],
        &half.as_bytes()[..half.len() / 2],
        path,
    );
}

#[test]
fn other_truncated_files() {
    for path in [
        "style-profile.json",
        "ai-blacklist.json",
        "world/rules.json",
        "characters/active/lin-feng.json",
        "volumes/vol-01/storyline-schedule.json",
        "volumes/vol-01/foreshadowing.json",
    ] {
        let book = book();
        truncate(&book, path);
        refused(&book, &DRAFT, "", path);
    }
    let book = book();
    book.write("novel.toml", "title = \"");
    refused(&book, &["next"], "", "novel.toml");
}

#[test]
fn a_byte_order_mark() {
    let book = book();
    for path in [CONTRACT, "volumes/vol-01/outline.md", ".checkpoint.json"] {
        let original = fs::read(book.path(path)).unwrap();
        book.write(path, [&b"\xEF\xBB\xBF"[..], &original].concat());
        let [zh, en] = refused(&book, &DRAFT, "", path);
        assert!(en.to_string().contains("BOM") && zh.to_string().contains("BOM"));
        book.write(path, original);
    }
}

#[test]
fn windows_line_ends() {
    let book = book();
    for path in [CONTRACT, "volumes/vol-01/outline.md", "brief.md"] {
        let original = book.text(path);
        book.write(path, original.replace('\n', "\r\n"));
        let [zh, en] = refused(&book, &DRAFT, "", path);
        assert!(en.to_string().contains("CRLF") && zh.to_string().contains("CRLF"));
        book.write(path, original);
    }
}

#[test]
fn gbk_bytes() {
    // 第一章 in GBK.
    let gbk = b"# \xB5\xDA 1 \xD5\xC2\n\n\xD3\xEA\xD2\xB9\xA1\xA3\n";
    let book = book();
    let staged = "staging/chapters/chapter-001.md";
    refused(&book, &["submit", "chapter:001:draft", "-"], gbk, staged);
    book.write(staged, gbk);
    let [_, en] = refused(&book, &["advance", "chapter:001:draft"], "", staged);
    assert!(en.to_string().contains("UTF-8"), "{en:#}");
    book.remove(staged);
    book.write("brief.md", gbk);
    refused(&book, &DRAFT, "", "brief.md");
}

#[test]
fn a_directory_where_a_file_should_be() {
    for path in ["style-profile.json", CONTRACT, "brief.md"] {
        let book = book();
        book.remove(path);
        fs::create_dir(book.path(path)).unwrap();
        refused(&book, &DRAFT, "", path);
    }
    let book = book();
    fs::create_dir_all(book.path("staging/chapters/chapter-001.md")).unwrap();
    refused(
        &book,
        &["advance", "chapter:001:draft"],
        "",
        "staging/chapters/chapter-001.md",
    );
    let book = judged();
    fs::create_dir_all(book.path("chapters/chapter-002.md")).unwrap();
    refused(&book, &COMMIT, "", "chapters/chapter-002.md");
}

#[test]
fn a_symlink_that_leaves_the_project() {
    let book = book();
    let outside = book.outside().join("secret.md");
    fs::write(&outside, "# 第 1 章 秘密\n\n别人的文件。\n").unwrap();
    for path in ["brief.md", CONTRACT] {
        let original = fs::read(book.path(path)).unwrap();
        book.remove(path);
        symlink(&outside, book.path(path)).unwrap();
        refused(&book, &DRAFT, "", path);
        book.remove(path);
        book.write(path, original);
    }
    let staged = "staging/chapters/chapter-001.md";
    fs::create_dir_all(book.path("staging/chapters")).unwrap();
    symlink(&outside, book.path(staged)).unwrap();
    refused(&book, &["advance", "chapter:001:draft"], "", staged);

    // Nothing is ever written through such a link.
    for directory in ["summaries", "chapters"] {
        let book = judged();
        let elsewhere = book.outside().join("elsewhere");
        fs::rename(book.path(directory), &elsewhere).unwrap();
        symlink(&elsewhere, book.path(directory)).unwrap();
        let before = tree(&elsewhere);
        refused(&book, &COMMIT, "", directory);
        assert_same_tree(&before, &tree(&elsewhere), "the directory outside");
    }
}

#[test]
fn a_slug_with_dots_and_slashes() {
    let book = book();
    for slug in ["../../etc", "..", "a/b", "A", "林枫", "a--b", ""] {
        let original = book.text(CONTRACT);
        book.edit(CONTRACT, |contract| contract["storyline_id"] = json!(slug));
        refused(&book, &DRAFT, "", CONTRACT);
        book.write(CONTRACT, original);
    }
    book.driver().draft(1);
    let mut answer = book.plan().summary_answer(1, 0);
    for part in ["delta", "crossref"] {
        answer[part]["storyline_id"] = json!("../evil");
    }
    let submit = ["submit", "chapter:001:summarize", "-"];
    let before = tree(book.outside());
    refused(&book, &submit, pretty(&answer), "chapter-001-delta.json");
    assert_same_tree(
        &before,
        &tree(book.outside()),
        "nothing beside the project either",
    );
    // Written into staging by hand, it is refused too.
    book.write(
        "staging/state/chapter-001-delta.json",
        pretty(&answer["delta"]),
    );
    refused(
        &book,
        &["advance", "chapter:001:summarize"],
        "",
        "staging/state/chapter-001-delta.json",
    );
}

#[test]
fn a_character_file_whose_name_is_no_id() {
    let book = book();
    book.write(
        "characters/active/Lin Feng.json",
        "{\"display_name\": \"某人\"}\n",
    );
    refused(&book, &DRAFT, "", "characters/active/Lin Feng.json");
}

#[test]
fn a_contract_for_the_wrong_chapter() {
    let book = book();
    book.edit(CONTRACT, |contract| contract["chapter"] = json!(2));
    let errors = refused(&book, &DRAFT, "", CONTRACT);
    assert!(
        errors[1].to_string().contains("/chapter"),
        "{:#}",
        errors[1]
    );
}

#[test]
fn two_characters_with_one_name() {
    let book = book();
    book.edit("characters/active/su-wan.json", |character| {
        character["display_name"] = json!("林枫")
    });
    refused(&book, &DRAFT, "", "characters/active/su-wan.json");
}

#[test]
fn an_outline_without_the_chapter() {
    let book = book();
    let outline = book.text("volumes/vol-01/outline.md");
    book.write(
        "volumes/vol-01/outline.md",
        outline.replace("### 第 1 章", "### 第 11 章"),
    );
    refused(&book, &DRAFT, "", "volumes/vol-01/outline.md");
}

#[test]
fn step_ids_that_are_none() {
    let book = book();
    let before = book.tree();
    for step in [
        "chapter:000:draft",
        "chapter:-1:draft",
        "chapter:99999999999:draft",
        "chapter:1",
        "chapter:1:draft:x",
        "chapter::draft",
        "chapter:١:draft",
        "volume:00:plan",
        "quickstart:nothing",
        "draft",
        "",
    ] {
        for command in ["instructions", "validate", "advance", "submit"] {
            for error in book.fails_in_both(2, &[command, step], "x") {
                let text = format!("{} {}", error["message"], error["hint"]);
                assert!(
                    text.contains("chapter:") || text.contains("1"),
                    "the expected form: {text}"
                );
            }
        }
    }
    for number in ["0", "-1", "x", "4294967296"] {
        book.ask(&["commit", "--chapter", number]).fails(2);
    }
    assert_same_tree(&before, &book.tree(), "bad step ids");
}

#[test]
fn an_unknown_phase_of_a_step() {
    let book = book();
    for error in book.fails_in_both(2, &["instructions", "chapter:001:drfat"], "") {
        let text = format!("{} {}", error["message"], error["hint"]);
        assert!(text.contains("drfat") && text.contains("draft"), "{text}");
    }
}

#[test]
fn a_chapter_of_fifty_megabytes() {
    let book = book();
    let staged = "staging/chapters/chapter-001.md";
    let line = "雨下了一整夜，他没有睡。\n";
    let text = format!(
        "# 第 1 章 长\n\n{}",
        line.repeat(50 * 1024 * 1024 / line.len() + 1)
    );
    assert!(text.len() > 50 * 1024 * 1024);
    let before = book.tree();
    for lang in ["zh", "en"] {
        let args = ["--lang", lang, "submit", "chapter:001:draft", "-"];
        let error = book.feed(&args, &text).fails(2);
        assert!(error["hint"].is_string(), "{error:#}");
    }
    assert_same_tree(&before, &book.tree(), "a refused answer");
    book.write(staged, &text);
    refused(&book, &["advance", "chapter:001:draft"], "", staged);
    assert!(!book.has(".novel.lock"));
}

// Machines that fail ---------------------------------------------------------------------------

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp")
        .arg("-a")
        .arg(from)
        .arg(to)
        .status()
        .unwrap();
    assert!(done.success());
}

struct Mount(PathBuf);

impl Mount {
    /// A small file system of its own, if this process may have one.
    fn tmpfs(at: PathBuf, kibibytes: u32) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let options = format!("size={kibibytes}k");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "none"])
            .arg(&at)
            .output();
        mount
            .is_ok_and(|output| output.status.success())
            .then_some(Self(at))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Fills a file system and leaves about so many pages free.
fn fill(dir: &Path, free_pages: usize) -> PathBuf {
    let path = dir.join("filler");
    let page = [0_u8; 4096];
    let mut file = fs::File::create(&path).unwrap();
    let mut written: u64 = 0;
    while std::io::Write::write_all(&mut file, &page).is_ok() {
        written += 4096;
    }
    file.set_len(written.saturating_sub(free_pages as u64 * 4096))
        .unwrap();
    path
}

#[test]
fn a_full_disk_during_commit() {
    let book = judged();
    let Some(mount) = Mount::tmpfs(book.outside().join("small"), 4096) else {
        return novel_testkit::skip("the right to mount a tmpfs");
    };
    let root = mount.0.join("book");
    let before = book.tree();
    let (mut refused, mut done) = (0, 0);
    for pages in 0..60 {
        copy(&book.root(), &root);
        let filler = fill(&mount.0, pages);
        let mut command = book.command(&JSON_COMMIT);
        command.current_dir(&root);
        let outcome = novel_testkit::Output::of(command);
        fs::remove_file(filler).unwrap();
        assert!(
            !root.join(".novel.lock").exists(),
            "{pages} pages: {outcome:#?}"
        );
        if outcome.code == 0 {
            done += 1;
        } else {
            let sealed = outcome.json()["error"]["code"] == "SEALED_NOT_FINISHED";
            let error = outcome.fails(2);
            assert!(
                !error["hint"].as_str().unwrap_or_default().is_empty(),
                "{error:#}"
            );
            if !sealed {
                assert_same_tree(&before, &tree(&root), &format!("{pages} pages: {error:#}"));
            }
            refused += 1;
        }
        // With room again the same command succeeds.
        let mut again = book.command(&JSON_COMMIT);
        again.current_dir(&root);
        let data = novel_testkit::Output::of(again).data();
        assert_eq!(data["chapter"], 2);
        fs::remove_dir_all(&root).unwrap();
    }
    assert!(refused > 0 && done > 0, "{refused} refused, {done} done");
}

#[test]
fn a_limit_on_the_size_of_files_during_commit() {
    let book = judged();
    let before = book.tree();
    let home = book.outside().join("limited");
    // The signal that comes with the limit is either ignored, and the write fails, or it kills.
    for (trap, killed) in [("trap '' XFSZ;", false), ("", true)] {
        copy(&book.root(), &home);
        let mut command = Command::new("sh");
        book.seal(&mut command);
        command.arg("-c").arg(format!(
            "{trap} ulimit -f 1; exec \"$0\" --json commit --chapter 2"
        ));
        command
            .arg(novel_testkit::book::binary())
            .current_dir(&home);
        let output = command.output().unwrap();
        if killed {
            assert!(output.status.signal().is_some(), "{output:?}");
        } else {
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert_same_tree(&before, &tree(&home), "the write failed");
            assert!(!home.join(".novel.lock").exists());
        }
        let mut again = book.command(&JSON_COMMIT);
        again.current_dir(&home);
        assert_eq!(novel_testkit::Output::of(again).data()["chapter"], 2);
        fs::remove_dir_all(&home).unwrap();
    }
}

/// Gives everything below a directory to a user without rights.
fn give_away(dir: &Path, user: u32) {
    chown(dir, Some(user), Some(user)).unwrap();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            give_away(&path, user);
        } else {
            chown(&path, Some(user), Some(user)).unwrap();
        }
    }
}

#[test]
fn a_directory_that_may_not_be_written() {
    let nobody = 65534;
    let book = judged();
    let root = fs::metadata("/proc/self")
        .map(|meta| std::os::unix::fs::MetadataExt::uid(&meta))
        .unwrap()
        == 0;
    let open =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let commit = || {
        let mut command = book.command(&JSON_COMMIT);
        if root {
            command.uid(nobody).gid(nobody);
        }
        novel_testkit::Output::of(command)
    };
    if root {
        open(book.outside(), 0o755);
        give_away(&book.root(), nobody);
    }
    for path in ["chapters", "state", "."] {
        let before = book.tree();
        open(&book.path(path), 0o555);
        let outcome = commit();
        open(&book.path(path), 0o755);
        let error = outcome.fails(2);
        assert!(error["hint"].is_string(), "{error:#}");
        assert_same_tree(&before, &book.tree(), path);
    }
    // A read-only file in a directory that may be written.
    let before = book.tree();
    open(&book.path("state/current-state.json"), 0o444);
    let outcome = commit();
    open(&book.path("state/current-state.json"), 0o644);
    let error = outcome.fails(2);
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("state/current-state.json"),
        "{error:#}"
    );
    assert_same_tree(&before, &book.tree(), "a read-only file");
    assert_eq!(commit().data()["chapter"], 2);
}

#[test]
fn a_usage_error_is_one_json_object_too() {
    let book = book();
    for args in [
        &["nonsense"][..],
        &["commit"],
        &["next", "--no-such-flag"],
        &["advance"],
    ] {
        book.ask(args).fails(2);
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = book.command(&["next", "--json"]);
    command.current_dir(elsewhere.path());
    let error = novel_testkit::Output::of(command).fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("novel init"),
        "{error:#}"
    );
}

#[test]
fn an_answer_with_a_mark_and_windows_line_ends_is_brought_to_normal_form() {
    // An answer is no project file yet: what can be repaired without a guess is repaired.
    let book = book();
    let draft = book.plan().draft(1, Manner::Usual).replace('\n', "\r\n");
    let answer = [&b"\xEF\xBB\xBF"[..], draft.as_bytes()].concat();
    book.driver().hand_in(1, "draft", answer);
    let text = book.text("staging/chapters/chapter-001.md");
    assert!(text.starts_with("# 第 1 章") && !text.contains('\r'));
    assert_eq!(book.next(), Driver::step(1, "summarize"));
}
