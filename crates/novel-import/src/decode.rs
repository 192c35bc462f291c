//! From bytes to text. Nothing is guessed silently: bytes that do not belong to the encoding of
//! the rest are an error with their place, unless the author has named the encoding.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    DecoderResult, Encoding, GB18030, GBK, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use novel_model::{Message, Warning, counted, message};

use crate::{ImportError, utf32::Utf32};

/// Bytes looked at to tell UTF-16 without a mark, and binary files.
const PROBE: usize = 4096;
/// A file is taken for damaged UTF-8, not for another encoding, up to one bad place in so many
/// characters of more than one byte.
const UTF8_DAMAGE: usize = 50;
/// Chinese characters in UTF-8, one after the other, that show that a text is not GBK.
const UTF8_RUN: usize = 8;

/// An encoding the author has named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingName(Named);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Web(&'static Encoding),
    /// Which of the two, the mark of the file tells.
    Utf32(Option<Utf32>),
}

impl EncodingName {
    /// The encoding of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn parse(label: &str) -> Result<Self, ImportError> {
        let label = label.trim();
        let named = match label.to_ascii_lowercase().as_str() {
            "utf-32" | "utf32" | "ucs-4" => Some(Named::Utf32(None)),
            "utf-32le" | "utf32le" => Some(Named::Utf32(Some(Utf32::Little))),
            "utf-32be" | "utf32be" => Some(Named::Utf32(Some(Utf32::Big))),
            _ => Encoding::for_label(label.as_bytes())
                .filter(|encoding| *encoding != REPLACEMENT)
                .map(Named::Web),
        };
        named.map(Self).ok_or_else(|| ImportError::UnknownEncoding {
            label: label.to_owned(),
        })
    }
}

/// A text and how it was read.
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) encoding: String,
    pub(crate) warning: Option<Warning>,
}

/// Order: byte order mark, UTF-32 and UTF-16 by their zero bytes, strict UTF-8, strict GB18030, a
/// detector.
pub(crate) fn decode(
    name: &str,
    bytes: &[u8],
    named: Option<EncodingName>,
) -> Result<Decoded, ImportError> {
    if let Some(what) = known_binary(bytes) {
        return Err(ImportError::NotText {
            name: name.to_owned(),
            what,
        });
    }
    match named.map(|EncodingName(named)| named) {
        Some(Named::Web(encoding)) => return Ok(decode_as_named(bytes, encoding)),
        Some(Named::Utf32(order)) => {
            let order = order
                .or_else(|| Utf32::of_mark(bytes))
                .unwrap_or(Utf32::Little);
            let (text, bad) = order.lossy(bytes);
            return Ok(Decoded {
                text,
                encoding: order.name().to_owned(),
                warning: (bad > 0).then(|| undecodable(bad, order.name())),
            });
        }
        None => {}
    }
    // Before the marks of the web: one of UTF-32 begins like one of UTF-16.
    if let Some(order) = Utf32::of_mark(bytes).or_else(|| Utf32::without_mark(bytes)) {
        return Ok(Decoded {
            text: order.strict(name, bytes)?,
            encoding: order.name().to_owned(),
            warning: None,
        });
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return strict(name, bytes, encoding);
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return strict(name, bytes, encoding);
    }
    if looks_binary(bytes) {
        return Err(ImportError::NotText {
            name: name.to_owned(),
            what: message!(en: "binary data", zh: "二进制数据"),
        });
    }
    let encoding = guess(bytes);
    if encoding == GB18030
        && let Some(offset) = utf8_in_gbk(bytes)
    {
        return Err(ImportError::Undecodable {
            name: name.to_owned(),
            encoding: encoding.name().to_owned(),
            offset,
            line: 1 + bytes[..offset]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count(),
        });
    }
    strict(name, bytes, encoding)
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    if is_mostly_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, /*last*/ true);
    let guessed = detector.guess(None, Utf8Detection::Deny);
    if guessed == GBK || guessed == GB18030 {
        return GB18030;
    }
    // The detector gives a damaged Chinese text up for a Western one, and takes two Chinese
    // characters for four Western letters.
    if guessed.is_single_byte() {
        let (text, _) = GB18030.decode_without_bom_handling(bytes);
        if is_mostly_han(&text) {
            return GB18030;
        }
    }
    // Any bytes are windows-1252, the last resort of the detector; as UTF-8 the first one that does
    // not belong is named.
    if guessed == WINDOWS_1252 && !is_mostly_ascii(bytes) {
        return UTF_8;
    }
    guessed
}

/// Whether at most one letter in three is not ASCII, as in the languages of Western Europe.
fn is_mostly_ascii(bytes: &[u8]) -> bool {
    let wide = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
    wide * 2 <= letters.count()
}

/// Where UTF-8 begins in a text that reads as GBK. Nearly any bytes do; but a run of Chinese
/// characters in UTF-8 does not come about by chance.
fn utf8_in_gbk(bytes: &[u8]) -> Option<usize> {
    let is_han = |at: usize| {
        matches!(
            bytes.get(at..at + 3),
            Some([0xE3..=0xE9, 0x80..=0xBF, 0x80..=0xBF])
        )
    };
    let mut at = 0;
    while at < bytes.len() {
        let run = (0..).take_while(|index| is_han(at + 3 * index)).count();
        if run >= UTF8_RUN {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// UTF-8 but for a few places, if any.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let (mut wide, mut bad) = (0_usize, 0_usize);
    loop {
        let (sound, error) = match std::str::from_utf8(rest) {
            Ok(text) => (text, None),
            Err(error) => {
                let sound = &rest[..error.valid_up_to()];
                (std::str::from_utf8(sound).unwrap_or_default(), Some(error))
            }
        };
        wide += sound.chars().filter(|char| !char.is_ascii()).count();
        let Some(error) = error else { break };
        bad += 1;
        let skip = error.valid_up_to() + error.error_len().unwrap_or(rest.len());
        rest = rest.get(skip..).unwrap_or_default();
    }
    bad == 0 || wide / bad >= UTF8_DAMAGE
}

/// Whether nearly all that is not ASCII are common Chinese characters and their punctuation.
fn is_mostly_han(text: &str) -> bool {
    let (mut han, mut all) = (0_usize, 0_usize);
    for char in text.chars().filter(|char| !char.is_ascii()) {
        all += 1;
        han += usize::from(matches!(
            char,
            '\u{4E00}'..='\u{9FFF}'
                | '\u{3000}'..='\u{303F}'
                | '\u{FF00}'..='\u{FFEF}'
                | '\u{2010}'..='\u{2030}'
        ));
    }
    all > 0 && han * 10 >= all * 9
}

fn strict(name: &str, bytes: &[u8], encoding: &'static Encoding) -> Result<Decoded, ImportError> {
    let marked = Encoding::for_bom(bytes).map_or(0, |(_, length)| length);
    let body = &bytes[marked..];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let room = decoder
        .max_utf8_buffer_length_without_replacement(body.len())
        .unwrap_or(body.len());
    let mut text = String::with_capacity(room);
    let (result, read) =
        decoder.decode_to_string_without_replacement(body, &mut text, /*last*/ true);
    match result {
        DecoderResult::InputEmpty => Ok(Decoded {
            text,
            encoding: encoding.name().to_owned(),
            warning: None,
        }),
        DecoderResult::Malformed(length, after) => {
            let bad = usize::from(length) + usize::from(after);
            Err(ImportError::Undecodable {
                name: name.to_owned(),
                encoding: encoding.name().to_owned(),
                offset: marked + read.saturating_sub(bad),
                line: 1 + text.matches('\n').count(),
            })
        }
        // The buffer is as large as the decoder asked for.
        DecoderResult::OutputFull => Err(ImportError::Undecodable {
            name: name.to_owned(),
            encoding: encoding.name().to_owned(),
            offset: marked + read,
            line: 1 + text.matches('\n').count(),
        }),
    }
}

fn decode_as_named(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, used, had_errors) = encoding.decode(bytes);
    let count = text.matches('\u{FFFD}').count();
    Decoded {
        text: text.into_owned(),
        encoding: used.name().to_owned(),
        warning: had_errors.then(|| undecodable(count, used.name())),
    }
}

fn undecodable(count: usize, name: &str) -> Warning {
    let places = counted(count, "place");
    Warning::new(
        "undecodable",
        message!(
            en: "replaced {places} that cannot be read as {name} with �",
            zh: "有 {count} 处不是 {name}，已替换为 �"
        ),
    )
}

/// Text in two-byte units has a zero, or a byte of the CJK block, in the same half of most of them.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let probe = &bytes[..bytes.len().min(PROBE) & !1];
    let is_utf8 = || !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    if probe.len() < 4 || bytes.len() % 2 == 1 || is_utf8() {
        return None;
    }
    let pairs = probe.len() / 2;
    let fits = |high: usize, low: usize| {
        let common = probe
            .chunks_exact(2)
            .filter(|pair| match pair[high] {
                0x00 => (0x20..0x7F).contains(&pair[low]) || matches!(pair[low], 9 | 10 | 13),
                0x4E..=0x9F | 0x30 | 0x20 | 0xFF => true,
                _ => false,
            })
            .count();
        // A line end or a space, or the marks without which nobody writes a page of Chinese: as two
        // bytes of a text in another encoding they do not occur.
        let punctuated = probe.chunks_exact(2).any(|pair| {
            matches!(
                (pair[high], pair[low]),
                (0, b'\n' | b'\r' | b' ') | (0x30, 0x00..=0x02) | (0xFF, 0x0C)
            )
        });
        punctuated && common * 10 >= pairs * 9
    };
    match (fits(0, 1), fits(1, 0)) {
        (true, false) => Some(UTF_16BE),
        (false, true) => Some(UTF_16LE),
        _ => None,
    }
}

fn looks_binary(bytes: &[u8]) -> bool {
    let probe = &bytes[..bytes.len().min(PROBE)];
    let controls = probe
        .iter()
        .filter(|byte| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1A))
        .count();
    probe.contains(&0) || controls * 100 > probe.len()
}

/// What well-known files begin with.
fn known_binary(bytes: &[u8]) -> Option<Message> {
    const KNOWN: &[(&[u8], &str, &str)] = &[
        (b"\x89PNG", "a PNG image", " PNG 图片"),
        (b"\xFF\xD8\xFF", "a JPEG image", " JPEG 图片"),
        (b"GIF8", "a GIF image", " GIF 图片"),
        (b"RIFF", "a media file", "媒体文件"),
        (b"%PDF", "a PDF document", " PDF 文档"),
        (
            b"\xD0\xCF\x11\xE0",
            "an old Word document",
            "旧版 Word 文档",
        ),
        (b"{\\rtf", "an RTF document", " RTF 文档"),
        (b"\x7FELF", "a program", "可执行程序"),
        (b"\x1F\x8B", "a gzip archive", " gzip 压缩包"),
        (b"7z\xBC\xAF", "a 7z archive", " 7z 压缩包"),
        (b"Rar!", "a RAR archive", " RAR 压缩包"),
        (b"SQLite format", "a database", "数据库"),
    ];
    let found = KNOWN.iter().find(|(magic, ..)| bytes.starts_with(magic));
    if let Some((_, en, zh)) = found {
        return Some(Message {
            en: (*en).to_owned(),
            zh: (*zh).to_owned(),
        });
    }
    let head = &bytes[..bytes.len().min(512)];
    let head = String::from_utf8_lossy(head)
        .trim_start()
        .to_ascii_lowercase();
    (head.starts_with("<!doctype html") || head.starts_with("<html"))
        .then(|| message!(en: "a web page", zh: "网页"))
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
