//! The sandbox, from the inside: a program in it tries to write everywhere.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use novel_exec::{Enforcement, Isolation, Job, Network, exec, sandbox};
use novel_model::Explain;
use novel_testkit::skip;
use tempfile::TempDir;

const JOB: &str = "NOVEL_TEST_JOB";

/// Not a test: the process that is given up. It is this same binary, run again by [`Place::sh`].
#[test]
#[ignore = "the inside of the other tests"]
fn inside() {
    let job = std::env::var_os(JOB).unwrap();
    let supervisor = rustix::process::getppid().unwrap();
    let error = exec(Path::new(&job), supervisor.as_raw_pid().try_into().unwrap());
    panic!("{}", error.message().en);
}

struct Place {
    home: TempDir,
}

impl Place {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        for dir in [
            "books/one/staging",
            "books/one/chapters",
            "books/two",
            "notes",
            "keys",
        ] {
            fs::create_dir_all(home.path().join(dir)).unwrap();
        }
        fs::write(home.path().join("books/one/chapters/1.md"), "第一章").unwrap();
        fs::write(home.path().join("books/one/staging/draft.md"), "草稿").unwrap();
        fs::write(home.path().join("diary.md"), "日记").unwrap();
        fs::write(home.path().join("keys/one"), "sk-one").unwrap();
        fs::write(home.path().join("keys/two"), "sk-two").unwrap();
        symlink("books/one", home.path().join("current")).unwrap();
        symlink("../chapters", home.path().join("books/one/staging/out")).unwrap();
        Self { home }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// Runs a script in the sandbox, in the home directory; says whether it succeeded.
    fn sh(&self, writable: Option<&str>, script: &str) -> bool {
        let isolation = sandbox::available().map_or(Isolation::None, Isolation::Landlock);
        let place = tempfile::tempdir().unwrap();
        let job = Job {
            program: "/bin/sh".into(),
            args: ["-c", script].map(Into::into).to_vec(),
            starter: std::process::id(),
            isolation,
            root: self.at("books/one").into(),
            writable: writable
                .map(|dir| self.at(dir).into())
                .into_iter()
                .collect(),
            hidden: vec![self.at("keys/one").into()],
            network: Network::Open,
            place: place.path().into(),
        };
        self.run(&job)
    }

    fn run(&self, job: &Job) -> bool {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--ignored", "--exact", "sandbox::inside", "--nocapture"])
            .current_dir(self.home.path())
            .env(JOB, job.write().unwrap());
        command.output().unwrap().status.success()
    }

    fn staging(&self, script: &str) -> bool {
        self.sh(Some("books/one/staging"), script)
    }
}

/// Whether there is something to test; the test is skipped on old kernels.
fn is_enforced() -> bool {
    let is_full = sandbox::available() == Some(Enforcement::Full);
    if !is_full {
        skip("a kernel with Landlock");
    }
    is_full
}

#[test]
fn staging_and_everything_outside_can_be_written() {
    let place = Place::new();
    assert!(place.staging(
        "set -e
         echo new > books/one/staging/new.md
         mkdir books/one/staging/deep; mv books/one/staging/new.md books/one/staging/deep/
         rm books/one/staging/draft.md
         echo note > notes/a.md; echo two > books/two/a.md; echo more >> diary.md
         echo x > /dev/null
         cat books/one/chapters/1.md > notes/copy.md"
    ));
    assert_eq!(place.read("books/one/staging/deep/new.md"), "new\n");
    assert_eq!(place.read("books/two/a.md"), "two\n");
    assert_eq!(place.read("diary.md"), "日记more\n");
    assert_eq!(place.read("notes/copy.md"), "第一章");
}

#[test]
fn nothing_else_in_the_project_can_be_written() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    for script in [
        "echo evil > books/one/chapters/evil.md",
        "echo evil > books/one/chapters/1.md",
        "echo evil >> books/one/chapters/1.md",
        ": > books/one/chapters/1.md",
        "truncate -s 0 books/one/chapters/1.md",
        "rm books/one/chapters/1.md",
        "rm -r books/one/chapters",
        "mv books/one/chapters/1.md books/one/staging/",
        "mv books/one/staging/draft.md books/one/chapters/1.md",
        "ln books/one/chapters/1.md books/one/staging/hard.md",
        "mkdir books/one/new",
        "mv books/one/staging books/one/elsewhere",
        "ln -s /tmp books/one/link",
        // By another way.
        "echo evil > current/chapters/evil.md",
        "echo evil > books/one/staging/out/evil.md",
        "cd books/one/staging && echo evil > ../chapters/evil.md",
        "echo evil > /proc/self/cwd/books/one/chapters/evil.md",
        // The whole project.
        "mv books/one books/gone",
        "rm -rf books/one",
    ] {
        assert!(!place.staging(script), "{script}");
    }
    assert_eq!(place.read("books/one/chapters/1.md"), "第一章");
    let names: Vec<_> = fs::read_dir(place.at("books/one")).unwrap().collect();
    assert_eq!(names.len(), 2);
}

#[test]
fn a_judge_can_write_nothing_in_the_project() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    assert!(!place.sh(None, "echo evil > books/one/staging/evil.md"));
    assert!(!place.sh(None, "echo evil > books/one/staging/draft.md"));
    assert!(place.sh(None, "cat books/one/staging/draft.md > notes/read.md"));
}

#[test]
fn nothing_but_files_and_directories_can_be_made_in_staging() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    for script in [
        "mkfifo books/one/staging/pipe",
        "ln -s draft.md books/one/staging/link",
        "mknod books/one/staging/device c 1 3",
    ] {
        assert!(!place.staging(script), "{script}");
    }
}

#[test]
fn a_hidden_file_cannot_be_read_by_any_name() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    for script in [
        "cat keys/one",
        "cat ./notes/../keys/one",
        "cp keys/one notes/copy",
        "ln keys/one notes/hard && cat notes/hard",
        "ln -s ../keys/one notes/soft && cat notes/soft",
    ] {
        assert!(!place.staging(script), "{script}");
    }
    assert!(place.staging("cat keys/two && cat diary.md && ls keys"));
}

#[test]
fn a_closed_network_refuses_connections() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    let scratch = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // The shell's own way to connect; every shell that lacks it fails in both.
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let job = |network| Job {
        program: "/bin/bash".into(),
        args: ["-c".into(), script.clone().into()].to_vec(),
        starter: std::process::id(),
        isolation: Isolation::Landlock(Enforcement::Full),
        root: place.at("books/one").into(),
        writable: Vec::new(),
        hidden: Vec::new(),
        network,
        place: scratch.path().into(),
    };
    assert!(place.run(&job(Network::Open)));
    assert!(!place.run(&job(Network::Closed)));
}

#[test]
fn what_a_program_starts_is_held_too() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    assert!(!place.staging("setsid sh -c 'sh -c \"echo evil > books/one/chapters/evil.md\"'"));
    assert!(!place.at("books/one/chapters/evil.md").exists());
}

#[test]
fn new_entries_directly_above_the_project_can_not_be_made() {
    if !is_enforced() {
        return;
    }
    // The price of a sandbox that knows only what is allowed; documented.
    let place = Place::new();
    assert!(!place.staging("echo x > books/new.md"));
}

#[test]
fn a_writable_place_must_lie_in_the_project() {
    if !is_enforced() {
        return;
    }
    let place = Place::new();
    for dir in [
        "books",
        "books/one",
        "books/one/staging/out/..",
        "not-there",
    ] {
        assert!(!place.sh(Some(dir), "true"), "{dir}");
    }
}
