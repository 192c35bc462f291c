//! What a model says around a chapter and is no part of it: an answer to the request before it, a
//! wish, a note, a word count or a summary after it.
//!
//! Whole lines at the very beginning and at the very end are looked at, and nothing in quotation
//! marks: what a person of the story says stays.

use crate::{chapter::is_scene_separator, heading::loose_heading};

/// Lines at either end that are looked at.
const MOST_LINES: usize = 6;
/// Characters of a line of talk.
const LONGEST: usize = 240;

/// Headings of the summaries a book keeps. Models are shown such summaries, and add one to their chapter.
const SUMMARY: &[&str] = &[
    "关键事件",
    "伏笔变更",
    "故事线标记",
    "下一章须知",
    "key events",
    "foreshadowing",
    "storyline",
    "for the next chapter",
];

/// A text and what was taken off it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untalked<'a> {
    /// The text.
    pub text: &'a str,
    /// The lines that were taken off.
    pub taken: Vec<&'a str>,
}

/// The text without what was said around it.
#[must_use]
pub fn without_talk(text: &str) -> Untalked<'_> {
    let mut taken = Vec::new();
    let text = match summary_after(text) {
        Some((prose, heading)) => {
            taken.push(heading);
            prose
        }
        None => text,
    };
    let start = leading(text, &mut taken);
    let end = trailing(&text[start..], &mut taken) + start;
    Untalked {
        text: &text[start..end],
        taken,
    }
}

/// The chapter before a summary that was added to it, and the first heading of that. The summary is nothing
/// but headings and lists to the end; a text without prose before it has none.
fn summary_after(text: &str) -> Option<(&str, &str)> {
    let mut found = None;
    let (mut at, mut has_prose) = (0, false);
    for line in text.split_inclusive('\n') {
        let (here, trimmed) = (at, line.trim());
        at += line.len();
        let is_heading = trimmed.starts_with('#');
        if is_heading || trimmed.is_empty() || trimmed.starts_with("- ") || trimmed == "```" {
            let begins = is_heading && has_prose && SUMMARY.contains(&plain(trimmed).as_str());
            if found.is_none() && begins {
                found = Some((&text[..here], trimmed));
            }
        } else {
            has_prose = true;
            found = None;
        }
    }
    found
}

/// Where the chapter begins.
fn leading<'a>(text: &'a str, taken: &mut Vec<&'a str>) -> usize {
    let mut before: Vec<&'a str> = Vec::new();
    let (mut at, mut start) = (0, 0);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let here = at;
        at += line.len();
        if trimmed.is_empty() {
            continue;
        }
        if loose_heading(trimmed).is_some() {
            // An answer such as `好的。` alone is talk where a heading follows.
            if before.iter().any(|line| is_lead(line)) || before.iter().all(|line| is_nod(line)) {
                taken.append(&mut before);
                return here;
            }
            break;
        }
        if before.len() == MOST_LINES {
            break;
        }
        before.push(trimmed);
        if before.len() == 1 && is_lead(trimmed) {
            start = at;
        }
    }
    if start > 0 {
        taken.extend(before.first());
        // A line that keeps the talk apart goes with it.
        for line in text[start..].split_inclusive('\n') {
            if line.trim().is_empty() || is_scene_separator(line.trim_end()) {
                start += line.len();
            } else {
                break;
            }
        }
    }
    start
}

/// Where the chapter ends.
fn trailing<'a>(text: &'a str, taken: &mut Vec<&'a str>) -> usize {
    let (mut end, mut at) = (text.len(), text.len());
    let mut after: Vec<&'a str> = Vec::new();
    for line in text.split_inclusive('\n').rev().take(MOST_LINES * 2) {
        at -= line.len();
        let trimmed = line.trim();
        if trimmed.is_empty() || (!after.is_empty() && is_scene_separator(trimmed)) {
            if !after.is_empty() {
                end = at;
            }
            continue;
        }
        if !is_tail(trimmed) {
            break;
        }
        after.push(trimmed);
        end = at;
    }
    after.reverse();
    taken.append(&mut after);
    end
}

/// The words of a line without marks of emphasis and brackets around them.
fn plain(line: &str) -> String {
    let plain = line.trim_matches(|char: char| "*_~>`#()（）[]【】 \t".contains(char));
    plain.replace("**", "").to_lowercase()
}

fn is_said(line: &str) -> bool {
    line.trim_start_matches(['*', '_', '>', ' '])
        .starts_with(['“', '"', '「', '『', '‘', '\'', '—', '-', '－'])
}

fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn begins(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.starts_with(word))
}

/// A line that only agrees.
fn is_nod(line: &str) -> bool {
    let plain = plain(line);
    let words = plain.trim_end_matches(['。', '！', '!', '.', '，', ',', '~', '～']);
    matches!(
        words,
        "好的"
            | "好"
            | "当然"
            | "当然可以"
            | "没问题"
            | "收到"
            | "明白"
            | "明白了"
            | "sure"
            | "certainly"
            | "of course"
            | "okay"
            | "ok"
            | "absolutely"
            | "understood"
            | "got it"
    )
}

/// An answer to the request, before the chapter.
fn is_lead(line: &str) -> bool {
    if line.chars().count() > LONGEST || is_said(line) {
        return false;
    }
    let plain = plain(line);
    let about = any(
        &plain,
        &[
            "正文",
            "本章",
            "这一章",
            "该章",
            "章节",
            "这章",
            "章的",
            "初稿",
            "草稿",
            "改稿",
            "定稿",
            "润色",
            "修订",
            "修改后",
            "为你",
            "为您",
            "你要的",
            "您要的",
            "要求",
            "创作",
            "撰写",
            "小说",
            "全文",
            "续写",
            "内容",
            "稿",
        ],
    );
    let introduces = plain.ends_with(['：', ':']);
    if begins(
        &plain,
        &["好的", "好！", "好，", "当然", "没问题", "收到", "明白"],
    ) {
        return about || introduces && any(&plain, &["以下", "下面", "这是"]);
    }
    if begins(
        &plain,
        &[
            "以下",
            "下面",
            "这是",
            "这里是",
            "根据",
            "按照",
            "遵照",
            "我已",
            "我将",
            "我会",
            "我为",
        ],
    ) {
        return about && introduces;
    }
    let english = any(
        &plain,
        &[
            "chapter", "draft", "text", "prose", "revision", "revised", "version", "story",
            "polished",
        ],
    );
    if begins(
        &plain,
        &[
            "sure",
            "certainly",
            "of course",
            "okay",
            "ok,",
            "ok!",
            "absolutely",
            "as requested",
            "understood",
            "got it",
        ],
    ) {
        return english
            && (introduces || any(&plain, &["here is", "here's", "below", "i've", "i have"]));
    }
    begins(
        &plain,
        &[
            "here is",
            "here's",
            "here are",
            "below is",
            "the following is",
            "i have",
            "i've",
        ],
    ) && english
        && introduces
}

/// A wish, an offer, a note or a word count, after the chapter.
fn is_tail(line: &str) -> bool {
    if line.chars().count() > LONGEST || is_said(line) {
        return false;
    }
    let plain = plain(line);
    let polite = any(&plain, &["你", "您"]);
    let zh =
        begins(&plain, &["希望"]) && polite && any(&plain, &["喜欢", "满意", "符合", "章", "帮助"])
            || begins(&plain, &["如果", "如需", "如有", "若需", "若有"])
                && any(
                    &plain,
                    &["修改", "调整", "续写", "告诉我", "反馈", "建议", "改动"],
                )
                && any(&plain, &["你", "您", "请", "随时"])
            || begins(&plain, &["以上是", "以上就是", "以上为", "以上内容"])
            || begins(&plain, &["至此", "到此", "本章内容", "本章到此"])
                && any(&plain, &["本章", "全章", "全文"])
                && any(&plain, &["完成", "完毕", "结束", "符合要求"])
            || begins(
                &plain,
                &[
                    "请告诉我",
                    "请随时",
                    "欢迎",
                    "期待您",
                    "期待你",
                    "需要我",
                    "是否需要",
                    "要不要我",
                    "接下来我",
                    "您觉得",
                    "你觉得这",
                ],
            ) && any(
                &plain,
                &[
                    "修改",
                    "调整",
                    "继续",
                    "反馈",
                    "续写",
                    "意见",
                    "下一章",
                    "改",
                ],
            )
            || begins(
                &plain,
                &[
                    "注：",
                    "注:",
                    "备注：",
                    "备注:",
                    "作者注",
                    "写作说明",
                    "创作说明",
                    "修改说明",
                    "润色说明",
                    "改动说明",
                    "说明：",
                ],
            )
            || matches!(
                plain.as_str(),
                "本章完"
                    | "完"
                    | "本章结束"
                    | "待续"
                    | "未完待续"
                    | "全文完"
                    | "the end"
                    | "end of chapter"
            ) && !line.starts_with(|char: char| char.is_alphanumeric())
            || is_word_count(&plain);
    zh || begins(&plain, &["i hope you", "hope you"])
        && any(&plain, &["enjoy", "chapter", "like", "helpful"])
        || begins(&plain, &["let me know", "please let me know", "feel free"])
            && any(
                &plain,
                &[
                    "chapter", "revis", "chang", "adjust", "feedback", "if you", "further",
                ],
            )
        || begins(
            &plain,
            &[
                "would you like",
                "if you'd like",
                "if you would like",
                "shall i",
            ],
        ) && any(&plain, &["chapter", "revis", "chang", "adjust", "continue"])
        || begins(
            &plain,
            &[
                "word count",
                "author's note",
                "note:",
                "notes:",
                "end of chapter",
            ],
        )
}

/// `全文约 2000 字`, `字数：1532`.
fn is_word_count(plain: &str) -> bool {
    let counted = begins(
        plain,
        &[
            "全文",
            "本章",
            "共",
            "约",
            "字数",
            "总字数",
            "正文",
            "本章字数",
            "全章",
        ],
    );
    let number = plain.contains(|char: char| char.is_numeric()) || any(plain, &["百", "千", "万"]);
    let words = plain.contains('字');
    counted && number && words && plain.chars().count() <= 24 && !plain.contains('，')
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
