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
    let mut archive = Archive::new(&mut out);
    for (name, bytes, packing) in entries {
        archive.add(name, bytes, packing).unwrap();
    }
    let size = archive.finish().unwrap();
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
fn an_unfinished_archive_is_none() {
    let mut out = Vec::new();
    Archive::new(&mut out)
        .add("a", b"b", Packing::Stored)
        .unwrap();
    assert!(ZipArchive::new(Cursor::new(&out)).is_err());
}

#[test]
fn more_than_the_format_holds_is_an_error() {
    let mut out = Vec::new();
    let mut archive = Archive::new(&mut out);
    for _ in 0..MAX_ENTRIES {
        archive.add("a", b"", Packing::Stored).unwrap();
    }
    let error = archive.add("a", b"", Packing::Stored).unwrap_err();
    assert!(matches!(error, ExportError::TooLarge));
    assert!(matches!(fit(MAX_OFFSET), Ok(0xFFFF_FFFE)));
    assert!(matches!(fit(MAX_OFFSET + 1), Err(ExportError::TooLarge)));
    assert!(matches!(fit(u64::MAX), Err(ExportError::TooLarge)));
}
