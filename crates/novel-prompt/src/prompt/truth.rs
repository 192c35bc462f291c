//! The truth of a book as lines of a prompt.

use novel_model::{Lang, files::Truth};

/// One line each: events, secrets with who knows them, clues.
pub(super) fn truth_lines(truth: &Truth, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for event in &truth.events {
        let (id, when, what) = (&event.id, &event.when, &event.what);
        lines.push(match lang {
            Lang::Zh => format!("- 事件 {id}（{when}）：{what}"),
            Lang::En => format!("- event {id} ({when}): {what}"),
        });
    }
    for secret in &truth.secrets {
        let (id, fact) = (&secret.id, &secret.fact);
        let known: Vec<String> = secret
            .known_by
            .iter()
            .map(|it| match (lang, it.from_chapter) {
                (_, None) => it.character.clone(),
                (Lang::Zh, Some(from)) => format!("{}（第 {from} 章起）", it.character),
                (Lang::En, Some(from)) => format!("{} (from chapter {from})", it.character),
            })
            .collect();
        let wrong = secret.false_beliefs.iter();
        let wrong: Vec<String> = wrong
            .map(|it| format!("{}: {}", it.character, it.belief))
            .collect();
        let mut line = match (lang, secret.reader_from_chapter) {
            (Lang::Zh, Some(from)) => format!(
                "- 秘密 {id}：{fact}；知情者：{}；读者第 {from} 章得知",
                known.join("、")
            ),
            (Lang::Zh, None) => format!(
                "- 秘密 {id}：{fact}；知情者：{}；读者尚不知道",
                known.join("、")
            ),
            (Lang::En, Some(from)) => format!(
                "- secret {id}: {fact}; known to {}; the reader learns it in chapter {from}",
                known.join(", ")
            ),
            (Lang::En, None) => format!(
                "- secret {id}: {fact}; known to {}; the reader does not know",
                known.join(", ")
            ),
        };
        if !wrong.is_empty() {
            line.push_str(match lang {
                Lang::Zh => "；误以为：",
                Lang::En => "; wrongly believed: ",
            });
            line.push_str(&wrong.join("; "));
        }
        lines.push(line);
    }
    for clue in &truth.clues {
        let (secret, how) = (&clue.secret, &clue.how);
        let chapter = clue
            .chapter
            .map_or_else(|| "?".to_owned(), |it| it.to_string());
        lines.push(match lang {
            Lang::Zh => format!("- 线索（{secret}，第 {chapter} 章）：{how}"),
            Lang::En => format!("- clue ({secret}, chapter {chapter}): {how}"),
        });
    }
    let one_line = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.into_iter().map(one_line).collect()
}
