//! A look without the lock is of one moment, whatever is written meanwhile.

use std::{
    cell::Cell,
    sync::{Arc, LazyLock, Mutex},
};

use novel_model::{BookReader, Explain, Kind, ReadError, RelPath};
use novel_store::{
    Dir, Fault, FileSystem, FsError, Meta, Operation, RootGuard, Stamp, Store, StoreError,
    StoreReader, Transaction, TxnKind, TxnLabel,
};
use novel_testkit::{
    machine::SimMachine,
    simfs::{SimFs, When},
};
use tempfile::TempDir;

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn commit(store: &Store, changes: impl FnOnce(&mut Transaction<'_>)) -> Result<(), StoreError> {
    let writer = store.acquire(None)?;
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Submit, "test"));
    changes(&mut txn);
    txn.commit()?;
    Ok(())
}

/// A book of which every part names the same version.
const VERSION_0: [(&str, &[u8]); 4] = [
    ("a.md", b"0"),
    ("log.jsonl", b"0\n"),
    ("names/v0.md", b""),
    ("z.md", b"0"),
];

/// The next version, as one transaction. `z.md` comes first among the new contents of the second
/// one, where `a.md` was before.
fn raise(store: &Store, version: u32) -> Result<(), StoreError> {
    commit(store, |txn| {
        if version % 2 == 1 {
            txn.write(path("a.md"), version.to_string());
        } else {
            txn.remove(path("a.md"));
        }
        txn.append(path("log.jsonl"), format!("{version}\n"));
        txn.remove(path(&format!("names/v{}.md", version - 1)));
        txn.write(path(&format!("names/v{version}.md")), "");
        txn.write(path("z.md"), version.to_string());
    })
}

/// The parts of a book do not name the same version.
#[derive(Debug)]
struct Mixed;

#[derive(Debug)]
enum Unsound {
    Mixed,
    Store(#[expect(dead_code, reason = "shown when a test fails")] StoreError),
}

impl From<Mixed> for Unsound {
    fn from(_: Mixed) -> Self {
        Self::Mixed
    }
}

impl From<StoreError> for Unsound {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ReadError> for Unsound {
    fn from(error: ReadError) -> Self {
        Self::Store(error.into())
    }
}

/// The version all parts of the book name.
fn version(reader: &StoreReader) -> Result<u32, Unsound> {
    let a = reader.text(&path("a.md"))?;
    let names = reader.list(&path("names"))?;
    let last = reader.last_line(&path("log.jsonl"))?.ok_or(Mixed)?;
    let log = reader.text(&path("log.jsonl"))?.ok_or(Mixed)?;
    let z = reader.text(&path("z.md"))?.ok_or(Mixed)?;
    let version: u32 = z.parse().map_err(|_| Mixed)?;
    let expected: String = (0..=version).map(|line| format!("{line}\n")).collect();
    let a_is_right = match a {
        Some(text) => text == z,
        None => version > 0 && version.is_multiple_of(2),
    };
    let is_one = a_is_right
        && names == [format!("v{version}.md")]
        && last == z.as_bytes()
        && log == expected;
    if is_one {
        Ok(version)
    } else {
        Err(Mixed.into())
    }
}

/// The file system after each single step of two transactions, the first one as it was before.
fn frames() -> Vec<SimFs> {
    let run = |crash: Option<usize>| {
        let fs = Arc::new(SimFs::with_files(VERSION_0));
        if let Some(step) = crash {
            fs.crash_at(step, When::After);
        }
        let store = Store::new(Arc::<SimFs>::clone(&fs), Arc::new(SimMachine::default()));
        let outcome = raise(&store, 1).and_then(|()| raise(&store, 2));
        assert!(outcome.is_ok() || crash.is_some());
        fs
    };
    let steps = run(None).operations();
    let after = (1..=steps).map(|step| run(Some(step)).restart());
    let mut frames: Vec<SimFs> = std::iter::once(SimFs::with_files(VERSION_0))
        .chain(after)
        .collect();
    // No reading shows what became durable, was put aside, or was locked.
    frames.dedup_by_key(|frame| {
        let mut tree = frame.tree();
        tree.retain(|path, _| !path.starts_with("archive") && !path.starts_with(".novel.lock"));
        tree
    });
    frames
}

/// Plays the frames: each reading operation sees a later one or the same.
struct Film {
    frames: Arc<Vec<SimFs>>,
    /// From which operation on which frame is shown.
    cuts: Vec<(usize, usize)>,
    operations: Mutex<usize>,
}

impl Film {
    fn frame(&self) -> &SimFs {
        let mut operations = self.operations.lock().unwrap();
        let now = *operations;
        *operations += 1;
        let shown = self.cuts.iter().filter(|(from, _)| *from <= now);
        &self.frames[shown.map(|(_, frame)| *frame).max().unwrap_or(0)]
    }
}

fn read_only(path: &RelPath) -> Result<(), FsError> {
    Err(FsError::new(Operation::Write, path, Fault::ReadOnly))
}

impl FileSystem for Film {
    fn metadata(&self, path: &RelPath) -> Result<Option<Meta>, FsError> {
        self.frame().metadata(path)
    }
    fn stamp(&self, path: &RelPath) -> Result<Option<Stamp>, FsError> {
        self.frame().stamp(path)
    }
    fn read(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, FsError> {
        self.frame().read(path, limit)
    }
    fn read_at(&self, path: &RelPath, offset: u64, len: usize) -> Result<Vec<u8>, FsError> {
        self.frame().read_at(path, offset, len)
    }
    fn list(&self, dir: &Dir) -> Result<Vec<String>, FsError> {
        self.frame().list(dir)
    }
    fn check_writable(&self, path: &RelPath) -> Result<(), FsError> {
        read_only(path)
    }
    fn create_dir(&self, path: &RelPath) -> Result<(), FsError> {
        read_only(path)
    }
    fn write_new(&self, path: &RelPath, _: &[u8]) -> Result<(), FsError> {
        read_only(path)
    }
    fn write_whole(&self, path: &RelPath, _: &[u8]) -> Result<(), FsError> {
        read_only(path)
    }
    fn append(&self, path: &RelPath, _: &[u8]) -> Result<(), FsError> {
        read_only(path)
    }
    fn truncate(&self, path: &RelPath, _: u64) -> Result<(), FsError> {
        read_only(path)
    }
    fn sync_file(&self, path: &RelPath) -> Result<(), FsError> {
        read_only(path)
    }
    fn sync_dir(&self, _: &Dir) -> Result<(), FsError> {
        read_only(&path("dir"))
    }
    fn rename(&self, _: &RelPath, to: &RelPath) -> Result<(), FsError> {
        read_only(to)
    }
    fn rename_noreplace(&self, _: &RelPath, to: &RelPath) -> Result<(), FsError> {
        read_only(to)
    }
    fn hard_link(&self, _: &RelPath, to: &RelPath) -> Result<(), FsError> {
        read_only(to)
    }
    fn remove_file(&self, path: &RelPath) -> Result<(), FsError> {
        read_only(path)
    }
    fn remove_dir(&self, path: &RelPath) -> Result<(), FsError> {
        read_only(path)
    }
    fn lock_root(&self) -> Result<RootGuard, FsError> {
        Ok(RootGuard::new(()))
    }
}

fn film(frames: &Arc<Vec<SimFs>>, cuts: &[(usize, usize)]) -> (Arc<Film>, Store) {
    let film = Arc::new(Film {
        frames: Arc::clone(frames),
        cuts: cuts.to_vec(),
        operations: Mutex::new(0),
    });
    let store = Store::new(Arc::<Film>::clone(&film), Arc::new(SimMachine::default()));
    (film, store)
}

/// Whether the look ended before the last cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    All,
    NotTheLast,
}

fn look_at(frames: &Arc<Vec<SimFs>>, cuts: &[(usize, usize)]) -> Reached {
    let (film, store) = film(frames, cuts);
    let seen = store.look(version);
    assert!(matches!(seen, Ok(0..=2)), "{cuts:?}: {seen:?}");
    let last = cuts.iter().map(|(from, _)| *from).max();
    if last < Some(*film.operations.lock().unwrap()) {
        Reached::All
    } else {
        Reached::NotTheLast
    }
}

#[test]
fn a_look_across_any_two_steps_of_a_writer_is_of_one_moment() {
    let frames = Arc::new(frames());
    let mut torn = 0;
    for first in 0..frames.len() {
        for second in first + 1..frames.len() {
            for cut in 1.. {
                let cuts = [(0, first), (cut, second)];
                if look_at(&frames, &cuts) == Reached::NotTheLast {
                    break;
                }
                let reader = film(&frames, &cuts).1.reader().unwrap();
                torn += usize::from(version(&reader).is_err());
            }
        }
    }
    assert!(torn > 0, "nothing here tears a look that is not checked");
}

#[test]
fn a_look_that_begins_before_and_ends_after_a_transaction_is_of_one_moment() {
    let frames = Arc::new(frames());
    let last = frames.len() - 1;
    for half in 1..last {
        for first in 1.. {
            if look_at(&frames, &[(first, half)]) == Reached::NotTheLast {
                break;
            }
            for second in first + 1.. {
                let cuts = [(first, half), (second, last)];
                if look_at(&frames, &cuts) == Reached::NotTheLast {
                    break;
                }
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn a_look_at_a_running_writer_is_of_one_moment(
        cuts in proptest::collection::vec((0_usize..100, 0_usize..1000), 1..12)
    ) {
        static FRAMES: LazyLock<Arc<Vec<SimFs>>> = LazyLock::new(|| Arc::new(frames()));
        let cuts = cuts.into_iter().map(|(from, frame)| (from, frame % FRAMES.len()));
        look_at(&FRAMES, &cuts.collect::<Vec<_>>());
    }
}

/// A book on disk, and a second handle for another process.
fn on_disk() -> (TempDir, Store, Store) {
    let root = TempDir::new().unwrap();
    for (file, bytes) in VERSION_0 {
        let file = root.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    let (mine, other) = (Store::open(root.path()), Store::open(root.path()));
    (root, mine.unwrap(), other.unwrap())
}

/// Reads once, lets the other process write, reads twice: both readings must fit together.
fn twice<T>(
    first: impl Fn(&StoreReader) -> Result<T, ReadError>,
    second: impl Fn(&StoreReader) -> Result<T, ReadError>,
) -> ((T, T), usize) {
    let (_root, mine, other) = on_disk();
    let mut looks = 0;
    let seen = mine.look(|reader| {
        looks += 1;
        let before = first(reader)?;
        if looks == 1 {
            raise(&other, 1)?;
        }
        Ok::<_, StoreError>((before, second(reader)?))
    });
    (seen.unwrap(), looks)
}

#[test]
fn a_file_that_changed_after_it_was_read_is_read_again() {
    let read = |file: &'static str| move |reader: &StoreReader| reader.text(&path(file));
    let ((a, z), looks) = twice(read("a.md"), read("z.md"));
    assert_eq!(
        (a.as_deref(), z.as_deref(), looks),
        (Some("1"), Some("1"), 2)
    );
    let ((absent, z), looks) = twice(read("names/v1.md"), read("z.md"));
    assert_eq!(
        (absent.as_deref(), z.as_deref(), looks),
        (Some(""), Some("1"), 2)
    );
    let ((gone, z), looks) = twice(read("names/v0.md"), read("z.md"));
    assert_eq!((gone, z.as_deref(), looks), (None, Some("1"), 2));
}

#[test]
fn a_directory_that_changed_after_it_was_listed_is_listed_again() {
    let list = |reader: &StoreReader| reader.list_ending(&path("names"), ".md");
    let z = |reader: &StoreReader| Ok(vec![reader.text(&path("z.md"))?.unwrap()]);
    let ((names, z), looks) = twice(list, z);
    assert_eq!(
        (names, z, looks),
        (vec!["v1.md".to_owned()], vec!["1".to_owned()], 2)
    );
}

#[test]
fn a_log_that_grew_after_its_last_line_was_read_is_read_again() {
    let last = |reader: &StoreReader| reader.last_line(&path("log.jsonl"));
    let z = |reader: &StoreReader| reader.read(&path("z.md"));
    let ((last, z), looks) = twice(last, z);
    assert_eq!(
        (last, z, looks),
        (Some(b"1".to_vec()), Some(b"1".to_vec()), 2)
    );
}

#[test]
fn what_was_not_looked_at_may_change() {
    let z = |reader: &StoreReader| reader.text(&path("z.md"));
    let nothing = |_: &StoreReader| Ok(None);
    assert_eq!(twice(nothing, z), ((None, Some("1".to_owned())), 1));
}

#[test]
fn a_change_behind_a_link_is_noticed() {
    let (root, mine, other) = on_disk();
    std::os::unix::fs::symlink("a.md", root.path().join("link.md")).unwrap();
    let mut looks = 0;
    let seen = mine.look(|reader| {
        looks += 1;
        let linked = reader.text(&path("link.md"))?;
        if looks == 1 {
            raise(&other, 1)?;
        }
        Ok::<_, StoreError>(linked)
    });
    assert_eq!((seen.unwrap().as_deref(), looks), (Some("1"), 2));
}

#[test]
fn damage_is_reported_only_where_it_stays() {
    let (root, mine, other) = on_disk();
    let looks = Cell::new(0);
    let look = |write: bool| {
        looks.set(0);
        mine.look(|reader| {
            looks.set(looks.get() + 1);
            let a = reader.text(&path("a.md"))?;
            if write && looks.get() == 1 {
                raise(&other, 1)?;
            }
            if a == reader.text(&path("z.md"))? {
                Ok(a)
            } else {
                Err(Unsound::Mixed)
            }
        })
    };
    assert_eq!(
        (look(true).unwrap().as_deref(), looks.get()),
        (Some("1"), 2)
    );
    std::fs::write(root.path().join("a.md"), "damaged").unwrap();
    assert!(matches!(look(false), Err(Unsound::Mixed)));
    assert_eq!(looks.get(), 1);
}

#[test]
fn a_book_that_never_stands_still_is_an_error_of_its_own() {
    let (_root, mine, other) = on_disk();
    let mut looks = 0;
    let seen = mine.look(|reader| {
        let z = reader.text(&path("z.md"))?;
        looks += 1;
        raise(&other, looks)?;
        Ok::<_, StoreError>(z)
    });
    let error = seen.unwrap_err();
    assert_eq!(
        (error.code(), error.kind()),
        ("BOOK_IS_CHANGING", Kind::Locked)
    );
    assert!(error.hint().unwrap().en.contains("novel lock status"));
    assert_eq!(looks, 100);
}
