//! `novel lint FILE...`.

use std::path::{Path, PathBuf};

use novel_app::care::lint::{self, LintRun};
use novel_model::{Document, Failure, Lang, counted, files::Blacklist, layout, message};

use crate::{
    context::Context,
    input::Source,
    output::{CommandResult, Output},
    ui::table,
};

/// Count the phrases of the blacklist in texts
///
/// Phrases on the whitelist do not count. A hit is not a failure: the exit code is 0 either way.
#[derive(clap::Args, Debug)]
pub(crate) struct LintArgs {
    /// Files to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// Blacklist to use instead of the project's `ai-blacklist.json`
    #[arg(long, value_name = "FILE")]
    blacklist: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &LintArgs) -> CommandResult {
    let mut texts = Vec::new();
    for path in &args.file {
        let source = Source::of(path);
        texts.push((source.name(), source.text()?));
    }
    let run = match &args.blacklist {
        Some(path) => lint::lint_with(read_blacklist(path)?.get(), &texts),
        None => lint::lint(&context.project()?, &texts)?,
    };
    Ok(Output::new(run.answer()).text(render(&run, context.lang)))
}

fn read_blacklist(path: &Path) -> Result<Document<Blacklist>, Failure> {
    let text = Source::of(path).text()?;
    // Problems are shown with the file's name; a name no project could have is not worth showing.
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let shown = name
        .and_then(|name| name.parse().ok())
        .unwrap_or_else(layout::blacklist);
    Ok(Document::parse(&shown, &text)?)
}

fn render(run: &LintRun, lang: Lang) -> String {
    let mut text = String::new();
    for (name, report) in &run.files {
        let (hits, rate) = (report.total_hits, report.hits_per_kchars);
        let counted = counted(hits, "hit");
        let head = message!(
            en: "{name}: {counted}, {rate} per thousand characters",
            zh: "{name}：命中 {hits} 次，每千字 {rate} 次"
        );
        text.push_str(head.get(lang));
        text.push('\n');
        let rows: Vec<Vec<String>> = report
            .hits
            .iter()
            .map(|hit| {
                let lines: Vec<String> = hit.lines.iter().map(usize::to_string).collect();
                vec![
                    format!("  {}", hit.word),
                    format!("×{}", hit.count),
                    format!("{}:{}", name, lines.join(",")),
                    hit.snippets.first().cloned().unwrap_or_default(),
                ]
            })
            .collect();
        text.push_str(&table::align(&rows));
    }
    text
}
