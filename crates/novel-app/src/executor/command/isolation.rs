//! What keeps a program out of the book, on this machine.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use novel_book::config::{CommandConfig, NetworkAccess, Sandboxing};
use novel_exec::{ChildSpec, Enforcement, Isolation, Job, Network, Scratch, sandbox};
use novel_model::{Message, Warning, layout, message};

/// Longest trial of a view; it takes some milliseconds.
const TRIAL: Duration = Duration::from_secs(20);

/// The best isolation the author allows and the system has.
pub(super) fn choose(config: &CommandConfig, launcher: &Path, root: &Path) -> Isolation {
    let landlock = || sandbox::available().map_or(Isolation::None, Isolation::Landlock);
    match config.sandbox {
        Sandboxing::Compare => Isolation::None,
        Sandboxing::Landlock => landlock(),
        Sandboxing::Auto if can_view(config, launcher, root) => Isolation::View,
        Sandboxing::Auto => landlock(),
    }
}

/// Whether a program can have a view of this project: this program itself is run in one.
fn can_view(config: &CommandConfig, launcher: &Path, root: &Path) -> bool {
    let tried = || {
        let scratch = Scratch::new(&std::env::temp_dir(), "trial")?;
        let place = scratch.place()?;
        let job = Job {
            program: launcher.into(),
            args: vec!["version".into()],
            starter: std::process::id(),
            isolation: Isolation::View,
            root: root.into(),
            writable: vec![root.join(layout::staging_dir().as_str()).into()],
            hidden: Vec::new(),
            network: network(config),
            place: place.path().into(),
        };
        let spec = supervised(&job, launcher)?;
        Ok::<_, std::io::Error>(novel_exec::run(&spec, &|| false, &mut |_| {}).is_ok())
    };
    tried().unwrap_or(false)
}

/// A job as a program to run, without environment and input.
pub(super) fn supervised(job: &Job, launcher: &Path) -> std::io::Result<ChildSpec> {
    Ok(ChildSpec {
        name: PathBuf::from(&job.program).display().to_string(),
        program: launcher.to_owned(),
        args: vec!["supervise".into(), job.write()?.into()],
        dir: PathBuf::from(&job.root),
        env: Vec::new(),
        stdin: Vec::new(),
        timeout: TRIAL,
        max_output_bytes: 1 << 20,
    })
}

pub(super) const fn network(config: &CommandConfig) -> Network {
    match config.network {
        NetworkAccess::Open => Network::Open,
        NetworkAccess::Closed => Network::Closed,
    }
}

/// What the author should know about a protection that is not whole.
pub(super) fn warning(isolation: Isolation) -> Option<Warning> {
    let text: Message = match isolation {
        Isolation::View => return None,
        Isolation::Landlock(Enforcement::Full) => message!(
            en: "namespaces are not available on this system, so an agent program works on the project itself, restricted by the kernel (Landlock): run as root it can read the environment of this process, keys among it; a refused write that the program hides is not in the audit log; and a program that kills this one as well as its supervisor may leave a process behind",
            zh: "此系统不允许使用命名空间，智能体程序直接在项目上工作，由内核规则（Landlock）约束：以 root 运行时它能读到本进程的环境变量（包括其中的密钥）；程序隐瞒的被拒写入不会记入审计日志；若程序同时杀死本程序与其监督进程，可能留下进程"
        ),
        Isolation::Landlock(Enforcement::Partial) => message!(
            en: "this kernel can keep a program from writing to the book, but not from truncating its files; the project is compared before and after each call",
            zh: "此内核能阻止程序写入书稿，但不能阻止其截断文件；每次调用前后都会比对项目"
        ),
        Isolation::None => message!(
            en: "an agent program is kept out of the book only by comparing it before and after each call: it can read key files of this user (and, run as root, the environment of this process), and what it writes is undone only afterwards",
            zh: "除每次调用前后的比对外，没有任何机制阻止智能体程序写入书稿：它能读取本用户的密钥文件（以 root 运行时还有本进程的环境变量），写入的内容只能事后恢复"
        ),
    };
    Some(Warning::new("sandbox_incomplete", text))
}
