use std::sync::Mutex;

use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

/// A book whose files have states, which notes what is read.
#[derive(Default)]
struct Disk {
    book: MemoryBook,
    states: BTreeMap<RelPath, u64>,
    last: u64,
    read: Mutex<Vec<RelPath>>,
}

impl BookReader for Disk {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.read.lock().unwrap().push(path.clone());
        self.book.read(path)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.book.list(directory)
    }

    fn stamp(&self, path: &RelPath) -> Option<u64> {
        self.states.get(path).copied()
    }
}

impl Disk {
    fn put(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.last += 1;
        self.states.insert(path.clone(), self.last);
        self.book.write(path, bytes);
    }

    fn outline(&mut self, at: u32, chapters: &[(u32, &str, &str)]) {
        let blocks = chapters.iter().map(|(chapter, line, pov)| {
            format!("### 第 {chapter} 章：题\n- **Storyline**: {line}\n- **POV**: {pov}\n\n")
        });
        self.put(layout::outline(volume(at)), blocks.collect::<String>());
    }

    fn contract(&mut self, at: u32, number: u32, before: &str, after: &str) {
        let contract = json!({"chapter": number, "storyline_id": "main-arc",
            "preconditions": {"character_states": {before: {}}}, "objectives": [],
            "postconditions": {"state_changes": {after: {}}}, "acceptance_criteria": []});
        let path = layout::contract(volume(at), chapter(number));
        self.put(path, contract.to_string());
    }

    /// Three volumes of two chapters.
    fn shelf() -> Self {
        let mut disk = Self::default();
        for at in 1..=3 {
            let (first, second) = (2 * at - 1, 2 * at);
            disk.outline(
                at,
                &[(first, "main-arc", "林枫"), (second, "side", "沈\"砚\n")],
            );
            disk.contract(at, first, "林枫", "沈砚");
            disk.contract(at, second, "沈砚", "沈砚");
        }
        disk
    }

    fn keep(&mut self, plans: &Plans) {
        if let Some((path, bytes)) = plans.outdated() {
            self.put(path, bytes);
        }
    }

    /// Everything that can be asked, in the words of one line each.
    fn told(&self, plans: &Plans) -> Vec<String> {
        let mut heads = Heads::new(self, plans, volume(3));
        let of = (1..=7).map(|it| format!("{:?}", heads.of(chapter(it)).unwrap()));
        let mut told: Vec<String> = of.collect();
        for line in ["main-arc", "side", "none"] {
            let newest = heads.newest(chapter(6), |head| head.storyline == line);
            told.push(format!("{:?}", newest.unwrap()));
        }
        for it in 1..=6_u32 {
            let names = plans.counted_on(self, volume(it.div_ceil(2)), chapter(it));
            told.push(format!("{:?}", names.unwrap_or_default()));
        }
        told
    }

    /// The same without anything kept.
    fn told_bare(&self) -> Vec<String> {
        let bare = Self {
            book: self.book.clone(),
            ..Self::default()
        };
        bare.told(&Plans::default())
    }
}

fn volume(number: u32) -> VolumeNo {
    VolumeNo::new(number).unwrap()
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

#[test]
fn what_is_kept_is_not_read_again() {
    let mut disk = Disk::shelf();
    let plans = Plans::default();
    let told = disk.told(&plans);
    assert!(told[4].contains("沈") || told[5].contains("沈"), "{told:?}");
    disk.keep(&plans);
    disk.read.lock().unwrap().clear();
    let again = Plans::default();
    assert_eq!(disk.told(&again), told);
    assert_eq!(*disk.read.lock().unwrap(), [layout::kept_plans()]);
    assert!(!again.has_new() && again.outdated().is_none());
}

#[test]
fn a_file_in_another_state_is_read_whatever_is_kept() {
    let mut disk = Disk::shelf();
    let plans = Plans::default();
    disk.told(&plans);
    disk.keep(&plans);
    disk.outline(2, &[(3, "side", "沈砚"), (3, "main-arc", "林枫")]);
    disk.contract(1, 2, "林枫", "林枫");
    disk.book.remove(&layout::outline(volume(3)));
    disk.states.remove(&layout::outline(volume(3)));
    let expected = disk.told_bare();
    // Neither what lies in the cache nor what is in memory is told.
    assert_eq!(disk.told(&plans), expected);
    assert_eq!(disk.told(&Plans::default()), expected);
    // As after an undo.
    let whole = Disk::shelf();
    disk.put(
        layout::outline(volume(3)),
        whole.book.files()[&layout::outline(volume(3))].clone(),
    );
    assert_eq!(disk.told(&plans), disk.told_bare());
}

#[test]
fn a_damaged_cache_is_as_good_as_none() {
    let mut disk = Disk::shelf();
    let plans = Plans::default();
    let told = disk.told(&plans);
    disk.keep(&plans);
    let path = layout::kept_plans();
    let sound = disk.book.files()[&path].clone();
    let mut wrong = vec![Vec::new(), b"{}".to_vec(), vec![0xFF; 90]];
    wrong.extend((0..sound.len()).step_by(7).map(|at| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    }));
    wrong.extend(
        (0..sound.len())
            .step_by(31)
            .map(|cut| sound[..cut].to_vec()),
    );
    for bytes in wrong {
        disk.book.write(path.clone(), bytes);
        assert_eq!(disk.told(&Plans::default()), told);
    }
}

#[test]
fn what_has_no_state_is_told_and_not_kept() {
    let mut disk = Disk::shelf();
    disk.states.clear();
    let plans = Plans::default();
    assert_eq!(disk.told(&plans), disk.told_bare());
    assert!(!plans.has_new());
}

#[test]
fn a_damaged_contract_is_told_of() {
    let mut disk = Disk::shelf();
    let path = layout::contract(volume(1), chapter(2));
    disk.put(path.clone(), "{");
    let error = Plans::default().counted_on(&disk, volume(1), chapter(2));
    assert!(matches!(error, Err(FileError::Broken(_))), "{error:?}");
}
