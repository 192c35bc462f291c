//! Everything below a directory, and how two directories differ.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A directory.
    Dir,
    /// A file.
    File(Vec<u8>),
    /// A symbolic link.
    Link(PathBuf),
}

/// Files, directories and links by their path; nothing is left out.
pub type Tree = BTreeMap<String, Node>;

/// Reads everything below a directory.
#[must_use]
pub fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            let kind = path.symlink_metadata().unwrap().file_type();
            let node = if kind.is_symlink() {
                Node::Link(fs::read_link(&path).unwrap())
            } else if kind.is_dir() {
                waiting.push(path.clone());
                Node::Dir
            } else {
                Node::File(fs::read(&path).unwrap())
            };
            tree.insert(name.to_owned(), node);
        }
    }
    tree
}

/// Writes a tree into a directory.
pub fn lay(tree: &Tree, root: &Path) {
    fs::create_dir_all(root).unwrap();
    // A directory sorts before what is in it.
    for (path, node) in tree {
        let path = root.join(path);
        match node {
            Node::Dir => fs::create_dir(path).unwrap(),
            Node::File(bytes) => fs::write(path, bytes).unwrap(),
            Node::Link(to) => std::os::unix::fs::symlink(to, path).unwrap(),
        }
    }
}

/// The files of a tree, without those that grow with every operation: replaced versions, the log of
/// operations, the ledger of calls and the logs of runs. Chapters written again are told apart by the names of their
/// calls alone, which are left out.
#[must_use]
pub fn content(tree: Tree) -> Tree {
    let grows = |path: &str| {
        path.starts_with("archive/")
            || path.starts_with("logs/calls/")
            || path.starts_with("logs/runs/")
            || path.starts_with("logs/operations")
    };
    let unnamed = |path: &str, node: Node| match node {
        Node::File(bytes) if path.starts_with("logs/chapter-") => {
            let lines = bytes.split_inclusive(|byte| *byte == b'\n');
            let kept = lines.filter(|line| !line.trim_ascii_start().starts_with(b"\"call\":"));
            Node::File(kept.collect::<Vec<_>>().concat())
        }
        node => node,
    };
    tree.into_iter()
        .filter(|(path, node)| *node != Node::Dir && !grows(path))
        .map(|(path, node)| {
            let node = unnamed(&path, node);
            (path, node)
        })
        .collect()
}

/// The paths in which two trees differ.
#[must_use]
pub fn differences(before: &Tree, after: &Tree) -> Vec<String> {
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}

/// Fails with the paths in which two trees differ.
#[track_caller]
pub fn assert_same_tree(before: &Tree, after: &Tree, what: &str) {
    let differences = differences(before, after);
    assert!(differences.is_empty(), "{what}: {differences:#?}");
}
