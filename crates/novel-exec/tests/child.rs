//! Running programs: limits, and that nobody is left behind.

use std::{
    cell::Cell,
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    time::{Duration, Instant},
};

use novel_exec::{ChildError, ChildSpec, find_program, run};
use novel_model::{Explain, Kind};

const LONG: Duration = Duration::from_secs(60);

fn sh(dir: &Path, script: &str) -> ChildSpec {
    ChildSpec {
        name: "agent".into(),
        program: "/bin/sh".into(),
        args: ["-c", script].map(OsString::from).to_vec(),
        dir: dir.to_owned(),
        env: Vec::new(),
        stdin: Vec::new(),
        timeout: LONG,
        max_output_bytes: 1 << 20,
    }
}

fn never() -> bool {
    false
}

/// Whether a process runs: the dead that nobody collected do not.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')')
        .is_some_and(|(_, facts)| !facts.trim_start().starts_with(['Z', 'X']))
}

#[test]
fn input_environment_and_place_reach_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let spec = ChildSpec {
        env: vec![("NOVEL_STEP".into(), "chapter:001:draft".into())],
        stdin: "夜雨初歇".into(),
        ..sh(
            dir.path(),
            "cat; printf ' %s ' \"$NOVEL_STEP\"; pwd -P; echo note >&2",
        )
    };
    let output = run(&spec, &never, &mut |_| {}).unwrap();
    assert_eq!(output.stderr_tail, "note\n");
    let place = dir.path().canonicalize().unwrap();
    assert_eq!(
        output.text().unwrap(),
        format!("夜雨初歇 chapter:001:draft {}\n", place.display())
    );
}

#[test]
fn a_program_need_not_read_its_input() {
    let dir = tempfile::tempdir().unwrap();
    let spec = ChildSpec {
        stdin: vec![b'x'; 4 << 20],
        ..sh(dir.path(), "exec 0<&-; echo done")
    };
    assert_eq!(run(&spec, &never, &mut |_| {}).unwrap().stdout, b"done\n");
}

#[test]
fn output_is_shown_as_it_comes_and_never_in_half_characters() {
    let dir = tempfile::tempdir().unwrap();
    // Each byte of the two characters in a write of its own.
    let script = r"for b in 345 244 234 351 233 250; do printf '\'$b; done";
    let mut seen = String::new();
    let output = run(&sh(dir.path(), script), &never, &mut |text| {
        seen.push_str(text);
    })
    .unwrap();
    assert_eq!(seen, "夜雨");
    assert_eq!(output.text().unwrap(), "夜雨");
}

#[test]
fn output_that_is_not_utf_8_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(&sh(dir.path(), r"printf 'ok\377'"), &never, &mut |_| {}).unwrap();
    let error = output.text().unwrap_err();
    assert!(matches!(error, ChildError::NotUtf8 { offset: 2, .. }));
}

#[test]
fn a_failure_tells_its_last_words_without_control_characters() {
    let dir = tempfile::tempdir().unwrap();
    let script = r"printf 'one\n\033[31mno key\n' >&2; exit 7";
    let error = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (Kind::Provider, "COMMAND_FAILED")
    );
    assert_eq!(error.message().en, "`agent` failed (exit code 7): no key");
}

#[test]
fn an_error_on_standard_output_is_shown_too() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo 'Credit balance is too low'; echo '(node:7) Warning: x' >&2; exit 1";
    let error = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.message().en,
        "`agent` failed (exit code 1): Credit balance is too low"
    );
    let details = error.details(novel_model::Lang::En);
    assert_eq!(details["stdout"], "Credit balance is too low\n");
}

#[test]
fn a_missing_program_is_told_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let spec = ChildSpec {
        program: "/not/there".into(),
        ..sh(dir.path(), "")
    };
    let error = run(&spec, &never, &mut |_| {}).unwrap_err();
    assert_eq!(error.code(), "COMMAND_NOT_FOUND");
    assert!(error.hint().is_some());
}

#[test]
fn programs_are_found_as_a_shell_finds_them() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("plain"), "").unwrap();
    fs::write(dir.join("agent"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(dir.join("agent"), fs::Permissions::from_mode(0o755)).unwrap();
    let find = |name: &str, search: &Path| find_program(OsStr::new(name), dir, search.as_os_str());
    assert_eq!(find("agent", dir), Some(dir.join("agent")));
    assert_eq!(find("./agent", Path::new("")), Some(dir.join("./agent")));
    assert_eq!(find("agent", Path::new("/nowhere")), None);
    assert_eq!(find("plain", dir), None);
    assert_eq!(find("", dir), None);
}

#[test]
fn too_much_output_ends_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let script = "head -c 100000000 /dev/zero; cat /dev/zero";
    let error = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap_err();
    assert!(matches!(
        error,
        ChildError::TooMuchOutput {
            limit: 1_048_576,
            ..
        }
    ));
    assert!(begun.elapsed() < LONG);
}

#[test]
fn much_standard_error_is_cut_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let script = "head -c 5000000 /dev/zero | tr '\\0' x >&2; echo end >&2";
    let output = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap();
    assert!(output.stderr_tail.ends_with("xend\n"));
    assert!(output.stderr_tail.len() <= 8192);
}

#[test]
fn a_program_that_runs_too_long_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let spec = ChildSpec {
        timeout: Duration::from_millis(100),
        ..sh(dir.path(), "exec sleep 1000")
    };
    let error = run(&spec, &never, &mut |_| {}).unwrap_err();
    assert_eq!(error.code(), "COMMAND_TIMEOUT");
}

#[test]
fn who_does_not_want_to_end_is_made_to() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap '' TERM; sleep 1000 & echo $$ $!; while :; do wait; done";
    let cancelled = Cell::new(false);
    let mut pids = String::new();
    let spec = sh(dir.path(), script);
    run(&spec, &|| cancelled.get(), &mut |text| {
        pids.push_str(text);
        cancelled.set(true);
    })
    .unwrap_err();
    assert_eq!(pids.split_whitespace().count(), 2);
    for pid in pids.split_whitespace() {
        assert!(!is_running(pid));
    }
}

#[test]
fn cancelling_ends_the_whole_group() {
    let dir = tempfile::tempdir().unwrap();
    let cancelled = Cell::new(false);
    let spec = sh(dir.path(), "sleep 1000 & echo $!; wait");
    let mut grandchild = String::new();
    let error = run(&spec, &|| cancelled.get(), &mut |text| {
        grandchild.push_str(text);
        cancelled.set(true);
    })
    .unwrap_err();
    assert_eq!(error.code(), "CANCELLED");
    assert!(!is_running(&grandchild));
}

#[test]
fn a_program_may_tidy_up_when_asked_to_end() {
    let dir = tempfile::tempdir().unwrap();
    let cancelled = Cell::new(false);
    let script = "trap 'echo bye > bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done";
    let spec = sh(dir.path(), script);
    run(&spec, &|| cancelled.get(), &mut |_| cancelled.set(true)).unwrap_err();
    assert_eq!(fs::read_to_string(dir.path().join("bye")).unwrap(), "bye\n");
}

#[test]
fn a_grandchild_does_not_outlive_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let script = "(trap '' TERM HUP; while :; do echo more >> evil.md; done) & echo $!";
    let output = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap();
    assert!(!is_running(&output.text().unwrap()));
}

#[test]
fn nobody_becomes_a_zombie() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(&sh(dir.path(), "echo $$"), &never, &mut |_| {}).unwrap();
    let pid = output.text().unwrap();
    assert!(!Path::new(&format!("/proc/{}", pid.trim())).exists());
}

#[test]
fn a_process_that_left_the_group_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let script =
        "setsid sh -c 'echo $$ > pid; exec sleep 20' & while ! [ -s pid ]; do :; done; echo out";
    let output = run(&sh(dir.path(), script), &never, &mut |_| {}).unwrap();
    assert_eq!(output.stdout, b"out\n");
    assert!(begun.elapsed() < Duration::from_secs(15));
    let pid = fs::read_to_string(dir.path().join("pid")).unwrap();
    let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
