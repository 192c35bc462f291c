//! The view by Linux' namespaces and overlay file system.

use std::{
    convert::Infallible,
    ffi::CString,
    fmt::Display,
    fs,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::fs::MetadataExt,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags},
    mount::{
        MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change,
    },
    process::{Signal, getgid, getuid, set_parent_process_death_signal},
    thread::{
        CapabilitySet, CapabilitySets, UnshareFlags, capabilities, capability_is_in_bounding_set,
        clear_ambient_capability_set, configure_capability_in_ambient_set,
        remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
    },
};

use crate::{
    job::{Job, Network},
    process,
    sandbox_error::SandboxError,
    stand_in,
};

/// What root keeps of its rights over other users' files. Everything else could take the view apart or
/// reach around it.
const KEPT_BY_ROOT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::NET_BIND_SERVICE);

/// Moves this process into the view. The next process it starts is the first one of the PID namespace.
pub(crate) fn enter(job: &Job) -> Result<(), SandboxError> {
    let root = Path::new(&job.root);
    new_namespaces(job)?;
    told("mount", mount_change("/", private()))?;
    pin(root)?;
    let layers = [root, &job.upper(), &job.work()].map(open_directory);
    let [lower, upper, work] = layers;
    let (lower, upper, work) = (lower?, upper?, work?);
    // By descriptor: a path may hold the characters that separate options.
    let layer = |fd: &OwnedFd| format!("/proc/self/fd/{}", fd.as_raw_fd());
    let options = format!(
        "lowerdir={},upperdir={},workdir={},userxattr",
        layer(&lower),
        layer(&upper),
        layer(&work)
    );
    let options = CString::new(options).map_err(SandboxError::refused)?;
    told(
        "overlay",
        mount(
            "overlay",
            root,
            "overlay",
            MountFlags::empty(),
            options.as_c_str(),
        ),
    )?;
    for file in &job.hidden {
        told("hide", mount_bind(job.empty(), file.as_os_str()))?;
    }
    std::env::set_current_dir(root).map_err(|source| SandboxError::Place {
        path: root.to_owned(),
        source,
    })?;
    keep_right_to_mount()
}

fn open_directory(path: &Path) -> Result<OwnedFd, SandboxError> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).map_err(|source| SandboxError::Place {
        path: path.to_owned(),
        source: source.into(),
    })
}

fn new_namespaces(job: &Job) -> Result<(), SandboxError> {
    let mut wanted = UnshareFlags::NEWNS | UnshareFlags::NEWPID;
    if job.network == Network::Closed {
        wanted |= UnshareFlags::NEWNET;
    }
    if unshare(wanted).is_ok() {
        return Ok(());
    }
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    check_owners(job, user, group)?;
    told("unshare", unshare(wanted | UnshareFlags::NEWUSER))?;
    // The same user and group inside as outside; all others are nobody.
    for (file, map) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{user} {user} 1")),
        ("gid_map", format!("{group} {group} 1")),
    ] {
        told(file, fs::write(Path::new("/proc/self").join(file), map))?;
    }
    Ok(())
}

/// In a user namespace of one user and one group, the overlay cannot copy what belongs to another.
fn check_owners(job: &Job, user: u32, group: u32) -> Result<(), SandboxError> {
    let mut places: Vec<PathBuf> = vec![PathBuf::from(&job.root)];
    let mut inside: Vec<PathBuf> = job.writable.iter().map(PathBuf::from).collect();
    while let Some(dir) = inside.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let list = if is_dir { &mut inside } else { &mut places };
            list.push(entry.path());
        }
        places.push(dir);
    }
    for path in places {
        let metadata = told("owners", fs::symlink_metadata(&path))?;
        if (metadata.uid(), metadata.gid()) != (user, group) {
            let path = path.display();
            return Err(SandboxError::refused(format!(
                "`{path}` belongs to another user or group"
            )));
        }
    }
    Ok(())
}

#[expect(
    deprecated,
    reason = "it is deprecated for a flag about open files, which is not used here; its successor is the same call as `unsafe`"
)]
fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    rustix::thread::unshare(flags)
}

fn private() -> MountPropagationFlags {
    MountPropagationFlags::PRIVATE | MountPropagationFlags::REC
}

/// Makes every directory above the project a mount point: those cannot be renamed or removed, so the
/// project stays where it is.
fn pin(root: &Path) -> Result<(), SandboxError> {
    let above: Vec<&Path> = root.ancestors().skip(1).collect();
    for dir in above.into_iter().rev().filter(|dir| dir.parent().is_some()) {
        told("pin", mount_bind_recursive(dir, dir))?;
    }
    Ok(())
}

/// The first process mounts `/proc`; without this it would lose the right when it starts.
fn keep_right_to_mount() -> Result<(), SandboxError> {
    if getuid().is_root() {
        return Ok(());
    }
    let hand_on = || {
        let mut sets = capabilities(None)?;
        sets.inheritable |= CapabilitySet::SYS_ADMIN;
        set_capabilities(None, sets)?;
        configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)
    };
    told("capabilities", hand_on())
}

/// Is the first process of the PID namespace: starts the program, collects the dead, and ends with the
/// program's code; the kernel then ends whoever is left. Returns only when the program cannot be
/// started.
pub(crate) fn be_first(job: &Job, supervisor: u32) -> Result<Infallible, SandboxError> {
    told(
        "end with the parent",
        set_parent_process_death_signal(Some(Signal::KILL)),
    )?;
    // As the old `/proc` has it: the parent may have ended before the call above.
    if process::parent_in_proc() != Some(supervisor) {
        return Err(SandboxError::refused("the supervisor is gone"));
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    told("/proc", mount("proc", "/proc", "proc", flags, None))?;
    told("capabilities", give_up_rights())?;
    let leader = stand_in::start(&job.program, &job.args)?;
    let status = stand_in::wait_for(leader).map_err(SandboxError::refused)?;
    stand_in::exit_as(status)
}

fn give_up_rights() -> rustix::io::Result<()> {
    clear_ambient_capability_set()?;
    if getuid().is_root() {
        for number in 0..u64::BITS {
            let capability = CapabilitySet::from_bits_retain(1 << number);
            // No kernel knows all of them.
            if !KEPT_BY_ROOT.contains(capability)
                && capability_is_in_bounding_set(capability).unwrap_or(false)
            {
                remove_capability_from_bounding_set(capability)?;
            }
        }
    } else {
        let none = CapabilitySet::empty();
        set_capabilities(
            None,
            CapabilitySets {
                effective: none,
                permitted: none,
                inheritable: none,
            },
        )?;
    }
    set_no_new_privs(true)
}

fn told<T, E: Display>(what: &str, result: Result<T, E>) -> Result<T, SandboxError> {
    result.map_err(|error| SandboxError::refused(format!("{what}: {error}")))
}
