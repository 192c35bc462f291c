//! A book of any length: what grows with the chapters written grows here too.

use novel_book::recall::Digests;
use novel_book::{
    changelog::Entry, config::Config, edit::Edit, manuscript::chapter_of, next::Round, ops,
    scenes::Part,
};
use novel_model::{
    BookReader, ChapterNo, ContentHash, Lang, SceneNo, VolumeNo,
    files::{Checkpoint, GeneratedChapter, JudgeRole, OrchestratorState, Packet, RevisionTrigger},
    layout, to_json_text,
};
use novel_prompt::{
    packet::{self, BookFiles, PacketMode, ReadingRequest, Request, RetellRequest, Revision},
    prompt::{self, Agent, Limits, Mode, Prompt, PromptError, Template},
};
use novel_testkit::memory::MemoryBook;
use serde_json::{Map, Value, json};

/// A book with `written` chapters; the next one is due and staged.
pub(crate) struct Sample {
    pub(crate) lang: Lang,
    pub(crate) written: u32,
    pub(crate) files: MemoryBook,
    pub(crate) config: Config,
}

/// Every agent of a chapter in every mode.
pub(crate) fn all_modes() -> Vec<(Agent, Mode)> {
    let modes = |agent: Agent| agent.modes().iter().map(move |mode| (agent, *mode));
    let of_a_chapter = |agent: &Agent| *agent != Agent::VolumeReviewer;
    let agents = Agent::ALL.iter().copied().filter(of_a_chapter);
    agents.flat_map(modes).collect()
}

/// Those that work on a chapter.
pub(crate) fn chapter_modes() -> Vec<(Agent, Mode)> {
    let setting_up = |mode| step_of(mode).is_some();
    let mut modes = all_modes();
    modes.retain(|(_, mode)| !setting_up(*mode) && *mode != Mode::Read);
    modes
}

/// The step of a mode that sets a book up or plans it.
fn step_of(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Build | Mode::Extend => Some("quickstart:world"),
        Mode::Weave => Some("quickstart:characters"),
        Mode::Analyze => Some("quickstart:style"),
        Mode::Plan | Mode::Retell | Mode::Introduce => Some("volume:02:plan"),
        _ => None,
    }
}

impl Sample {
    pub(crate) fn new(lang: Lang, written: u32) -> Self {
        let mut sample = Self {
            lang,
            written,
            files: MemoryBook::new(),
            config: Config {
                language: Some(
                    match lang {
                        Lang::Zh => "zh-CN",
                        Lang::En => "en",
                    }
                    .to_owned(),
                ),
                ..Config::default()
            },
        };
        sample.book_level();
        sample.volume_level();
        sample.written_chapters();
        sample.chapter_level(written + 1);
        sample
    }

    pub(crate) fn say(&self, zh: &str, en: &str) -> String {
        match self.lang {
            Lang::Zh => zh.to_owned(),
            Lang::En => en.to_owned(),
        }
    }

    pub(crate) fn write(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.write(path.parse().unwrap(), content);
    }

    fn write_json(&mut self, path: &str, value: &Value) {
        self.write(path, to_json_text(value));
    }

    fn book_level(&mut self) {
        let brief = self.say(
            "# 简介\n海边小城，灯塔二十年没有亮过。\n",
            "# Brief\nA town by the sea; its lighthouse has been dark for twenty years.\n",
        );
        self.write("brief.md", brief);
        let voice = self.say("冷静的第三人称", "a calm third person");
        self.write_json(
            "style-profile.json",
            &json!({"avg_sentence_length": 18, "dialogue_ratio": 0.4, "narrative_voice": voice,
                    "writing_directives": [self.say("短句为主", "short sentences")], "preferred_expressions": ["海雾"],
                    "character_speech_patterns": {self.say("林枫", "Lin Feng"): self.say("短句", "short")}}),
        );
        let wary = self.say("敬他，也防他", "respects and distrusts him");
        self.write_json(
            "characters/relationships.json",
            &json!({"relationships": [{"from": "lin-feng", "to": "chen-lao", "description": wary}]}),
        );
        let laid = self.say("灯是陈老熄的", "Old Chen put the lamp out");
        self.write_json(
            "world/truth.json",
            &json!({"version": 1, "secrets": [{"id": "S-1", "fact": laid, "known_by": [{"character": "chen-lao"}]}]}),
        );
        let places = self.say("- 灯塔：镇东\n", "- the lighthouse: east of town\n");
        self.write("world/geography.md", places.clone());
        self.write("research/tides.md", places);
        self.write_json(
            "storylines/storylines.json",
            &json!({"storylines": [{"id": "lamp", "name": "lamp", "type": "main_arc"}, {"id": "harbour", "name": "harbour"}]}),
        );
        let review = self.say(
            "# 第 1 卷回顾\n\n## 建议\n\n- 收回碎镜\n",
            "# Review of volume 1\n\n## Advice\n\n- resolve the lens\n",
        );
        self.write("volumes/vol-01/review.md", review);
        let rule = self.say("灯塔只能由守灯人点亮", "only the keeper can light the lamp");
        let soft = self.say("镇上人忌讳说沉船", "people avoid the word wreck");
        self.write_json(
            "world/rules.json",
            &json!({"rules": [
                {"id": "W-001", "category": "lighthouse", "rule": rule, "constraint_type": "hard", "last_verified": self.written},
                {"id": "W-002", "category": "custom", "rule": soft, "constraint_type": "soft", "last_verified": self.written}]}),
        );
        for (slug, zh, en) in [
            ("lin-feng", "林枫", "Lin Feng"),
            ("chen-lao", "陈老", "Old Chen"),
            ("ah-hai", "阿海", "Hai"),
        ] {
            let name = self.say(zh, en);
            let rule = self.say("不会游泳", "can not swim");
            self.write_json(
                &format!("characters/active/{slug}.json"),
                &json!({"display_name": name, "aliases": [self.say(&format!("{zh}兄"), &format!("{en} senior"))],
                    "contracts": [{"id": format!("C-{slug}"), "type": "capability", "rule": rule}]}),
            );
            let profile = self.say(
                "寡言，手上有旧伤。\n",
                "Says little; an old scar on the hand.\n",
            );
            self.write(&format!("characters/active/{slug}.md"), profile);
        }
        let never = self.say(
            "同时发生的事不得矛盾",
            "concurrent events may not contradict",
        );
        self.write_json(
            "storylines/storyline-spec.json",
            &json!({"rules": [{"id": "LS-001", "rule": never, "constraint_type": "hard"}]}),
        );
        let mut words: Vec<String> = (0..16).map(|n| format!("套话{n}")).collect();
        words.extend((0..self.written).map(|n| format!("第{n}句陈词")));
        let log: Vec<Value> = (0..self.written)
            .map(|n| json!({"chapter": n + 1, "source": "auto", "added": [{"phrase": format!("第{n}句陈词")}], "note": "机器追加的记录"}))
            .collect();
        self.write_json(
            "ai-blacklist.json",
            &json!({"version": "1.0.3", "words": words, "whitelist": ["海雾"], "update_log": log}),
        );
    }

    /// First chapter of the volume: the same for chapters of one dozen.
    fn first_of_volume(&self) -> u32 {
        self.written / 12 * 12 + 1
    }

    fn volume_level(&mut self) {
        let first = self.first_of_volume();
        let blocks: String = (first..first + 12)
            .map(|number| self.block(number))
            .collect();
        let head = self.say(
            "# 第一卷\n灯亮之前。\n",
            "# Volume one\nBefore the light.\n",
        );
        self.write("volumes/vol-01/outline.md", format!("{head}\n{blocks}"));
        self.write_json(
            "volumes/vol-01/storyline-schedule.json",
            &json!({"active_storylines": [{"storyline_id": "lamp"}, {"storyline_id": "harbour"}],
                    "convergence_events": [{"chapter_range": [first + 10, first + 11], "involved_storylines": ["lamp", "harbour"]}],
                    "dormant_storylines": []}),
        );
        self.write_json(
            "volumes/vol-01/foreshadowing.json",
            &json!({"foreshadowing": []}),
        );
    }

    pub(crate) fn block(&self, number: u32) -> String {
        let heading = self.say(
            &format!("### 第 {number} 章: 雾夜"),
            &format!("### Chapter {number}: Fog"),
        );
        let place = self.say("灯塔", "the lighthouse");
        format!(
            "{heading}\n\n- **Storyline**: lamp\n- **POV**: lin-feng\n- **Location**: {place}\n- **Conflict**: {place}\n\
             - **Arc**: {place}\n- **Foreshadowing**: broken-lens\n- **StateChanges**: {place}\n- **TransitionHint**: {place}\n\n"
        )
    }

    fn written_chapters(&mut self) {
        let (mut characters, mut items) = (Map::new(), Map::new());
        let (mut locations, mut facts) = (Map::new(), Map::new());
        let mut relationships = Map::new();
        let mut foreshadowing = vec![
            json!({"id": "broken-lens", "description": "lens", "scope": "long", "status": "planted"}),
            json!({"id": "far-bell", "description": "bell", "scope": "long", "status": "planted", "planted_chapter": 1}),
        ];
        for number in 1..=self.written {
            let guest = self.say(&format!("客{number}号"), &format!("Guest {number}"));
            let text = self.say(
                &format!("## 第 {number} 章摘要\n\n林枫与{guest}在灯塔下说话，陈老没有开口。\n\n### 下章须知\n- 灯还没有亮\n"),
                &format!("## Summary of chapter {number}\n\nLin Feng talks to {guest} below the lighthouse; Old Chen is silent.\n\n### For the next chapter\n- the light is dark\n"),
            );
            self.write(&format!("summaries/chapter-{number:03}-summary.md"), text);
            let end = self.say(
                &format!("林枫看着{guest}走进雾里。\n\n灯没有亮。"),
                &format!("Lin Feng watched {guest} walk into the fog.\n\nThe lamp was dark."),
            );
            let told = chapter_of(ChapterNo::new(number).unwrap(), &guest, &[end]);
            self.write_json(&format!("chapters/chapter_{number:03}.json"), &json!(told));
            characters.insert(format!("guest-{number}"), json!({"display_name": guest, "location": "harbour", "inventory": ["rope", "lamp oil"]}));
            items.insert(
                format!("rope-{number}"),
                json!({"owner": format!("guest-{number}"), "state": "wet"}),
            );
            locations.insert(format!("pier-{number}"), json!({"state": "flooded"}));
            facts.insert(format!("fact_{number}"), json!("tide"));
            relationships.insert(format!("guest-{number}"), json!(10));
            foreshadowing.push(json!({"id": format!("thread-{number}"), "description": "short thread", "scope": "short",
                "status": "planted", "planted_chapter": number, "target_resolve_range": [number, number]}));
        }
        let name = self.say("林枫", "Lin Feng");
        characters.insert(
            "lin-feng".into(),
            json!({"display_name": name, "location": "lighthouse", "relationships": relationships}),
        );
        let open: Vec<String> = (1..=self.written).map(|n| format!("thread-{n}")).collect();
        let state = json!({"schema_version": 1, "state_version": self.written, "last_updated_chapter": self.written,
            "characters": characters, "items": items, "locations": locations, "factions": {}, "world_state": facts,
            "active_foreshadowing": open});
        self.write_json("state/current-state.json", &state);
        self.changelog(state);
        self.write_json(
            "foreshadowing/global.json",
            &json!({"foreshadowing": foreshadowing}),
        );
        for line in ["lamp", "harbour"] {
            let memory = self.say(
                "- 林枫还不知道灯塔为何熄灭\n",
                "- Lin Feng does not know why the lamp went out\n",
            );
            self.write(&format!("storylines/{line}/memory.md"), memory);
        }
    }

    /// The state as a whole, and what the chapter that is due changes in it once it is committed.
    fn changelog(&mut self, state: Value) {
        let base = u64::from(self.written);
        let mut after = state.clone();
        let place = self.say("灯塔顶层", "the lamp room");
        let op = json!({"op": "set", "path": "characters.lin-feng.location", "value": place});
        let outcome = ops::apply(&mut after, &[op]);
        let snapshot = Entry::Snapshot {
            reason: "initial".into(),
            state_hash: ContentHash::of(to_json_text(&state)),
            state,
        };
        let delta = Entry::Delta {
            chapter: ChapterNo::new(self.written + 1).unwrap(),
            storyline_id: "lamp".parse().unwrap(),
            base_state_version: base,
            state_version: base + 1,
            previous_chapter: base,
            ops: outcome.applied,
            dropped: outcome.dropped,
            state_hash: ContentHash::of(to_json_text(&after)),
        };
        let log = format!("{}{}", snapshot.to_line(), delta.to_line());
        self.write("state/changelog.jsonl", log);
    }

    /// Contract, staged artefacts and text of a chapter.
    fn chapter_level(&mut self, due: u32) {
        let name = self.say("林枫", "Lin Feng");
        let goal = self.say(
            "林枫与陈老进入灯塔",
            "Lin Feng and Old Chen enter the lighthouse",
        );
        self.write_json(
            &format!("volumes/vol-01/chapter-contracts/chapter-{due:03}.json"),
            &json!({"chapter": due, "storyline_id": "lamp",
                    "storyline_context": {"last_chapter_summary": goal, "concurrent_state": {"harbour": goal}},
                    "transition_hint": {"next_storyline": "harbour", "bridge": goal},
                    "preconditions": {"character_states": {name: {"location": "harbour"}}},
                    "objectives": [{"id": format!("OBJ-{due}-1"), "type": "plot", "required": true, "description": goal}],
                    "postconditions": {"foreshadowing_updates": {"broken-lens": "advanced"}},
                    "acceptance_criteria": [goal]}),
        );
        let title = self.say(
            &format!("# 第 {due} 章 雾夜"),
            &format!("# Chapter {due}: Fog"),
        );
        let prose = self
            .say(
                "林枫推开门。套话3。雾进来了。\n",
                "Lin Feng pushed the door. The fog came in.\n",
            )
            .repeat(60);
        self.write(
            &format!("staging/chapters/chapter-{due:03}.md"),
            format!("{title}\n\n{prose}"),
        );
        let scenes = [prose.trim_end().to_owned(), goal.clone()];
        let number = ChapterNo::new(due).unwrap();
        let committed = chapter_of(number, &self.say("雾夜", "Fog"), &scenes);
        self.write_json(
            &format!("chapters/chapter_{due:03}.json"),
            &json!(committed),
        );
        self.write(
            &format!("staging/chapters/chapter-{due:03}-hints.md"),
            "lin-feng: lighthouse\n",
        );
        self.write_json(
            &format!("staging/state/chapter-{due:03}-crossref.json"),
            &json!({"storyline_id": "lamp"}),
        );
        let score = json!({"score": 3.2, "reason": goal});
        let names = [
            "plot_logic",
            "character",
            "immersion",
            "foreshadowing",
            "pacing",
            "style_naturalness",
            "emotional_impact",
            "storyline_coherence",
        ];
        let scores: Map<String, Value> = names
            .iter()
            .map(|name| ((*name).to_owned(), score.clone()))
            .collect();
        self.write_json(
            &format!("staging/evaluations/chapter-{due:03}-eval.json"),
            &json!({"chapter": due, "contract_verification": {"l1_checks": [
                        {"rule_id": "W-001", "status": "violation", "confidence": "high", "detail": goal}]},
                    "scores": scores, "required_fixes": [{"target": "paragraph_1", "instruction": goal}]}),
        );
        let scene = |number: u32| {
            json!({"scene_number": number, "location": "lighthouse", "characters": [],
                   "purpose": goal, "key_actions": [goal], "estimated_words": 900,
                   "scene_type": "action", "intensity": "high"})
        };
        let scenes = format!("staging/scenes/chapter-{due:03}");
        self.write_json(
            &format!("{scenes}/plan.json"),
            &json!({"chapter_number": due, "chapter_title": goal,
                    "scenes": [scene(1), scene(2), scene(3)]}),
        );
        self.write_json(
            &format!("{scenes}/scene-01.json"),
            &json!({"scene_number": 1, "content": prose.trim_end(), "word_count": 1}),
        );
        let newcomer = self.say("白霜", "Frost");
        self.write(
            "staging/volumes/vol-02/outline.md",
            format!("### 第 {due} 章：雾\n- **POV**: {newcomer}\n- **Arc**: {goal}\n"),
        );
        self.write_json(
            "staging/volumes/vol-02/new-characters.json",
            &json!({"characters": [{"id": "frost", "display_name": newcomer, "profile": goal}]}),
        );
        self.write_json(
            "style-drift.json",
            &json!({"active": true, "detected_chapter": 5, "window": [1, 5],
                    "drifts": [{"metric": "avg_sentence_length", "baseline": 18, "current": 24, "directive": self.say("句子过长", "sentences too long")}]}),
        );
    }

    pub(crate) fn packet(&self, mode: Mode) -> Packet {
        self.packet_of(&self.files, mode)
    }

    pub(crate) fn packet_of(&self, files: &dyn BookReader, mode: Mode) -> Packet {
        let (stage, round) = match mode {
            Mode::Draft | Mode::PlanScenes | Mode::WriteScene => ("draft", Round::First),
            Mode::Revise => ("draft", Round::Revision),
            Mode::Summarize => ("summarize", Round::First),
            Mode::Refine => ("refine", Round::First),
            Mode::Polish => ("refine", Round::Polish),
            Mode::Judge => ("judge", Round::First),
            Mode::Review => ("review", Round::First),
            Mode::Audit | Mode::Amend => ("audit", Round::First),
            Mode::Build
            | Mode::Extend
            | Mode::Weave
            | Mode::Introduce
            | Mode::Analyze
            | Mode::Plan
            | Mode::Retell
            | Mode::Read => ("", Round::First),
            Mode::Advise => ("advise", Round::First),
        };
        let mut checkpoint = Checkpoint::new(OrchestratorState::Writing);
        checkpoint.last_completed_chapter = self.written;
        checkpoint.current_volume = VolumeNo::new(1).unwrap();
        let book = BookFiles {
            reader: files,
            config: &self.config,
            checkpoint: &checkpoint,
            digests: &Digests::default(),
        };
        let due = self.written + 1;
        if mode == Mode::Extend {
            let wish = self.say("雾里不许点灯", "no lamp in the fog");
            return packet::world_extension(book, &wish, PacketMode::Embed).unwrap();
        }
        if mode == Mode::Read {
            let request = ReadingRequest {
                chapter: ChapterNo::new(due).unwrap(),
                part: (1, 1),
                last: true,
                known: &self.say("## 人物\n\n- 林枫", "## People\n\n- Lin Feng"),
            };
            return packet::reading(book, request, PacketMode::Embed).unwrap();
        }
        if mode == Mode::Retell {
            let last = ChapterNo::new(self.written).unwrap();
            let chapters = (last.previous().unwrap_or(last), last);
            let mut staged = Edit::on(files);
            for chapter in [chapters.0, chapters.1] {
                let json = files.text(&layout::chapter_json(chapter)).unwrap().unwrap();
                let told: GeneratedChapter = serde_json::from_str(&json).unwrap();
                let scenes = told.scenes.into_iter().map(|scene| scene.content);
                let text = scenes.collect::<Vec<_>>().join("\n\n");
                staged.write(layout::staged_chapter(chapter), text);
            }
            let request = RetellRequest {
                volume: VolumeNo::first(),
                chapters,
                part: (1, 1),
            };
            let book = BookFiles {
                reader: &staged,
                ..book
            };
            return packet::retelling(book, request, PacketMode::Embed).unwrap();
        }
        if let Some(step) = step_of(mode) {
            let request = Request {
                mode: PacketMode::Embed,
                part: if mode == Mode::Introduce {
                    Part::Newcomers
                } else {
                    Part::Whole
                },
                ..Request::new(step.parse().unwrap())
            };
            return packet::build(book, request).unwrap();
        }
        if mode == Mode::Amend {
            let read = |path: String| -> Value {
                let text = files.text(&path.parse().unwrap()).unwrap().unwrap();
                serde_json::from_str(&text).unwrap()
            };
            let chapter = read(format!("chapters/chapter_{due:03}.json"));
            let chapter: GeneratedChapter = serde_json::from_value(chapter).unwrap();
            let verdict = read(format!("staging/evaluations/chapter-{due:03}-eval.json"));
            let notes = verdict["required_fixes"][0]["instruction"].as_str();
            let revision = Revision {
                trigger: RevisionTrigger::Consistency,
                chapter: &chapter,
                notes: notes.unwrap(),
                author: None,
                mode: PacketMode::Embed,
            };
            return packet::reviser(book, revision).unwrap();
        }
        let step = match mode {
            Mode::Advise => "volume:01:review".to_owned(),
            _ => format!("chapter:{due:03}:{stage}"),
        };
        let request = Request {
            step: step.parse().unwrap(),
            round,
            judge: JudgeRole::Primary,
            part: match mode {
                Mode::PlanScenes => Part::ScenePlan,
                Mode::WriteScene => Part::Scene(SceneNo::new(2).unwrap()),
                _ => Part::Whole,
            },
            mode: PacketMode::Embed,
        };
        packet::build(book, request).unwrap()
    }

    pub(crate) fn template(&self, agent: Agent) -> Template {
        Template::load(&self.files, agent, self.lang).unwrap()
    }

    pub(crate) fn try_prompt(
        &self,
        agent: Agent,
        mode: Mode,
        limits: &Limits,
    ) -> Result<Prompt, PromptError> {
        prompt::build(&self.packet(mode), &self.template(agent), limits)
    }

    pub(crate) fn prompt(&self, agent: Agent, mode: Mode) -> Prompt {
        self.try_prompt(agent, mode, &Limits::of(agent)).unwrap()
    }
}
