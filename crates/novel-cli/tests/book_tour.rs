//! The tour of docs/outside-driver.md runs as it stands.

use std::{path::Path, process::Command};

#[test]
fn the_tour_of_the_documentation_writes_its_first_chapter() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tour.sh");
    let place = tempfile::tempdir().unwrap();
    let done = Command::new("bash")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_novel"))
        .arg(place.path().join("tour"))
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let book = place.path().join("tour/book");
    assert!(book.join("chapters/chapter_001.json").is_file(), "{said}");
}
