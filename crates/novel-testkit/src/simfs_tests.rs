use super::*;

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn names(fs: &SimFs) -> Vec<String> {
    fs.tree().into_keys().collect()
}

#[test]
fn a_name_is_durable_after_its_directory_was_synced() {
    let fs = SimFs::default();
    fs.write_new(&path("a"), b"text").unwrap();
    fs.sync_file(&path("a")).unwrap();
    assert!(names(&fs.reboot(Loss::LoseUnsynced)).is_empty());
    fs.sync_dir(&Dir::Root).unwrap();
    assert_eq!(names(&fs.reboot(Loss::LoseUnsynced)), ["a"]);
    fs.remove_file(&path("a")).unwrap();
    assert_eq!(names(&fs.reboot(Loss::LoseUnsynced)), ["a"]);
    assert!(names(&fs.reboot(Loss::KeepAll)).is_empty());
}

#[test]
fn a_content_is_durable_after_its_file_was_synced() {
    let fs = SimFs::with_files([("a", &b"old"[..])]);
    fs.append(&path("a"), b" new").unwrap();
    let content = |fs: &SimFs| fs.read(&path("a"), u64::MAX).unwrap();
    assert_eq!(content(&fs), b"old new");
    assert_eq!(content(&fs.restart()), b"old new");
    assert_eq!(content(&fs.reboot(Loss::KeepAll)), b"old new");
    assert_eq!(content(&fs.reboot(Loss::LoseDataKeepNames)), b"old");
    fs.sync_file(&path("a")).unwrap();
    assert_eq!(content(&fs.reboot(Loss::LoseUnsynced)), b"old new");
}

#[test]
fn a_file_that_moves_is_never_lost() {
    let mut seen = Vec::new();
    for seed in 0..64 {
        let fs = SimFs::with_files([("from/a", &b"text"[..]), ("to/b", b"old")]);
        fs.rename(&path("from/a"), &path("to/b")).unwrap();
        let fs = fs.reboot(Loss::Seeded(seed));
        let tree = fs.tree();
        let moved = tree["to/b"] == Entry::File(b"text".to_vec());
        assert!(moved || tree.contains_key("from/a"), "seed {seed}");
        let state = (moved, tree.contains_key("from/a"));
        if !seen.contains(&state) {
            seen.push(state);
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, [(false, true), (true, false), (true, true)]);
}

#[test]
fn a_rename_inside_a_directory_is_one_change() {
    for seed in 0..64 {
        let fs = SimFs::with_files([("a", &b""[..])]);
        fs.rename(&path("a"), &path("b")).unwrap();
        assert_eq!(names(&fs.reboot(Loss::Seeded(seed))).len(), 1);
    }
}

#[test]
fn a_crash_stops_everything_from_its_operation_on() {
    for (when, found) in [
        (When::Before, None),
        (When::Midway, Some(&b"te"[..])),
        (When::After, Some(b"text")),
    ] {
        let fs = SimFs::default();
        fs.crash_at(2, when);
        fs.create_dir(&path("d")).unwrap();
        fs.write_new(&path("d/a"), b"text").unwrap_err();
        assert!(fs.crashed());
        fs.create_dir(&path("e")).unwrap_err();
        fs.read(&path("d/a"), u64::MAX).unwrap_err();
        let fs = fs.restart();
        assert_eq!(fs.read(&path("d/a"), u64::MAX).ok().as_deref(), found);
        assert_eq!(fs.metadata(&path("e")).unwrap(), None);
    }
}

#[test]
fn a_failed_sync_loses_what_it_was_to_write_and_a_second_one_does_not_find_it() {
    let content = |fs: &SimFs| {
        let read = fs.reboot(Loss::LoseUnsynced).read(&path("a"), u64::MAX);
        String::from_utf8(read.unwrap()).unwrap()
    };
    let fs = SimFs::with_files([("a", &b"old"[..])]);
    fs.append(&path("a"), b" new").unwrap();
    fs.fail(Failing::Once(fs.operations() + 1), Errno::Io);
    fs.sync_file(&path("a")).unwrap_err();
    fs.sync_file(&path("a")).unwrap();
    assert_eq!(fs.read(&path("a"), u64::MAX).unwrap(), b"old new");
    assert_eq!(content(&fs), "old");
    fs.truncate(&path("a"), 3).unwrap();
    fs.append(&path("a"), b" new").unwrap();
    fs.sync_file(&path("a")).unwrap();
    assert_eq!(content(&fs), "old new");
}

#[test]
fn a_failed_sync_of_a_directory_loses_its_new_names_until_they_are_made_anew() {
    let after = |fs: &SimFs| names(&fs.reboot(Loss::LoseUnsynced));
    let fs = SimFs::with_files([("d/gone", &b""[..])]);
    fs.write_new(&path("d/a"), b"").unwrap();
    fs.remove_file(&path("d/gone")).unwrap();
    let dir = Dir::At(path("d"));
    fs.fail(Failing::Once(fs.operations() + 1), Errno::Io);
    fs.sync_dir(&dir).unwrap_err();
    fs.sync_dir(&dir).unwrap();
    assert_eq!(after(&fs), ["d", "d/gone"]);
    fs.write_new(&path("b"), b"").unwrap();
    fs.rename(&path("b"), &path("d/a")).unwrap();
    fs.write_new(&path("d/gone"), b"").unwrap();
    fs.remove_file(&path("d/gone")).unwrap();
    fs.sync_dir(&dir).unwrap();
    assert_eq!(after(&fs), ["d", "d/a"]);
}

#[test]
fn a_disk_that_is_full_still_gives_space_back() {
    let fs = SimFs::with_files([("a", &b"text"[..])]);
    fs.fail(Failing::From(1), Errno::NoSpace);
    fs.write_new(&path("b"), b"more").unwrap_err();
    assert_eq!(fs.read(&path("b"), u64::MAX).unwrap(), b"mo");
    fs.append(&path("a"), b"more").unwrap_err();
    fs.remove_file(&path("b")).unwrap();
    fs.truncate(&path("a"), 4).unwrap();
    fs.fail(Failing::From(1), Errno::ReadOnly);
    fs.remove_file(&path("a")).unwrap_err();
    fs.write_new(&path("b"), b"more").unwrap_err();
    assert_eq!(names(&fs), ["a"]);
    fs.repair();
    fs.remove_file(&path("a")).unwrap();
}
