//! The real file system: what it reads, what it refuses, what its faults say.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use novel_book::operations::{KeptContents, OperationLog};
use novel_model::{BookReader, Explain, Kind, ReadError, RelPath};
use novel_store::{
    Dir, Fault, FileKind, FileSystem, LockStatus, Machine, Process, RealFs, RealMachine, Store,
    StoreError, TEXT_LIMIT, TxnKind, TxnLabel, find_project,
};

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn write(root: &Path, file: &str, text: &str) {
    let file = root.join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn try_write(root: &Path, file: &str) -> Result<(), StoreError> {
    let store = Store::open(root).unwrap();
    let writer = store.acquire(None)?;
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Doctor, "test"));
    txn.write(path(file), "new");
    txn.commit().map(drop)
}

#[test]
fn a_transaction_on_disk() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(root, "state/changelog.jsonl", "1\n");
    write(root, "old.md", "old");
    write(root, "gone.md", "gone");
    let store = Store::open(root).unwrap();
    let writer = store.acquire(None).unwrap();
    assert!(matches!(store.lock_status().unwrap(), LockStatus::Held(_)));
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Doctor, "all"));
    txn.write(path("old.md"), "new");
    txn.write(path("a/b/c.md"), "deep");
    txn.append(path("state/changelog.jsonl"), "2\n");
    txn.remove(path("gone.md"));
    let receipt = txn.commit().unwrap();
    drop(writer);
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    assert_eq!(read("old.md"), "new");
    assert_eq!(read("a/b/c.md"), "deep");
    assert_eq!(read("state/changelog.jsonl"), "1\n2\n");
    assert!(!root.join("gone.md").exists());
    assert_eq!(receipt.pack, Some(path("archive/pack-0001.bin")));
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let kept: Vec<Vec<u8>> = log.operations[0]
        .changes()
        .filter(|(_, change)| change.kept().is_some())
        .map(|(line, change)| reader.kept_before(line, change).unwrap())
        .collect();
    assert_eq!(kept, [b"gone".to_vec(), b"old".to_vec()]);
    let names = RealFs::open(root).unwrap().list(&Dir::Root).unwrap();
    assert_eq!(names, ["a", "archive", "logs", "old.md", "state"]);
}

#[test]
fn links_inside_are_read_and_links_outside_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", "secret");
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(root, "world/rules.md", "rules");
    let link = |target: &Path, name: &str| symlink(target, root.join(name)).unwrap();
    link(Path::new("world/rules.md"), "relative.md");
    link(&root.join("world/rules.md"), "absolute.md");
    link(Path::new("world"), "directory");
    link(&outside.path().join("secret.md"), "leak.md");
    link(outside.path(), "leak");
    link(Path::new("nowhere"), "broken.md");
    link(Path::new("loop.md"), "loop.md");

    let reader = Store::open(root).unwrap().reader().unwrap();
    for inside in ["relative.md", "absolute.md", "directory/rules.md"] {
        let text = reader.text(&path(inside)).unwrap();
        assert_eq!(text.as_deref(), Some("rules"), "{inside}");
    }
    assert_eq!(reader.list(&path("directory")).unwrap(), ["rules.md"]);
    for outside in ["leak.md", "leak/secret.md"] {
        let error = reader.read(&path(outside)).unwrap_err();
        assert!(matches!(error, ReadError::LeavesProject { .. }), "{error}");
    }
    let error = reader.list(&path("leak")).unwrap_err();
    assert!(matches!(error, ReadError::LeavesProject { .. }));
    assert!(reader.read(&path("loop.md")).is_err());

    for through in [
        "leak.md",
        "relative.md",
        "leak/new.md",
        "directory/new.md",
        "broken.md",
    ] {
        let error = try_write(root, through).unwrap_err();
        assert_eq!(error.code(), "LINK_IN_THE_WAY", "{through}");
        assert_eq!(error.kind(), Kind::Input);
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(
        fs::read_to_string(root.join("world/rules.md")).unwrap(),
        "rules"
    );
}

#[test]
fn other_things_than_files_are_not_read() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    write(root, "brief.md/inner.md", "x");
    write(root, "world", "a file");
    let pipe = root.join("pipe.md");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
    let reader = Store::open(root).unwrap().reader().unwrap();
    for file in ["brief.md", "pipe.md"] {
        let error = reader.read(&path(file)).unwrap_err();
        assert!(matches!(error, ReadError::NotAFile { .. }), "{error}");
    }
    let error = reader.list(&path("world")).unwrap_err();
    assert!(matches!(error, ReadError::NotADirectory { .. }), "{error}");
    assert_eq!(reader.read(&path("none/at/all.md")).unwrap(), None);
    assert!(reader.list(&path("none/at/all")).unwrap().is_empty());
}

#[test]
fn a_file_over_the_limit_is_refused_unless_it_is_a_log() {
    let root = tempfile::tempdir().unwrap();
    for file in ["chapters/chapter-001.md", "state/changelog.jsonl"] {
        write(root.path(), file, "");
        let file = fs::File::options()
            .write(true)
            .open(root.path().join(file))
            .unwrap();
        file.set_len(TEXT_LIMIT + 1).unwrap();
    }
    let reader = Store::open(root.path()).unwrap().reader().unwrap();
    let error = reader.read(&path("chapters/chapter-001.md")).unwrap_err();
    assert_eq!(error.code(), "FILE_TOO_LARGE");
    let log = reader
        .read(&path("state/changelog.jsonl"))
        .unwrap()
        .unwrap();
    assert_eq!(log.len() as u64, TEXT_LIMIT + 1);
}

#[test]
fn a_read_only_file_is_refused_and_nothing_changes() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "protected.md", "old");
    let file = root.path().join("protected.md");
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let error = try_write(root.path(), "protected.md").unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (Kind::Input, "PERMISSION_DENIED")
    );
    assert!(error.hint().unwrap().zh.contains("可写"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
}

#[test]
fn operations_of_the_file_system_report_their_faults() {
    let root = tempfile::tempdir().unwrap();
    let fs = RealFs::open(root.path()).unwrap();
    fs.create_dir(&path("d")).unwrap();
    fs.write_new(&path("d/f"), b"abc").unwrap();
    fs.create_dir(&path("e")).unwrap();
    assert!(matches!(
        fs.write_new(&path("d/f"), b"").unwrap_err().fault,
        Fault::Exists
    ));
    assert!(matches!(
        fs.create_dir(&path("d")).unwrap_err().fault,
        Fault::Exists
    ));
    assert!(matches!(
        fs.rename_noreplace(&path("d"), &path("e"))
            .unwrap_err()
            .fault,
        Fault::Exists
    ));
    assert!(matches!(
        fs.remove_dir(&path("d")).unwrap_err().fault,
        Fault::NotEmpty
    ));
    assert!(matches!(
        fs.append(&path("x"), b"").unwrap_err().fault,
        Fault::NotFound
    ));
    fs.append(&path("d/f"), b"def").unwrap();
    assert_eq!(fs.read_at(&path("d/f"), 2, 2).unwrap(), b"cd");
    assert_eq!(fs.read_at(&path("d/f"), 5, 9).unwrap(), b"f");
    fs.truncate(&path("d/f"), 1).unwrap();
    fs.hard_link(&path("d/f"), &path("e/g")).unwrap();
    assert_eq!(fs.read(&path("e/g"), 1).unwrap(), b"a");
    let meta = fs.metadata(&path("e/g")).unwrap().unwrap();
    assert_eq!((meta.kind, meta.len), (FileKind::File, 1));
    assert_eq!(fs.metadata(&path("e/h")).unwrap(), None);
    assert_eq!(
        RealFs::open(&root.path().join("none")).unwrap_err().code(),
        "FILE_NOT_FOUND"
    );
}

#[test]
fn a_whole_file_gets_its_name_once_and_never_outside() {
    let [home, outside] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let fs = RealFs::open(home.path()).unwrap();
    fs.create_dir(&path("d")).unwrap();
    fs.write_whole(&path("d/f"), b"abc").unwrap();
    assert_eq!(fs::read(home.path().join("d/f")).unwrap(), b"abc");
    let names: Vec<String> = fs.list(&Dir::At(path("d"))).unwrap();
    assert_eq!(names, ["f"]);
    let fault = |place: &str| fs.write_whole(&path(place), b"other").unwrap_err().fault;
    assert!(matches!(fault("d/f"), Fault::Exists));
    assert_eq!(fs::read(home.path().join("d/f")).unwrap(), b"abc");
    assert!(matches!(fault("missing/f"), Fault::NotFound));
    symlink(outside.path(), home.path().join("out")).unwrap();
    assert!(matches!(fault("out/f"), Fault::ThroughLink));
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn the_project_is_found_upwards() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let deep = root.join("book/chapters/deep");
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(find_project(&deep), None);
    write(&root, "book/.checkpoint.json", "{}");
    assert_eq!(find_project(&deep).unwrap(), root.join("book"));
    assert_eq!(find_project(&root.join("book")).unwrap(), root.join("book"));
    assert_eq!(find_project(&root), None);
}

#[test]
fn the_machine_knows_the_living_and_the_dead() {
    let machine = RealMachine;
    let Process::Running { start, .. } = machine.process(machine.pid()) else {
        panic!("this process runs");
    };
    assert_eq!(start.is_some(), cfg!(target_os = "linux"));
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    // Reaped or not, it ends being alive.
    while machine.process(pid) != Process::Gone {
        std::thread::yield_now();
    }
    child.wait().unwrap();
    assert_eq!(machine.process(pid), Process::Gone);
    assert_eq!(machine.process(u32::MAX), Process::Gone);
    assert_ne!(machine.random_token(), machine.random_token());
    assert!(!machine.host().is_empty());
}

#[test]
fn a_file_has_a_state_once_it_has_stood_still() {
    let sources = Store::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let reader = sources.reader().unwrap();
    let state = reader.stamp(&path("Cargo.toml"));
    assert!(state.is_some());
    assert_eq!(reader.stamp(&path("Cargo.toml")), state);
    assert_ne!(reader.stamp(&path("src/lib.rs")), state);
    assert_eq!(reader.stamp(&path("src/none.rs")), None);
    // Written a moment ago it may be written again without its times telling.
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.md", "a");
    let reader = Store::open(root.path()).unwrap();
    assert_eq!(reader.reader().unwrap().stamp(&path("a.md")), None);
}

#[test]
fn the_cache_lies_outside_of_the_project() {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(root.path(), "a.md", "a");
    let store = Store::open(root.path()).unwrap().with_cache(home.path());
    let file = path("~cache/one.bin");
    let reader = store.reader().unwrap();
    assert_eq!(reader.read(&file).unwrap(), None);
    let cache = store.cache().unwrap();
    for bytes in [b"1", b"2"] {
        cache.write(&[(file.clone(), bytes.to_vec())]).unwrap();
        assert_eq!(reader.read(&file).unwrap().as_deref(), Some(&bytes[..]));
        let writer = store.acquire(None).unwrap();
        assert_eq!(
            writer.reader().unwrap().read(&file).unwrap().as_deref(),
            Some(&bytes[..])
        );
    }
    let left: Vec<_> = fs::read_dir(root.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    // Another project has another cache; a user's directory inside the project is none.
    let other = tempfile::tempdir().unwrap();
    let other = Store::open(other.path()).unwrap().with_cache(home.path());
    assert_eq!(other.reader().unwrap().read(&file).unwrap(), None);
    let inside = Store::open(root.path()).unwrap();
    assert!(
        inside
            .with_cache(&root.path().canonicalize().unwrap().join(".cache"))
            .cache()
            .is_none()
    );
}

#[test]
fn who_wants_to_know_of_changes_learns_of_files_that_were_only_stamped() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.md", "a");
    let (store, watched) = Store::open(root.path()).unwrap().watched();
    store
        .look(|reader| {
            reader.stamp(&path("a.md"));
            Ok::<_, StoreError>(())
        })
        .unwrap();
    assert!(watched.holds());
    write(root.path(), "a.md", "longer");
    assert!(!watched.holds());
}

#[test]
fn a_listing_that_is_held_shows_every_later_name() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for name in ["a_revision.json", "a.json"] {
        write(root, &format!("chapters/{name}"), "{}");
    }
    let store = Store::open(root).unwrap();
    let listed = |suffix: &str| {
        let reader = store.reader().unwrap();
        reader.list_ending(&path("chapters"), suffix).unwrap()
    };
    // Until the state of the directory counts.
    std::thread::sleep(std::time::Duration::from_millis(3_100));
    assert_eq!(listed("_revision.json"), ["a_revision.json"]);
    assert_eq!(listed("_revision.json"), ["a_revision.json"]);
    assert_eq!(listed(""), ["a.json", "a_revision.json"]);
    write(root, "chapters/b_revision.json", "{}");
    assert_eq!(
        listed("_revision.json"),
        ["a_revision.json", "b_revision.json"]
    );
    fs::remove_file(root.join("chapters/a_revision.json")).unwrap();
    assert_eq!(listed("_revision.json"), ["b_revision.json"]);
    fs::remove_dir_all(root.join("chapters")).unwrap();
    assert_eq!(listed("_revision.json"), Vec::<String>::new());
}
