//! Writing chapters from the command line: executor, signals, progress, and what is said at the
//! end. Shared by the commands that write.

use std::{env, sync::Arc};

use novel_app::{
    Project, executor,
    run::{Budget, FromError, RunReport, Runner},
};
use novel_engine::{
    config::ExecutorKind,
    run::{Finished, Goal},
};
use novel_llm::CancelToken;
use novel_model::{Failure, Message, message};

use crate::{
    context::Context,
    error::CliError,
    interrupt::Interrupts,
    labels,
    printer::Format,
    progress::{Progress, Seen},
};

/// What to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    /// How many chapters.
    pub(crate) chapters: u32,
    /// Whether to start from a failed step.
    pub(crate) from_error: FromError,
    /// Who runs the agents, if not as the project says.
    pub(crate) executor: Option<ExecutorKind>,
}

/// What was written.
pub(crate) struct Written {
    /// The report of the run.
    pub(crate) report: RunReport,
    /// Who ran the agents.
    pub(crate) executor: ExecutorKind,
    /// What was shown already.
    pub(crate) seen: Seen,
}

/// Writes chapters. Each one is printed as soon as it is in the book.
pub(crate) fn write(context: &Context, project: &Project, wish: Wish) -> Result<Written, Failure> {
    let launcher = env::current_exe().map_err(|source| CliError::NoProgramFile { source })?;
    let executor = executor::open(project, launcher, wish.executor)?;
    let kind = executor.kind();
    if kind == ExecutorKind::Offline {
        context.printer.note(&honest_note());
    }
    let progress = Arc::new(Progress::new(context.printer));
    let cancel = CancelToken::new();
    let interrupts = {
        let progress = Arc::clone(&progress);
        Interrupts::listen(cancel.clone(), move || progress.stopping())?
    };
    let runner = Runner {
        project,
        executor: executor.as_ref(),
        watch: progress.as_ref(),
        cancel: &cancel,
        budget: Budget::of(project.config()),
    };
    let result = runner.run(Goal::Chapters(wish.chapters), wish.from_error);
    // From here on there is nothing to stop, and Ctrl-C has been announced if there was one.
    drop(interrupts);
    let mut seen = progress.seen();
    if let Some(source) = seen.unprintable.take() {
        return Err(CliError::Output { source }.into());
    }
    match result {
        Ok(report) => Ok(Written {
            report,
            executor: kind,
            seen,
        }),
        Err(failure) => {
            if wish.chapters > 1 && context.printer.format == Format::Text {
                let head = message!(en: "Written before it stopped:", zh: "停止前已写：");
                let text = summary(&head, &seen.finished);
                context
                    .printer
                    .data(text.get(context.lang))
                    .map_err(|source| CliError::Output { source })?;
            }
            Err(failure)
        }
    }
}

/// Everything this author does is labelled.
fn honest_note() -> Message {
    let author = labels::offline_author();
    Message {
        en: format!(
            "Written by the {}; set `executor` in novel.toml for a real one.",
            author.en
        ),
        zh: format!(
            "由{}执笔；在 novel.toml 中设置 `executor` 可改用语言模型。",
            author.zh
        ),
    }
}

/// Head and line over several chapters; empty without any.
pub(crate) fn summary(head: &Message, finished: &[Finished]) -> Message {
    if finished.is_empty() {
        return Message::same("");
    }
    let line = labels::summary_line(finished);
    Message {
        en: format!("{}\n{}\n", head.en, line.en),
        zh: format!("{}\n{}\n", head.zh, line.zh),
    }
}
