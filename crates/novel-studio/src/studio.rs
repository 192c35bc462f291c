//! One running Studio.

use std::path::{Path, PathBuf};

use novel_app::Clock;
use novel_model::Lang;

use crate::{
    books::Books,
    edits::Edits,
    kept::Kept,
    session::{Door, NoRandomness},
};

/// Says a link to whoever sits at the terminal.
type Announce = Box<dyn Fn(&str) + Send + Sync>;

/// One running Studio: where the books are, who may come in. Nothing of a book is kept but what its files
/// were found to say.
pub struct Studio {
    books: Books,
    program: PathBuf,
    lang: Lang,
    clock: Clock,
    port: u16,
    door: Door,
    announce: Announce,
    edits: Edits,
    kept: Kept,
}

impl Studio {
    /// A Studio on a port. `program` is `novel` itself, which does every act; `announce` gets the link
    /// for another browser when the last one is used up.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new(
        books: Books,
        program: PathBuf,
        lang: Lang,
        clock: Clock,
        port: u16,
        announce: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, NoRandomness> {
        Ok(Self {
            books,
            program,
            lang,
            clock,
            port,
            door: Door::new()?,
            announce: Box::new(announce),
            edits: Edits::default(),
            kept: Kept::default(),
        })
    }

    /// The one-time link. Its code is behind `#`, which a browser never sends.
    #[must_use]
    pub fn link(&self) -> String {
        format!("http://127.0.0.1:{}/in#{}", self.port, self.door.code())
    }

    pub(crate) fn announce_next_link(&self) {
        (self.announce)(&self.link());
    }

    pub(crate) fn books(&self) -> &Books {
        &self.books
    }

    pub(crate) fn edits(&self) -> &Edits {
        &self.edits
    }

    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn door(&self) -> &Door {
        &self.door
    }

    /// The name of the session's cookie: two servers on one machine do not disturb each other.
    pub(crate) fn cookie_name(&self) -> String {
        format!("novel_{}", self.port)
    }
}
