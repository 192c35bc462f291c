//! Names and contents, seen and durable.

use std::collections::BTreeMap;

use jiff::Timestamp;
use novel_model::RelPath;
use novel_store::{Dir, Fault, Stamp};

use super::{Entry, Loss};

pub(super) type Node = usize;

/// The project directory.
pub(super) const ROOT: Node = 0;

#[derive(Debug, Clone, Default)]
struct FileData {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// Where what a sync writes begins. After a sync that failed nothing is left to be written: the
    /// system takes the pages for clean, and what they hold is lost with the power.
    dirty_from: Option<usize>,
}

impl FileData {
    fn touch(&mut self, from: usize) {
        self.dirty_from = Some(self.dirty_from.map_or(from, |before| before.min(from)));
    }

    fn sync(&mut self) {
        let Some(from) = self.dirty_from.take() else {
            return;
        };
        // What a failed sync lost before it is a hole.
        self.durable.resize(from, 0);
        self.durable.extend_from_slice(&self.seen[from..]);
    }
}

#[derive(Debug, Clone, Default)]
struct Names {
    seen: BTreeMap<String, Node>,
    durable: BTreeMap<String, Node>,
}

#[derive(Debug, Clone)]
enum Data {
    File(FileData),
    Dir(Names),
}

/// A change of names in one directory that is not durable yet.
#[derive(Debug, Clone)]
struct Pending {
    id: u64,
    dir: Node,
    edits: Vec<(String, Option<Node>)>,
    /// The change that is durable whenever this one is.
    needs: Option<u64>,
    /// A sync that failed has lost it: no later sync makes it durable.
    lost: bool,
}

/// When something last changed, by the clock and by the count of changes.
#[derive(Debug, Clone, Copy)]
struct Changed {
    at: Timestamp,
    count: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Disk {
    nodes: Vec<(Data, Changed)>,
    pending: Vec<Pending>,
    next: u64,
    now: Timestamp,
    changes: u64,
}

impl Disk {
    pub(super) fn new() -> Self {
        let now = Timestamp::UNIX_EPOCH;
        Self {
            nodes: vec![(Data::Dir(Names::default()), Changed { at: now, count: 0 })],
            pending: Vec::new(),
            next: 0,
            now,
            changes: 0,
        }
    }

    pub(super) fn set_time(&mut self, now: Timestamp) {
        self.now = now;
    }

    fn dir(&self, node: Node) -> Result<&Names, Fault> {
        match &self.nodes[node].0 {
            Data::Dir(names) => Ok(names),
            Data::File(_) => Err(Fault::NotADirectory),
        }
    }

    fn dir_mut(&mut self, node: Node) -> Result<&mut Names, Fault> {
        match &mut self.nodes[node].0 {
            Data::Dir(names) => Ok(names),
            Data::File(_) => Err(Fault::NotADirectory),
        }
    }

    fn file_mut(&mut self, node: Node) -> Result<&mut FileData, Fault> {
        match &mut self.nodes[node].0 {
            Data::File(file) => Ok(file),
            Data::Dir(_) => Err(Fault::NotAFile),
        }
    }

    pub(super) fn is_dir(&self, node: Node) -> bool {
        self.dir(node).is_ok()
    }

    pub(super) fn modified(&self, node: Node) -> Timestamp {
        self.nodes[node].1.at
    }

    pub(super) fn stamp(&self, node: Node) -> Stamp {
        Stamp {
            inode: node as u64,
            len: self.content(node).map_or(0, |bytes| bytes.len() as u64),
            modified: self.modified(node).as_nanosecond(),
            changed: i128::from(self.nodes[node].1.count),
        }
    }

    fn touched(&mut self) -> Changed {
        self.changes += 1;
        Changed {
            at: self.now,
            count: self.changes,
        }
    }

    pub(super) fn content(&self, node: Node) -> Result<&[u8], Fault> {
        match &self.nodes[node].0 {
            Data::File(file) => Ok(&file.seen),
            Data::Dir(_) => Err(Fault::NotAFile),
        }
    }

    pub(super) fn names(&self, node: Node) -> Result<Vec<String>, Fault> {
        Ok(self.dir(node)?.seen.keys().cloned().collect())
    }

    pub(super) fn find(&self, path: &RelPath) -> Result<Node, Fault> {
        path.as_str().split('/').try_fold(ROOT, |node, name| {
            self.dir(node)?
                .seen
                .get(name)
                .copied()
                .ok_or(Fault::NotFound)
        })
    }

    fn parent(&self, path: &RelPath) -> Result<Node, Fault> {
        path.parent().map_or(Ok(ROOT), |parent| self.find(&parent))
    }

    /// Changes names in one directory, as one change.
    fn edit_names(
        &mut self,
        dir: Node,
        edits: Vec<(String, Option<Node>)>,
        needs: Option<u64>,
    ) -> Result<u64, Fault> {
        apply(&mut self.dir_mut(dir)?.seen, &edits);
        self.nodes[dir].1 = self.touched();
        self.next += 1;
        self.pending.push(Pending {
            id: self.next,
            dir,
            edits,
            needs,
            lost: false,
        });
        Ok(self.next)
    }

    fn enter(&mut self, path: &RelPath, data: Data) -> Result<(), Fault> {
        let dir = self.parent(path)?;
        if self.dir(dir)?.seen.contains_key(path.file_name()) {
            return Err(Fault::Exists);
        }
        let made = self.touched();
        self.nodes.push((data, made));
        let node = self.nodes.len() - 1;
        self.edit_names(dir, vec![(path.file_name().to_owned(), Some(node))], None)?;
        Ok(())
    }

    pub(super) fn make_dir(&mut self, path: &RelPath) -> Result<(), Fault> {
        self.enter(path, Data::Dir(Names::default()))
    }

    pub(super) fn make_file(&mut self, path: &RelPath, bytes: &[u8]) -> Result<(), Fault> {
        let file = FileData {
            seen: bytes.to_vec(),
            durable: Vec::new(),
            dirty_from: Some(0),
        };
        self.enter(path, Data::File(file))
    }

    /// Sets a file, with its directories.
    pub(super) fn put(&mut self, path: &RelPath, bytes: &[u8]) {
        let mut above: Vec<RelPath> =
            std::iter::successors(path.parent(), RelPath::parent).collect();
        above.reverse();
        for dir in above {
            match self.make_dir(&dir) {
                Ok(()) | Err(Fault::Exists) => {}
                Err(fault) => panic!("{dir}: {fault}"),
            }
        }
        match self.make_file(path, bytes) {
            Ok(()) => {}
            Err(Fault::Exists) => self.edit(path, |old| *old = bytes.to_vec()).unwrap(),
            Err(fault) => panic!("{path}: {fault}"),
        }
    }

    pub(super) fn edit(
        &mut self,
        path: &RelPath,
        edit: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), Fault> {
        let node = self.find(path)?;
        let file = self.file_mut(node)?;
        let before = file.seen.clone();
        edit(&mut file.seen);
        let pairs = before.iter().zip(&file.seen);
        let same = pairs.take_while(|(before, after)| before == after).count();
        file.touch(same);
        self.nodes[node].1 = self.touched();
        Ok(())
    }

    pub(super) fn link(&mut self, from: &RelPath, to: &RelPath) -> Result<(), Fault> {
        let (node, dir) = (self.find(from)?, self.parent(to)?);
        if self.is_dir(node) {
            return Err(Fault::NotAFile);
        }
        if self.dir(dir)?.seen.contains_key(to.file_name()) {
            return Err(Fault::Exists);
        }
        self.edit_names(dir, vec![(to.file_name().to_owned(), Some(node))], None)?;
        Ok(())
    }

    pub(super) fn rename(&mut self, from: &RelPath, to: &RelPath) -> Result<(), Fault> {
        let (node, source, target) = (self.find(from)?, self.parent(from)?, self.parent(to)?);
        match self.find(to) {
            // Two names of one file: nothing happens, as POSIX has it.
            Ok(there) if there == node => return Ok(()),
            Ok(there) if self.is_dir(there) && !self.dir(there)?.seen.is_empty() => {
                return Err(Fault::NotEmpty);
            }
            Ok(there) if self.is_dir(there) != self.is_dir(node) => {
                return Err(Fault::NotADirectory);
            }
            Ok(_) | Err(Fault::NotFound) => {}
            Err(fault) => return Err(fault),
        }
        let goes = (from.file_name().to_owned(), None);
        let comes = (to.file_name().to_owned(), Some(node));
        if source == target {
            self.edit_names(source, vec![goes, comes], None)?;
        } else {
            let arrival = self.edit_names(target, vec![comes], None)?;
            self.edit_names(source, vec![goes], Some(arrival))?;
        }
        Ok(())
    }

    pub(super) fn remove_file(&mut self, path: &RelPath) -> Result<(), Fault> {
        if self.is_dir(self.find(path)?) {
            return Err(Fault::NotAFile);
        }
        self.remove(path)
    }

    pub(super) fn remove_dir(&mut self, path: &RelPath) -> Result<(), Fault> {
        if !self.dir(self.find(path)?)?.seen.is_empty() {
            return Err(Fault::NotEmpty);
        }
        self.remove(path)
    }

    fn remove(&mut self, path: &RelPath) -> Result<(), Fault> {
        let dir = self.parent(path)?;
        self.edit_names(dir, vec![(path.file_name().to_owned(), None)], None)?;
        Ok(())
    }

    pub(super) fn sync_file(&mut self, path: &RelPath) -> Result<(), Fault> {
        let node = self.find(path)?;
        self.file_mut(node)?.sync();
        Ok(())
    }

    /// A sync of a file that fails: what it was to write is never written.
    pub(super) fn lose_file(&mut self, path: &RelPath) -> Result<(), Fault> {
        let node = self.find(path)?;
        self.file_mut(node)?.dirty_from = None;
        Ok(())
    }

    pub(super) fn sync_dir(&mut self, dir: &Dir) -> Result<(), Fault> {
        let node = self.dir_at(dir)?;
        let ids: Vec<u64> = self
            .pending
            .iter()
            .filter(|change| change.dir == node)
            .map(|change| change.id)
            .collect();
        for id in ids {
            if self.can_settle(id) {
                self.settle(id);
            }
        }
        Ok(())
    }

    /// A sync of a directory that fails: the names it was to write are never written.
    pub(super) fn lose_names(&mut self, dir: &Dir) -> Result<(), Fault> {
        let node = self.dir_at(dir)?;
        for change in &mut self.pending {
            change.lost |= change.dir == node;
        }
        Ok(())
    }

    /// A sync of the whole file system that fails: nothing that was pending is ever written.
    pub(super) fn lose_all(&mut self) {
        for (data, _) in &mut self.nodes {
            if let Data::File(file) = data {
                file.dirty_from = None;
            }
        }
        for change in &mut self.pending {
            change.lost = true;
        }
    }

    fn dir_at(&self, dir: &Dir) -> Result<Node, Fault> {
        let node = match dir {
            Dir::Root => ROOT,
            Dir::At(path) => self.find(path)?,
        };
        self.dir(node)?;
        Ok(node)
    }

    fn can_settle(&self, id: u64) -> bool {
        let Some(change) = self.pending.iter().find(|change| change.id == id) else {
            return true;
        };
        !change.lost && change.needs.is_none_or(|needed| self.can_settle(needed))
    }

    /// Makes one pending change durable, and with it what it needs.
    fn settle(&mut self, id: u64) {
        let Some(at) = self.pending.iter().position(|change| change.id == id) else {
            return;
        };
        let change = self.pending[at].clone();
        if let Some(needed) = change.needs {
            self.settle(needed);
        }
        // An older change of the same name can no longer come after this one.
        self.pending.retain_mut(|other| {
            if other.dir == change.dir && other.id < id {
                let settled = |name: &String| change.edits.iter().any(|(mine, _)| mine == name);
                other.edits.retain(|(name, _)| !settled(name));
            }
            other.id != id && !other.edits.is_empty()
        });
        if let Ok(names) = self.dir_mut(change.dir) {
            apply(&mut names.durable, &change.edits);
        }
    }

    /// The disk after a power cut.
    pub(super) fn after(&self, loss: Loss) -> Self {
        let mut disk = self.clone();
        let mut coin = Coin(match loss {
            Loss::Seeded(seed) => seed,
            _ => 0,
        });
        let ids: Vec<u64> = disk.pending.iter().map(|change| change.id).collect();
        for id in ids {
            let survives = match loss {
                Loss::KeepAll | Loss::LoseDataKeepNames => true,
                Loss::LoseUnsynced => false,
                Loss::Seeded(_) => coin.toss(2) == 0,
            };
            if survives {
                disk.settle(id);
            }
        }
        disk.pending.clear();
        for (data, _) in &mut disk.nodes {
            match data {
                Data::Dir(names) => names.seen.clone_from(&names.durable),
                Data::File(file) => {
                    file.durable = match loss {
                        Loss::KeepAll => file.seen.clone(),
                        Loss::LoseUnsynced | Loss::LoseDataKeepNames => file.durable.clone(),
                        Loss::Seeded(_) => coin.content(file),
                    };
                    file.seen.clone_from(&file.durable);
                    file.dirty_from = None;
                }
            }
        }
        disk
    }

    pub(super) fn tree(&self) -> BTreeMap<String, Entry> {
        let mut tree = BTreeMap::new();
        let mut open = vec![(String::new(), ROOT)];
        while let Some((prefix, dir)) = open.pop() {
            for (name, node) in self.dir(dir).map(|names| &names.seen).into_iter().flatten() {
                let path = format!("{prefix}{name}");
                let entry = match self.content(*node) {
                    Ok(bytes) => Entry::File(bytes.to_vec()),
                    Err(_) => {
                        open.push((format!("{path}/"), *node));
                        Entry::Dir
                    }
                };
                tree.insert(path, entry);
            }
        }
        tree
    }
}

fn apply(names: &mut BTreeMap<String, Node>, edits: &[(String, Option<Node>)]) {
    for (name, node) in edits {
        match node {
            Some(node) => names.insert(name.clone(), *node),
            None => names.remove(name),
        };
    }
}

/// A small deterministic random source (an xorshift behind a mixing step).
struct Coin(u64);

impl Coin {
    fn toss(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }

    /// What is left of a content: old, new, new cut short, or new as zeros.
    fn content(&mut self, file: &FileData) -> Vec<u8> {
        if file.seen == file.durable {
            return file.durable.clone();
        }
        match self.toss(4) {
            0 => file.durable.clone(),
            1 => file.seen.clone(),
            2 => {
                let common = file
                    .seen
                    .iter()
                    .zip(&file.durable)
                    .take_while(|(seen, durable)| seen == durable)
                    .count();
                let fresh = (file.seen.len() - common) as u64;
                let kept = self.toss(fresh + 1);
                file.seen[..common + usize::try_from(kept).unwrap()].to_vec()
            }
            _ => {
                let mut bytes = file.durable.clone();
                bytes.resize(file.seen.len(), 0);
                bytes
            }
        }
    }
}
