use super::*;

fn path() -> RelPath {
    "state/changelog.jsonl".parse().unwrap()
}

#[test]
fn a_file_that_grew_is_known_piece_by_piece() {
    let mut records = Records::default();
    records.note(&FileChange::Created {
        path: path(),
        after: Fingerprint::of("one\n"),
    });
    for (from, added) in [(4, "two\n"), (8, "three\n")] {
        let added = Fingerprint::of(added);
        records.note(&FileChange::Grown {
            path: path(),
            from,
            added,
        });
    }
    let expected = records.get(&path()).unwrap();
    assert!(expected.is(Some(b"one\ntwo\nthree\n")));
    for other in [
        "One\ntwo\nthree\n",
        "one\ntwO\nthree\n",
        "one\ntwo\nthreE\n",
        "one\ntwo\n",
        "one\ntwo\nthree\nfour\n",
        "",
    ] {
        assert!(!expected.is(Some(other.as_bytes())), "{other}");
    }
    assert!(!expected.is(None));
}

#[test]
fn the_last_change_counts() {
    let mut records = Records::default();
    records.note(&FileChange::Created {
        path: path(),
        after: Fingerprint::of("one"),
    });
    records.note(&FileChange::Removed {
        path: path(),
        before: Fingerprint::of("one"),
        kept: None,
    });
    assert!(records.get(&path()).unwrap().is(None));
    assert!(!records.get(&path()).unwrap().is(Some(b"one")));
}
