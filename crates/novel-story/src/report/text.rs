//! What can be measured of the text: length, dialogue, sentences, phrases.

use novel_model::{Message, message};
use novel_text::{FunctionWords, Plot, TextMetrics};

use novel_contract::report::{
    DialogueReport, HandChange, HandReport, LengthReport, LengthRow, Measure, Point, StyleReport,
    StyleRow,
};

use super::{
    Report, Section, Topic,
    facts::{ChapterFacts, Facts},
    hand,
    page::{Page, ranges, same},
    rounded,
};
use novel_book::drift::{DIALOGUE_DRIFT, SENTENCE_DRIFT};

/// Chapters named for the most blacklisted phrases.
const WORST: usize = 5;

impl Section for LengthReport {
    fn of(facts: &Facts) -> Self {
        let row = |chapter: &ChapterFacts| LengthRow {
            chapter: chapter.chapter.get(),
            words: chapter.words,
        };
        let chapters: Vec<LengthRow> = facts.chapters.iter().map(row).collect();
        let total_words: u64 = chapters.iter().map(|row| row.words).sum();
        let outside = |is_outside: &dyn Fn(u64) -> bool| -> Vec<u32> {
            let rows = chapters.iter().filter(|row| is_outside(row.words));
            rows.map(|row| row.chapter).collect()
        };
        let (min_words, max_words) = (facts.min_words, facts.max_words);
        Self {
            total_words,
            mean: (!chapters.is_empty())
                .then(|| rounded(total_words as f64 / chapters.len() as f64, 1)),
            shortest: chapters.iter().min_by_key(|row| row.words).copied(),
            longest: chapters
                .iter()
                .max_by_key(|row| (row.words, std::cmp::Reverse(row.chapter)))
                .copied(),
            too_short: outside(&|words| min_words.is_some_and(|bound| words < bound)),
            too_long: outside(&|words| max_words.is_some_and(|bound| words > bound)),
            min_words,
            max_words,
            chapters,
        }
    }

    fn page(&self, _report: &Report) -> Page {
        let mut page = Page::new(Topic::Length.title());
        let (Some(mean), Some(short), Some(long)) = (self.mean, self.shortest, self.longest) else {
            page.text(no_chapters());
            return page;
        };
        let (total, count) = (self.total_words, self.chapters.len());
        let (least, at_least) = (short.words, short.chapter);
        let (most, at_most) = (long.words, long.chapter);
        page.text(message!(
            en: "{total} words in {count} chapters, {mean:.0} on average; shortest {least} (chapter {at_least}), longest {most} (chapter {at_most}).",
            zh: "共 {count} 章 {total} 字，平均每章 {mean:.0} 字；最短 {least} 字（第 {at_least} 章），最长 {most} 字（第 {at_most} 章）。"
        ));
        let point = |row: &LengthRow| (row.chapter, Some(row.words as f64));
        page.plot(
            message!(en: "Words by chapter", zh: "各章字数"),
            Plot::Values {
                points: self.chapters.iter().map(point).collect(),
                axis: None,
                digits: 0,
            },
        );
        let mut outside = Vec::new();
        if let (Some(bound), false) = (self.min_words, self.too_short.is_empty()) {
            let list = ranges(&self.too_short);
            outside.push(message!(
                en: "shorter than {bound} words: chapters {list}", zh: "不足 {bound} 字：第 {list} 章"
            ));
        }
        if let (Some(bound), false) = (self.max_words, self.too_long.is_empty()) {
            let list = ranges(&self.too_long);
            outside.push(message!(
                en: "longer than {bound} words: chapters {list}", zh: "超过 {bound} 字：第 {list} 章"
            ));
        }
        page.list(outside);
        page
    }
}

/// A measure against the value of the style profile; `allowed` is the largest share it may be off.
fn measured(value: f64, baseline: Option<f64>, allowed: f64) -> Measure {
    let baseline = baseline.filter(|baseline| *baseline > 0.0);
    let deviation = baseline.map(|baseline| (value - baseline) / baseline);
    Measure {
        value: rounded(value, 4),
        baseline,
        deviation: deviation.map(|deviation| rounded(deviation, 4)),
        drifted: deviation.is_some_and(|deviation| deviation.abs() > allowed),
    }
}

/// How a measure compares with the style profile, in words.
fn against(measure: &Measure, baseline: &str) -> Message {
    let Some(deviation) = measure.deviation else {
        return message!(en: " (the style profile names none)", zh: "（文风档案未给出基准）");
    };
    let percent = deviation * 100.0;
    let verdict = if measure.drifted {
        message!(en: ", drifted", zh: "，已漂移")
    } else {
        Message::default()
    };
    Message {
        en: format!(" (style profile {baseline}, {percent:+.0}%{})", verdict.en),
        zh: format!("（文风档案 {baseline}，{percent:+.0}%{}）", verdict.zh),
    }
}

impl Section for DialogueReport {
    fn of(facts: &Facts) -> Self {
        let total = total(facts);
        Self {
            chapters: points(facts, |chapter| chapter.metrics.dialogue_ratio),
            ratio: total.map(|total| {
                let baseline = facts.profile.dialogue_ratio;
                measured(total.dialogue_ratio, baseline, DIALOGUE_DRIFT)
            }),
        }
    }

    fn page(&self, _report: &Report) -> Page {
        let mut page = Page::new(Topic::Dialogue.title());
        let Some(ratio) = self.ratio else {
            page.text(no_chapters());
            return page;
        };
        let percent = ratio.value * 100.0;
        let baseline = ratio.baseline.map(|base| format!("{:.0}%", base * 100.0));
        let Message { en, zh } = against(&ratio, &baseline.unwrap_or_default());
        page.text(message!(
            en: "{percent:.0}% of the words are dialogue{en}.",
            zh: "对话占全文 {percent:.0}%{zh}。"
        ));
        page.plot(
            message!(en: "Share of dialogue by chapter", zh: "各章对话占比"),
            Plot::Values {
                points: self
                    .chapters
                    .iter()
                    .map(|point| (point.chapter, point.value))
                    .collect(),
                axis: None,
                digits: 2,
            },
        );
        page
    }
}

impl Section for StyleReport {
    fn of(facts: &Facts) -> Self {
        let row = |chapter: &ChapterFacts| StyleRow {
            chapter: chapter.chapter.get(),
            avg_sentence_length: rounded(chapter.metrics.avg_sentence_length, 2),
            blacklist_hits: chapter.blacklist_hits,
            hits_per_kchars: chapter.hits_per_kchars,
        };
        let chapters: Vec<StyleRow> = facts.chapters.iter().map(row).collect();
        let mut worst: Vec<&StyleRow> = chapters.iter().filter(|c| c.blacklist_hits > 0).collect();
        worst.sort_by(|a, b| {
            b.hits_per_kchars
                .total_cmp(&a.hits_per_kchars)
                .then(a.chapter.cmp(&b.chapter))
        });
        Self {
            avg_sentence_length: total(facts).map(|total| {
                let baseline = facts.profile.avg_sentence_length;
                measured(total.avg_sentence_length, baseline, SENTENCE_DRIFT)
            }),
            blacklist_hits: chapters.iter().map(|row| row.blacklist_hits).sum(),
            worst: worst
                .into_iter()
                .take(WORST)
                .map(|row| row.chapter)
                .collect(),
            hand: hand::chart(&counted(facts), facts.lang),
            chapters,
        }
    }

    fn page(&self, _report: &Report) -> Page {
        let mut page = Page::new(Topic::Style.title());
        let Some(length) = self.avg_sentence_length else {
            page.text(no_chapters());
            return page;
        };
        let value = length.value;
        let baseline = length.baseline.map(|baseline| format!("{baseline:.1}"));
        let Message { en, zh } = against(&length, &baseline.unwrap_or_default());
        page.text(message!(
            en: "{value:.1} words per sentence{en}.", zh: "平均句长 {value:.1} 字{zh}。"
        ));
        let point = |row: &StyleRow| (row.chapter, Some(row.avg_sentence_length));
        page.plot(
            message!(en: "Words per sentence by chapter", zh: "各章平均句长"),
            Plot::Values {
                points: self.chapters.iter().map(point).collect(),
                axis: None,
                digits: 1,
            },
        );
        if let Some(hand) = &self.hand {
            hand_page(hand, &mut page);
        }
        let hits = self.blacklist_hits;
        let phrases = novel_model::counted(hits, "blacklisted phrase");
        page.text(message!(
            en: "{phrases} in all.", zh: "黑名单用语共命中 {hits} 次。"
        ));
        let find = |chapter: &u32| self.chapters.iter().find(|row| row.chapter == *chapter);
        page.table(
            vec![
                message!(en: "chapter", zh: "章"),
                message!(en: "phrases", zh: "命中"),
                message!(en: "per 1000 words", zh: "每千字"),
            ],
            self.worst
                .iter()
                .filter_map(find)
                .map(|row| {
                    vec![
                        same(row.chapter),
                        same(row.blacklist_hits),
                        same(format!("{:.2}", row.hits_per_kchars)),
                    ]
                })
                .collect(),
        );
        page
    }
}

fn counted(facts: &Facts) -> Vec<(u32, &FunctionWords)> {
    let chapters = facts.chapters.iter();
    chapters
        .map(|chapter| (chapter.chapter.get(), &chapter.function_words))
        .collect()
}

/// The chart of the function words, and what it says.
fn hand_page(hand: &HandReport, page: &mut Page) {
    let limit = hand.limit;
    page.text(match &hand.change {
        Some(change) => changed_hand(change),
        None => message!(
            en: "By its function words the whole book reads as one hand.",
            zh: "从虚词看，全书出自同一手笔。"
        ),
    });
    page.plot(
        message!(
            en: "Distance from the book's own hand by chapter (limit {limit:.2})",
            zh: "各章与本书手笔的距离（控制限 {limit:.2}）"
        ),
        Plot::Values {
            points: hand
                .chapters
                .iter()
                .map(|point| (point.chapter, point.value))
                .collect(),
            axis: None,
            digits: 2,
        },
    );
    if !hand.outside.is_empty() {
        let list = ranges(&hand.outside);
        page.list(vec![message!(
            en: "outside the limit: chapters {list}", zh: "超出控制限：第 {list} 章"
        )]);
    }
}

/// Where another hand begins, and by which words.
pub(super) fn changed_hand(change: &HandChange) -> Message {
    let words = |quote: fn(&str) -> String| -> Vec<String> {
        let words = change.words.iter();
        words
            .map(|word| {
                format!(
                    "{} {:.1} → {:.1}",
                    quote(&word.word),
                    word.before,
                    word.after
                )
            })
            .collect()
    };
    let chapter = change.chapter;
    let en = words(|word| format!("“{word}”")).join(", ");
    let zh = words(|word| format!("“{word}”")).join("、");
    message!(
        en: "from chapter {chapter} on the book reads as another hand; function words per thousand: {en}.",
        zh: "从第 {chapter} 章起手笔不同，每千字虚词：{zh}。"
    )
}

fn points(facts: &Facts, value: fn(&ChapterFacts) -> f64) -> Vec<Point> {
    let point = |chapter: &ChapterFacts| Point {
        chapter: chapter.chapter.get(),
        value: Some(rounded(value(chapter), 4)),
    };
    facts.chapters.iter().map(point).collect()
}

/// All chapters as if they were one text; none of none.
fn total(facts: &Facts) -> Option<TextMetrics> {
    let parts = facts.chapters.iter().map(|chapter| &chapter.metrics);
    (!facts.is_empty()).then(|| TextMetrics::sum(parts))
}

/// What every page says when there is nothing to report on.
pub(super) fn no_chapters() -> Message {
    message!(en: "There are no chapters to report on.", zh: "没有可以统计的章节。")
}
