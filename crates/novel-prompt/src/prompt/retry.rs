//! The note with which a structured answer is asked for again.

use novel_book::believe::{lacking::Lacking, record::LackingRecord};
use novel_model::{Lang, Place, Problem, message};
use novel_text::{DataKind, estimate_tokens};
use serde_json::Value;

use super::{Level, Output, Role, Section, wrapped::Wrapped};

/// Problems shown; the first ones usually cause the rest.
const MOST_PROBLEMS: usize = 20;
/// Things a verdict may lack; each is asked for.
const MOST_MISSING: usize = 200;

/// How a re-ask begins and goes on after the problems, in one language: what no answer may repeat.
#[must_use]
pub const fn retry_texts(lang: Lang) -> [&'static str; 2] {
    match lang {
        Lang::Zh => [
            "## 重新作答\n你上一次的回答没有通过校验，问题如下：",
            "请重新给出完整的回答：逐条改正上述问题，没有问题的内容保持不变；",
        ],
        Lang::En => [
            "## Answer again\nYour last answer did not pass validation. The problems:",
            "Give the complete answer again: repair every problem listed, keep what was right, and ",
        ],
    }
}

/// Asks a judge for what its verdict lacks, and for nothing else; `lacking` says which sentences of the chapter
/// it may choose from where its quotation was not found.
#[must_use]
pub fn completion_note(problems: &[Problem], lacking: &Lacking, lang: Lang) -> Section {
    let mut lines: Vec<String> = problems
        .iter()
        .take(MOST_MISSING)
        .map(|problem| line(problem, &place(problem), lang))
        .collect();
    for (name, offered) in lacking.offers() {
        lines.push(match lang {
            Lang::Zh => format!("{name} 可选的原句："),
            Lang::En => format!("Sentences for {name}:"),
        });
        lines.extend(offered.iter().map(|sentence| format!("  {sentence}")));
    }
    let list = Wrapped::new(DataKind::Reference, "novel:validation", &lines.join("\n")).text();
    let text = match lang {
        Lang::Zh => format!(
            "## 重新作答\n你上一次的评审缺少以下内容：\n{list}\n已经给出的结论、把握和分数都算数，不要重写，也不会被改动。只补上面列出的：用同样的 JSON 形式，只包含这些检查和维度。遵守的契约把 id 列入 `passed`。`evidence` 从为它列出的原句中选最合适的一句，照抄；确实没有的东西再写在 `absent` 里，说明找过什么；已列出的违反如果不再成立，写 `withdrawn` 和理由，略去不算撤回。只输出一个 JSON 对象，不加代码围栏，不加说明。"
        ),
        Lang::En => format!(
            "## Answer again\nYour verdict lacks the following:\n{list}\nThe statuses, confidences and scores you gave stand; do not repeat them, they will not change. Give only what is listed, in the same JSON form, with these checks and dimensions alone. Contracts that are kept go into `passed` by id. For `evidence` copy the one of the sentences listed for it that fits best; what is really not there goes into `absent` with what you looked for; a listed violation you no longer see gets `withdrawn` with the reason, leaving it out withdraws nothing. Output one JSON object only, no fence, no comment."
        ),
    };
    section(text)
}

/// Asks a summarizer for what its record lacks, and for nothing else. It does not see what it said, so facts that
/// were sent back are shown, and those that stand where more of them may come.
#[must_use]
pub fn record_note(problems: &[Problem], lacking: &LackingRecord, lang: Lang) -> Section {
    let mut lines: Vec<String> = problems
        .iter()
        .take(MOST_MISSING)
        .map(|problem| line(problem, &place(problem), lang))
        .collect();
    let mut list = |title: &str, facts: &[Value]| {
        if !facts.is_empty() {
            lines.push(title.to_owned());
            lines.extend(facts.iter().map(|fact| format!("  {fact}")));
        }
    };
    let stands = lacking.stands.as_deref().unwrap_or_default();
    let stands: Vec<Value> = stands.iter().map(in_short).collect();
    // A quotation that is not in the chapter is told with its problem; shown once more, it is given once more.
    let facts = lacking.facts.iter().enumerate();
    let facts: Vec<Value> = facts
        .map(|(place, fact)| {
            if lacking.unlocated.contains(&place) {
                in_short(fact)
            } else {
                fact.clone()
            }
        })
        .collect();
    match lang {
        Lang::Zh => {
            list("要改正的变化：", &facts);
            list("已经记下的变化：", &stands);
        }
        Lang::En => {
            list("Ops to mend:", &facts);
            list("Ops that are recorded:", &stands);
        }
    }
    let list = Wrapped::new(DataKind::Reference, "novel:validation", &lines.join("\n")).text();
    let mut wanted: Vec<String> = lacking
        .parts
        .iter()
        .map(|part| format!("`{part}`"))
        .collect();
    if !lacking.facts.is_empty() || lacking.stands.is_some() {
        wanted.push("`delta.ops`".to_owned());
    }
    let (mend, more) = match lang {
        Lang::Zh => (
            "`ops` 里给出上面要改正的变化，写改正以后的样子；正文没有写明的不给。",
            "`ops` 没有写完：只给还没有记下的变化，不重复已经记下的；没有了就给空列表。",
        ),
        Lang::En => (
            "Put the ops to mend into `ops` as they should be; leave out what the prose does not state. ",
            "`ops` was not finished: give only changes that are not recorded yet, an empty list if there are none. ",
        ),
    };
    let mut what = String::new();
    if !lacking.facts.is_empty() {
        what.push_str(mend);
    }
    if lacking.stands.is_some() {
        what.push_str(more);
    }
    let text = match lang {
        Lang::Zh => format!(
            "## 重新作答\n你上一次的记录有以下问题：\n{list}\n其余内容都算数，不要重写，也不会被改动。只给 {}，形式不变。{what}只输出一个 JSON 对象，不加代码围栏，不加说明。",
            wanted.join("、")
        ),
        Lang::En => format!(
            "## Answer again\nYour last record has these problems:\n{list}\nEverything else stands; do not repeat it, it will not change. Give only {}, in the same form. {what}Output one JSON object only, no fence, no comment.",
            wanted.join(", ")
        ),
    };
    section(text)
}

/// An op without its quotation.
fn in_short(op: &Value) -> Value {
    let mut op = op.clone();
    if let Some(op) = op.as_object_mut() {
        op.retain(|key, _| matches!(key.as_str(), "op" | "path" | "value"));
    }
    op
}

/// What was wrong with the last answer and what a good one needs. The problems may quote that
/// answer, so they are wrapped like any text that is not ours.
#[must_use]
pub fn retry_note(problems: &[Problem], lang: Lang, output: &Output) -> Section {
    // An answer that becomes several files is wrong in one of them.
    let several = problems.windows(2).any(|pair| pair[0].path != pair[1].path);
    let mut lines: Vec<String> = problems
        .iter()
        .take(MOST_PROBLEMS)
        .map(|problem| {
            let place = if several {
                format!("{}: ", problem.location())
            } else {
                place(problem)
            };
            line(problem, &place, lang)
        })
        .collect();
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    if more > 0 {
        lines.push(match lang {
            Lang::Zh => format!("……另有 {more} 处"),
            Lang::En => format!("… and {more} more"),
        });
    }
    let list = Wrapped::new(DataKind::Reference, "novel:validation", &lines.join("\n")).text();
    let form = match (output, lang) {
        (Output::Json { .. }, Lang::Zh) => "只输出一个 JSON 对象，不加代码围栏，不加说明。",
        (Output::Json { .. }, Lang::En) => "output one JSON object only, no fence, no comment.",
        (Output::Scene, Lang::Zh) => "只输出这一场的正文，不加标题、分隔行和说明。",
        (Output::Scene, Lang::En) => {
            "output the prose of this one scene, no heading, no separator, no comment."
        }
        (Output::Markdown, Lang::Zh) => "只输出完整的 Markdown 正文（含标题），不加说明。",
        (Output::Markdown, Lang::En) => {
            "output the whole text as Markdown, heading included, no comment."
        }
    };
    let [lead, then] = retry_texts(lang);
    let text = format!("{lead}\n{list}\n{then}{form}");
    section(text)
}

fn section(text: String) -> Section {
    Section {
        name: "retry".to_owned(),
        level: Level::Chapter,
        role: Role::User,
        tokens: estimate_tokens(&text),
        text,
        why: message!(
            en: "what was wrong with the last answer",
            zh: "上一次回答的问题"
        ),
        stable: false,
    }
}

fn place(problem: &Problem) -> String {
    match &problem.place {
        Place::File => String::new(),
        Place::Line { line, .. } => format!("line {line}: "),
        Place::Pointer(pointer) => format!("{pointer}: "),
    }
}

fn line(problem: &Problem, place: &str, lang: Lang) -> String {
    let mut line = format!("- {place}{}", problem.message.get(lang));
    if let Some(hint) = &problem.hint {
        line.push_str(&format!(" ({})", hint.get(lang)));
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
