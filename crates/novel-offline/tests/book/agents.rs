//! Dump.
use novel_model::Lang;
use crate::pipeline::{Desk, demo};
#[test]
fn dump() {
    for (lang, name) in [(Lang::Zh, "zh"), (Lang::En, "en")] {
        let mut desk = Desk::new(demo(lang));
        for n in 1..=12 {
            let w = desk.write_and_commit();
            let m = novel_text::measure(&w.refined);
            std::fs::write(format!("/tmp/off/{name}-{n:02}.md"), &w.refined).unwrap();
            std::fs::write(format!("/tmp/off/{name}-{n:02}-summary.md"), format!("{}\n---\n{}\n---\n{:#?}", w.answer.summary, w.answer.memory, w.answer.delta.ops)).unwrap();
            std::fs::write(format!("/tmp/off/{name}-{n:02}-eval.json"), novel_model::to_json_text(&w.evaluation)).unwrap();
            println!("{name} {n} {:?} {:?} fixes {:?}", m, w.evaluation.overall, w.evaluation.required_fixes.len());
        }
    }
}
