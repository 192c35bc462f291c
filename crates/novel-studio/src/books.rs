//! Which books there are. An address names a book by its id; the directory is looked up, never built.

use std::path::{Path, PathBuf};

use novel_app::setup::workspace;

/// Where books are looked for: one directory, the workspace around it, or both.
#[derive(Debug, Clone)]
pub struct Books {
    here: PathBuf,
    single: Option<PathBuf>,
}

/// A book on the shelf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shelved {
    /// How addresses name it.
    pub(crate) id: String,
    /// The name of its directory.
    pub(crate) name: String,
    /// Its directory.
    pub(crate) root: PathBuf,
}

impl Books {
    /// The books around `here`; `single` is the one the Studio was started for.
    #[must_use]
    pub fn new(here: PathBuf, single: Option<PathBuf>) -> Self {
        Self { here, single }
    }

    /// Where new books are made.
    pub(crate) fn here(&self) -> &Path {
        &self.here
    }

    /// Where a new book of a name would be made.
    pub(crate) fn new_root(&self, name: &str) -> PathBuf {
        let projects = workspace::workspaces(&self.here).next();
        projects
            .unwrap_or_else(|| self.here.join(workspace::PROJECTS))
            .join(name)
    }

    /// The id of the book the Studio was started for.
    pub(crate) fn first(&self) -> Option<String> {
        let single = self.single.as_ref()?;
        let all = self.all();
        all.into_iter()
            .find(|book| book.root == *single)
            .map(|book| book.id)
    }

    /// All books, as they are now.
    pub(crate) fn all(&self) -> Vec<Shelved> {
        let mut books: Vec<Shelved> = self.single.iter().map(|root| shelved(root)).collect();
        if let Some((projects, names)) = workspace::around(&self.here) {
            for name in names {
                let book = shelved(&projects.join(name));
                if !books.iter().any(|known| known.root == book.root) {
                    books.push(book);
                }
            }
        }
        // Two directories of one name: the later ones get a number.
        let mut seen: Vec<String> = Vec::new();
        for book in &mut books {
            let plain = book.id.clone();
            let mut number = 2;
            while seen.contains(&book.id) {
                book.id = format!("{plain}-{number}");
                number += 1;
            }
            seen.push(book.id.clone());
        }
        books
    }

    /// The directory of a book.
    pub(crate) fn root(&self, id: &str) -> Option<PathBuf> {
        let found = self.all().into_iter().find(|book| book.id == id);
        found.map(|book| book.root)
    }
}

fn shelved(root: &Path) -> Shelved {
    let name = root
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    Shelved {
        id: id(&name),
        name,
        root: root.to_owned(),
    }
}

/// The name where it is plain, else a short hash of it.
fn id(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !name.is_empty() && name.len() <= 40 && name.bytes().all(is_plain) {
        return name.to_owned();
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let digits: String = hash.chars().take(8).collect();
    format!("b{digits}")
}
