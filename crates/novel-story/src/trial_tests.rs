use std::collections::BTreeMap;

use novel_model::{ReadError, RelPath, VolumeNo, to_json_text};

use super::*;
use novel_book::context::ChapterContext;

#[derive(Default)]
struct Files(BTreeMap<RelPath, String>);

impl Files {
    fn with(mut self, path: &str, text: impl Into<String>) -> Self {
        self.0.insert(path.parse().unwrap(), text.into());
        self
    }
}

impl BookReader for Files {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.get(path).map(|text| text.clone().into_bytes()))
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let inside = |path: &RelPath| {
            let rest = path.as_str().strip_prefix(directory.as_str())?;
            let name = rest.strip_prefix('/')?;
            (!name.contains('/')).then(|| name.to_owned())
        };
        Ok(self.0.keys().filter_map(inside).collect())
    }
}

fn book() -> Files {
    let person = |id: &str, name: &str| format!(r#"{{"id":"{id}","display_name":"{name}"}}"#);
    Files::default()
        .with("brief.md", "# 信\n\n- 核心冲突：海要收回它的信。\n")
        .with("characters/active/a-wu.json", person("a-wu", "阿吴"))
        .with("characters/active/lu-yan.json", person("lu-yan", "陆砚"))
        .with(
            "storylines/storylines.json",
            r#"{"storylines":[{"id":"side","type":"side"},{"id":"tide","type":"main_arc","pov_characters":["lu-yan"]}]}"#,
        )
}

#[test]
fn three_chapters_on_the_main_line_told_by_its_teller() {
    for lang in [Lang::Zh, Lang::En] {
        let plan = TrialPlan::of(&book(), lang).unwrap();
        assert_eq!(plan.contracts.len(), 3);
        let mut files = book().with("volumes/vol-01/outline.md", plan.outline.as_str());
        for contract in &plan.contracts {
            assert_eq!(contract.storyline_id.as_str(), "tide");
            let path = layout::contract(VolumeNo::first(), contract.chapter);
            files.0.insert(path, to_json_text(contract));
        }
        // What the pipeline will read is sound.
        for contract in &plan.contracts {
            let context =
                ChapterContext::load(&files, VolumeNo::first(), contract.chapter, lang).unwrap();
            assert!(context.outline.block.contains("**POV**: 陆砚"));
        }
        assert!(
            plan.contracts[0].objectives[0]
                .description
                .contains("海要收回它的信")
        );
    }
}

#[test]
fn the_brief_has_the_last_word_on_who_the_book_is_about() {
    let book = book().with("brief.md", "- 主角：阿吴，七十岁的守塔人\n");
    let plan = TrialPlan::of(&book, Lang::Zh).unwrap();
    assert!(plan.outline.contains("**POV**: 阿吴"));
}

#[test]
fn a_book_without_a_storyline_has_no_trial() {
    let mut book = book();
    book.0.remove(&layout::storylines());
    let error = TrialPlan::of(&book, Lang::Zh).unwrap_err();
    let problem = novel_model::Explain::problems(&error)[0].clone();
    assert_eq!(problem.path, layout::storylines());
}
