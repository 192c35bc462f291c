//! `novel lock status|clear`.

use clap::Subcommand;
use novel_app::care::lock::{self, Clear, LockStatus};
use novel_contract::care::LockCleared;
use novel_model::{Message, message};

use crate::{
    context::Context,
    locate::Need,
    output::{CommandResult, Output},
};

/// Look at the lock of the project, or remove it
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct LockArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Show who holds the lock
    Status,
    /// Remove a lock whose holder is gone
    Clear {
        /// Remove any lock, also one whose holder is alive
        #[arg(long)]
        force: bool,
    },
}

pub(crate) fn run(context: &Context, args: &LockArgs) -> CommandResult {
    let store = context.store(Need::Directory)?;
    Ok(match &args.action {
        Action::Status => {
            let status = lock::status(&store)?;
            let text = describe(&status);
            Output::new(status.answer()).text(format!("{}\n", text.get(context.lang)))
        }
        Action::Clear { force } => {
            let clear = if *force {
                Clear::Force
            } else {
                Clear::StaleOnly
            };
            let was = lock::clear(&store, clear)?;
            let (cleared, note) = match was {
                LockStatus::Free => (false, message!(en: "There was no lock.", zh: "没有锁。")),
                _ => (true, message!(en: "The lock is removed.", zh: "锁已清除。")),
            };
            Output::new(LockCleared {
                cleared,
                was: was.answer(),
            })
            .note(note)
        }
    })
}

/// The lock in one line.
pub(crate) fn describe(status: &LockStatus) -> Message {
    match status {
        LockStatus::Free => message!(en: "free", zh: "空闲"),
        LockStatus::Held(holder) => {
            let holder = holder.describe();
            Message {
                en: format!("held by {}", holder.en),
                zh: format!("被占用：{}", holder.zh),
            }
        }
        LockStatus::Stale(holder, reason) => {
            let (holder, reason) = (holder.describe(), reason.message());
            Message {
                en: format!("stale, {}: {}", reason.en, holder.en),
                zh: format!("已失效（{}）：{}", reason.zh, holder.zh),
            }
        }
        LockStatus::Damaged { reason } => message!(en: "damaged: {reason}", zh: "已损坏：{reason}"),
    }
}
