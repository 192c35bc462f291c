//! Every command that messages, README and docs name exists and takes the arguments it is named with.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{Command, error::ErrorKind};
use novel_model::Lang;

use crate::commands::Cli;

/// Stand-ins for a place holder; a command must parse with one of them.
const STAND_INS: [&str; 8] = [
    "3",
    "bash",
    "status",
    "chapter:003:draft",
    "chapter-writer",
    "world",
    "main-arc",
    "llm.base_url",
];

/// Pages that tell of the past, or of commands that are not typed by anyone.
const NOT_READ: [&str; 3] = ["performance.md", "requirements.md", "real-models.md"];

#[test]
fn every_command_named_to_the_author_parses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = Cli::tree(Lang::En);
    let mut wrong = Vec::new();
    let mut right = BTreeSet::new();
    let mut seen = 0;
    for (file, text) in sources(&root) {
        let is_source = Path::new(&file)
            .extension()
            .is_some_and(|kind| kind == "rs");
        for command in commands(&text, is_source) {
            seen += 1;
            if right.contains(&(command.clone(), is_source)) {
                continue;
            }
            if parses(&tree, &command, is_source) {
                right.insert((command, is_source));
            } else {
                wrong.push(format!("{file}: {command}"));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(seen > 500, "only {seen} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn sources(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.join("crates"), root.join("docs")];
    let mut take = |path: &Path| {
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        found.push((name, fs::read_to_string(path).unwrap()));
    };
    take(&root.join("README.md"));
    take(&root.join("README.zh-CN.md"));
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_read =
                    !["tests", "decisions", "novel-testkit", "prompts"].contains(&name.as_str());
                if is_read {
                    open.push(path);
                }
            } else if (name.ends_with(".rs") && !name.ends_with("_tests.rs")
                || name.ends_with(".md"))
                && !NOT_READ.contains(&name.as_str())
            {
                take(&path);
            }
        }
    }
    found
}

/// What stands between backticks and begins with `novel `; of a source, in string literals alone.
fn commands(text: &str, is_source: bool) -> Vec<String> {
    let mut found = Vec::new();
    let joined: String;
    let text = if is_source {
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        joined = lines.join("\n");
        &joined
    } else {
        text
    };
    for line in text.lines() {
        for (index, part) in line.split('`').enumerate() {
            if index % 2 == 1 && (part.starts_with("novel ") || part.contains(" novel ")) {
                let part = part.replace("\\\"", "\"");
                let start = part.find("novel ").unwrap_or_default();
                let end = [" > ", " < ", " | ", " && ", "|man", " #"]
                    .iter()
                    .filter_map(|mark| part[start..].find(mark))
                    .min()
                    .map_or(part.len(), |end| start + end);
                found.push(part[start..end].to_owned());
            }
        }
    }
    found
}

fn parses(tree: &Command, command: &str, is_message: bool) -> bool {
    STAND_INS.iter().any(|stand_in| {
        let words = words(command, stand_in);
        match tree.clone().try_get_matches_from(words) {
            Ok(_) => true,
            Err(error) => match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
                // A page may speak of a group of commands; a message names one that can be typed.
                ErrorKind::MissingSubcommand
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => !is_message,
                // The name alone, without any argument, is the name of the command.
                ErrorKind::MissingRequiredArgument => command
                    .split(' ')
                    .all(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')),
                _ => false,
            },
        }
    })
}

/// The words of a command as a shell splits them, place holders replaced.
fn words(command: &str, stand_in: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for char in command.chars() {
        match (char, quote) {
            ('\'' | '"', None) => quote = Some(char),
            (_, Some(open)) if char == open => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(char),
        }
    }
    words.push(word);
    let mut words: Vec<String> = words
        .into_iter()
        .filter(|word| !word.is_empty() && word != "…")
        .map(|word| filled(&word, stand_in))
        .collect();
    if let Some(base) = words.iter().position(|word| word == "--base") {
        words[base + 1] = format!("blake3:{}", "0".repeat(64));
    }
    words
}

fn filled(word: &str, stand_in: &str) -> String {
    let bare = word.trim_matches(['[', ']', '<', '>']);
    let is_upper = bare
        .chars()
        .all(|c| c.is_ascii_uppercase() || c == '-' || c == '_')
        && !bare.starts_with('-')
        && !bare.is_empty();
    let first = bare.split('|').next().unwrap_or(bare);
    if first.starts_with("chapter:") && first.contains(['{', 'N']) {
        return "chapter:003:draft".to_owned();
    }
    if first.starts_with("volume:") && first.contains(['{', 'V']) {
        return "volume:02:plan".to_owned();
    }
    if is_upper || bare == "N-1" || bare == "A..B" {
        stand_in.to_owned()
    } else if let (Some(start), Some(end)) = (first.find('{'), first.rfind('}')) {
        format!("{}{stand_in}{}", &first[..start], &first[end + 1..])
    } else {
        first.to_owned()
    }
}
