//! Who may come in: one-time codes, sessions, and the value that proves a form is ours.

use std::sync::{Mutex, MutexGuard, PoisonError};

use blake3::Hash;
use novel_model::{Explain, Kind, Message, message};

/// Sessions that are remembered; the oldest goes first.
const SESSIONS: usize = 16;
/// Wrong codes before an answer takes a second.
const PATIENCE: u32 = 30;

/// No randomness could be had from the system.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

impl Explain for NoRandomness {
    fn kind(&self) -> Kind {
        Kind::Internal
    }

    fn code(&self) -> &'static str {
        "STUDIO_FAILED"
    }

    fn message(&self) -> Message {
        message!(
            en: "the system gives no random numbers, so nobody could be let in safely",
            zh: "系统无法提供随机数，不能安全地开放访问"
        )
    }
}

/// The codes and sessions of one server; nothing of it is ever written to a file.
#[derive(Debug)]
pub(crate) struct Door {
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    /// The code of the link; it opens once.
    code: String,
    /// Hashes of the cookies that are in use.
    sessions: Vec<Hash>,
    /// Wrong codes so far.
    failures: u32,
}

impl Door {
    pub(crate) fn new() -> Result<Self, NoRandomness> {
        Ok(Self {
            inside: Mutex::new(Inside {
                code: secret()?,
                sessions: Vec::new(),
                failures: 0,
            }),
        })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code that opens next.
    pub(crate) fn code(&self) -> String {
        self.inside().code.clone()
    }

    /// Takes a code for a session: the value of the cookie, or `None` for a wrong code. The code dies
    /// with its use; the next one takes its place.
    pub(crate) fn exchange(&self, code: &str) -> Result<Option<String>, NoRandomness> {
        let (cookie, next) = (secret()?, secret()?);
        let mut inside = self.inside();
        if !same(&inside.code, code) {
            inside.failures = inside.failures.saturating_add(1);
            return Ok(None);
        }
        inside.code = next;
        inside.failures = 0;
        if inside.sessions.len() == SESSIONS {
            inside.sessions.remove(0);
        }
        inside.sessions.push(blake3::hash(cookie.as_bytes()));
        Ok(Some(cookie))
    }

    /// Whether so many codes were wrong that the next answer must wait.
    pub(crate) fn is_patient(&self) -> bool {
        self.inside().failures < PATIENCE
    }

    /// Whether a cookie is one of ours. Hashes are compared, in constant time.
    pub(crate) fn knows(&self, cookie: &str) -> bool {
        let hash = blake3::hash(cookie.as_bytes());
        let inside = self.inside();
        inside
            .sessions
            .iter()
            .fold(false, |known, session| (*session == hash) | known)
    }
}

/// The value every form of a session carries.
pub(crate) fn csrf(cookie: &str) -> String {
    let key = blake3::derive_key("novel studio 2026 form", cookie.as_bytes());
    Hash::from_bytes(key).to_hex().to_string()
}

/// By this value the policy of one page lets in the styles its editor makes.
#[derive(Debug, Clone)]
pub(crate) struct Nonce(String);

impl Nonce {
    pub(crate) fn new() -> Result<Self, NoRandomness> {
        secret().map(Self)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether two texts are the same, in constant time.
pub(crate) fn same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

/// 256 random bits.
fn secret() -> Result<String, NoRandomness> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(Hash::from_bytes(bytes).to_hex().to_string())
}
