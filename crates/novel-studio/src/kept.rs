//! Pages that were made, given out again while every file they were made from is as it was.
//!
//! What a page says follows from the files it reads; a [`Watched`] store tells which they were. While
//! somebody writes nothing is kept: whether a writer is alive is in no file.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use maud::{Markup, PreEscaped};
use novel_app::Watched;

/// How long a page is given out again: what stands outside the book, such as other books on the shelf, is
/// not watched.
const LONGEST: Duration = Duration::from_secs(30);
/// What all kept pages take, in bytes, roughly.
const MOST: usize = 6 * 1024 * 1024;
/// What is kept of a file a page depends on, in bytes, roughly.
const PLACE: usize = 150;

/// Pages by address and visitor.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Pages>);

#[derive(Default)]
struct Pages {
    pages: BTreeMap<String, Page>,
    size: usize,
}

struct Page {
    html: String,
    watched: Watched,
    made: Instant,
}

impl Kept {
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page, if it would be made the same again.
    pub(crate) fn get(&self, key: &str) -> Option<Markup> {
        // Looked at outside the lock: others need not wait for it.
        let page = self.take(key)?;
        if page.made.elapsed() > LONGEST || !page.watched.holds() {
            return None;
        }
        let html = page.html.clone();
        self.put(key, page);
        Some(PreEscaped(html))
    }

    /// Keeps a page that was made from what was watched.
    pub(crate) fn keep(&self, key: &str, page: &Markup, watched: Watched) {
        if !watched.holds() {
            return;
        }
        let page = Page {
            html: page.0.clone(),
            watched,
            made: Instant::now(),
        };
        self.put(key, page);
    }

    /// Keeps nothing of before: something was done.
    pub(crate) fn forget(&self) {
        *self.pages() = Pages::default();
    }

    fn take(&self, key: &str) -> Option<Page> {
        let mut pages = self.pages();
        let page = pages.pages.remove(key)?;
        pages.size = pages.size.saturating_sub(page.size());
        Some(page)
    }

    fn put(&self, key: &str, page: Page) {
        let size = page.size();
        let mut pages = self.pages();
        if pages.size + size > MOST {
            *pages = Pages::default();
        }
        if let Some(old) = pages.pages.insert(key.to_owned(), page) {
            pages.size = pages.size.saturating_sub(old.size());
        }
        pages.size += size;
    }
}

impl Page {
    fn size(&self) -> usize {
        self.html.len() + self.watched.places() * PLACE
    }
}
