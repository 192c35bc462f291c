//! A weak model gets through where its work is sound: forty chapters by one that makes every mistake
//! that was seen of real models, each of them one time in ten.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use novel_mockllm::{Answer, Behaviour, Finish};
use novel_testkit::{Plan, TestBook};
use serde_json::{Value, json};

use super::stub::{Call, Stub};

const CHAPTERS: u32 = 40;

/// An answer on its way to the program.
struct Given {
    text: String,
    /// Whether the server says that its limit was reached.
    is_cut: bool,
    chapter: u32,
    /// The person the chapter is about.
    hero: &'static str,
}

impl Given {
    fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        let mut value: Value = serde_json::from_str(&self.text).unwrap();
        change(&mut value);
        self.text = value.to_string();
    }

    fn heading(&mut self, heading: &str) {
        let (_, body) = self.text.split_once('\n').unwrap();
        self.text = format!("{heading}\n{body}");
    }
}

/// A mistake: its name, whose it is, and what it does to a sound answer.
type Mistake = (&'static str, &'static [&'static str], fn(&mut Given));

const WRITERS: &[&str] = &["draft", "revise"];
const REFINERS: &[&str] = &["refine", "polish"];
const PROSE: &[&str] = &["draft", "revise", "refine", "polish"];
const FORMS: &[&str] = &["summarize", "judge"];
const SUMMARIZER: &[&str] = &["summarize"];
const JUDGE: &[&str] = &["judge"];

/// In the order in which they are made: the answer first, then what is said around it.
const MISTAKES: &[Mistake] = &[
    ("english_name", WRITERS, |it| {
        it.text = it.text.replace(it.hero, "Lin Feng")
    }),
    ("doubled", WRITERS, |it| {
        let (_, body) = it.text.split_once('\n').unwrap();
        it.text = format!("{}\n{body}", it.text);
    }),
    ("three_times_the_length", REFINERS, |it| {
        let more = "窗外的雨又大了一些，街上没有人，只有一盏灯还亮着，照着湿透的石板。\n\n";
        let length = it.text.chars().count() * 2 / more.chars().count();
        it.text = format!("{}\n\n{}", it.text.trim_end(), more.repeat(length + 1));
    }),
    ("no_heading", WRITERS, |it| it.heading("")),
    ("small_heading", WRITERS, |it| {
        it.text = it.text.replacen("# ", "### ", 1)
    }),
    ("headings_inside", WRITERS, |it| {
        let (first, rest) = it.text.rsplit_once("\n\n").unwrap();
        it.text = format!("{first}\n\n### 场景二\n\n{rest}");
    }),
    ("literal_heading", WRITERS, |it| {
        it.heading(&format!("# 第 {} 章 章名", it.chapter))
    }),
    ("other_title", REFINERS, |it| {
        it.heading(&format!("# 第 {} 章 另起的名字", it.chapter))
    }),
    ("cut", WRITERS, |it| {
        let half = it.text.chars().count() / 2;
        it.text = it.text.chars().take(half).collect();
        it.is_cut = true;
    }),
    ("display_name", SUMMARIZER, |it| {
        let path = json!(format!("characters.{}.location", it.hero));
        it.edit(|value| value["delta"]["ops"][1]["path"] = path)
    }),
    ("unknown_id", SUMMARIZER, |it| {
        it.edit(|value| {
            let op = json!({"op": "set", "path": "characters.wang-wu.location", "value": "码头",
                "evidence": "柜台上压着"});
            value["delta"]["ops"].as_array_mut().unwrap().push(op);
        })
    }),
    ("wrong_type", SUMMARIZER, |it| {
        it.edit(|value| value["delta"]["ops"][1]["value"] = json!(5))
    }),
    ("fact_without_quotation", SUMMARIZER, |it| {
        it.edit(|value| value["delta"]["ops"][3]["evidence"] = json!(""))
    }),
    ("fact_paraphrased", SUMMARIZER, |it| {
        it.edit(|value| value["delta"]["ops"][3]["evidence"] = json!("他又一次收到了寄来的信件"))
    }),
    ("long_memory", SUMMARIZER, |it| {
        let lines: String = (0x4E00..0x4E5A)
            .filter_map(char::from_u32)
            .map(|street| format!("{street}街一直下雨，门没有锁。"))
            .collect();
        it.edit(|value| value["memory"] = json!(lines))
    }),
    ("memory_that_goes_round", SUMMARIZER, |it| {
        it.edit(|value| value["memory"] = json!("雨一直下，门没有锁。".repeat(900)))
    }),
    ("facts_that_go_round", SUMMARIZER, |it| {
        it.edit(|value| {
            let Some(ops) = value["delta"]["ops"].as_array_mut() else {
                return;
            };
            let op = ops[0].clone();
            ops.extend(vec![op; 500]);
        })
    }),
    ("cut_record", SUMMARIZER, |it| {
        let part = it.text.chars().count() * 4 / 5;
        it.text = it.text.chars().take(part).collect();
        it.is_cut = true;
    }),
    ("checks_missing", JUDGE, |it| {
        it.edit(|value| value["contract_verification"]["passed"] = json!([]))
    }),
    ("no_confidence", JUDGE, |it| {
        it.edit(|value| {
            let evidence = value["scores"]["pacing"]["evidence"].clone();
            value["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001",
                "status": "violation", "detail": "晴天收信", "evidence": evidence}]);
            value["contract_verification"]["has_violations"] = json!(true);
        })
    }),
    ("violations_that_are_none", JUDGE, |it| {
        it.edit(|value| value["contract_verification"]["has_violations"] = json!(true))
    }),
    ("score_without_fixes", JUDGE, |it| {
        it.edit(|value| {
            for score in value["scores"].as_object_mut().unwrap().values_mut() {
                score["score"] = json!(3.2);
            }
        })
    }),
    ("score_out_of_scale", JUDGE, |it| {
        it.edit(|value| value["scores"]["pacing"]["score"] = json!(7))
    }),
    ("score_without_quotation", JUDGE, |it| {
        it.edit(|value| value["scores"]["pacing"]["evidence"] = json!(""))
    }),
    ("score_paraphrased", JUDGE, |it| {
        it.edit(|value| value["scores"]["character"]["evidence"] = json!("主角拿到信以后十分犹豫"))
    }),
    ("suggestion_without_examples", JUDGE, |it| {
        it.edit(|value| {
            value["anti_ai"]["blacklist_update_suggestions"] =
                json!([{"phrase": "缓缓地", "count_in_chapter": 5, "examples": []}]);
        })
    }),
    ("talk_before", PROSE, |it| {
        it.text = format!("好的，下面是第 {} 章的正文：\n\n{}", it.chapter, it.text)
    }),
    ("talk_after", PROSE, |it| {
        it.text = format!("{}\n\n希望你喜欢这一章！\n", it.text.trim_end())
    }),
    ("word_count", PROSE, |it| {
        it.text = format!("{}\n\n（全文约2000字）\n", it.text.trim_end())
    }),
    ("fence", FORMS, |it| {
        it.text = format!("```json\n{}\n```", it.text)
    }),
    ("prose_before_the_form", FORMS, |it| {
        it.text = format!("好的，以下是结果：\n\n{}", it.text)
    }),
];

/// Whether this call makes this mistake: one time in ten, the same in every run.
fn is_made(mistake: &str, call: &Call) -> bool {
    let named = format!("{mistake} {} {} {}", call.work, call.chapter, call.nth);
    // FNV-1a, and its upper bits, which every byte has reached.
    let hash = named.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash >> 32).is_multiple_of(10)
}

/// What a model that is asked again about a violation says of it: that it does not see it any more.
fn mended(call: &Call, sound: &str) -> String {
    let asked = call.prompt.rsplit("## 重新作答").next().unwrap();
    if call.work != "judge" || !call.again || !asked.contains("W-001") {
        return sound.to_owned();
    }
    let mut verdict: Value = serde_json::from_str(sound).unwrap();
    verdict["contract_verification"]["l1_checks"] =
        json!([{"rule_id": "W-001", "withdrawn": "当时在下雨"}]);
    verdict.to_string()
}

type Counts = BTreeMap<String, usize>;

fn counted(counts: &Counts) -> String {
    let mut rows: Vec<(&String, &usize)> = counts.iter().collect();
    rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let mut text = String::new();
    for (name, count) in rows {
        let _ = writeln!(text, "  {count:>4}  {name}");
    }
    text
}

#[test]
fn forty_chapters_with_every_mistake_one_time_in_ten() {
    let book = TestBook::planned(Plan::new(60));
    let plan = book.plan().clone();
    let made: Arc<Mutex<Counts>> = Arc::default();
    let record = Arc::clone(&made);
    let stub = Stub::behaving(&book, move |call, sound| {
        let mut given = Given {
            text: mended(call, sound),
            is_cut: false,
            chapter: call.chapter,
            hero: plan.hero(call.chapter).1,
        };
        for (name, whose, make) in MISTAKES {
            if whose.contains(&call.work) && is_made(name, call) {
                make(&mut given);
                *record.lock().unwrap().entry((*name).into()).or_default() += 1;
            }
        }
        Some(Behaviour::Answer(Answer {
            finish: if given.is_cut {
                Finish::Length
            } else {
                Finish::Stop
            },
            ..Answer::new(given.text)
        }))
    });
    let mut stops = Vec::new();
    while let Some(left) = CHAPTERS.checked_sub(done(&book)).filter(|left| *left > 0) {
        let output = book.ask(&["continue", &left.to_string(), "--retry"]).json();
        if output["ok"] != true {
            // The way on is named, and it leads on: no step stops twice over the same.
            let error = &output["error"];
            let hint = error["hint"].as_str().unwrap_or_default();
            assert!(hint.contains("`novel "), "{output:#}");
            let problems = error["details"]["problems"].as_array();
            let told: Vec<String> = problems
                .into_iter()
                .flatten()
                .map(|problem| format!("{} {}", problem["code"], problem["message"]))
                .collect();
            let stop = (book.next(), told);
            assert!(!stops.contains(&stop), "{stop:?} after {stops:#?}");
            stops.push(stop);
        }
    }
    let calls = stub.calls();
    let again = calls.iter().filter(|call| call.again).count();
    let steps: usize = (1..=CHAPTERS)
        .map(|chapter| {
            let log = book.json(&format!("logs/chapter-{chapter:03}-log.json"));
            let stages = log["stages"].as_array().unwrap().iter();
            stages.filter(|stage| stage["rejected"] != true).count()
        })
        .sum();
    let share = calls.len() as f64 / steps as f64;
    let made = made.lock().unwrap();
    println!(
        "{} calls for {steps} steps ({share:.2}), {again} re-asks, {} stops",
        calls.len(),
        stops.len(),
    );
    println!("mistakes made:\n{}", counted(&made));
    println!("re-asked for:\n{}", counted(&reasons(&calls)));
    println!("stops:\n{stops:#?}");
    let never: BTreeSet<&str> = MISTAKES
        .iter()
        .map(|(name, ..)| *name)
        .filter(|name| !made.contains_key(*name))
        .collect();
    assert!(never.is_empty(), "never made: {never:?}");
    assert!(share <= 1.5, "{} calls for {steps} steps", calls.len());
}

/// Why answers were sent back, as the models were told; numbers and quotations left out.
fn reasons(calls: &[Call]) -> Counts {
    let mut counts = Counts::new();
    for call in calls.iter().filter(|call| call.again) {
        let asked = call.prompt.rsplit("## 重新作答").next().unwrap();
        let told: BTreeSet<String> = asked
            .lines()
            .filter_map(|line| line.strip_prefix("- "))
            .map(|line| format!("{}: {line}", call.work))
            .collect();
        for reason in told {
            *counts.entry(reason).or_default() += 1;
        }
    }
    counts
}

fn done(book: &TestBook) -> u32 {
    let done = book.checkpoint()["last_completed_chapter"]
        .as_u64()
        .unwrap();
    u32::try_from(done).unwrap()
}
