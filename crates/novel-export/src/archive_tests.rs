use std::io::{Cursor, Read};

use zip::{CompressionMethod, ZipArchive};

use super::*;

#[test]
fn another_reader_finds_every_entry_whole() {
    let random: Vec<u8> = (0..70_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let entries: [(&str, &[u8], Packing); 5] = [
        ("stored", b"as it is", Packing::Stored),
        ("a/empty", b"", Packing::Deflated),
        ("a/text", "雨下了一夜。".as_bytes(), Packing::Deflated),
        ("a/random", &random, Packing::Deflated),
        ("b/long", &[b'x'; 1_000_000], Packing::Deflated),
    ];
    let mut out = Vec::new();
    let mut archive = Archive::new();
    for (name, bytes, packing) in entries {
        archive.add(name, bytes, packing).unwrap();
    }
    let size = archive.finish(&mut out).unwrap();
    assert_eq!(size, out.len() as u64);

    // Reading to the end checks the sums.
    let mut zip = ZipArchive::new(Cursor::new(&out)).unwrap();
    assert_eq!(zip.len(), entries.len());
    for (index, (name, bytes, packing)) in entries.into_iter().enumerate() {
        let mut entry = zip.by_index(index).unwrap();
        let mut found = Vec::new();
        entry.read_to_end(&mut found).unwrap();
        assert_eq!(entry.name().unwrap(), name);
        assert_eq!(found, bytes, "{name}");
        assert_eq!(entry.unix_mode(), Some(0o100_644));
        let method = match packing {
            Packing::Stored => CompressionMethod::Stored,
            Packing::Deflated => CompressionMethod::Deflated,
        };
        assert_eq!(entry.compression(), method);
    }
}

#[test]
fn sizes_stand_before_an_entry_and_the_time_is_fixed() {
    let mut archive = Archive::new();
    archive.add("a", b"bcd", Packing::Stored).unwrap();
    let mut out = Vec::new();
    archive.finish(&mut out).unwrap();
    // Flags at 6, time at 10, date at 12, sizes at 18 and 22.
    assert_eq!(&out[6..8], [0, 0], "no data descriptor");
    assert_eq!(&out[10..14], [0, 0, 1 << 5 | 1, 0], "1980-01-01");
    assert_eq!(&out[18..26], [3, 0, 0, 0, 3, 0, 0, 0]);
}

#[test]
fn more_than_the_format_holds_is_an_error() {
    let mut archive = Archive::new();
    for number in 0..MAX_ENTRIES {
        let name = number.to_string();
        archive.add(&name, b"", Packing::Stored).unwrap();
    }
    let error = archive.add("one more", b"", Packing::Stored).unwrap_err();
    assert!(matches!(error, ExportError::TooLarge));
    let name = "a".repeat(0x1_0000);
    let error = Archive::new().add(&name, b"", Packing::Stored).unwrap_err();
    assert!(matches!(error, ExportError::TooLarge));
}
