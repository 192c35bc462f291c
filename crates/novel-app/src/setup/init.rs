//! `novel init`: a new project from templates.

use jiff::Timestamp;
pub use novel_book::config::{ApprovalPolicy, StyleConfig, StyleSource};
use novel_book::{brief::Brief, operations::OperationLog};
use novel_contract::setup as contract;
use novel_model::{
    BookReader, Document, Lang, RelPath,
    files::{Checkpoint, OrchestratorState},
    layout,
};
use novel_store::{Store, TxnKind, TxnLabel, Writer};
pub use novel_story::styles::{templates as style_templates, unknown_template};

use crate::{BookError, Clock, Refusal, write::advance::stamp_checkpoint};

/// What to do about files that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Refuse.
    Refuse,
    /// Replace them; the old ones go to `archive/`.
    Replace,
}

/// Answers to the few questions a new project asks.
#[derive(Debug, Clone)]
pub struct InitOptions {
    /// Title of the book.
    pub title: Option<String>,
    /// Name of the author.
    pub author: Option<String>,
    /// Language of the book.
    pub language: Lang,
    /// Genre, for the brief.
    pub genre: Option<String>,
    /// Who the book is about, for the brief.
    pub protagonist: Option<String>,
    /// What drives the book, for the brief.
    pub conflict: Option<String>,
    /// Where the style comes from.
    pub style: StyleConfig,
    /// Who approves a trial and a plan.
    pub approval: ApprovalPolicy,
    /// The brief.
    pub brief: Option<String>,
    /// What to do about files that are there already.
    pub overwrite: Overwrite,
}

/// The files of a new project.
#[derive(Debug)]
pub struct InitReport {
    /// In order.
    pub written: Vec<RelPath>,
    /// Held until the answer is told: a lock left behind says that it was not.
    pub lock: Writer,
}

/// Makes a project.
///
/// # Errors
/// When one is there already and may not be replaced.
pub fn init(store: &Store, clock: Clock, options: &InitOptions) -> Result<InitReport, BookError> {
    check_place(store, options.overwrite)?;
    let lock = store.acquire(None)?;
    let reader = lock.reader()?;
    if options.overwrite == Overwrite::Refuse {
        refuse_existing(&reader)?;
    }
    let at = clock.now(store);
    let mut files = files(at, options);
    if reader.read(&layout::gitignore())?.is_none() {
        files.push((
            layout::gitignore(),
            ".novel.lock*/\n.novel.journal/\n".to_owned(),
        ));
    }
    let mut txn = lock.begin(TxnLabel::new(TxnKind::Init, "project"));
    txn.at(at);
    let mut written = Vec::new();
    for (path, text) in files {
        txn.write(path.clone(), text);
        written.push(path);
    }
    txn.commit()?;
    Ok(InitReport { written, lock })
}

/// The new project that an interrupted call of the same command made, if there is one: its files
/// waited in the journal, or its process died before it could tell. `wanted` is what this call is to
/// make; a person who was asked cannot be asked for the same again.
///
/// # Errors
/// When the project cannot be looked at or finished.
pub fn take_up(
    store: &Store,
    clock: Clock,
    wanted: Option<&InitOptions>,
) -> Result<Option<InitReport>, BookError> {
    if !store.is_interrupted()? {
        return Ok(None);
    }
    let lock = store.acquire(None)?;
    let reader = lock.reader()?;
    let Some(checkpoint) = Document::<Checkpoint>::load(&reader, &layout::checkpoint())? else {
        return Ok(None);
    };
    let fresh = Checkpoint::new(OrchestratorState::QuickStart);
    let made = checkpoint.get().last_checkpoint_time.clone();
    let untouched = Checkpoint {
        last_checkpoint_time: made,
        ..fresh
    };
    let is_new =
        *checkpoint.get() == untouched && OperationLog::read(&reader)?.operations.is_empty();
    let files = wanted.map(|options| files(clock.now(store), options));
    for (path, text) in files.iter().flatten() {
        let is_wanted =
            *path == layout::checkpoint() || reader.text(path)?.as_deref() == Some(text.as_str());
        if !is_wanted {
            return Ok(None);
        }
    }
    let mut written = vec![layout::checkpoint(), layout::config(), layout::brief()];
    written.extend([
        layout::style_profile(),
        layout::blacklist(),
        layout::gitignore(),
    ]);
    Ok(is_new.then_some(InitReport { written, lock }))
}

/// The files of a new project that this program alone writes.
fn files(at: Timestamp, options: &InitOptions) -> Vec<(RelPath, String)> {
    let mut checkpoint = Document::new(Checkpoint::new(OrchestratorState::QuickStart));
    stamp_checkpoint(at, &mut checkpoint);
    let mut files = vec![
        (layout::checkpoint(), checkpoint.to_text()),
        (layout::config(), config_text(options)),
        (layout::brief(), brief(options)),
    ];
    files.extend(templates(options.language));
    files
}

/// Whether a project may be made here.
///
/// # Errors
/// When one is there already and may not be replaced.
pub fn check_place(store: &Store, overwrite: Overwrite) -> Result<(), BookError> {
    match overwrite {
        Overwrite::Replace => Ok(()),
        Overwrite::Refuse => store.look(|reader| refuse_existing(reader)),
    }
}

/// A new project replaces nothing.
pub(crate) fn refuse_existing(reader: &dyn BookReader) -> Result<(), BookError> {
    let own = [
        layout::checkpoint(),
        layout::config(),
        layout::brief(),
        layout::style_profile(),
        layout::blacklist(),
    ];
    for path in own {
        if reader.read(&path)?.is_some() {
            return Err(Refusal::Exists { path }.into());
        }
    }
    Ok(())
}

/// Files every project needs besides checkpoint, configuration and brief.
pub(crate) fn templates(language: Lang) -> [(RelPath, String); 2] {
    let (profile, blacklist) = match language {
        Lang::Zh => (
            include_str!("../../assets/zh/style-profile.json"),
            include_str!("../../assets/zh/ai-blacklist.json"),
        ),
        Lang::En => (
            include_str!("../../assets/en/style-profile.json"),
            include_str!("../../assets/en/ai-blacklist.json"),
        ),
    };
    [
        (layout::style_profile(), profile.to_owned()),
        (layout::blacklist(), blacklist.to_owned()),
    ]
}

const fn language_tag(language: Lang) -> &'static str {
    match language {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    }
}

fn config_text(options: &InitOptions) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let line = |key: &str, value: Option<&String>| match value {
        Some(value) => format!("{key} = {}\n", quoted(value)),
        None => format!("# {key} = \"\"\n"),
    };
    let comment = match options.language {
        Lang::Zh => "# 每个键都可以省略。章节长度按字数计。\n",
        Lang::En => "# Every key may be left out. Chapter lengths are in words.\n",
    };
    let approval = match options.approval {
        ApprovalPolicy::Ask => "# approval = \"ask\"\n",
        ApprovalPolicy::Unattended => "approval = \"unattended\"\n",
    };
    let source = options.style.source.map(|source| source.word().to_owned());
    format!(
        "{comment}{}{}language = {}\n{approval}\n[chapter]\n# min_words = 2500\n# max_words = 4000\n# length_policy = \"warn\"\n\n[style]\n{}{}{}",
        line("title", options.title.as_ref()),
        line("author", options.author.as_ref()),
        quoted(language_tag(options.language)),
        line("source", source.as_ref()),
        line("template", options.style.template.as_ref()),
        line("reference", options.style.reference.as_ref()),
    )
}

/// The brief the author gave, or a template to fill in.
fn brief(options: &InitOptions) -> String {
    if let Some(brief) = &options.brief {
        return format!("{}\n", brief.replace("\r\n", "\n").trim_end());
    }
    let brief = Brief {
        title: options.title.clone(),
        genre: options.genre.clone(),
        protagonist: options.protagonist.clone(),
        conflict: options.conflict.clone(),
    };
    brief.render(options.language)
}

impl InitReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::InitAnswer {
        contract::InitAnswer {
            written: self.written.iter().map(RelPath::to_string).collect(),
            warnings: Vec::new(),
        }
    }
}
