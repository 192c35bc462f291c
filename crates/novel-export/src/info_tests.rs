use super::*;

fn book(modified: &str) -> BookInfo {
    BookInfo::new("雾城".into(), None, Lang::Zh, modified.into())
}

#[test]
fn the_identifier_is_a_uuid_that_depends_on_title_and_author() {
    let identifier = BookInfo::stable_identifier("雾城", Some("林深"));
    assert_eq!(
        identifier,
        BookInfo::stable_identifier("雾城", Some("林深"))
    );
    let groups: Vec<&str> = identifier
        .strip_prefix("urn:uuid:")
        .unwrap()
        .split('-')
        .collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert!(
        groups
            .iter()
            .all(|g| g.bytes().all(|b| b.is_ascii_hexdigit()))
    );
    assert_ne!(identifier, BookInfo::stable_identifier("雾城", None));
    assert_ne!(
        identifier,
        BookInfo::stable_identifier("雾", Some("城林深"))
    );
}

#[test]
fn times_are_cut_to_the_second_and_must_be_utc() {
    for good in [
        "2026-08-01T12:00:00Z",
        "2026-08-01T12:00:00.5Z",
        "2026-08-01T12:00:00.123456789Z",
    ] {
        assert_eq!(
            book(good).modified_to_the_second().unwrap(),
            "2026-08-01T12:00:00Z"
        );
    }
    for bad in [
        "",
        "2026-08-01",
        "2026-08-01T12:00:00",
        "2026-08-01T12:00:00.Z",
        "2026-08-01T12:00:00+08:00",
        "2026-08-01 12:00:00Z",
        "２026-08-01T12:00:00Z",
        "2026-08-01T12:00:00ZZ",
    ] {
        let error = book(bad).modified_to_the_second().unwrap_err();
        assert!(matches!(error, ExportError::BadTime { .. }), "{bad}");
    }
}

#[test]
fn covers_are_known_by_their_bytes() {
    for (bytes, expected) in [
        (&b"\xFF\xD8\xFF\xE0"[..], ImageType::Jpeg),
        (b"\x89PNG\r\n\x1A\n....", ImageType::Png),
        (b"GIF89a", ImageType::Gif),
        (b"RIFF\0\0\0\0WEBPVP8 ", ImageType::Webp),
    ] {
        assert_eq!(
            Cover::from_bytes(bytes.to_vec()).unwrap().image_type(),
            expected
        );
    }
    for bytes in [&b""[..], b"<svg/>", b"RIFF\0\0\0\0WAVE", b"BM"] {
        let error = Cover::from_bytes(bytes.to_vec()).unwrap_err();
        assert!(matches!(error, ExportError::UnknownCover));
    }
}

#[test]
fn a_book_without_title_or_author_is_shown_as_such() {
    let mut info = book("");
    info.title = " \u{1}\n".into();
    info.author = Some("\t".into());
    assert_eq!(info.shown_title(), "未命名");
    assert_eq!(info.shown_author(), None);
    info.language = Lang::En;
    assert_eq!(info.shown_title(), "Untitled");
}
