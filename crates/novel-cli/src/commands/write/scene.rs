//! `novel scene plan|generate|merge N [S]`.

use clap::Subcommand;
use novel_app::write::scene::{self, SceneReport, Standing};
use novel_model::{ChapterNo, Lang, Message, SceneNo, message};

use super::chapter::existing;
use crate::{
    args::NoteArgs,
    context::Context,
    output::{CommandResult, Output},
    ui::table::{self, Side},
    writing::{self, Executor},
};

/// Draft the next chapter scene by scene
///
/// Plan the scenes, write them, merge them into the draft. With `drafting = "scenes"` in
/// novel.toml, `novel continue` does the same.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct SceneArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Plan the scenes of the next chapter
    ///
    /// The plan is `staging/scenes/chapter-NNN/plan.json` and may be edited. A scene that was
    /// written before its part of the plan changed is written again.
    Plan {
        /// The chapter, which must be the next one
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Replace the existing plan
        #[arg(long)]
        force: bool,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Write one scene, or all that are missing
    Generate {
        /// The chapter, which must be the next one
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// The scene; by default all that are missing or were written for another plan
        #[arg(
            value_name = "S",
            allow_negative_numbers = true,
            required_if_eq("force", "true")
        )]
        scene: Option<SceneNo>,

        /// Write the scene again even if it exists
        #[arg(long)]
        force: bool,

        #[command(flatten)]
        note: NoteArgs,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Make the scenes the draft of their chapter
    ///
    /// One transaction. Refuses when a scene is missing or was written for another plan.
    Merge {
        /// The chapter, which must be the next one
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,
    },
}

pub(crate) fn run(context: &Context, args: &SceneArgs) -> CommandResult {
    let project = context.project()?;
    let (report, note) = match &args.action {
        Action::Plan {
            chapter,
            force,
            executor,
        } => {
            let report = writing::ask(context, &project, executor.map(Into::into), |runner| {
                scene::plan(runner, *chapter, existing(*force))
            })?;
            let n = chapter.get();
            let note = message!(
                en: "Edit the plan if you like, then run `novel scene generate {n}`.",
                zh: "可先修改规划，然后运行 `novel scene generate {n}`。"
            );
            (report, note)
        }
        Action::Generate {
            chapter,
            scene,
            force,
            note,
            executor,
        } => {
            let note = note.read()?;
            let report = writing::ask(context, &project, executor.map(Into::into), |runner| {
                scene::generate(runner, *chapter, *scene, existing(*force), note.as_deref())
            })?;
            let n = chapter.get();
            let note = match report.draft.first_open() {
                Some(_) => message!(
                    en: "Scenes are missing: `novel scene generate {n}` writes them.",
                    zh: "还有场景未写：用 `novel scene generate {n}` 写完。"
                ),
                None => message!(
                    en: "All scenes are written: `novel scene merge {n}` makes them the draft.",
                    zh: "场景已齐：用 `novel scene merge {n}` 合并为草稿。"
                ),
            };
            (report, note)
        }
        Action::Merge { chapter } => {
            let note = message!(
                en: "Merged; go on with `novel continue`.",
                zh: "已合并；用 `novel continue` 继续。"
            );
            (scene::merge(&project, *chapter)?, note)
        }
    };
    Ok(Output::new(report.answer(context.lang))
        .text(render(&report, context.lang))
        .warnings(&report.warnings)
        .about_config(project.warnings())
        .note(note))
}

/// The title and a line for each scene.
fn render(report: &SceneReport, lang: Lang) -> String {
    let draft = &report.draft;
    let (number, title) = (draft.chapter.get(), &draft.plan.get().chapter_title);
    let head = message!(en: "Chapter {number} \"{title}\"", zh: "第 {number} 章《{title}》");
    let columns = match lang {
        Lang::En => ["scene", "state", "words", "planned", "purpose"],
        Lang::Zh => ["场", "状态", "字数", "规划", "目的"],
    };
    let mut rows = vec![columns.map(str::to_owned).to_vec()];
    for planned in draft.planned() {
        let written = draft.written(planned.scene_number);
        let words = written.map_or_else(|| "-".to_owned(), |scene| scene.word_count.to_string());
        let purpose: Vec<&str> = planned.purpose.split_whitespace().collect();
        rows.push(vec![
            planned.scene_number.get().to_string(),
            standing(draft.standing(planned)).get(lang).to_owned(),
            words,
            planned.estimated_words.to_string(),
            purpose.join(" "),
        ]);
    }
    let (text, figure) = (Side::Left, Side::Right);
    let table = table::columns(&rows, &[figure, text, figure, figure, text]);
    format!("{}\n{table}", head.get(lang))
}

fn standing(standing: Standing) -> Message {
    match standing {
        Standing::Missing => message!(en: "missing", zh: "未写"),
        Standing::Stale => message!(en: "plan changed", zh: "规划已改"),
        Standing::Written => message!(en: "written", zh: "已写"),
        Standing::Unbound => message!(en: "by hand", zh: "手写"),
    }
}
