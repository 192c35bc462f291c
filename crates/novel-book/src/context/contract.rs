//! The chapter contract (L3) and its agreement with the outline (steps 2.4 and 2.5).

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Message, Problem, VolumeNo, files::ChapterContract,
    layout, message,
};

use super::{ChapterOutline, ContextError, problems_of};

/// The contract of `chapter`; it must agree with the outline, as far as that is known.
///
/// # Errors
/// When it is missing or broken, or is a contract for something else; lists every mismatch.
pub fn load_contract(
    reader: &dyn BookReader,
    volume: VolumeNo,
    chapter: ChapterNo,
    outline: Option<&ChapterOutline>,
) -> Result<Document<ChapterContract>, ContextError> {
    let path = layout::contract(volume, chapter);
    let loaded = Document::<ChapterContract>::require(reader, &path, repair(volume, chapter));
    let contract = match &loaded {
        Ok(document) => Some(document.get().clone()),
        // A file that breaks a rule beyond its schema still says what it is a contract for, and
        // one run should show all its faults.
        Err(FileError::Broken(_)) => {
            let text = reader.text(&path)?.unwrap_or_default();
            serde_json::from_str(&text).ok()
        }
        Err(FileError::Read(_) | FileError::Missing { .. }) => None,
    };
    let problems = contract.as_ref().map_or_else(Vec::new, |contract| {
        check_contract(contract, volume, chapter, outline)
    });
    match loaded {
        Ok(document) => ContextError::unless_sound(problems).map(|()| document),
        Err(error) => {
            let mut all = problems_of(error);
            // Said better by the check above.
            all.retain(|problem| contract.is_none() || problem.code != "wrong_chapter");
            all.extend(problems);
            Err(ContextError::new(all))
        }
    }
}

/// What does not fit between a contract, its chapter and the outline: chapter number, storyline,
/// at least one required objective.
#[must_use]
pub fn check_contract(
    contract: &ChapterContract,
    volume: VolumeNo,
    chapter: ChapterNo,
    outline: Option<&ChapterOutline>,
) -> Vec<Problem> {
    let path = layout::contract(volume, chapter);
    let report = |code, pointer: &str, text: Message| {
        Problem::new(code, &path, text)
            .at(pointer)
            .hint(repair(volume, chapter))
    };
    let mut problems = Vec::new();
    if contract.chapter != chapter {
        let (found, wanted) = (contract.chapter.get(), chapter.get());
        problems.push(report(
            "wrong_chapter",
            "/chapter",
            message!(
                en: "the contract is for chapter {found}, expected chapter {wanted}",
                zh: "契约属于第 {found} 章，应为第 {wanted} 章"
            ),
        ));
    }
    if let Some(outline) = outline.filter(|outline| outline.storyline != contract.storyline_id) {
        let (found, wanted) = (&contract.storyline_id, &outline.storyline);
        let place = format!("{}:{}", outline.path, outline.storyline_line);
        problems.push(report(
            "wrong_storyline",
            "/storyline_id",
            message!(
                en: "the contract is for storyline `{found}`, the outline ({place}) says `{wanted}`",
                zh: "契约属于故事线 `{found}`，大纲（{place}）写的是 `{wanted}`"
            ),
        ));
    }
    if !contract
        .objectives
        .iter()
        .any(|objective| objective.required)
    {
        let count = contract.objectives.len();
        problems.push(report(
            "no_required_objective",
            "/objectives",
            message!(
                en: "none of the {count} objectives has `\"required\": true`; at least one must",
                zh: "{count} 个目标中没有一个带 `\"required\": true`，至少需要一个"
            ),
        ));
    }
    problems
}

fn repair(volume: VolumeNo, chapter: ChapterNo) -> Message {
    let (path, number) = (layout::contract(volume, chapter), chapter.get());
    let example = format!(
        "{{\"chapter\": {number}, \"storyline_id\": \"main-arc\", \"objectives\": [{{\"id\": \"OBJ-{number}-1\", \"required\": true, \"description\": \"…\"}}]}}"
    );
    message!(
        en: "plan this volume with `novel start`, or edit `{path}` by hand, then run the command again. Expected at least:\n{example}",
        zh: "请用 `novel start` 规划本卷，或手动修改 `{path}`，然后重新运行命令。至少应为：\n{example}"
    )
}
