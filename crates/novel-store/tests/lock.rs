//! The single-writer lock: when it is stale, who may remove it, and that of any
//! number of takers one wins.

use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use novel_model::{ChapterNo, Explain, Kind, Lang};
use novel_store::{
    Clear, Heartbeat, LockError, LockInfo, LockStatus, RealMachine, StaleReason, Store, StoreError,
    TxnKind, TxnLabel,
};
use novel_testkit::{
    machine::SimMachine,
    simfs::{Entry, Errno, Failing, Feature, SimFs},
};

const INFO: &str = ".novel.lock/info.json";
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

struct Bench {
    fs: Arc<SimFs>,
    machine: Arc<SimMachine>,
    store: Store,
}

impl Bench {
    fn on(fs: SimFs, machine: SimMachine) -> Self {
        let (fs, machine) = (Arc::new(fs), Arc::new(machine));
        let store = Store::new(Arc::<SimFs>::clone(&fs), Arc::<SimMachine>::clone(&machine));
        Self { fs, machine, store }
    }

    fn new() -> Self {
        Self::on(SimFs::default(), SimMachine::default())
    }

    /// The same project, seen from another process.
    fn process(&self, pid: u32) -> Store {
        let machine = SimMachine::with_pid(pid);
        Store::new(Arc::<SimFs>::clone(&self.fs), Arc::new(machine))
    }

    fn info(&self) -> LockInfo {
        match &self.fs.tree()[INFO] {
            Entry::File(bytes) => serde_json::from_slice(bytes).unwrap(),
            Entry::Dir => panic!("{INFO} is a directory"),
        }
    }
}

/// A lock of process 7, as left on `desk` at the scripted machine's present.
fn holder() -> LockInfo {
    let now: Timestamp = "2026-02-21T15:30:00Z".parse().unwrap();
    LockInfo {
        pid: 7,
        started: now,
        chapter: Some(48),
        host: Some("desk".into()),
        process_start: Some("start-7".into()),
        heartbeat: Some(now),
        token: Some("theirs".into()),
        boot_id: Some("boot-1".into()),
        last_operation: None,
        pid_namespace: Some("pid:[1]".into()),
    }
}

#[test]
fn staleness_is_decided_by_life_and_age() {
    type Edit = fn(&mut LockInfo, &SimMachine);
    let alive: Edit = |_, machine| machine.start(7, Some("start-7"));
    let cases: &[(&str, Option<StaleReason>, Edit)] = &[
        ("alive", None, alive),
        ("process gone", Some(StaleReason::ProcessGone), |_, _| {}),
        (
            "its number given to another process",
            Some(StaleReason::ProcessGone),
            |_, machine| machine.start(7, Some("later")),
        ),
        ("start time unknown now", None, |_, machine| {
            machine.start(7, None);
        }),
        ("start time unknown then", None, |info, machine| {
            info.process_start = None;
            machine.start(7, Some("start-7"));
        }),
        ("other host, process unknown here", None, |info, _| {
            info.host = Some("laptop".into());
        }),
        ("host unknown (older tool)", None, |info, _| {
            info.host = None;
        }),
        ("other process namespace (container)", None, |info, _| {
            info.pid_namespace = Some("pid:[2]".into())
        }),
        (
            "restarted machine, same number running",
            Some(StaleReason::Rebooted),
            |info, machine| {
                info.boot_id = Some("boot-0".into());
                machine.start(7, Some("start-7"));
            },
        ),
        (
            "restarted machine, other namespace",
            Some(StaleReason::Rebooted),
            |info, _| {
                info.boot_id = Some("boot-0".into());
                info.pid_namespace = Some("pid:[2]".into());
            },
        ),
        ("exactly 30 minutes", None, |info, machine| {
            alive_since(info, machine, MINUTE * 30);
        }),
        (
            "over 30 minutes",
            Some(StaleReason::Silent),
            |info, machine| alive_since(info, machine, MINUTE * 30 + SignedDuration::from_secs(1)),
        ),
        ("old, but its heart beats", None, |info, machine| {
            alive_since(info, machine, MINUTE * 600);
            info.heartbeat = Some(novel_store::Machine::now(machine) - MINUTE);
        }),
        ("no heartbeat, fresh", None, |info, machine| {
            alive_since(info, machine, MINUTE * 29);
            info.heartbeat = None;
        }),
        (
            "no heartbeat, old",
            Some(StaleReason::Silent),
            |info, machine| {
                alive_since(info, machine, MINUTE * 31);
                info.heartbeat = None;
            },
        ),
        ("clock set back", None, |info, machine| {
            alive_since(info, machine, MINUTE * -600);
        }),
    ];
    for (name, expected, edit) in cases {
        let bench = Bench::new();
        let mut info = holder();
        edit(&mut info, &bench.machine);
        bench.fs.put(INFO, &serde_json::to_vec(&info).unwrap());
        let found = match bench.store.lock_status().unwrap() {
            LockStatus::Held(_) => None,
            LockStatus::Stale(_, reason) => Some(reason),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, *expected, "{name}");
        assert_eq!(bench.fs.operations(), 0, "{name}: looking wrote something");
        match (bench.store.acquire(None), expected) {
            (Ok(_writer), Some(_)) => assert_eq!(bench.info().pid, 100, "{name}"),
            (Err(StoreError::Lock(LockError::Held { holder })), None) => {
                assert_eq!(holder.info.unwrap().pid, 7, "{name}");
            }
            (Ok(_), None) => panic!("{name}: a live lock was taken"),
            (Err(error), _) => panic!("{name}: {error:?}"),
        }
    }
}

fn alive_since(info: &mut LockInfo, machine: &SimMachine, age: SignedDuration) {
    machine.start(7, Some("start-7"));
    info.started = novel_store::Machine::now(machine) - age;
    info.heartbeat = Some(info.started);
}

#[test]
fn a_heartbeat_in_the_future_is_not_now() {
    // On this machine the process itself is seen.
    let bench = Bench::new();
    let mut info = holder();
    alive_since(&mut info, &bench.machine, MINUTE * -90);
    bench.fs.put(INFO, &serde_json::to_vec(&info).unwrap());
    let LockStatus::Held(seen) = bench.store.lock_status().unwrap() else {
        panic!("the process runs");
    };
    assert_eq!(seen.clock_ahead, Some(MINUTE * 90));
    let (en, zh) = (seen.describe().en, seen.describe().zh);
    assert!(
        !en.contains("0 s ago") && en.contains("its clock is 1 h 30 min ahead"),
        "{en}"
    );
    assert!(zh.contains("时钟快了 1 小时 30 分钟"), "{zh}");
    assert_eq!(seen.answer().clock_ahead_seconds, Some(5400));

    // On another machine the file system has seen its last sign of life.
    info.host = Some("laptop".into());
    let bench = Bench::new();
    bench.fs.set_time("2026-02-21T15:10:00Z".parse().unwrap());
    bench.fs.put(INFO, &serde_json::to_vec(&info).unwrap());
    let LockStatus::Held(seen) = bench.store.lock_status().unwrap() else {
        panic!("it was seen twenty minutes ago");
    };
    assert_eq!(seen.age, MINUTE * 20);
    bench.machine.advance(MINUTE * 11);
    let status = bench.store.lock_status().unwrap();
    assert!(
        matches!(status, LockStatus::Stale(_, StaleReason::Silent)),
        "{status:?}"
    );

    // Where all is in the future nothing is known, and that is said.
    let bench = Bench::new();
    bench.fs.set_time("2026-02-22T15:30:00Z".parse().unwrap());
    bench.fs.put(INFO, &serde_json::to_vec(&info).unwrap());
    let LockStatus::Held(seen) = bench.store.lock_status().unwrap() else {
        panic!("nothing says that it is stale");
    };
    assert!(seen.answer().age_seconds < 0);
    let en = seen.describe().en;
    assert!(en.contains("1 h 30 min in the future"), "{en}");
}

#[test]
fn a_suspended_holder_is_told_with_what_lets_it_go_on() {
    let bench = Bench::new();
    bench.machine.start(7, Some("start-7"));
    bench.machine.suspend(7);
    bench.fs.put(INFO, &serde_json::to_vec(&holder()).unwrap());
    let error = bench.store.acquire(None).map(drop).unwrap_err();
    assert_eq!((error.kind(), error.code()), (Kind::Locked, "LOCK_HELD"));
    assert!(
        error.message().en.contains("suspended"),
        "{}",
        error.message().en
    );
    let hint = error.hint().unwrap();
    assert!(hint.en.contains("`kill -CONT 7`"), "{}", hint.en);
    assert!(hint.zh.contains("`kill -KILL 7`"), "{}", hint.zh);
    assert_eq!(error.details(Lang::En)["holder"]["suspended"], true);
}

#[test]
fn nobody_waits_without_end_for_a_process_inside_a_write() {
    let bench = Bench::new();
    bench.machine.start(7, Some("start-7"));
    bench.fs.put(INFO, &serde_json::to_vec(&holder()).unwrap());
    bench.fs.hold_root(true);
    let before = bench.fs.tree();
    // A live holder is refused without a wait.
    let error = bench.store.acquire(None).map(drop).unwrap_err();
    assert_eq!((error.kind(), error.code()), (Kind::Locked, "LOCK_HELD"));
    // What would take the lock away must not do so in the middle of a write.
    for clear in [Clear::StaleOnly, Clear::Force] {
        let error = bench.store.clear_lock(clear).map(drop).unwrap_err();
        assert_eq!((error.kind(), error.code()), (Kind::Locked, "LOCK_BUSY"));
        assert_eq!(error.details(Lang::En)["holder"]["pid"], 7);
        assert!(error.hint().is_some());
    }
    // Its last sign of life is long ago, but it holds the directory all the same.
    bench.machine.advance(MINUTE * 31);
    let error = bench.store.acquire(None).map(drop).unwrap_err();
    assert_eq!((error.kind(), error.code()), (Kind::Locked, "LOCK_BUSY"));
    assert_eq!(bench.fs.tree(), before);
    // Nor does a holder wait for whoever is stuck while looking at the lock.
    let bench = Bench::new();
    let writer = bench.store.acquire(None).unwrap();
    bench.fs.hold_root(true);
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Doctor, "x"));
    txn.write("a.md".parse().unwrap(), "text");
    let errors = [
        txn.commit().map(drop).unwrap_err(),
        writer.keep(&"b.md".parse().unwrap(), b"text").unwrap_err(),
        writer.guard().beat().map_err(StoreError::from).unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.code()), (Kind::Locked, "LOCK_BUSY"));
    }
    drop(writer);
    let error = bench.store.take_unreleased().unwrap();
    assert_eq!(error.code(), "LOCK_BUSY");
    assert!(bench.store.take_unreleased().is_none());
}

#[test]
fn a_lock_that_cannot_be_given_back_is_an_error_and_one_that_can_at_the_second_try_is_none() {
    for (failing, told) in [
        (Failing::Once as fn(usize) -> Failing, false),
        (Failing::From, true),
    ] {
        let bench = Bench::new();
        let writer = bench.store.acquire(None).unwrap();
        bench.fs.fail(failing(bench.fs.operations() + 1), Errno::Io);
        drop(writer);
        assert_eq!(bench.store.take_unreleased().is_some(), told);
        assert_eq!(bench.fs.tree().is_empty(), !told);
    }
}

#[test]
fn the_lock_names_its_holder_and_goes_with_it() {
    let bench = Bench::new();
    let writer = bench.store.acquire(ChapterNo::new(48)).unwrap();
    let info = bench.info();
    assert_eq!((info.pid, info.chapter), (100, Some(48)));
    assert_eq!(info.host.as_deref(), Some("desk"));
    assert_eq!(info.process_start.as_deref(), Some("start-100"));
    assert!(writer.guard().still_ours().unwrap());

    let error = bench.store.acquire(None).map(drop).unwrap_err();
    assert_eq!(error.kind(), Kind::Locked);
    assert_eq!(error.code(), "LOCK_HELD");
    let (en, zh) = (error.message().en, error.message().zh);
    assert!(en.contains("process 100 on `desk`, chapter 48"), "{en}");
    assert!(zh.contains("进程 100"), "{zh}");
    assert!(error.hint().unwrap().en.contains("novel lock status"));
    let details = error.details(Lang::En);
    assert_eq!(details["holder"]["pid"], 100);
    assert!(details["holder"].get("token").is_none());

    drop(writer);
    assert!(bench.fs.tree().is_empty());
    assert_eq!(bench.store.lock_status().unwrap(), LockStatus::Free);
}

#[test]
fn a_lock_of_an_older_tool_counts_by_age_alone() {
    let bench = Bench::new();
    let old = br#"{"pid": 7, "started": "2026-02-21T15:00:01.123Z", "chapter": 3, "x": 1}"#;
    bench.fs.put(INFO, old);
    assert!(matches!(
        bench.store.lock_status().unwrap(),
        LockStatus::Held(_)
    ));
    bench.machine.advance(MINUTE);
    assert!(matches!(
        bench.store.lock_status().unwrap(),
        LockStatus::Stale(_, StaleReason::Silent)
    ));
    drop(bench.store.acquire(None).unwrap());
}

#[test]
fn a_lock_directory_without_description_counts_by_its_age() {
    let bench = Bench::new();
    bench.fs.set_time("2026-02-21T15:00:00Z".parse().unwrap());
    bench.fs.put(".novel.lock/x", b"");
    let LockStatus::Held(holder) = bench.store.lock_status().unwrap() else {
        panic!("a fresh lock must count");
    };
    assert_eq!((holder.info, holder.age), (None, MINUTE * 30));
    bench.machine.advance(MINUTE);
    drop(bench.store.acquire(None).unwrap());
    assert!(bench.fs.tree().is_empty());
}

#[test]
fn a_damaged_lock_is_never_free() {
    for bytes in [&b""[..], b"{", b"[]", b"{\"pid\": 7}", b"\xff"] {
        let bench = Bench::new();
        bench.fs.put(INFO, bytes);
        bench.machine.advance(MINUTE * 600);
        let error = bench.store.acquire(None).map(drop).unwrap_err();
        assert_eq!(error.code(), "LOCK_DAMAGED");
        assert!(
            error
                .hint()
                .unwrap()
                .zh
                .contains("novel lock clear --force")
        );
        let error = bench.store.clear_lock(Clear::StaleOnly).unwrap_err();
        assert_eq!(error.code(), "LOCK_DAMAGED");
        let was = bench.store.clear_lock(Clear::Force).unwrap();
        assert!(matches!(was, LockStatus::Damaged { .. }));
        assert!(bench.fs.tree().is_empty());
    }
}

#[test]
fn clearing_respects_a_live_lock_unless_forced() {
    let bench = Bench::new();
    assert_eq!(
        bench.store.clear_lock(Clear::StaleOnly).unwrap(),
        LockStatus::Free
    );
    let writer = bench.store.acquire(None).unwrap();
    let error = bench.store.clear_lock(Clear::StaleOnly).unwrap_err();
    assert_eq!(error.code(), "LOCK_HELD");
    bench.store.clear_lock(Clear::Force).unwrap();
    assert!(!writer.guard().still_ours().unwrap());
}

#[test]
fn who_lost_the_lock_writes_nothing_and_removes_nothing() {
    let bench = Bench::new();
    let robbed = bench.store.acquire(None).unwrap();
    let mut txn = robbed.begin(TxnLabel::new(TxnKind::Doctor, "x"));
    txn.write("a.md".parse().unwrap(), "mine");
    // Process 100 does not run as far as process 200 knows.
    let taker = bench.process(200).acquire(None).unwrap();
    let before = bench.fs.tree();

    let error = txn.commit().unwrap_err();
    assert_eq!(error.code(), "LOCK_LOST");
    assert!(matches!(robbed.guard().beat(), Err(LockError::Lost)));
    drop(robbed);
    assert_eq!(bench.fs.tree(), before);
    assert!(taker.guard().still_ours().unwrap());
}

#[test]
fn leftovers_of_a_crash_are_swept() {
    let bench = Bench::new();
    bench.fs.put(".novel.lock.new-abc/info.json", b"{}");
    bench.fs.put(".novel.lock.stale-abc/info.json.next", b"{}");
    drop(bench.store.acquire(None).unwrap());
    assert!(bench.fs.tree().is_empty());
}

#[test]
fn a_file_system_without_the_flag_gets_the_lock_by_mkdir() {
    let fs = SimFs::default().without(Feature::RenameNoReplace);
    let bench = Bench::on(fs, SimMachine::default());
    let writer = bench.store.acquire(None).unwrap();
    assert_eq!(bench.info().pid, 100);
    assert_eq!(bench.fs.tree().len(), 2, "{:?}", bench.fs.tree());
    drop(writer);
    assert!(bench.fs.tree().is_empty());
}

#[test]
fn a_beat_keeps_a_slow_holder_alive() {
    let bench = Bench::new();
    let writer = bench.store.acquire(ChapterNo::new(3)).unwrap();
    bench.machine.advance(MINUTE * 29);
    writer.guard().beat().unwrap();
    let info = bench.info();
    assert_eq!(info.heartbeat, Some(info.started + MINUTE * 29));
    bench.machine.advance(MINUTE * 29);
    let LockStatus::Held(holder) = bench.store.lock_status().unwrap() else {
        panic!("the holder lives");
    };
    assert_eq!(holder.age, MINUTE * 29);
}

#[test]
fn the_heartbeat_thread_beats_until_dropped() {
    let bench = Bench::new();
    let writer = bench.store.acquire(None).unwrap();
    bench.machine.advance(MINUTE);
    let moment = bench.info().started + MINUTE;
    let heart = Heartbeat::start(writer.guard(), Duration::from_millis(1));
    while bench.info().heartbeat != Some(moment) {
        thread::yield_now();
    }
    drop(heart);
    let operations = bench.fs.operations();
    drop(writer);
    assert!(bench.fs.operations() > operations);
    assert!(bench.fs.tree().is_empty());
}

#[test]
fn of_eight_takers_of_a_stale_lock_one_wins() {
    const TAKERS: usize = 8;
    const ROUNDS: usize = 50;
    let directory = tempfile::tempdir().unwrap();
    let dead = LockInfo {
        pid: u32::MAX,
        host: Some(novel_store::Machine::host(&RealMachine)),
        boot_id: novel_store::Machine::boot_id(&RealMachine),
        pid_namespace: novel_store::Machine::pid_namespace(&RealMachine),
        started: Timestamp::now(),
        heartbeat: None,
        ..holder()
    };
    let inside = AtomicUsize::new(0);
    let wins = AtomicUsize::new(0);
    let barrier = Barrier::new(TAKERS);
    thread::scope(|scope| {
        for taker in 0..TAKERS {
            let (inside, wins, barrier) = (&inside, &wins, &barrier);
            let (root, dead) = (directory.path(), &dead);
            scope.spawn(move || {
                let store = Store::open(root).unwrap();
                for round in 0..ROUNDS {
                    if taker == 0 {
                        std::fs::create_dir(root.join(".novel.lock")).unwrap();
                        let info = serde_json::to_vec(dead).unwrap();
                        std::fs::write(root.join(INFO), info).unwrap();
                        wins.store(0, Ordering::SeqCst);
                    }
                    barrier.wait();
                    let taken = match store.acquire(None) {
                        Ok(writer) => {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two owners");
                            wins.fetch_add(1, Ordering::SeqCst);
                            assert!(writer.guard().still_ours().unwrap());
                            Some(writer)
                        }
                        // Busy is the answer while another one is just taking it.
                        Err(StoreError::Lock(LockError::Held { .. } | LockError::Busy { .. })) => {
                            None
                        }
                        Err(error) => panic!("{error:?}"),
                    };
                    // No one lets go before everyone has tried.
                    barrier.wait();
                    assert_eq!(wins.load(Ordering::SeqCst), 1, "round {round}");
                    if let Some(writer) = taken {
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(writer);
                    }
                    barrier.wait();
                }
            });
        }
    });
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn owners_never_overlap_when_all_keep_trying() {
    const WRITERS: usize = 8;
    const TURNS: usize = 25;
    let directory = tempfile::tempdir().unwrap();
    let inside = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let store = Store::open(directory.path()).unwrap();
                let mut turns = 0;
                while turns < TURNS {
                    let Ok(writer) = store.acquire(None) else {
                        thread::yield_now();
                        continue;
                    };
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two owners");
                    let mut txn = writer.begin(TxnLabel::new(TxnKind::Doctor, "count"));
                    txn.append("count.txt".parse().unwrap(), "x");
                    txn.commit().unwrap();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    turns += 1;
                }
            });
        }
    });
    let count = std::fs::read(directory.path().join("count.txt")).unwrap();
    assert_eq!(count.len(), WRITERS * TURNS);
}
