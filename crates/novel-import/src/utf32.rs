//! UTF-32, which the encodings of the web do not have.

use crate::ImportError;

/// Units looked at to tell a text without a mark.
const PROBE: usize = 1024;

/// The order of the bytes in a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Utf32 {
    Little,
    Big,
}

impl Utf32 {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Little => "UTF-32LE",
            Self::Big => "UTF-32BE",
        }
    }

    fn mark(self) -> [u8; 4] {
        match self {
            Self::Little => [0xFF, 0xFE, 0, 0],
            Self::Big => [0, 0, 0xFE, 0xFF],
        }
    }

    /// By the byte order mark. That of the little one is also UTF-16 and a NUL, which no text has.
    pub(crate) fn of_mark(bytes: &[u8]) -> Option<Self> {
        let orders = [Self::Little, Self::Big];
        orders
            .into_iter()
            .find(|order| bytes.starts_with(&order.mark()))
    }

    /// By the zero bytes that every unit has: UTF-16 would read each other unit as NUL.
    pub(crate) fn without_mark(bytes: &[u8]) -> Option<Self> {
        let probe = &bytes[..bytes.len().min(4 * PROBE)];
        let is_text = |order: Self| {
            probe
                .chunks(4)
                .all(|unit| order.character(unit).is_some_and(|char| char != '\0'))
        };
        let orders = [Self::Little, Self::Big];
        let fits = orders.into_iter().find(|order| is_text(*order));
        fits.filter(|_| probe.len() >= 8)
    }

    fn character(self, unit: &[u8]) -> Option<char> {
        let unit: [u8; 4] = unit.try_into().ok()?;
        char::from_u32(match self {
            Self::Little => u32::from_le_bytes(unit),
            Self::Big => u32::from_be_bytes(unit),
        })
    }

    fn body(self, bytes: &[u8]) -> &[u8] {
        bytes.strip_prefix(&self.mark()).unwrap_or(bytes)
    }

    /// The text, every unit of which must be a character.
    pub(crate) fn strict(self, name: &str, bytes: &[u8]) -> Result<String, ImportError> {
        let body = self.body(bytes);
        let mut text = String::new();
        for (at, unit) in body.chunks(4).enumerate() {
            match self.character(unit) {
                Some(char) => text.push(char),
                None => {
                    return Err(ImportError::Undecodable {
                        name: name.to_owned(),
                        encoding: self.name().to_owned(),
                        offset: bytes.len() - body.len() + 4 * at,
                        line: 1 + text.matches('\n').count(),
                    });
                }
            }
        }
        Ok(text)
    }

    /// The text, with � for units that are no character, and how many those are.
    pub(crate) fn lossy(self, bytes: &[u8]) -> (String, usize) {
        let mut bad = 0;
        let chars = self.body(bytes).chunks(4).map(|unit| {
            self.character(unit).unwrap_or_else(|| {
                bad += 1;
                char::REPLACEMENT_CHARACTER
            })
        });
        let text = chars.collect();
        (text, bad)
    }
}

#[cfg(test)]
#[path = "utf32_tests.rs"]
mod tests;
