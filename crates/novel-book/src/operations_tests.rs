#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

/// A finished operation that makes some files.
fn line(operation: u64, kind: TxnKind, files: &[&str]) -> Line {
    Line {
        operation,
        kind,
        target: String::new(),
        step: None,
        parent: None,
        at: String::new(),
        state: OperationState::Done,
        staged: None,
        note: None,
        archive: None,
        answers: Vec::new(),
        changes: files
            .iter()
            .map(|file| FileChange::Created {
                path: path(file),
                after: Fingerprint::of("x"),
            })
            .collect(),
    }
}

fn numbers<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> Vec<u64> {
    operations
        .into_iter()
        .map(|found| found.operation)
        .collect()
}

#[test]
fn what_is_undone_does_not_stand_and_what_is_redone_does() {
    let undo = |number, operation| line(number, TxnKind::Undo { operation }, &[]);
    let redo = |number, operation| line(number, TxnKind::Redo { operation }, &[]);
    let mut lines = vec![
        line(1, TxnKind::Retire, &["a"]),
        line(2, TxnKind::Doctor, &["b"]),
    ];
    let log = |lines: &[Line]| lines.iter().cloned().collect::<OperationLog>();
    assert_eq!(log(&lines).redoable(), None);
    lines.extend([undo(3, 2), undo(4, 1)]);
    assert_eq!(numbers(log(&lines).standing()), [0_u64; 0]);
    assert_eq!(numbers(log(&lines).redoable()), [4]);
    lines.push(redo(5, 1));
    assert_eq!(numbers(log(&lines).standing()), [1]);
    assert_eq!(numbers(log(&lines).redoable()), [3]);
    lines.push(undo(6, 1));
    assert_eq!(numbers(log(&lines).redoable()), [6]);
    lines.push(redo(7, 1));
    lines.push(redo(8, 2));
    assert_eq!(numbers(log(&lines).standing()), [1, 2]);
    assert_eq!(log(&lines).redoable(), None);
    lines.push(undo(9, 2));
    lines.push(line(10, TxnKind::Retire, &["c"]));
    assert_eq!(log(&lines).redoable(), None);
    assert_eq!(numbers(log(&lines).newest_standing()), [10]);
}

#[test]
fn later_operations_on_the_same_files_are_listed() {
    let log: OperationLog = [
        line(1, TxnKind::Retire, &["a", "b"]),
        line(2, TxnKind::Doctor, &["c"]),
        line(3, TxnKind::Lifecycle, &["b", "c"]),
        line(4, TxnKind::Doctor, &["a"]),
        line(5, TxnKind::Undo { operation: 4 }, &["a"]),
    ]
    .into_iter()
    .collect();
    let later = log.later_on_its_files(log.get(1).unwrap());
    let told: Vec<(u64, Vec<RelPath>)> = later
        .into_iter()
        .map(|(operation, files)| (operation.operation, files))
        .collect();
    assert_eq!(told, [(3, vec![path("b")])]);
    assert!(log.later_on_its_files(log.get(3).unwrap()).is_empty());
}

#[test]
fn a_line_reads_back_as_it_was_written() {
    let chapter = novel_model::ChapterNo::new(3).unwrap();
    let mut written = line(7, TxnKind::Commit { chapter }, &["a"]);
    written.step = Some(TxnLabel::new(TxnKind::Submit, "chapter:003:draft"));
    written.staged = Some(vec![path("staging/x")]);
    written.state = OperationState::Open;
    written.parent = Some(6);
    written.changes.push(FileChange::Cut {
        path: path("log"),
        after: Fingerprint::of("1"),
        tail: Fingerprint::of("2"),
        kept: Kept { pack: 1, offset: 9 },
    });
    let text = serde_json::to_vec(&written).unwrap();
    assert_eq!(Line::parse(&text).unwrap(), written);
    for kind in ["\"retire\"", "\"doctor\"", "{\"rollback\":{\"last\":0}}"] {
        let text = format!(
            r#"{{"operation":1,"kind":{kind},"target":"","at":"","state":"done","changes":[]}}"#
        );
        Line::parse(text.as_bytes()).unwrap();
    }
}
