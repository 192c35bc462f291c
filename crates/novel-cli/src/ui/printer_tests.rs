use novel_model::{Problem, layout, message};

use serde_json::{Map, json};

use super::*;

#[derive(Debug, thiserror::Error)]
#[error("two things are wrong")]
struct Broken {
    problems: Vec<Problem>,
    #[source]
    source: io::Error,
}

impl Explain for Broken {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "BROKEN"
    }

    fn message(&self) -> Message {
        message!(en: "two things are wrong", zh: "有两处错误")
    }

    fn hint(&self) -> Option<Message> {
        Some(message!(en: "run `novel doctor`", zh: "运行 `novel doctor`"))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let verdict = json!(["pacing 2.5: nothing happens (\"It rained.\")"]);
        Map::from_iter([("verdict".to_owned(), verdict)])
    }
}

fn broken() -> Broken {
    let path = layout::checkpoint();
    Broken {
        source: io::Error::other("a cause"),
        problems: vec![
            Problem::new("a", &path, message!(en: "first", zh: "其一"))
                .at("/x/0")
                .hint(message!(en: "mend it", zh: "请修复")),
            Problem::new("b", &path, message!(en: "second \u{1b}[31m", zh: "其二")).at_line(7),
        ],
    }
}

fn plain(lang: Lang) -> String {
    let printer = Printer {
        format: Format::Text,
        talk: Talk::Normal,
        color: ColorWhen::Never,
        lang,
    };
    anstream::adapter::strip_str(&printer.render(&broken())).to_string()
}

#[test]
fn a_failure_shows_causes_problems_verdict_and_a_hint() {
    insta::assert_snapshot!(plain(Lang::En), @r#"
    error[BROKEN]: two things are wrong
      caused by: a cause
      .checkpoint.json#/x/0: first
        hint: mend it
      .checkpoint.json:7: second \u{1b}[31m
      - pacing 2.5: nothing happens ("It rained.")

    hint: run `novel doctor`
    "#);
    insta::assert_snapshot!(plain(Lang::Zh), @r#"
    错误[BROKEN]：有两处错误
      原因：a cause
      .checkpoint.json#/x/0：其一
        提示：请修复
      .checkpoint.json:7：其二
      - pacing 2.5: nothing happens ("It rained.")

    提示：运行 `novel doctor`
    "#);
}

#[test]
fn a_reader_that_left_is_no_failure() {
    let gone = io::Error::from(io::ErrorKind::BrokenPipe);
    assert!(unless_broken_pipe(Err(gone)).is_ok());
    let full = io::Error::from(io::ErrorKind::StorageFull);
    assert!(unless_broken_pipe(Err(full)).is_err());
}
