//! The planning files of a book, and what its agents would hand in: pure and deterministic.
//!
//! Nothing here reads or writes a file, so the same book serves the real binary and a file system
//! in memory. Every chapter has its own prose; two chapters never share a paragraph.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Files by project-relative path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Language of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    /// Chinese.
    Zh,
    /// English.
    En,
}

/// How a chapter of the fixture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Short sentences, people talk: the style of the profile.
    Usual,
    /// Long sentences, nobody talks: far from the profile.
    Drifted,
}

/// The storylines a plan may use, in order; the first is the main line.
pub const LINES: [&str; 3] = ["main-arc", "jinghai-plan", "old-city"];

/// A line that rests through the whole volume.
pub const DORMANT_LINE: &str = "frozen-north";

/// The cast: id, name, alias.
pub const CAST: [(&str, &str, &str); 4] = [
    ("chen-lao", "陈老", "老陈"),
    ("lin-feng", "林枫", "小枫"),
    ("su-wan", "苏晚", "晚姐"),
    ("zhou-yan", "周砚", "砚台"),
];

const CAST_EN: [(&str, &str, &str); 4] = [
    ("chen-lao", "Old Chen", "the Keeper"),
    ("lin-feng", "Lin Feng", "Feng"),
    ("su-wan", "Su Wan", "Wan"),
    ("zhou-yan", "Zhou Yan", "Yan"),
];

/// The eight dimensions of the judge.
pub const DIMENSIONS: [&str; 8] = [
    "plot_logic",
    "character",
    "immersion",
    "foreshadowing",
    "pacing",
    "style_naturalness",
    "emotional_impact",
    "storyline_coherence",
];

/// A book to be written: one volume.
#[derive(Debug, Clone)]
pub struct Plan {
    /// First chapter of the volume.
    pub first: u32,
    /// Last chapter of the volume.
    pub last: u32,
    /// How many of [`LINES`] are on stage.
    pub lines: usize,
    /// Chapters in which all lines meet, bounds included.
    pub convergence: Option<(u32, u32)>,
    /// Language.
    pub tongue: Tongue,
}

impl Plan {
    /// A volume of `chapters` chapters on the main line.
    #[must_use]
    pub fn new(chapters: u32) -> Self {
        Self {
            first: 1,
            last: chapters,
            lines: 1,
            convergence: None,
            tongue: Tongue::Zh,
        }
    }

    /// A volume from `first` to `last` of a book whose earlier chapters another tool wrote.
    #[must_use]
    pub fn continuing(first: u32, last: u32) -> Self {
        Self {
            first,
            ..Self::new(last)
        }
    }

    /// The same on `lines` storylines.
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// The same with a convergence.
    #[must_use]
    pub fn convergence(mut self, first: u32, last: u32) -> Self {
        self.convergence = Some((first, last));
        self
    }

    /// The same in English.
    #[must_use]
    pub fn english(mut self) -> Self {
        self.tongue = Tongue::En;
        self
    }

    /// The line a chapter belongs to.
    #[must_use]
    pub fn line(&self, chapter: u32) -> &'static str {
        LINES[chapter as usize % self.lines]
    }

    /// Whether a chapter gets two judges.
    #[must_use]
    pub fn is_key(&self, chapter: u32) -> bool {
        let meets = |(first, last)| (first..=last).contains(&chapter);
        chapter == self.first || chapter == self.last || self.convergence.is_some_and(meets)
    }

    fn cast(&self) -> [(&'static str, &'static str, &'static str); 4] {
        match self.tongue {
            Tongue::Zh => CAST,
            Tongue::En => CAST_EN,
        }
    }

    /// Who a chapter is about: the name that stands in its prose.
    #[must_use]
    pub fn hero(&self, chapter: u32) -> (&'static str, &'static str) {
        let cast = self.cast();
        let at = match self.line(chapter) {
            "main-arc" => 1,
            "jinghai-plan" => 2,
            _ => 3,
        };
        (cast[at].0, cast[at].1)
    }

    /// The title of a chapter.
    #[must_use]
    pub fn title(&self, chapter: u32) -> String {
        match self.tongue {
            Tongue::Zh => format!("{}之{}", pick(&WEATHER, chapter), pick(&PLACES, chapter)),
            Tongue::En => format!("The {}", pick(&PLACES_EN, chapter)),
        }
    }

    /// Every planning file of the book.
    #[must_use]
    pub fn files(&self) -> Files {
        let mut files = Files::new();
        let mut text = |path: &str, content: String| {
            files.insert(path.to_owned(), content.into_bytes());
        };
        text(
            ".checkpoint.json",
            pretty(&json!({
                "last_completed_chapter": self.first - 1,
                "current_volume": 1,
                "orchestrator_state": "WRITING",
                "pipeline_stage": null,
                "inflight_chapter": null,
                "revision_count": 0,
                "pending_actions": [],
                "last_checkpoint_time": "2026-02-21T15:30:00Z",
            })),
        );
        text("novel.toml", self.config());
        text("brief.md", self.brief());
        text("style-profile.json", pretty(&self.style_profile()));
        text("ai-blacklist.json", pretty(&self.blacklist()));
        text("world/rules.json", pretty(&self.world_rules()));
        for (id, name, alias) in self.cast() {
            let character = self.character(id, name, alias);
            text(&format!("characters/active/{id}.json"), pretty(&character));
        }
        let (_, name, _) = self.cast()[1];
        text(
            "characters/active/lin-feng.md",
            match self.tongue {
                Tongue::Zh => format!("# {name}\n\n旧书店的伙计，左手有烫伤。\n"),
                Tongue::En => format!("# {name}\n\nA clerk in a book shop with a burnt hand.\n"),
            },
        );
        text("storylines/storylines.json", pretty(&self.storylines()));
        text(
            "storylines/storyline-spec.json",
            pretty(&self.storyline_spec()),
        );
        text("volumes/vol-01/outline.md", self.outline());
        text(
            "volumes/vol-01/storyline-schedule.json",
            pretty(&self.schedule()),
        );
        text(
            "volumes/vol-01/foreshadowing.json",
            pretty(&self.foreshadowing()),
        );
        for chapter in self.first..=self.last {
            text(
                &format!("volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"),
                pretty(&self.contract(chapter)),
            );
        }
        if self.first > 1 {
            text("state/current-state.json", pretty(&self.earlier_state()));
            for chapter in self.first.saturating_sub(12).max(1)..self.first {
                text(
                    &format!("summaries/chapter-{chapter:03}-summary.md"),
                    self.summary(chapter),
                );
            }
        }
        files
    }

    fn earlier_state(&self) -> Value {
        json!({"schema_version": 1, "state_version": self.first - 1,
               "last_updated_chapter": self.first - 1,
               "characters": {"lin-feng": {"display_name": "林枫", "location": "魔都",
                                           "relationships": {"chen-lao": 50}, "inventory": ["密信"]}},
               "items": {}, "locations": {}, "factions": {},
               "world_state": {"time_marker": "第三年冬"}, "active_foreshadowing": []})
    }

    fn config(&self) -> String {
        match self.tongue {
            Tongue::Zh => "title = \"雨夜书店\"\nauthor = \"某人\"\nlanguage = \"zh-CN\"\n".into(),
            Tongue::En => {
                "title = \"The Night Shop\"\nauthor = \"Someone\"\nlanguage = \"en\"\n".into()
            }
        }
    }

    fn brief(&self) -> String {
        match self.tongue {
            Tongue::Zh => "# 梗概\n\n旧书店的伙计收到一封不该存在的信。\n".into(),
            Tongue::En => "# Brief\n\nA clerk gets a letter that should not exist.\n".into(),
        }
    }

    /// The style profile: its two baselines are measured on the usual prose.
    #[must_use]
    pub fn style_profile(&self) -> Value {
        let sample: Vec<String> = (1..=5)
            .map(|chapter| self.prose(chapter, Manner::Usual))
            .collect();
        let measured = measure(&sample.join("\n"));
        json!({
            "source_type": "original",
            "avg_sentence_length": measured.sentence_length(),
            "dialogue_ratio": measured.dialogue_ratio(),
            "preferred_expressions": ["且慢"],
            "writing_directives": ["短句推进"],
        })
    }

    /// The blacklist before the first chapter.
    #[must_use]
    pub fn blacklist(&self) -> Value {
        json!({
            "version": "1.0.0",
            "last_updated": "2026-01-01",
            "words": ["值得一提的是", "不禁", "仿佛", "嘴角微微上扬", "眼中闪过一丝", "空气仿佛凝固",
                      "深吸一口气", "命运的齿轮", "无法言喻", "与此同时", "一股暖流", "毋庸置疑"],
            "whitelist": ["仿佛"],
            "update_log": [],
        })
    }

    fn world_rules(&self) -> Value {
        let (first, second, soft) = match self.tongue {
            Tongue::Zh => ("信只在雨夜送达", "禁止在钟楼点火", "街灯多为黄色"),
            Tongue::En => (
                "letters come on rainy nights only",
                "no fire in the tower",
                "lamps are yellow",
            ),
        };
        json!({"rules": [
            {"id": "W-002", "category": "geography", "rule": second, "constraint_type": "hard",
             "exceptions": ["除夕"], "introduced_chapter": 1, "last_verified": null},
            {"id": "W-001", "category": "magic_system", "rule": first, "constraint_type": "hard",
             "exceptions": [], "introduced_chapter": 1, "last_verified": null},
            {"id": "W-003", "category": "society", "rule": soft, "constraint_type": "soft",
             "exceptions": [], "introduced_chapter": 1, "last_verified": null},
        ]})
    }

    fn character(&self, id: &str, name: &str, alias: &str) -> Value {
        let upper = id.replace('-', "").to_uppercase();
        json!({
            "id": id,
            "display_name": name,
            "aliases": [alias],
            "contracts": [{"id": format!("C-{upper}-001"), "type": "personality", "rule": "…",
                           "exceptions": [], "valid_from_chapter": 1, "valid_until": null,
                           "update_requires": "author"}],
            "colour": "blue",
        })
    }

    fn storylines(&self) -> Value {
        let mut lines: Vec<Value> = LINES[..self.lines]
            .iter()
            .map(|id| {
                json!({"id": id, "name": id, "type": "main_arc", "scope": "book",
                       "pov_characters": ["lin-feng"], "affiliated_factions": [],
                       "timeline": "now", "status": "active", "description": id})
            })
            .collect();
        lines.push(
            json!({"id": DORMANT_LINE, "name": DORMANT_LINE, "type": "side",
                          "status": "dormant"}),
        );
        json!({"storylines": lines, "relationships": []})
    }

    fn storyline_spec(&self) -> Value {
        json!({"rules": [
            {"id": "LS-001", "rule": "同时进行的故事线在时间上不得矛盾", "constraint_type": "hard"},
            {"id": "LS-002", "rule": "切换后二百字内点明时间地点", "constraint_type": "soft"},
            {"id": "LS-005", "rule": "交汇章之外不得知道别线独有的信息", "constraint_type": "hard"},
        ]})
    }

    fn outline(&self) -> String {
        let mut text = match self.tongue {
            Tongue::Zh => "# 第 1 卷 大纲\n\n".to_owned(),
            Tongue::En => "# Volume 1\n\n".to_owned(),
        };
        for chapter in self.first..=self.last {
            let title = self.title(chapter);
            let heading = match self.tongue {
                Tongue::Zh => format!("### 第 {chapter} 章: {title}"),
                Tongue::En => format!("### Chapter {chapter}: {title}"),
            };
            let (_, hero) = self.hero(chapter);
            let line = self.line(chapter);
            let place = self.place(chapter);
            text.push_str(&format!(
                "{heading}\n\n- **Storyline**: {line}\n- **POV**: {hero}\n- **Location**: {place}\n\
                 - **Conflict**: #{chapter}\n- **Arc**: #{chapter}\n- **Foreshadowing**: -\n\
                 - **StateChanges**: {hero} -> {place}\n- **TransitionHint**: {}\n\n",
                self.line(chapter + 1),
            ));
        }
        text
    }

    fn place(&self, chapter: u32) -> &'static str {
        match self.tongue {
            Tongue::Zh => pick(&PLACES, chapter),
            Tongue::En => pick(&PLACES_EN, chapter),
        }
    }

    fn schedule(&self) -> Value {
        let roles = ["primary", "secondary", "seasoning"];
        let active: Vec<Value> = LINES[..self.lines]
            .iter()
            .zip(roles)
            .map(|(id, role)| json!({"storyline_id": id, "volume_role": role}))
            .collect();
        let mut events = vec![
            json!({"chapter_range": null, "involved_storylines": LINES[..self.lines],
                                     "trigger": "unscheduled", "aftermath": ""}),
        ];
        if let Some((first, last)) = self.convergence {
            events.push(json!({"chapter_range": [first, last],
                               "involved_storylines": LINES[..self.lines],
                               "trigger": "the letter", "aftermath": "they know"}));
        }
        json!({"active_storylines": active,
               "interleaving_pattern": {"primary_max_consecutive": 3,
                                        "secondary_min_appearance": "every_8_chapters"},
               "convergence_events": events,
               "dormant_storylines": [DORMANT_LINE]})
    }

    fn foreshadowing(&self) -> Value {
        json!({"foreshadowing": [
            {"id": "ancient_prophecy", "description": "信尾的预言", "scope": "long",
             "planted_chapter": 1, "planted_storyline": "main-arc", "target_resolve_range": [30, 40]},
            {"id": "broken_jade", "description": "断成两半的玉佩", "scope": "short",
             "planted_chapter": 2, "planted_storyline": self.line(2), "target_resolve_range": [5, 8]},
            {"id": "lost_ledger", "description": "不见的账本", "scope": "short",
             "planted_chapter": 3, "planted_storyline": self.line(3), "target_resolve_range": [6, 9]},
            {"id": "clock-tower", "description": "停走的钟", "scope": "medium",
             "planted_chapter": 12, "planted_storyline": self.line(12), "target_resolve_range": [20, 28]},
        ]})
    }

    /// What happens to the foreshadowing in a chapter.
    #[must_use]
    pub fn foreshadow_ops(&self, chapter: u32) -> Vec<(&'static str, &'static str)> {
        match chapter {
            1 => vec![("ancient_prophecy", "planted")],
            2 => vec![("broken_jade", "planted")],
            3 => vec![("lost_ledger", "planted")],
            4 => vec![("ancient_prophecy", "advanced")],
            5 => vec![("broken_jade", "advanced")],
            7 => vec![("broken_jade", "resolved")],
            12 => vec![("clock-tower", "planted")],
            20 => vec![("clock-tower", "advanced"), ("lost_ledger", "resolved")],
            26 => vec![("clock-tower", "resolved")],
            35 => vec![("ancient_prophecy", "resolved")],
            _ => vec![],
        }
    }

    /// The L3 contract of a chapter.
    #[must_use]
    pub fn contract(&self, chapter: u32) -> Value {
        let (_, hero) = self.hero(chapter);
        let updates: serde_json::Map<String, Value> = self
            .foreshadow_ops(chapter)
            .into_iter()
            .map(|(id, action)| (id.to_owned(), json!(action)))
            .collect();
        let next = if chapter == self.last {
            None
        } else {
            Some(self.line(chapter + 1))
        };
        json!({
            "chapter": chapter,
            "storyline_id": self.line(chapter),
            "storyline_context": {
                "last_chapter_summary": format!("#{}", chapter - 1),
                "chapters_since_last": 0,
                "line_arc_progress": format!("{}%", chapter * 100 / self.last),
                "concurrent_state": {DORMANT_LINE: "大雪封山，无人下山"},
            },
            "transition_hint": {"next_storyline": next, "bridge": "雨声"},
            "preconditions": {"character_states": {hero: {"location": self.place(chapter)}},
                              "required_world_rules": ["W-001"]},
            "objectives": [
                {"id": format!("OBJ-{chapter}-1"), "type": "plot", "required": true,
                 "description": format!("#{chapter}")},
                {"id": format!("OBJ-{chapter}-2"), "type": "character_development", "required": false,
                 "description": "…"},
            ],
            "postconditions": {"state_changes": {hero: {"location": self.place(chapter)}},
                               "foreshadowing_updates": updates},
            "acceptance_criteria": ["…"],
        })
    }

    fn heading(&self, chapter: u32) -> String {
        let title = self.title(chapter);
        match self.tongue {
            Tongue::Zh => format!("# 第 {chapter} 章 {title}"),
            Tongue::En => format!("# Chapter {chapter}: {title}"),
        }
    }

    /// The two scenes of a chapter, as the writer writes them first.
    fn prose(&self, chapter: u32, manner: Manner) -> String {
        self.scenes(chapter, manner).join("\n\n")
    }

    fn scenes(&self, chapter: u32, manner: Manner) -> [String; 2] {
        match (self.tongue, manner) {
            (Tongue::Zh, Manner::Usual) => chinese(chapter, self.hero(chapter).1),
            (Tongue::Zh, Manner::Drifted) => chinese_drifted(chapter, self.hero(chapter).1),
            (Tongue::En, _) => english(chapter, self.hero(chapter).1),
        }
    }

    /// The writer's answer. Odd chapters come in a form that is not yet the normal one.
    #[must_use]
    pub fn draft(&self, chapter: u32, manner: Manner) -> String {
        let [first, second] = self.scenes(chapter, manner);
        let heading = self.heading(chapter);
        if chapter % 2 == 1 {
            format!("{heading}\n\n\n{first}\n\n***\n{second}\n\n\n")
        } else {
            format!("{heading}\n\n{first}\n\n* * *\n\n{second}\n")
        }
    }

    /// The refiner's answer: the draft with a few words changed.
    #[must_use]
    pub fn refined(&self, chapter: u32, manner: Manner) -> String {
        self.draft(chapter, manner)
            .replace("慢慢", "缓缓")
            .replace("slowly", "quietly")
    }

    /// The second polish: a few words more.
    #[must_use]
    pub fn polished(&self, chapter: u32, manner: Manner) -> String {
        self.refined(chapter, manner)
            .replace("雨声", "雨点")
            .replace("rain", "drizzle")
    }

    /// The writer's answer to a revision.
    #[must_use]
    pub fn revised(&self, chapter: u32, round: u32) -> String {
        let closing = match self.tongue {
            Tongue::Zh => format!("\n\n他改了主意，这是第{}回。\n", numeral(round)),
            Tongue::En => format!("\n\nHe changed his mind, time {round}.\n"),
        };
        let draft = self.draft(chapter, Manner::Usual);
        format!("{}{closing}", draft.trim_end())
    }

    /// A sentence that stands in every form of a chapter.
    #[must_use]
    pub fn quotation(&self, chapter: u32) -> String {
        match self.tongue {
            Tongue::Zh => format!("柜台上压着第{}封信", numeral(chapter)),
            Tongue::En => format!("letter number {chapter} lay on the counter"),
        }
    }

    /// The summarizer's answer, made against `base` of the state.
    #[must_use]
    pub fn summary_answer(&self, chapter: u32, base: u64) -> Value {
        let line = self.line(chapter);
        json!({
            "summary": self.summary(chapter),
            "delta": {"chapter": chapter, "base_state_version": base, "storyline_id": line,
                      "ops": self.ops(chapter)},
            "crossref": {"storyline_id": line, "cross_references": [], "leak_risk": "none",
                         "leak_detail": null, "unknown_entities": self.unknown(chapter)},
            "memory": self.memory(chapter),
        })
    }

    /// Names nobody has registered: one in every ninth chapter, from the fourth.
    #[must_use]
    pub fn unknown(&self, chapter: u32) -> Vec<Value> {
        if chapter % 9 == 4 {
            vec![
                json!({"mention": format!("无名客{}", numeral(chapter)), "context": "门外",
                        "suggested_type": "character"}),
            ]
        } else {
            vec![]
        }
    }

    /// The memory of the chapter's line after it.
    #[must_use]
    pub fn memory(&self, chapter: u32) -> String {
        format!(
            "# {}\n\n- 第 {chapter} 章：{}在{}。\n",
            self.line(chapter),
            self.hero(chapter).1,
            self.place(chapter)
        )
    }

    /// The summary of a chapter.
    #[must_use]
    pub fn summary(&self, chapter: u32) -> String {
        let hero = self.hero(chapter).1;
        let place = self.place(chapter);
        let words = [
            ("planted", "埋设"),
            ("advanced", "推进"),
            ("resolved", "回收"),
        ];
        let changes: String = self
            .foreshadow_ops(chapter)
            .into_iter()
            .map(|(id, action)| {
                let word = words
                    .iter()
                    .find(|(name, _)| *name == action)
                    .map_or("", |w| w.1);
                format!("- [{word}] {id}\n")
            })
            .collect();
        format!(
            "## 第 {chapter} 章摘要\n\n{hero}来到{place}，收到第{n}封信。\n\n### 关键事件\n\n- 收信\n\n\
             ### 伏笔变更\n\n{changes}\n### 故事线标记\n\n- storyline_id: {line}\n\n\
             ### 下章须知\n\n- 信在{hero}手里\n- 雨没有停\n- 门没有锁\n",
            n = numeral(chapter),
            line = self.line(chapter),
        )
    }

    /// The ops of a chapter: every verb, and in every sixth chapter two that must be dropped.
    #[must_use]
    pub fn ops(&self, chapter: u32) -> Vec<Value> {
        let (id, name) = self.hero(chapter);
        let mut ops = vec![
            json!({"op": "set", "path": format!("characters.{id}.display_name"), "value": name}),
            json!({"op": "set", "path": format!("characters.{id}.location"), "value": self.place(chapter)}),
            json!({"op": "inc", "path": format!("characters.{id}.relationships.chen-lao"), "value": 5}),
            json!({"op": "add", "path": format!("characters.{id}.inventory"),
                   "value": format!("第{}封信", numeral(chapter))}),
            json!({"op": "set", "path": "world_state.time_marker", "value": format!("第{}夜", numeral(chapter))}),
        ];
        if chapter > 3 {
            // Goes out of the inventory of whoever has it; of no one else.
            ops.push(
                json!({"op": "remove", "path": format!("characters.{id}.inventory"),
                            "value": format!("第{}封信", numeral(chapter - 3))}),
            );
        }
        for (item, action) in self.foreshadow_ops(chapter) {
            ops.push(json!({"op": "foreshadow", "path": item, "value": action,
                            "detail": format!("#{chapter}")}));
        }
        if chapter % 6 == 0 {
            ops.push(json!({"op": "multiply", "path": format!("characters.{id}.age"), "value": 2}));
            ops.push(json!({"op": "set", "path": "characters.__proto__.polluted", "value": true}));
        }
        ops
    }

    /// A judge's answer with the same score in every dimension. Its own arithmetic is wrong on
    /// purpose: the program must compute `overall` itself.
    #[must_use]
    pub fn verdict(&self, chapter: u32, score: f64) -> Value {
        let scores: serde_json::Map<String, Value> = DIMENSIONS
            .iter()
            .map(|name| {
                (
                    (*name).to_owned(),
                    json!({"score": score, "weight": 0.5, "reason": format!("{name} #{chapter}"),
                        "evidence": self.quotation(chapter)}),
                )
            })
            .collect();
        json!({
            "chapter": chapter,
            "contract_verification": {
                "l1_checks": [{"rule_id": "W-001", "status": "pass", "confidence": "high", "detail": ""}],
                "l2_checks": [],
                "l3_checks": [{"rule_id": format!("OBJ-{chapter}-1"), "status": "pass", "confidence": "high"}],
                "ls_checks": [{"rule_id": "LS-001", "status": "pass", "constraint_type": "hard",
                               "confidence": "high"}],
                "has_violations": false},
            "scores": scores,
            "overall": 1.25,
            "recommendation": "pass",
            "risk_flags": [],
            "required_fixes": [],
            "issues": [],
            "strengths": [],
            "anti_ai": {"blacklist_hits": {"total_hits": 0, "hits_per_kchars": 0.0},
                        "blacklist_update_suggestions": []},
        })
    }

    /// A verdict with a violation of a hard world rule.
    #[must_use]
    pub fn violation(&self, chapter: u32, score: f64, confidence: &str) -> Value {
        let mut verdict = self.verdict(chapter, score);
        verdict["contract_verification"]["l1_checks"] = json!([
            {"rule_id": "W-001", "status": "violation", "confidence": confidence,
             "detail": "晴天收信", "evidence": self.quotation(chapter)}]);
        verdict["contract_verification"]["has_violations"] = json!(true);
        verdict
    }
}

/// JSON as the files hold it.
#[must_use]
pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

const WEATHER: [&str; 7] = ["雨", "雾", "霜", "雪", "风", "霞", "雷"];
const PLACES: [&str; 11] = [
    "书店", "钟楼", "码头", "旧巷", "茶馆", "废墟", "石桥", "货栈", "祠堂", "电车", "阁楼",
];
const PLACES_EN: [&str; 11] = [
    "shop",
    "tower",
    "harbour",
    "alley",
    "tea house",
    "ruin",
    "bridge",
    "warehouse",
    "temple",
    "tram",
    "attic",
];
const THINGS: [&str; 13] = [
    "铜钥匙",
    "旧怀表",
    "半枚玉佩",
    "火漆印",
    "账本",
    "船票",
    "黑伞",
    "照片",
    "药瓶",
    "算盘",
    "风铃",
    "戏票",
    "烟斗",
];

fn pick<'a>(words: &[&'a str], chapter: u32) -> &'a str {
    words[chapter as usize % words.len()]
}

/// Chinese numerals up to 9999: every chapter has its own word.
#[must_use]
pub fn numeral(number: u32) -> String {
    let digits = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    number
        .to_string()
        .bytes()
        .map(|digit| digits[usize::from(digit - b'0')])
        .collect()
}

fn chinese(chapter: u32, hero: &str) -> [String; 2] {
    let n = numeral(chapter);
    let (weather, place) = (pick(&WEATHER, chapter), pick(&PLACES, chapter));
    let (thing, other) = (pick(&THINGS, chapter), pick(&THINGS, chapter + 5));
    let first = [
        format!("{weather}落了一整夜。{hero}慢慢推开{place}的门，柜台上压着第{n}封信。"),
        format!("信封没有邮戳，封口盖着{thing}的印子。他数了数，这是第{n}次。"),
        "“谁送来的？”他问。".to_owned(),
        format!("“没看见人。”伙计摇头，“门口只有一把{other}，还滴着水。”"),
        format!("{hero}把信纸凑到灯下。纸上只有一行字，写着第{n}个地名。"),
        format!("“又是{place}。”他低声说，“他们到底要我找什么？”"),
        format!("雨声压过了街上的车铃。他想起第{n}天夜里听到的脚步。"),
        "“你该走了。”伙计替他披上外衣，“天亮之前别回来。”".to_owned(),
    ];
    let second = [
        format!("后半夜，{place}里亮起一盏灯。陈老坐在灯下，手边放着{thing}。"),
        format!("“你来晚了。”陈老说，“第{n}封信，该在昨天到。”"),
        format!("{hero}没有坐下。他把{other}放在桌上，水沿着桌腿流到地上。"),
        "“这东西是谁的？”".to_owned(),
        "“是你父亲的。”陈老慢慢抬起头，“他托我保管，说等你来问。”".to_owned(),
        format!("屋里静了很久。{weather}打在瓦上，一声接着一声，正好是第{n}声。"),
        format!("“那么，”{hero}终于开口，“第{n}件事，你也该告诉我了。”"),
        format!("陈老合上眼，点了点头。窗外的{weather}忽然停了，{place}里只剩下钟摆的声音。"),
    ];
    [first.join("\n\n"), second.join("\n\n")]
}

fn chinese_drifted(chapter: u32, hero: &str) -> [String; 2] {
    let n = numeral(chapter);
    let (weather, place) = (pick(&WEATHER, chapter), pick(&PLACES, chapter));
    let thing = pick(&THINGS, chapter);
    let paragraph = |part: &str| {
        format!(
            "{weather}落了一整夜，{hero}慢慢走过{part}通往{place}的长街，一面数着路边熄灭的灯，\
             一面想着那个始终没有说出口的名字，想着{thing}为什么会在第{n}个夜里回到他的手上，\
             想着柜台上压着第{n}封信的那个清晨自己为什么没有立刻转身离开而是一直站到天亮。"
        )
    };
    let first = [paragraph("城南"), paragraph("城北"), paragraph("河东")].join("\n\n");
    let second = [paragraph("河西"), paragraph("旧城")].join("\n\n");
    [first, second]
}

fn english(chapter: u32, hero: &str) -> [String; 2] {
    let place = pick(&PLACES_EN, chapter);
    let first = format!(
        "The rain had not stopped. {hero} slowly opened the door of the {place}, and letter number \
         {chapter} lay on the counter.\n\n“Who brought it?” he asked.\n\n“No one I saw,” said the \
         clerk. “There was only the umbrella, the one from night {chapter}.”\n\nHe held the sheet to \
         the lamp. It named one street and the hour {chapter}."
    );
    let second = format!(
        "Long after midnight a light went on in the {place}. Old Chen sat below it and waited.\n\n\
         “You are late,” he said slowly. “That letter should have come yesterday.”\n\n“Then tell me \
         what I am looking for,” said {hero}, “for the time is now {chapter}.”\n\nNobody answered."
    );
    [first, second]
}

/// Totals of a text, counted independently of the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// Han characters, and words of other scripts.
    pub words: usize,
    /// Sentences with a word in them.
    pub sentences: usize,
    /// Words in quotation marks.
    pub spoken: usize,
}

impl Measured {
    /// Words per sentence.
    #[must_use]
    pub fn sentence_length(self) -> f64 {
        self.words as f64 / self.sentences as f64
    }

    /// Share of spoken words.
    #[must_use]
    pub fn dialogue_ratio(self) -> f64 {
        self.spoken as f64 / self.words as f64
    }
}

/// Counts the prose of the fixture: Han characters one by one, other words by their letters.
#[must_use]
pub fn measure(text: &str) -> Measured {
    let mut measured = Measured::default();
    for line in text.lines() {
        let (mut spoken, mut sentence, mut in_word) = (false, false, false);
        for char in line.chars() {
            let han = ('\u{4E00}'..='\u{9FFF}').contains(&char);
            let letter = char.is_alphanumeric() && !han;
            match char {
                '“' => spoken = true,
                '”' => spoken = false,
                '。' | '！' | '？' | '!' | '?' | '…' => sentence = false,
                _ => {}
            }
            if han || (letter && !in_word) {
                measured.words += 1;
                measured.spoken += usize::from(spoken);
                measured.sentences += usize::from(!sentence);
                sentence = true;
            }
            in_word = letter;
        }
    }
    measured
}
