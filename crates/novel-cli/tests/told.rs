//! What agents are told, through the binary.

use novel_mockllm::{Behaviour, MockServer, Request};
use novel_testkit::{
    TestBook,
    plan::{Manner, Plan},
};
use serde_json::json;

use crate::forecast;

#[test]
fn knows_says_what_a_character_knows_at_a_chapter() {
    let book = TestBook::demo(1);
    let truth = json!({"version": 1, "secrets": [
        {"id": "S-1", "fact": "信是假的", "known_by": [{"character": "lu-yan", "from_chapter": 5}],
         "false_beliefs": [{"character": "lu-yan", "belief": "信是父亲写的"}]}]});
    book.write("world/truth.json", truth.to_string());
    let before = book.ask(&["knows", "lu-yan", "--at", "4"]).data();
    assert_eq!(before["knows"], json!([]));
    assert_eq!(before["believes"][0]["belief"], "信是父亲写的");
    assert_eq!(before["does_not_know"][0]["id"], "S-1");
    let after = book.ask(&["knows", "陆砚", "--at", "5"]).data();
    assert_eq!(after["knows"][0]["fact"], "信是假的");
    assert_eq!(after["believes"], json!([]));
    book.write("world/truth.json", "{");
    let [_, error] = book.fails_in_both(2, &["knows", "lu-yan"], "");
    assert_eq!(error["code"], "BROKEN_INPUT");
    let [_, nobody] = book.fails_in_both(2, &["knows", "nobody"], "");
    assert_eq!(nobody["code"], "NO_SUCH_CHARACTER");
}

/// Chapters the stub writes.
const CHAPTERS: u32 = 60;
/// Told once, in the prose of chapter 3.
const FACT: &str = "银哨子吹不响，除非含一口冷水。";
/// Told once, in the memory after chapter 3; kept by whoever is given it.
const PROMISE: &str = "- 林枫答应霜降那天还清三百两";
/// Known to the point of view from chapter 40 on.
const SECRET: &str = "送信的人是陈老的孪生兄弟";
/// Known to nobody on stage.
const KEPT: &str = "钟楼底下埋着第七口钟";

/// Which agent is asked, and about which chapter.
fn asked(prompt: &str) -> (&'static str, u32) {
    let agents = [
        ("# 写手", "draft"),
        ("# 书记", "summary"),
        ("# 润色师", "refine"),
        ("# 评审", "judge"),
    ];
    let is = |heading: &str| prompt.lines().any(|line| line == heading);
    let agent = agents
        .into_iter()
        .find(|(heading, _)| is(heading))
        .unwrap()
        .1;
    let task = prompt.rsplit("## 任务").next().unwrap();
    let number = task.split("第 ").nth(1).unwrap().split(' ').next().unwrap();
    (agent, number.parse().unwrap())
}

/// The text of a section of a prompt.
fn section<'a>(prompt: &'a str, name: &str) -> &'a str {
    let start = prompt.find(&format!("## {name} — "));
    let rest = start.map_or("", |at| &prompt[at + 3..]);
    rest.split("\n\n## ").next().unwrap()
}

#[test]
fn the_state_of_a_small_book_is_given_whole() {
    let book = TestBook::demo(3);
    let server = MockServer::start(|_| Behaviour::error(400, "bad", "enough was heard")).unwrap();
    book.use_model(&server.openai_base());
    book.ask(&["continue"]).fails(5);
    let requests = server.requests();
    let prompt = requests[0].prompt();
    assert_eq!(asked(&prompt), ("draft", 4));
    let state = book.json("state/current-state.json");
    let given = section(&prompt, "current_state");
    let mut strings = 0;
    let mut left = vec![&state];
    while let Some(value) = left.pop() {
        match value {
            serde_json::Value::String(text) => {
                strings += 1;
                assert!(given.contains(text.as_str()), "{text} is not in {given}");
            }
            serde_json::Value::Array(list) => left.extend(list),
            serde_json::Value::Object(map) => left.extend(map.values()),
            _ => {}
        }
    }
    assert!(strings > 10, "{state}");
}

/// A prompt, by agent and chapter.
type Prompt = ((&'static str, u32), String);

/// A book of sixty chapters by a stub that is told nothing but its prompts.
fn sixty_chapters() -> (TestBook, Vec<Prompt>) {
    let book = TestBook::planned(Plan::new(CHAPTERS));
    let truth = json!({"version": 1, "secrets": [
        {"id": "S-1", "fact": SECRET, "known_by": [{"character": "林枫", "from_chapter": 40}]},
        {"id": "S-2", "fact": KEPT, "known_by": [{"character": "苏晚"}]}]});
    book.write("world/truth.json", truth.to_string());
    let last = format!("volumes/vol-01/chapter-contracts/chapter-{CHAPTERS:03}.json");
    book.edit(&last, |contract| {
        contract["objectives"][0]["description"] = json!("林枫在门口吹响银哨子");
    });
    let plan = Plan::new(CHAPTERS);
    let planted = |text: String, chapter: u32| match chapter {
        3 => format!("{}\n\n{FACT}\n", text.trim_end()),
        _ => text,
    };
    let server = MockServer::start(move |request| {
        let prompt = request.prompt();
        let (agent, chapter) = asked(&prompt);
        Behaviour::text(match agent {
            "draft" => planted(plan.draft(chapter, Manner::Usual), chapter),
            "refine" => planted(plan.refined(chapter, Manner::Usual), chapter),
            "judge" => plan.verdict(chapter, 4.5).to_string(),
            _ => {
                let mut answer = plan.summary_answer(chapter, u64::from(chapter) - 1);
                let known = section(&prompt, "storyline_memory").contains(PROMISE);
                if chapter == 3 || known {
                    let memory = answer["memory"].as_str().unwrap();
                    answer["memory"] = format!("{memory}{PROMISE}\n").into();
                }
                answer.to_string()
            }
        })
    })
    .unwrap();
    book.use_model(&server.openai_base());
    book.ask(&["continue", &CHAPTERS.to_string()]).data();
    let prompts = server.requests().into_iter().map(|request| {
        let prompt = request.prompt();
        (asked(&prompt), prompt)
    });
    (book, prompts.collect())
}

#[test]
fn sixty_chapters_by_a_stub_that_is_told_nothing_but_its_prompts() {
    let (book, prompts) = sixty_chapters();
    let of = |agent: &'static str, chapter: u32| {
        let found = prompts.iter().find(|(who, _)| *who == (agent, chapter));
        &found.unwrap_or_else(|| panic!("{agent} {chapter}")).1
    };
    for agent in ["draft", "summary", "judge"] {
        // Handed on since chapter 3 by agents that were given it.
        assert!(
            section(of(agent, CHAPTERS), "storyline_memory").contains(PROMISE),
            "{agent}"
        );
    }
    for agent in ["draft", "judge"] {
        let prompt = of(agent, CHAPTERS);
        assert!(
            section(prompt, "recalled_passages").contains(FACT),
            "{agent}"
        );
        let before = book.text(&format!("chapters/chapter-{:03}.md", CHAPTERS - 1));
        let end = before.trim_end().lines().last().unwrap();
        assert!(
            section(prompt, "previous_endings").contains(end),
            "{agent}: {end}"
        );
        assert!(
            section(prompt, "character_profiles").contains("左手有烫伤"),
            "{agent}"
        );
    }
    for ((agent, chapter), prompt) in &prompts {
        let knows = section(prompt, "secrets").contains(SECRET);
        let is_told = *agent == "draft" && *chapter >= 40;
        assert_eq!(knows, is_told, "{agent} {chapter}");
        // The judge sees all of the truth, nobody else.
        assert_eq!(
            prompt.contains(KEPT),
            *agent == "judge",
            "{agent} {chapter}"
        );
    }
}

#[test]
fn a_prompt_that_will_be_too_large_stops_the_chapter_before_the_first_call() {
    let book = TestBook::planned(Plan::new(3));
    // Only the judge is given it, and it is never cut.
    book.edit("storylines/storyline-spec.json", |spec| {
        spec["rules"][0]["rule"] = "时间不得矛盾。".repeat(6_000).into();
    });
    let server = MockServer::start(|_| Behaviour::server_error(500)).unwrap();
    book.use_model(&server.openai_base());
    let error = book.ask(&["continue"]).fails(2);
    assert_eq!(error["code"], "PROMPT_TOO_LARGE", "{error:#}");
    assert!(
        error["message"].as_str().unwrap().contains("quality-judge"),
        "{error:#}"
    );
    assert_eq!(server.count(), 0);
}

/// A prompt in its sections, the rules first.
fn sections(prompt: &str) -> Vec<&str> {
    prompt.split("\n\n## ").collect()
}

#[test]
fn consecutive_prompts_share_what_they_can_and_cost_what_is_written_down() {
    const AGENTS: [&str; 4] = [
        "chapter-writer",
        "summarizer",
        "style-refiner",
        "quality-judge",
    ];
    let (book, model) = forecast::forty_chapters();
    let (mut shared, mut possible, mut tokens) = (0, 0, 0);
    for agent in AGENTS {
        let mut prompts: Vec<String> = model.asked(agent).iter().map(Request::prompt).collect();
        prompts.dedup();
        assert!(prompts.len() >= 40, "{agent}: {}", prompts.len());
        tokens += prompts
            .iter()
            .map(|it| novel_text::estimate_tokens(it))
            .sum::<u64>();
        let (mut own, mut most) = (0, 0);
        for pair in prompts.windows(2) {
            let (before, after) = (sections(&pair[0]), sections(&pair[1]));
            let same = after.iter().filter(|it| before.contains(it));
            most += same.map(|it| it.len() + 5).sum::<usize>();
            let bytes = pair[0].bytes().zip(pair[1].bytes());
            own += bytes.take_while(|(a, b)| a == b).count();
        }
        println!("{agent}: {} % of {} bytes", 100 * own / most.max(1), most);
        shared += own.min(most);
        possible += most;
    }
    let chapters = book.checkpoint()["last_completed_chapter"]
        .as_u64()
        .unwrap()
        - 4;
    let each = tokens / chapters;
    println!("{shared} of {possible} bytes; {each} tokens a chapter over {chapters} chapters");
    assert!(shared * 100 >= possible * 95, "{shared} of {possible}");
    // Page 08: at most half more than the 24.5k of before.
    assert!(each <= 36_750, "{each} tokens a chapter");
}
