//! Questions to a person at a terminal. Whatever is asked here has an option too, so nobody needs a
//! terminal; and nothing is written before the last question is answered.

use std::io::{self, IsTerminal};

use inquire::{InquireError, Select, Text, ui::RenderConfig};
use novel_model::{Explain, Kind, Lang, Message, message};

use crate::{
    args::ColorWhen,
    ui::printer::{Format, Printer},
};

/// Rows a list of choices may have.
const ROWS: usize = 12;

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
    /// The terminal does not do its part.
    #[error("the terminal can not be used")]
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
        let chosen = Select::new(question.get(self.lang), items)
            .without_filtering()
            .with_page_size(ROWS)
            .with_help_message(help.get(self.lang))
            .with_render_config(self.look())
            .raw_prompt()?;
        Ok(chosen.index)
    }

    /// Free text; empty when the person has nothing to say.
    pub(crate) fn text(
        &self,
        question: &Message,
        help: &Message,
    ) -> Result<Option<String>, PromptError> {
        let text = Text::new(question.get(self.lang))
            .with_help_message(help.get(self.lang))
            .with_render_config(self.look())
            .prompt()?;
        let text = text.trim();
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    /// A text in the person's language.
    pub(crate) fn say(&self, text: &Message) -> String {
        text.get(self.lang).to_owned()
    }

    fn look(&self) -> RenderConfig<'static> {
        match self.color {
            ColorWhen::Never => RenderConfig::empty(),
            // Minds NO_COLOR.
            ColorWhen::Auto => RenderConfig::default(),
            ColorWhen::Always => RenderConfig::default_colored(),
        }
    }
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

impl Explain for PromptError {
    fn kind(&self) -> Kind {
        match self {
            Self::Interrupted | Self::NothingChosen => Kind::Interrupted,
            Self::Terminal { .. } => Kind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Interrupted => "INTERRUPTED",
            Self::NothingChosen => "NOTHING_CHOSEN",
            Self::Terminal { .. } => "NO_TERMINAL",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Interrupted => {
                message!(en: "stopped; nothing was written", zh: "已退出，没有写入任何内容")
            }
            Self::NothingChosen => {
                message!(en: "nothing was chosen, nothing was written", zh: "没有选择，没有写入任何内容")
            }
            Self::Terminal { source } => message!(
                en: "the terminal can not be used: {source}", zh: "无法使用终端：{source}"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(message!(
            en: "every question has an option: see `novel help start` and `novel help init`",
            zh: "每个问题都有对应的选项：见 `novel help start` 与 `novel help init`"
        ))
    }
}
