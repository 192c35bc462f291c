//! Advice at the end of a volume, derived from what the program measured and from nothing else.
//!
//! Every point repeats a finding of the reports and says what can be done about it; what a text is
//! worth is beyond this author, and it says so.

use novel_model::{Lang, Message, files::Packet, message};
use novel_story::report::Concern;
use serde_json::Value;

use crate::{OfflineBook, OfflineError};

/// How pressing a point is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Must,
    Worth,
}

/// A finding of the reports.
struct Point {
    concern: Concern,
    text: String,
    ids: Vec<String>,
}

pub(crate) fn advise(book: OfflineBook<'_>, packet: &Packet) -> Result<String, OfflineError> {
    let lang = book.config.lang();
    let points = points(packet)?;
    let volume = packet.manifest.inline.get("volume").and_then(Value::as_u64);
    let volume = volume.ok_or(OfflineError::PacketField { field: "volume" })?;
    let mean = mean_score(packet);
    let of_weight = |weight: Weight| {
        points
            .iter()
            .filter(move |point| weigh(point.concern) == weight)
    };
    let (must, worth) = (
        of_weight(Weight::Must).count(),
        of_weight(Weight::Worth).count(),
    );
    let score = mean.map_or_else(
        Message::default,
        |mean| message!(en: " Its mean score is {mean:.2}.", zh: "均分 {mean:.2}。"),
    );
    let (en, zh) = (score.en, score.zh);
    let verdict = message!(
        en: "Volume {volume} is written.{en} The program found {must} points that must be dealt with and {worth} worth improving.",
        zh: "第 {volume} 卷已写完。{zh}程序找出 {must} 处必须处理、{worth} 处值得改进。"
    );
    let honest = message!(
        en: "This advice was derived from the figures alone by the offline author, which is not a \
            language model: it has not understood the text.",
        zh: "本建议由离线作者仅依据统计数字得出；它不是语言模型，没有读懂正文。"
    );
    let mut text = section(&message!(en: "Verdict", zh: "总评"), lang);
    for sentence in [verdict, honest] {
        text.push_str(&format!("{}\n\n", sentence.get(lang)));
    }
    text.push_str(&section(
        &message!(en: "Must be dealt with", zh: "必须处理"),
        lang,
    ));
    numbered(&mut text, of_weight(Weight::Must), lang);
    text.push_str(&section(
        &message!(en: "Worth improving", zh: "值得改进"),
        lang,
    ));
    numbered(&mut text, of_weight(Weight::Worth), lang);
    text.push_str(&section(&message!(en: "To keep", zh: "应当保留"), lang));
    bullets(&mut text, &kept(&points), lang);
    text.push_str(&section(
        &message!(en: "For the next volume", zh: "下一卷的安排"),
        lang,
    ));
    bullets(&mut text, &arrangements(&points), lang);
    Ok(format!("{}\n", text.trim_end()))
}

fn points(packet: &Packet) -> Result<Vec<Point>, OfflineError> {
    let missing = OfflineError::PacketField {
        field: "volume_findings",
    };
    let Some(Value::Array(findings)) = packet.manifest.inline.get("volume_findings") else {
        return Err(missing);
    };
    let read = |finding: &Value| {
        let ids = finding.get("ids")?.as_array()?.iter();
        Some(Point {
            concern: serde_json::from_value(finding.get("concern")?.clone()).ok()?,
            text: finding.get("text")?.as_str()?.to_owned(),
            ids: ids.filter_map(Value::as_str).map(str::to_owned).collect(),
        })
    };
    findings
        .iter()
        .map(read)
        .collect::<Option<Vec<_>>>()
        .ok_or(missing)
}

fn mean_score(packet: &Packet) -> Option<f64> {
    let scores = packet.manifest.inline.get("chapter_scores")?.as_array()?;
    let known: Vec<f64> = scores
        .iter()
        .filter_map(|score| score.get("overall")?.as_f64())
        .collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// What readers stumble over comes first.
const fn weigh(concern: Concern) -> Weight {
    match concern {
        Concern::OverdueForeshadowing
        | Concern::UnplantedForeshadowing
        | Concern::WeakChapters
        | Concern::Meeting
        | Concern::Bridge => Weight::Must,
        Concern::FallingScores
        | Concern::WeakDimension
        | Concern::Length
        | Concern::Dialogue
        | Concern::Sentences
        | Concern::Hand
        | Concern::Phrases
        | Concern::Rhythm
        | Concern::DueForeshadowing
        | Concern::AbsentCast => Weight::Worth,
    }
}

/// What can be done about it.
fn remedy(concern: Concern) -> Message {
    match concern {
        Concern::OverdueForeshadowing => message!(
            en: "resolve each of them in the first chapters of the next volume, or move its range in the plan",
            zh: "在下一卷开头几章逐条回收，或在规划中改期"
        ),
        Concern::UnplantedForeshadowing => message!(
            en: "plant them early in the next volume, or take them out of the plan",
            zh: "在下一卷前段补埋，或从规划中删去"
        ),
        Concern::WeakChapters => message!(
            en: "read these chapters first and take what is missing into the contracts of the next volume",
            zh: "先重读这些章，把缺失之处写进下一卷的章节契约"
        ),
        Concern::FallingScores => message!(
            en: "compare the last five chapters with the five before and write the difference down as a directive",
            zh: "对比最近五章与之前五章，把差别写成写作指令"
        ),
        Concern::WeakDimension => message!(
            en: "add an acceptance criterion for it to every contract",
            zh: "在每章契约中为该维度加一条验收标准"
        ),
        Concern::Length => message!(
            en: "give such chapters fewer or more objectives in the plan",
            zh: "在规划中为这类章增减目标"
        ),
        Concern::Dialogue => message!(
            en: "set the share of dialogue in the style profile to what is wanted, or plan scenes that have it",
            zh: "修正文风档案中的对话占比，或安排相应的场面"
        ),
        Concern::Sentences => message!(
            en: "name the wanted sentence length in the writing directives",
            zh: "在写作指令中写明期望的句长"
        ),
        Concern::Hand => message!(
            en: "read the chapters on both sides of the change, and take what should stay into the style profile",
            zh: "对读变化前后的章节，把应当保持的写法写进文风档案"
        ),
        Concern::Phrases => message!(
            en: "run `novel lint FILE` over these chapters and replace what it finds",
            zh: "用 `novel lint FILE` 检查这些章，替换命中的用语"
        ),
        Concern::Rhythm => message!(
            en: "mix the lines differently in the next schedule",
            zh: "在下一卷的排期中调整各线穿插"
        ),
        Concern::Meeting => message!(
            en: "let the missing line take part, or take it out of the meeting",
            zh: "让缺席的故事线参与，或把它从交汇中去掉"
        ),
        Concern::Bridge => message!(
            en: "repair the bridge in storylines.json or in the next contracts",
            zh: "在 storylines.json 或后续契约中补好这处衔接"
        ),
        Concern::DueForeshadowing => message!(
            en: "give each of them a chapter in the next plan",
            zh: "在下一卷规划中为每条安排回收的章"
        ),
        Concern::AbsentCast => message!(
            en: "give them something to do, or retire them with `novel character retire ID`",
            zh: "给他们安排戏份，或用 `novel character retire ID` 让其退场"
        ),
    }
}

/// What no finding speaks against.
fn kept(points: &[Point]) -> Vec<Message> {
    let clear =
        |concerns: &[Concern]| !points.iter().any(|point| concerns.contains(&point.concern));
    let mut kept = Vec::new();
    if clear(&[Concern::WeakChapters, Concern::FallingScores]) {
        kept.push(
            message!(en: "scores: no weak chapter, no fall", zh: "评分：没有低分章，也没有下滑"),
        );
    }
    if clear(&[Concern::Rhythm, Concern::Meeting, Concern::Bridge]) {
        kept.push(
            message!(en: "storylines: the rhythm is the planned one", zh: "故事线：节奏与规划一致"),
        );
    }
    if clear(&[
        Concern::OverdueForeshadowing,
        Concern::UnplantedForeshadowing,
    ]) {
        kept.push(message!(en: "foreshadowing: nothing overdue, nothing forgotten", zh: "伏笔：没有超期，没有漏埋"));
    }
    if clear(&[Concern::Dialogue, Concern::Sentences]) {
        kept.push(message!(en: "style: as the style profile has it", zh: "文风：与文风档案一致"));
    }
    kept
}

fn arrangements(points: &[Point]) -> Vec<Message> {
    let ids = |concerns: &[Concern]| {
        let named = points
            .iter()
            .filter(|point| concerns.contains(&point.concern));
        let mut ids: Vec<&str> = named
            .flat_map(|point| point.ids.iter().map(String::as_str))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            message!(en: "none", zh: "无")
        } else {
            Message {
                en: ids.join(", "),
                zh: ids.join("、"),
            }
        }
    };
    let line = |what: Message, which: Message| Message {
        en: format!("{}: {}", what.en, which.en),
        zh: format!("{}：{}", what.zh, which.zh),
    };
    vec![
        line(
            message!(en: "Foreshadowing to take along", zh: "带入下一卷的伏笔"),
            ids(&[
                Concern::OverdueForeshadowing,
                Concern::UnplantedForeshadowing,
                Concern::DueForeshadowing,
            ]),
        ),
        line(
            message!(en: "Storylines to look after", zh: "需要照看的故事线"),
            ids(&[Concern::Rhythm, Concern::Meeting, Concern::Bridge]),
        ),
        line(
            message!(en: "People to bring back or retire", zh: "需要带回或退场的人物"),
            ids(&[Concern::AbsentCast]),
        ),
    ]
}

fn section(title: &Message, lang: Lang) -> String {
    format!("### {}\n\n", title.get(lang))
}

fn numbered<'a>(text: &mut String, points: impl Iterator<Item = &'a Point>, lang: Lang) {
    let lines: Vec<Message> = points
        .map(|point| {
            let (found, remedy) = (&point.text, remedy(point.concern));
            Message {
                en: format!("{found}: {}.", remedy.en),
                zh: format!("{found}。{}。", remedy.zh),
            }
        })
        .collect();
    listed(text, &lines, lang, |at| format!("{}. ", at + 1));
}

fn bullets(text: &mut String, lines: &[Message], lang: Lang) {
    listed(text, lines, lang, |_| "- ".to_owned());
}

fn listed(text: &mut String, lines: &[Message], lang: Lang, mark: fn(usize) -> String) {
    if lines.is_empty() {
        text.push_str(message!(en: "none", zh: "无").get(lang));
        text.push('\n');
    }
    for (at, line) in lines.iter().enumerate() {
        text.push_str(&format!("{}{}\n", mark(at), line.get(lang)));
    }
    text.push('\n');
}
