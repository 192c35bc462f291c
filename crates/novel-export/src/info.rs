//! What is known about a book beside its chapters.

use novel_model::{ChapterNo, ContentHash, Lang, VolumeNo};

use crate::{ExportError, headings::one_line};

/// What is known about a book beside its chapters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookInfo {
    /// Title; an empty one is shown as untitled.
    pub title: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// Decides the fixed headings and the language of the file.
    pub language: Lang,
    /// Volumes in order; a chapter in none of them stands alone.
    pub volumes: Vec<VolumeInfo>,
    /// Names the book in every edition: see [`BookInfo::stable_identifier`].
    pub identifier: String,
    /// When the book was last changed, in UTC: `2026-08-01T12:00:00Z`, fractions of a second allowed.
    pub modified: String,
    /// Picture for the shelf of the reader; EPUB only.
    pub cover: Option<Cover>,
}

/// A volume and its chapters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumeInfo {
    /// Its number.
    pub number: VolumeNo,
    /// Its title, without number.
    pub title: Option<String>,
    /// First chapter.
    pub first: ChapterNo,
    /// Last chapter, itself included.
    pub last: ChapterNo,
}

impl BookInfo {
    /// A book without volumes and cover, with its stable identifier.
    #[must_use]
    pub fn new(title: String, author: Option<String>, language: Lang, modified: String) -> Self {
        Self {
            identifier: Self::stable_identifier(&title, author.as_deref()),
            title,
            author,
            language,
            volumes: Vec::new(),
            modified,
            cover: None,
        }
    }

    /// The same identifier for the same title and author, so that a new edition replaces the old
    /// one on the reader's shelf: a UUID whose digits come from a hash.
    #[must_use]
    pub fn stable_identifier(title: &str, author: Option<&str>) -> String {
        let hash = ContentHash::of(format!("{title}\n{}", author.unwrap_or_default()));
        let digits = hash.as_str().trim_start_matches("blake3:");
        // Version 8 (made by an own rule) and variant 8 (RFC 9562) take one digit each.
        format!(
            "urn:uuid:{}-{}-8{}-8{}-{}",
            &digits[0..8],
            &digits[8..12],
            &digits[12..15],
            &digits[15..18],
            &digits[18..30],
        )
    }

    pub(crate) fn shown_title(&self) -> String {
        let title = one_line(&self.title);
        match (title.is_empty(), self.language) {
            (false, _) => title,
            (true, Lang::Zh) => "未命名".to_owned(),
            (true, Lang::En) => "Untitled".to_owned(),
        }
    }

    pub(crate) fn shown_author(&self) -> Option<String> {
        self.author
            .as_deref()
            .map(one_line)
            .filter(|author| !author.is_empty())
    }

    /// The time of the last change in the one form that EPUB allows.
    pub(crate) fn modified_to_the_second(&self) -> Result<String, ExportError> {
        const PATTERN: &[u8] = b"0000-00-00T00:00:00";
        let text = self.modified.as_str();
        let fits = |byte: &u8, pattern: &u8| match pattern {
            b'0' => byte.is_ascii_digit(),
            _ => byte == pattern,
        };
        let seconds = text.get(..PATTERN.len()).filter(|seconds| {
            seconds
                .as_bytes()
                .iter()
                .zip(PATTERN)
                .all(|(byte, pattern)| fits(byte, pattern))
        });
        let is_fraction = |text: &str| {
            text.strip_prefix('.').is_some_and(|digits| {
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        let is_utc = |rest: &str| {
            rest.strip_suffix('Z')
                .is_some_and(|fraction| fraction.is_empty() || is_fraction(fraction))
        };
        seconds
            .filter(|_| is_utc(&text[PATTERN.len()..]))
            .map(|seconds| format!("{seconds}Z"))
            .ok_or_else(|| ExportError::BadTime {
                text: text.to_owned(),
            })
    }
}

/// A cover picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    bytes: Vec<u8>,
    image_type: ImageType,
}

impl Cover {
    /// A cover from the bytes of an image file; its kind is read from them.
    ///
    /// # Errors
    /// When the bytes are of no image type that every EPUB reader knows.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ExportError> {
        let image_type = ImageType::of(&bytes).ok_or(ExportError::UnknownCover)?;
        Ok(Self { bytes, image_type })
    }

    /// The image file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its kind.
    #[must_use]
    pub fn image_type(&self) -> ImageType {
        self.image_type
    }
}

/// Images that every EPUB reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageType {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

impl ImageType {
    /// The media type: `image/png`.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The end of the file name.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Some(Self::Gif)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else {
            None
        }
    }
}

#[cfg(test)]
#[path = "info_tests.rs"]
mod tests;
