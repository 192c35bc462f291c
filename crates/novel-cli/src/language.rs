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
}

/// `--lang`, then `NOVEL_LANG`, then the locale, then the book's language.
///
/// A `C` or `POSIX` locale says nothing. Whoever has neither a book nor a locale that tells is spoken to
/// in English.
pub(crate) fn choose(
    flag: Option<Lang>,
    environment: &Environment,
    book: impl FnOnce() -> Option<Lang>,
) -> Lang {
    let locale = environment.locale.as_deref().filter(|locale| {
        let name = locale.split('.').next().unwrap_or_default();
        !matches!(name, "C" | "POSIX")
    });
    flag.or_else(|| environment.novel_lang.as_deref().and_then(Lang::from_tag))
        .or_else(|| locale.and_then(Lang::from_tag))
        .or_else(book)
        .unwrap_or(Lang::En)
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
