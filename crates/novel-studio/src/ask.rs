//! What a page is asked.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use novel_app::{Project, Store, Watched};
use novel_model::{ChapterNo, Lang, VolumeNo};

use crate::{form::Fields, reply::Fault, studio::Studio};

/// Light or dark, where the visitor chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "light" => Some(Self::Light),
            "dark" => Some(Self::Dark),
            _ => None,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Who looks at a page, as the guard knows them.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// What a form must carry.
    pub(crate) csrf: String,
    /// The language of the page.
    pub(crate) lang: Lang,
    /// Light or dark.
    pub(crate) theme: Option<Theme>,
    /// Whether single keys do something.
    pub(crate) keys: bool,
}

/// What a page is asked.
pub(crate) struct Ask {
    pub(crate) studio: Arc<Studio>,
    pub(crate) visitor: Visitor,
    /// The address, without its query.
    pub(crate) path: String,
    /// Named parts of the address.
    pub(crate) places: Vec<(String, String)>,
    pub(crate) query: Fields,
    pub(crate) form: Fields,
    /// The number of the last event a stream has seen.
    pub(crate) last_event: Option<u64>,
    /// The files of the book, once they were asked for.
    pub(crate) opened: OnceLock<(Store, Mutex<Option<Watched>>)>,
}

impl Ask {
    pub(crate) fn lang(&self) -> Lang {
        self.visitor.lang
    }

    /// Text of the page.
    pub(crate) fn t<'a>(&self, en: &'a str, zh: &'a str) -> &'a str {
        match self.visitor.lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn place(&self, name: &str) -> Option<&str> {
        let found = self.places.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A named part of the address that must be there.
    pub(crate) fn part(&self, name: &str) -> Result<&str, Fault> {
        self.place(name).ok_or(Fault::NotFound)
    }

    /// The id of the book.
    pub(crate) fn book(&self) -> Result<&str, Fault> {
        self.part("book")
    }

    /// The files of the book; an id that no listed book has leads nowhere.
    pub(crate) fn store(&self) -> Result<Store, Fault> {
        let root = self
            .studio
            .books()
            .root(self.book()?)
            .ok_or(Fault::NotFound)?;
        if let Some((store, _)) = self.opened.get() {
            return Ok(store.clone());
        }
        let (store, watched) = Store::open(&root)?.watched();
        let opened = self
            .opened
            .get_or_init(|| (store, Mutex::new(Some(watched))));
        Ok(opened.0.clone())
    }

    /// What was read of the book.
    pub(crate) fn take_watched(&self) -> Option<Watched> {
        let (_, watched) = self.opened.get()?;
        let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.take()
    }

    /// Under what a page is kept; `None` for one that shows what goes on.
    pub(crate) fn key(&self) -> Option<String> {
        let is_live = |part: &str| matches!(part, "runs" | "live" | "export");
        let is_of_a_book = self.place("book").is_some() && !self.path.split('/').any(is_live);
        let Visitor {
            csrf,
            lang,
            theme,
            keys,
        } = &self.visitor;
        let (path, query) = (&self.path, &self.query);
        is_of_a_book.then(|| format!("{csrf} {lang:?} {theme:?} {keys} {path} {query:?}"))
    }

    /// The book.
    pub(crate) fn project(&self) -> Result<Project, Fault> {
        Ok(Project::open(self.store()?, self.studio.clock())?)
    }

    /// The chapter in the address.
    pub(crate) fn chapter(&self) -> Result<ChapterNo, Fault> {
        number(self.part("chapter")?)
            .and_then(ChapterNo::new)
            .ok_or(Fault::NotFound)
    }

    /// The volume asked for.
    pub(crate) fn volume(&self) -> Option<VolumeNo> {
        self.query
            .get("volume")
            .and_then(number)
            .and_then(VolumeNo::new)
    }
}

/// A number in digits only: no sign, no blank.
pub(crate) fn number(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
