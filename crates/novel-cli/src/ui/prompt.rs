//! Questions to a person at a terminal. Whatever is asked here has an option too, so nobody needs a
//! terminal; and nothing is written before the last question is answered.

use std::{
    io::{self, IsTerminal},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use inquire::{InquireError, Select, Text, ui::RenderConfig};
use novel_model::{ErrorTable, Kind, Lang, Message, Row, message};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use unicode_width::UnicodeWidthStr;

use crate::{
    args::ColorWhen,
    ui::printer::{Format, Printer, visible},
    ui::wrap,
};

/// Columns of the mark before a choice.
const MARK: usize = 2;

/// Rows a list of choices may have.
const ROWS: usize = 12;

/// How often it is checked that the terminal is still there.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Asks questions.
pub(crate) struct Prompter {
    lang: Lang,
    color: ColorWhen,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    /// Ctrl-C.
    #[error("stopped in a question")]
    Interrupted,
    /// Esc.
    #[error("nothing was chosen")]
    NothingChosen,
    /// The terminal was closed before the question was answered.
    #[error("the terminal is gone")]
    Gone,
    /// The terminal does not do its part.
    #[error("the terminal cannot be used")]
    Terminal {
        /// Why.
        #[source]
        source: InquireError,
    },
}

impl Prompter {
    /// One who can ask: only with a person at a terminal, who is not a program reading JSON.
    pub(crate) fn of(printer: &Printer) -> Option<Self> {
        let person = printer.format == Format::Text
            && io::stdin().is_terminal()
            && io::stderr().is_terminal();
        person.then_some(Self {
            lang: printer.lang,
            color: printer.color,
        })
    }

    /// One of several, by its place; the first is the recommended one.
    pub(crate) fn choose(
        &self,
        question: &Message,
        items: Vec<String>,
    ) -> Result<usize, PromptError> {
        let help = message!(
            en: "arrow keys to move, Enter to choose, Ctrl-C to leave",
            zh: "方向键移动，回车选择，Ctrl-C 退出"
        );
        let (question, help) = (self.say(question), self.say(&help));
        let columns = wrap::columns(io::stderr()).unwrap_or(usize::MAX);
        let items: Vec<String> = items
            .iter()
            .map(|item| wrap::wrapped(&visible(item), columns.saturating_sub(MARK), MARK))
            .collect();
        let room = columns.saturating_sub(question.width() + MARK + 1);
        let render = self.render_config();
        let chosen = while_terminal_lasts(move || {
            Select::new(&question, items)
                .without_filtering()
                .with_page_size(ROWS)
                .with_help_message(&help)
                .with_render_config(render)
                .with_formatter(&|item| wrap::shortened(item.value, room))
                .raw_prompt()
        })?;
        Ok(chosen.index)
    }

    /// Free text; empty when the person has nothing to say.
    pub(crate) fn text(
        &self,
        question: &Message,
        help: &Message,
    ) -> Result<Option<String>, PromptError> {
        let (question, help) = (self.say(question), self.say(help));
        let render = self.render_config();
        let text = while_terminal_lasts(move || {
            Text::new(&question)
                .with_help_message(&help)
                .with_render_config(render)
                .prompt()
        })?;
        let text = text.trim();
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    /// A text in the person's language.
    pub(crate) fn say(&self, text: &Message) -> String {
        visible(text.get(self.lang)).into_owned()
    }

    fn render_config(&self) -> RenderConfig<'static> {
        match self.color {
            ColorWhen::Never => RenderConfig::empty(),
            // Minds NO_COLOR.
            ColorWhen::Auto => RenderConfig::default(),
            ColorWhen::Always => RenderConfig::default_colored(),
        }
    }
}

/// Runs `ask` in a thread and waits for its answer, or for the end of the terminal. A question reads
/// a terminal that is gone again and again and never returns; its thread ends with the program.
fn while_terminal_lasts<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, InquireError> + Send + 'static,
) -> Result<T, PromptError> {
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || sender.send(ask()));
    loop {
        match answer.recv_timeout(CHECK_INTERVAL) {
            // Drawing on a terminal that goes away fails before anybody looks.
            Ok(Err(InquireError::IO(_))) if is_hung_up() => return Err(PromptError::Gone),
            Ok(answered) => return Ok(answered?),
            Err(RecvTimeoutError::Timeout) if !is_hung_up() => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                return Err(PromptError::Gone);
            }
        }
    }
}

/// Whether the other side of the terminal is closed.
fn is_hung_up() -> bool {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::empty())];
    let polled = poll(&mut watched, Some(&Timespec::default()));
    polled.is_ok_and(|ready| ready > 0)
}

impl From<InquireError> for PromptError {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationInterrupted => Self::Interrupted,
            InquireError::OperationCanceled => Self::NothingChosen,
            source => Self::Terminal { source },
        }
    }
}

impl ErrorTable for PromptError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::Interrupted => Row::new(Kind::Interrupted, "INTERRUPTED", {
                message!(en: "stopped; nothing was written", zh: "已退出，没有写入任何内容")
            }).hint(message!(
            en: "every question has an option: add `--help` to the command to see them",
            zh: "每个问题都有对应的选项：在命令后加 `--help` 查看"
        )),
            Self::NothingChosen => Row::new(Kind::Interrupted, "NOTHING_CHOSEN", {
                message!(en: "nothing was chosen, nothing was written", zh: "没有选择，没有写入任何内容")
            }).hint(message!(
            en: "every question has an option: add `--help` to the command to see them",
            zh: "每个问题都有对应的选项：在命令后加 `--help` 查看"
        )),
            Self::Gone => Row::new(Kind::Interrupted, "TERMINAL_GONE", message!(
                en: "the terminal was closed; nothing was written",
                zh: "终端已关闭，没有写入任何内容"
            )).hint(message!(
            en: "every question has an option: add `--help` to the command to see them",
            zh: "每个问题都有对应的选项：在命令后加 `--help` 查看"
        )),
            Self::Terminal { source } => Row::new(Kind::Internal, "NO_TERMINAL", message!(
                en: "the terminal cannot be used: {source}", zh: "无法使用终端：{source}"
            )).hint(message!(
            en: "every question has an option: add `--help` to the command to see them",
            zh: "每个问题都有对应的选项：在命令后加 `--help` 查看"
        )),
        }
    }
}
