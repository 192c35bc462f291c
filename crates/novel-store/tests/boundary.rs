//! The write boundary by comparison: every kind of foreign write is found and undone.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File, FileTimes, OpenOptions, Permissions},
    io::Write,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
};

use novel_model::RelPath;
use novel_store::{
    Store, TxnKind, TxnLabel,
    boundary::{Change, Contents, ForeignWrite, HandedIn, TreeSnapshot},
};
use tempfile::TempDir;

const QUARANTINE: &str = "archive/foreign-writes/001";

/// A project with a file of each kind, and the place where contents are kept.
struct Book {
    home: TempDir,
    store: Store,
}

impl Book {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Store::create(&home.path().join("book")).unwrap();
        let book = Self { home, store };
        fs::create_dir(book.kept()).unwrap();
        fs::create_dir(book.home.path().join("elsewhere")).unwrap();
        book.put("chapters/one.md", "第一章\n");
        book.put("chapters/two.md", "第二章\n");
        book.put(".checkpoint.json", "{}\n");
        book.put("staging/draft.md", "草稿\n");
        book.put(".novel.lock/info.json", "held\n");
        book.put(".git/index", "index\n");
        book.put(".git/hooks/post-commit.sample", "#!/bin/sh\n");
        symlink("chapters/one.md", book.at("latest.md")).unwrap();
        fs::create_dir(book.at("empty")).unwrap();
        book
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("book")
    }

    fn kept(&self) -> PathBuf {
        self.home.path().join("kept")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    fn snapshot(&self) -> TreeSnapshot {
        let kept = self.kept();
        self.take(&["staging"], Contents::Keep(&kept))
    }

    fn take(&self, allowed: &[&str], contents: Contents<'_>) -> TreeSnapshot {
        let allowed: Vec<RelPath> = allowed.iter().map(|dir| dir.parse().unwrap()).collect();
        self.store.snapshot(&allowed, contents).unwrap()
    }

    /// Everything in the project but the quarantine and what is left out: kind, mode, content.
    fn tree(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut tree = BTreeMap::new();
        let mut pending = vec![self.root()];
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let metadata = fs::symlink_metadata(&path).unwrap();
                if path.ends_with("archive") || path.ends_with(".novel.agent.json") {
                    continue;
                }
                let content = if metadata.is_dir() {
                    pending.push(path.clone());
                    Vec::new()
                } else if metadata.is_symlink() {
                    fs::read_link(&path)
                        .unwrap()
                        .into_os_string()
                        .into_encoded_bytes()
                } else if metadata.is_file() {
                    fs::read(&path).unwrap()
                } else {
                    Vec::new()
                };
                tree.insert(path, (metadata.mode(), content));
            }
        }
        tree
    }

    /// Runs `evil`, expects exactly these foreign writes, undoes them, expects the old tree.
    fn undoes(&self, evil: impl FnOnce(), expected: &[(&str, Change)]) {
        let before = self.tree();
        let snapshot = self.snapshot();
        assert_eq!(foreign(&snapshot), []);
        evil();
        assert_eq!(listed(&foreign(&snapshot)), expected);
        assert_eq!(self.tree(), before);
    }
}

/// What was foreign; it is undone.
fn foreign(snapshot: &TreeSnapshot) -> Vec<ForeignWrite> {
    let left = snapshot.settle(&[]).unwrap();
    assert_eq!(left.lost, []);
    left.writes
}

fn listed(foreign: &[ForeignWrite]) -> Vec<(&str, Change)> {
    let names: Vec<(String, Change)> = foreign
        .iter()
        .map(|write| (write.path(), write.change))
        .collect();
    names
        .into_iter()
        .map(|(name, change)| (&*name.leak(), change))
        .collect()
}

#[test]
fn a_new_file_goes_to_quarantine() {
    let book = Book::new();
    book.undoes(
        || {
            book.put("chapters/evil.md", "恶");
            book.put("new/deep/evil.md", "深");
        },
        &[
            ("chapters/evil.md", Change::Created),
            ("new", Change::Created),
            ("new/deep", Change::Created),
            ("new/deep/evil.md", Change::Created),
        ],
    );
    assert_eq!(book.read(&format!("{QUARANTINE}/chapters/evil.md")), "恶");
    assert_eq!(book.read(&format!("{QUARANTINE}/new/deep/evil.md")), "深");
}

#[test]
fn an_edited_file_gets_its_content_back() {
    let edits: [fn(&Path); 4] = [
        // In place, same length.
        |path| fs::write(path, "第九章\n").unwrap(),
        // In place, with the old time.
        |path| {
            let time = fs::metadata(path).unwrap().modified().unwrap();
            fs::write(path, "第九章\n").unwrap();
            let file = OpenOptions::new().write(true).open(path).unwrap();
            file.set_times(FileTimes::new().set_modified(time)).unwrap();
        },
        // Append.
        |path| {
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(b"more").unwrap();
        },
        // Truncate.
        |path| File::create(path).map(drop).unwrap(),
    ];
    for edit in edits {
        let book = Book::new();
        book.undoes(
            || edit(&book.at("chapters/one.md")),
            &[("chapters/one.md", Change::Modified)],
        );
        assert!(book.at(&format!("{QUARANTINE}/chapters/one.md")).exists());
    }
}

#[test]
fn a_file_renamed_over_another_is_put_back() {
    let book = Book::new();
    book.undoes(
        || {
            book.put("staging/new.md", "恶");
            fs::rename(book.at("staging/new.md"), book.at("chapters/one.md")).unwrap();
        },
        &[("chapters/one.md", Change::Replaced)],
    );
}

#[test]
fn a_file_moved_into_staging_is_put_back() {
    let book = Book::new();
    let snapshot = book.snapshot();
    fs::rename(book.at("chapters/one.md"), book.at("staging/stolen.md")).unwrap();
    let writes = foreign(&snapshot);
    assert_eq!(listed(&writes), [("chapters/one.md", Change::Removed)]);
    assert_eq!(book.read("chapters/one.md"), "第一章\n");
}

#[test]
fn removed_files_and_directories_come_back() {
    let book = Book::new();
    book.undoes(
        || {
            fs::remove_dir_all(book.at("chapters")).unwrap();
            fs::remove_dir(book.at("empty")).unwrap();
            fs::remove_file(book.at("latest.md")).unwrap();
        },
        &[
            ("chapters", Change::Removed),
            ("chapters/one.md", Change::Removed),
            ("chapters/two.md", Change::Removed),
            ("empty", Change::Removed),
            ("latest.md", Change::Removed),
        ],
    );
}

#[test]
fn a_directory_swapped_for_a_link_is_put_back_without_following_it() {
    let book = Book::new();
    let elsewhere = book.home.path().join("elsewhere");
    book.undoes(
        || {
            fs::remove_dir_all(book.at("chapters")).unwrap();
            symlink(&elsewhere, book.at("chapters")).unwrap();
        },
        &[
            ("chapters", Change::Replaced),
            ("chapters/one.md", Change::Removed),
            ("chapters/two.md", Change::Removed),
        ],
    );
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
}

#[test]
fn a_quarantine_swapped_for_a_link_is_not_followed() {
    let book = Book::new();
    let elsewhere = book.home.path().join("elsewhere");
    let snapshot = book.snapshot();
    symlink(&elsewhere, book.at("archive")).unwrap();
    book.put("evil.md", "恶");
    assert_eq!(foreign(&snapshot).len(), 2);
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
    assert_eq!(book.read(&format!("{QUARANTINE}/evil.md")), "恶");
}

#[test]
fn a_file_swapped_for_a_link_or_a_directory_is_put_back() {
    let book = Book::new();
    book.undoes(
        || {
            fs::remove_file(book.at("chapters/one.md")).unwrap();
            symlink("two.md", book.at("chapters/one.md")).unwrap();
            fs::remove_file(book.at(".checkpoint.json")).unwrap();
            book.put(".checkpoint.json/inside.md", "恶");
        },
        &[
            (".checkpoint.json", Change::Replaced),
            (".checkpoint.json/inside.md", Change::Created),
            ("chapters/one.md", Change::Replaced),
        ],
    );
}

#[test]
fn a_link_with_another_target_is_put_back() {
    let book = Book::new();
    book.undoes(
        || {
            fs::remove_file(book.at("latest.md")).unwrap();
            symlink("chapters/two.md", book.at("latest.md")).unwrap();
        },
        &[("latest.md", Change::Replaced)],
    );
}

#[test]
fn permissions_are_put_back() {
    let book = Book::new();
    book.undoes(
        || {
            let set = |path: &str, mode| {
                fs::set_permissions(book.at(path), Permissions::from_mode(mode)).unwrap();
            };
            set(".checkpoint.json", 0o777);
            set("chapters", 0o700);
            book.put("chapters/evil.md", "恶");
            set("empty", 0o000);
        },
        &[
            (".checkpoint.json", Change::Modified),
            ("chapters", Change::Modified),
            ("chapters/evil.md", Change::Created),
            ("empty", Change::Modified),
        ],
    );
    // Nothing but the new file stood in the way.
    assert!(!book.at(&format!("{QUARANTINE}/.checkpoint.json")).exists());
}

#[test]
fn links_out_of_the_allowed_area_are_foreign() {
    let book = Book::new();
    let outside = book.home.path().join("elsewhere");
    book.undoes(
        || {
            symlink("../chapters", book.at("staging/relative")).unwrap();
            symlink(&outside, book.at("staging/absolute")).unwrap();
            symlink("../not-there-yet.md", book.at("staging/dangling")).unwrap();
            symlink("relative", book.at("staging/indirect")).unwrap();
            fs::hard_link(book.at("chapters/one.md"), book.at("staging/hard.md")).unwrap();
        },
        &[
            ("staging/absolute", Change::Created),
            ("staging/dangling", Change::Created),
            ("staging/hard.md", Change::Created),
            ("staging/indirect", Change::Created),
            ("staging/relative", Change::Created),
        ],
    );
}

#[test]
fn a_write_through_a_hard_link_is_undone() {
    let book = Book::new();
    let snapshot = book.snapshot();
    fs::hard_link(book.at("chapters/one.md"), book.at("staging/hard.md")).unwrap();
    fs::write(book.at("staging/hard.md"), "恶").unwrap();
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [
            ("chapters/one.md", Change::Modified),
            ("staging/hard.md", Change::Created),
        ]
    );
    assert_eq!(book.read("chapters/one.md"), "第一章\n");
    assert!(!book.at("staging/hard.md").exists());
}

#[test]
fn the_allowed_area_itself_may_not_become_a_link() {
    let book = Book::new();
    let snapshot = book.snapshot();
    fs::rename(book.at("staging"), book.at("staging-2")).unwrap();
    symlink("staging-2", book.at("staging")).unwrap();
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [
            ("staging", Change::Replaced),
            ("staging-2", Change::Created),
            ("staging-2/draft.md", Change::Created),
        ]
    );
    assert!(fs::symlink_metadata(book.at("staging")).unwrap().is_dir());
}

#[test]
fn work_inside_the_allowed_area_is_nobody_s_business() {
    let book = Book::new();
    let snapshot = book.snapshot();
    book.put("staging/chapters/chapter-001.md", "正文");
    fs::remove_file(book.at("staging/draft.md")).unwrap();
    assert_eq!(foreign(&snapshot), []);
}

#[test]
fn a_judge_may_write_nothing_at_all() {
    let book = Book::new();
    let kept = book.kept();
    let snapshot = book.take(&[], Contents::Keep(&kept));
    book.put("staging/draft.md", "判官改稿");
    book.put("staging/evaluations/eval.json", "{}");
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [
            ("staging/draft.md", Change::Modified),
            ("staging/evaluations", Change::Created),
            ("staging/evaluations/eval.json", Change::Created),
        ]
    );
    assert_eq!(book.read("staging/draft.md"), "草稿\n");
    assert!(!book.at("staging/evaluations").exists());
}

#[test]
fn lock_and_git_bookkeeping_are_left_out_but_not_what_would_be_run() {
    let book = Book::new();
    let snapshot = book.snapshot();
    book.put(".novel.lock/info.json", "heartbeat\n");
    book.put(".git/index", "newer\n");
    assert_eq!(foreign(&snapshot), []);
    book.put(".git/hooks/post-commit", "#!/bin/sh\n");
    book.put(".novel.journal/sealed.json", "{}");
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [
            (".git/hooks/post-commit", Change::Created),
            (".novel.journal/sealed.json", Change::Created),
        ]
    );
}

#[test]
fn names_that_are_no_text_and_things_that_are_no_files_are_undone() {
    let book = Book::new();
    let strange = book.root().join(OsStr::from_bytes(b"bad\xFFname"));
    let before = book.tree();
    let snapshot = book.snapshot();
    fs::write(&strange, "恶").unwrap();
    fs::write(book.at("two\nlines"), "恶").unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        book.at("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [
            ("bad\u{FFFD}name", Change::Created),
            ("pipe", Change::Created),
            ("two\\nlines", Change::Created),
        ]
    );
    assert_eq!(book.tree(), before);
}

#[test]
fn without_contents_a_write_is_told_and_what_can_be_is_undone() {
    let book = Book::new();
    let snapshot = book.take(&["staging"], Contents::Stat);
    book.put("chapters/one.md", "更长的一章\n");
    book.put("evil.md", "恶");
    fs::set_permissions(book.at("chapters/two.md"), Permissions::from_mode(0o600)).unwrap();
    let left = snapshot.settle(&[]).unwrap();
    assert_eq!(
        listed(&left.writes),
        [
            ("chapters/one.md", Change::Modified),
            ("chapters/two.md", Change::Modified),
            ("evil.md", Change::Created),
        ]
    );
    assert_eq!(listed(&left.lost), [("chapters/one.md", Change::Modified)]);
    assert_eq!(book.read("chapters/one.md"), "更长的一章\n");
    assert!(!book.at("evil.md").exists());
    let mode = fs::metadata(book.at("chapters/two.md")).unwrap().mode();
    assert_ne!(mode & 0o777, 0o600);
}

#[test]
fn the_program_s_own_transactions_are_not_foreign_unless_changed_afterwards() {
    let book = Book::new();
    fs::remove_dir_all(book.at(".novel.lock")).unwrap();
    let kept = book.kept();
    let writer = book.store.acquire(None).unwrap();
    let snapshot = book.take(&[], Contents::Keep(&kept));
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Submit, "call"));
    txn.write("logs/calls/a.json".parse().unwrap(), "answer");
    txn.write("chapters/one.md".parse().unwrap(), "新第一章");
    txn.remove(".checkpoint.json".parse().unwrap());
    assert!(txn.commit().unwrap().pack.is_some());
    assert_eq!(foreign(&snapshot), []);

    book.put("logs/calls/forged.json", "forged");
    let writes = foreign(&snapshot);
    assert_eq!(
        listed(&writes),
        [("logs/calls/forged.json", Change::Created)]
    );
    assert_eq!(book.read("logs/calls/a.json"), "answer");
    assert_eq!(foreign(&snapshot), []);

    book.put("logs/calls/a.json", "forged");
    let writes = foreign(&snapshot);
    assert_eq!(listed(&writes), [("logs/calls/a.json", Change::Created)]);
}

#[test]
fn what_one_snapshot_undid_is_not_foreign_to_another() {
    for contents in [None, Some("kept-2")] {
        let book = Book::new();
        let kept = contents.map(|dir| book.home.path().join(dir));
        if let Some(dir) = &kept {
            fs::create_dir(dir).unwrap();
        }
        let other = book.take(&[], kept.as_deref().map_or(Contents::Stat, Contents::Keep));
        let snapshot = book.snapshot();
        book.put("chapters/one.md", "恶");
        book.put("evil.md", "恶");
        let writes = foreign(&snapshot);
        assert_eq!(writes.len(), 2);
        assert_eq!(foreign(&other), []);
    }
}

#[test]
fn contents_kept_inside_the_project_are_no_part_of_it() {
    let book = Book::new();
    let kept = book.at("kept");
    fs::create_dir(&kept).unwrap();
    let snapshot = book.take(&["staging"], Contents::Keep(&kept));
    assert_eq!(foreign(&snapshot), []);
}

#[test]
fn owners_attributes_and_times_are_put_back() {
    let attribute = c"user.novel-test";
    for contents in [None, Some("kept-2")] {
        let book = Book::new();
        let kept = contents.map(|dir| book.home.path().join(dir));
        if let Some(dir) = &kept {
            fs::create_dir(dir).unwrap();
        }
        let one = book.at("chapters/one.md");
        let flags = rustix::fs::XattrFlags::empty();
        let has_attributes =
            rustix::fs::setxattr(book.at(".checkpoint.json"), attribute, b"old", flags).is_ok();
        let facts = |path: &Path| {
            let metadata = fs::metadata(path).unwrap();
            let owner = (metadata.uid(), metadata.gid());
            (
                owner,
                metadata.mode(),
                metadata.mtime(),
                metadata.mtime_nsec(),
            )
        };
        let before = facts(&one);
        let snapshot = book.take(
            &["staging"],
            kept.as_deref().map_or(Contents::Stat, Contents::Keep),
        );
        let file = OpenOptions::new().write(true).open(&one).unwrap();
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        file.set_times(FileTimes::new().set_modified(long_ago))
            .unwrap();
        let mut expected = vec![("chapters/one.md", Change::Modified)];
        if has_attributes {
            let checkpoint = book.at(".checkpoint.json");
            rustix::fs::setxattr(&checkpoint, attribute, b"new", flags).unwrap();
            rustix::fs::setxattr(&checkpoint, c"user.more", b"x", flags).unwrap();
            expected.insert(0, (".checkpoint.json", Change::Modified));
        }
        if rustix::process::getuid().is_root() {
            std::os::unix::fs::chown(book.at("chapters/two.md"), Some(12), Some(34)).unwrap();
            expected.push(("chapters/two.md", Change::Modified));
        }
        let writes = foreign(&snapshot);
        assert_eq!(listed(&writes), expected);
        assert_eq!(facts(&one), before);
        assert_eq!(facts(&book.at("chapters/two.md")).0, before.0);
        assert_eq!(foreign(&snapshot), []);
    }
}

fn outputs(book: &Book, snapshot: &TreeSnapshot, wanted: &str) -> (Vec<String>, Option<HandedIn>) {
    let wanted: RelPath = wanted.parse().unwrap();
    let mut left = snapshot.settle(std::slice::from_ref(&wanted)).unwrap();
    assert_eq!(left.lost, []);
    assert!(!book.at(".novel.agent.json").exists());
    let writes = left.writes.iter().map(ForeignWrite::path).collect();
    (writes, left.outputs.remove(&wanted))
}

#[test]
fn what_is_handed_in_is_read_and_the_directory_is_as_before() {
    let book = Book::new();
    book.put("staging/keep/note.md", "不动\n");
    let before = book.tree();
    let number = |path: &str| fs::metadata(book.at(path)).unwrap().ino();
    let untouched = number("staging/keep/note.md");
    let snapshot = book.snapshot();
    book.put("staging/draft.md", "新稿\n");
    book.put("staging/scratch/notes.md", "草\n");
    fs::hard_link(book.at("staging/draft.md"), book.home.path().join("second")).unwrap();
    let (writes, output) = outputs(&book, &snapshot, "staging/draft.md");
    assert_eq!(writes, Vec::<String>::new());
    assert_eq!(output, Some(HandedIn::Content("新稿\n".into())));
    assert_eq!(book.tree(), before);
    assert_eq!(number("staging/keep/note.md"), untouched);
    // A second name changes nothing any more.
    fs::write(book.home.path().join("second"), "恶").unwrap();
    assert_eq!(book.tree(), before);
}

#[test]
fn a_file_nobody_touched_is_not_handed_in() {
    let book = Book::new();
    let snapshot = book.snapshot();
    assert_eq!(outputs(&book, &snapshot, "staging/draft.md").1, None);
}

#[test]
fn what_a_project_cannot_hold_is_refused_and_taken_away() {
    let book = Book::new();
    let before = book.tree();
    let snapshot = book.snapshot();
    let odd = |name: &[u8]| book.at("staging").join(OsStr::from_bytes(name));
    rustix::fs::mknodat(
        rustix::fs::CWD,
        book.at("staging/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let socket = std::os::unix::net::UnixListener::bind(book.at("staging/socket")).unwrap();
    symlink("draft.md", book.at("staging/link")).unwrap();
    fs::write(odd(b"bad\xFFname"), "x").unwrap();
    fs::write(odd(b"two\nlines"), "x").unwrap();
    fs::create_dir(book.at("staging/closed")).unwrap();
    fs::write(book.at("staging/closed/inside"), "x").unwrap();
    fs::set_permissions(book.at("staging/closed"), Permissions::from_mode(0o000)).unwrap();
    let (writes, output) = outputs(&book, &snapshot, "staging/pipe");
    drop(socket);
    let expected = [
        "staging/bad\u{FFFD}name",
        "staging/closed",
        "staging/link",
        "staging/pipe",
        "staging/socket",
        "staging/two\\nlines",
    ];
    assert_eq!(writes, expected);
    assert_eq!(output, None);
    assert_eq!(book.tree(), before);
}

#[test]
fn a_huge_file_is_refused_without_being_read() {
    let book = Book::new();
    let before = book.tree();
    let snapshot = book.snapshot();
    let size = 1 << 42;
    for path in ["staging/draft.md", "chapters/one.md"] {
        let file = OpenOptions::new().write(true).open(book.at(path)).unwrap();
        file.set_len(size).unwrap();
    }
    let begun = std::time::Instant::now();
    let (writes, output) = outputs(&book, &snapshot, "staging/draft.md");
    assert_eq!(writes, ["chapters/one.md"]);
    assert_eq!(output, Some(HandedIn::TooLarge { size }));
    assert_eq!(book.tree(), before);
    assert!(begun.elapsed().as_secs() < 10);
}

#[test]
fn what_a_killed_run_left_in_staging_is_put_back_by_the_next_writer() {
    let book = Book::new();
    fs::remove_dir_all(book.at(".novel.lock")).unwrap();
    let before = book.tree();
    let snapshot = book.snapshot();
    book.put("staging/draft.md", "半");
    book.put("staging/chapters/half.md", "半");
    symlink("../chapters", book.at("staging/out")).unwrap();
    drop(snapshot);
    assert!(book.at(".novel.agent.json").exists());
    drop(book.store.acquire(None).unwrap());
    assert_eq!(book.tree(), before);
    // A judge is given nothing, so there is nothing to put back.
    let kept = book.kept();
    drop(book.take(&[], Contents::Keep(&kept)));
    assert!(!book.at(".novel.agent.json").exists());
}
