//! In which language to speak.

use novel_model::Lang;

/// What the environment says about language.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    /// `NOVEL_LANG`.
    pub(crate) novel_lang: Option<String>,
    /// The first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is set.
    pub(crate) locale: Option<String>,
}

impl Environment {
    /// Reads it from this process.
    pub(crate) fn read() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            novel_lang: set("NOVEL_LANG"),
            locale: ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set),
        }
    }

    /// The language of the locale.
    fn locale(&self) -> Option<Lang> {
        let locale = self.locale.as_deref()?;
        let name = locale.split('.').next().unwrap_or_default();
        match name {
            "C" | "POSIX" => None,
            _ => Lang::from_tag(locale),
        }
    }
}

/// `--lang`, then `NOVEL_LANG`, then the book's language, then the locale.
///
/// A `C` or `POSIX` locale says nothing. Whoever has neither a book nor a locale that tells is spoken to
/// in English.
pub(crate) fn choose(
    flag: Option<Lang>,
    environment: &Environment,
    book: impl FnOnce() -> Option<Lang>,
) -> Lang {
    flag.or_else(|| environment.novel_lang.as_deref().and_then(Lang::from_tag))
        .or_else(book)
        .or_else(|| environment.locale())
        .unwrap_or(Lang::En)
}

/// The language of a new book where nobody says one: English by an English locale, else Chinese.
pub(crate) fn of_new_book(environment: &Environment) -> Lang {
    match environment.locale() {
        Some(Lang::En) => Lang::En,
        Some(Lang::Zh) | None => Lang::Zh,
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
