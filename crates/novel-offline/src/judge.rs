//! Judges a staged chapter by what a program can measure, and says that it measures nothing else.
//!
//! It never claims a violation, only a suspicion, and never with high confidence: what a text means
//! is beyond it.

use novel_book::gate::Overall;
use novel_model::{
    Document, Lang, Slug,
    files::{
        AntiAi, Blacklist, CheckStatus, Confidence, ConstraintType, ContractCheck,
        ContractVerification, CrossReferences, DimensionScore, Evaluation, LeakRisk, RequiredFix,
        Scores, StorylineSpec, WorldRules,
    },
    layout, message, to_json_text,
};
use novel_text::{
    LintReport, Locator, TextMetrics, count_words, lint, measure, parse_chapter, sentences,
};
use serde_json::{Value, json};

use crate::{
    OfflineError,
    draft::Length,
    plan::{ChapterPlan, Task, item_tasks},
    prose::{Compared, best_sentence, clip, ratio},
    revise::TOLD,
};

/// Characters within which time and place should be clear (LS-002).
const ANCHOR: usize = 200;
/// Characters of a quotation.
const QUOTATION: usize = 60;

pub(crate) fn judge(task: Task<'_>) -> Result<String, OfflineError> {
    let facts = Facts::gather(&task)?;
    let scores = facts.scores();
    let overall = Overall::of(&scores, &task.book.config.weights());
    let evaluation = Evaluation {
        chapter: task.chapter,
        contract_verification: facts.contracts(&task)?,
        recommendation: Some(recommendation(&overall).to_owned()),
        overall: Some(overall.value()),
        scores,
        risk_flags: facts.risks(),
        required_fixes: facts.fixes(),
        issues: Vec::new(),
        strengths: vec![json!(facts.note())],
        anti_ai: Some(AntiAi {
            blacklist_hits: Some(json!({
                "total_hits": facts.lint.total_hits,
                "hits_per_kchars": facts.lint.hits_per_kchars,
            })),
            blacklist_update_suggestions: Vec::new(),
        }),
        metadata: None,
    };
    Ok(to_json_text(&evaluation))
}

fn recommendation(overall: &Overall) -> &'static str {
    [(40, "pass"), (35, "polish"), (30, "revise"), (20, "review")]
        .into_iter()
        .find(|(tenths, _)| overall.at_least_tenths(*tenths))
        .map_or("rewrite", |(_, word)| word)
}

/// A demand of the plan and what the text says of it.
struct Demand {
    id: String,
    description: String,
    required: bool,
    coverage: f64,
    evidence: Option<String>,
}

/// Everything that was measured.
struct Facts {
    lang: Lang,
    plan: ChapterPlan,
    text: String,
    scenes: usize,
    metrics: TextMetrics,
    lint: LintReport,
    /// Share of sentences that stand in the chapter more than once.
    repeated: f64,
    length: Length,
    min_words: Option<usize>,
    objectives: Vec<Demand>,
    items: Vec<Demand>,
    dialogue_baseline: Option<f64>,
    sentence_baseline: Option<f64>,
    anchored: bool,
    company: usize,
    leak: LeakRisk,
    first: Option<String>,
    last: Option<String>,
    spoken: Option<String>,
}

impl Facts {
    fn gather(task: &Task<'_>) -> Result<Self, OfflineError> {
        let plan = task.plan()?;
        let reader = task.book.reader;
        let parsed = parse_chapter(&task.text("chapter_content")?);
        let text = parsed.scenes.join("\n\n");
        let locator = Locator::new(&text);
        let told: Vec<&str> = sentences(&text);
        // What stands there twice or is too short is no quotation.
        let quotable: Vec<&str> = told
            .iter()
            .copied()
            .filter(|sentence| locator.contains(&quote(sentence)))
            .collect();
        let compared = Compared::new(&text);
        let demand = |id: &str, description: &str, required: bool| Demand {
            id: id.to_owned(),
            description: description.to_owned(),
            required,
            coverage: compared.coverage(description),
            evidence: best_sentence(&quotable, description).map(|(sentence, _)| quote(sentence)),
        };
        let contract = plan.contract.get();
        let objectives = contract.objectives.iter();
        let objectives: Vec<Demand> = objectives
            .map(|objective| demand(&objective.id, &objective.description, objective.required))
            .collect();
        // The judge's packet carries no foreshadowing tasks; what the plan says of the items is read here.
        let items = described_items(task, &plan)
            .iter()
            .map(|(id, description)| demand(id, description, true))
            .collect();
        let list = Document::<Blacklist>::load(reader, &layout::blacklist())?;
        let words = list
            .map(|list| list.get().effective_words())
            .unwrap_or_default();
        let style = task.style()?;
        let crossref = layout::staged_crossref(task.chapter);
        let crossref = Document::<CrossReferences>::load(reader, &crossref)?;
        let head: String = text.chars().take(ANCHOR).collect();
        let anchored = plan
            .places
            .iter()
            .any(|place| head.to_lowercase().contains(&place.to_lowercase()));
        let company = plan
            .present()
            .filter(|(slug, _)| plan.is_named_in(slug, &text))
            .count();
        Ok(Self {
            lang: plan.lang,
            scenes: parsed.scenes.len(),
            metrics: measure(&text),
            lint: lint(&text, &words),
            repeated: repeated(&told),
            length: Length::of(&task.book.config.chapter, plan.lang, 0),
            min_words: task
                .book
                .config
                .chapter
                .min_words
                .and_then(|words| usize::try_from(words).ok()),
            objectives,
            items,
            dialogue_baseline: style.dialogue_ratio.filter(|ratio| *ratio > 0.0),
            sentence_baseline: style.avg_sentence_length.filter(|length| *length > 0.0),
            anchored,
            company,
            leak: crossref.map_or(LeakRisk::None, |crossref| crossref.get().leak_risk),
            first: quotable.first().map(|sentence| quote(sentence)),
            last: quotable.last().map(|sentence| quote(sentence)),
            spoken: quotable
                .iter()
                .find(|sentence| sentence.starts_with(['“', '「', '"']))
                .map(|sentence| quote(sentence)),
            plan,
            text,
        })
    }

    fn note(&self) -> &'static str {
        match self.lang {
            Lang::Zh => {
                "评分由离线作者给出：它是按规则度量的程序，不是语言模型；分数只反映可度量的检查，不代表文学判断。"
            }
            Lang::En => {
                "These scores come from the offline author, a program that measures by rules and \
                    is not a language model; they reflect measurable checks, not literary \
                    judgement."
            }
        }
    }

    fn say(&self, message: novel_model::Message) -> String {
        message.get(self.lang).to_owned()
    }

    fn told_share(demands: &[Demand]) -> f64 {
        let required = || demands.iter().filter(|demand| demand.required);
        let told = required().filter(|demand| demand.coverage >= TOLD).count();
        match required().count() {
            0 => 1.0,
            all => ratio(told, all),
        }
    }

    fn in_length(&self) -> bool {
        let words = self.metrics.words;
        words <= self.length.most && self.min_words.is_none_or(|least| words >= least)
    }

    fn scores(&self) -> Scores {
        let unread = self.say(message!(
            en: "not looked for: a program reads no meaning",
            zh: "没有查找：程序不读语义"
        ));
        let score = |score: f64, reason: String, evidence: &Option<String>| DimensionScore {
            reason: Some(reason),
            absent: evidence.is_none().then(|| unread.clone()),
            evidence: evidence.clone(),
            ..DimensionScore::new((score.clamp(1.0, 5.0) * 10.0).round() / 10.0)
        };
        let told = Self::told_share(&self.objectives);
        let touched = Self::told_share(&self.items);
        let (words, scenes, company) = (self.metrics.words, self.scenes, self.company);
        let off = |baseline: Option<f64>, value: f64| {
            baseline.map_or(0.0, |baseline| {
                ((value - baseline).abs() / baseline).min(1.0)
            })
        };
        let dialogue = self.metrics.dialogue_ratio;
        let length = self.metrics.avg_sentence_length;
        let rhythm = off(self.dialogue_baseline, dialogue) + off(self.sentence_baseline, length);
        let hits = self.lint.hits_per_kchars;
        let style = 4.5 - 0.35 * hits - 6.0 * self.repeated - 0.4 * rhythm;
        let first_told = self
            .objectives
            .iter()
            .find_map(|demand| demand.evidence.clone());
        let first_item = self.items.iter().find_map(|demand| demand.evidence.clone());
        let percent = told * 100.0;
        let touched_percent = touched * 100.0;
        let repeated_percent = self.repeated * 100.0;
        let leaks = self.leak != LeakRisk::None || self.plan.names_a_stranger(&self.text);
        Scores {
            plot_logic: score(
                2.6 + 1.8 * told,
                self.say(message!(en: "{percent:.0}% of the required objectives are told", zh: "必达目标中有 {percent:.0}% 在正文中有对应的叙述")),
                &first_told,
            ),
            character: score(
                if company >= 2 { 4.2 } else if company == 1 { 3.9 } else { 2.8 },
                self.say(message!(en: "{company} of the planned people appear by name", zh: "计划中的人物有 {company} 人在正文中具名出场")),
                &self.spoken,
            ),
            immersion: score(
                if self.anchored { 4.2 } else { 3.4 },
                self.say(if self.anchored {
                    message!(en: "the place is named within the first {ANCHOR} characters", zh: "开头 {ANCHOR} 字内交代了地点")
                } else {
                    message!(en: "the place is not named within the first {ANCHOR} characters", zh: "开头 {ANCHOR} 字内没有交代地点")
                }),
                &self.first,
            ),
            foreshadowing: score(
                if self.items.is_empty() { 4.0 } else { 2.6 + 1.7 * touched },
                self.say(if self.items.is_empty() {
                    message!(en: "nothing was due", zh: "本章没有到期的伏笔")
                } else {
                    message!(en: "{touched_percent:.0}% of the due items are touched", zh: "应处理的伏笔中有 {touched_percent:.0}% 在正文中出现")
                }),
                &first_item,
            ),
            pacing: score(
                if self.in_length() && (2..=6).contains(&scenes) { 4.1 } else { 3.3 },
                self.say(message!(en: "{words} words in {scenes} scenes", zh: "{words} 字，{scenes} 场")),
                &self.last,
            ),
            style_naturalness: score(
                style,
                self.say(message!(
                    en: "{hits} stock phrases per thousand words, {repeated_percent:.1}% of the \
                        sentences repeated, dialogue {dialogue:.2}, {length:.1} words a \
                        sentence",
                    zh: "套话每千字 {hits} 次，重复句 {repeated_percent:.1}%，对话占比 {dialogue:.2}，平均句长 {length:.1}"
                )),
                &self.first,
            ),
            emotional_impact: score(
                3.8,
                self.say(message!(
                    en: "a program cannot feel this; a neutral value",
                    zh: "程序无法感受情感，此处给出中性值"
                )),
                &None,
            ),
            storyline_coherence: score(
                if leaks { 3.0 } else { 4.2 },
                self.say(if leaks {
                    message!(en: "people of another line are named", zh: "提到了只属于其他故事线的人物")
                } else {
                    message!(en: "no name of another line is found", zh: "没有发现其他故事线的人名")
                }),
                &None,
            ),
        }
    }

    fn contracts(&self, task: &Task<'_>) -> Result<ContractVerification, OfflineError> {
        let reader = task.book.reader;
        let rules = Document::<WorldRules>::load(reader, &layout::world_rules())?;
        let rules = rules
            .map(|rules| rules.into_value().rules)
            .unwrap_or_default();
        let hard = rules
            .iter()
            .filter(|rule| rule.constraint_type == ConstraintType::Hard);
        let number = task.chapter.get();
        // Those whose contracts the packet holds: nobody else is asked about.
        let given = task.packet.manifest.inline.get("character_contracts");
        let is_given = |slug: &Slug| given.is_some_and(|given| given.get(slug.as_str()).is_some());
        let contracts = self
            .plan
            .cast
            .members()
            .filter(|(slug, _)| is_given(slug))
            .flat_map(|(_, member)| &member.character.contracts)
            .filter(|contract| {
                contract
                    .valid_from_chapter
                    .is_none_or(|first| first <= number)
                    && contract.valid_until.is_none_or(|last| number <= last)
            });
        let spec = Document::<StorylineSpec>::load(reader, &layout::storyline_spec())?;
        let spec = spec.map(|spec| spec.into_value().rules).unwrap_or_default();
        Ok(ContractVerification {
            l1_checks: hard.map(|rule| self.unread(&rule.id, None)).collect(),
            l2_checks: contracts
                .map(|contract| self.unread(&contract.id, None))
                .collect(),
            l3_checks: self
                .objectives
                .iter()
                .map(|demand| self.objective(demand))
                .collect(),
            ls_checks: spec
                .iter()
                .map(|rule| self.line_rule(&rule.id, rule.constraint_type))
                .collect(),
            has_violations: Some(false),
            passed: Vec::new(),
        })
    }

    /// A rule about what the text means: nothing was found, because nothing was read.
    fn unread(&self, id: &str, constraint_type: Option<ConstraintType>) -> ContractCheck {
        ContractCheck {
            confidence: Some(Confidence::Low),
            constraint_type,
            detail: Some(self.say(message!(
                en: "not read by a language model",
                zh: "未经语言模型核对"
            ))),
            ..ContractCheck::new(id, CheckStatus::Pass)
        }
    }

    fn objective(&self, demand: &Demand) -> ContractCheck {
        let percent = demand.coverage * 100.0;
        let told = demand.coverage >= TOLD;
        let status = if told || !demand.required {
            CheckStatus::Pass
        } else {
            CheckStatus::ViolationSuspected
        };
        ContractCheck {
            confidence: Some(if told {
                Confidence::Medium
            } else {
                Confidence::Low
            }),
            detail: Some(self.say(message!(
                en: "{percent:.0}% of its words stand in the text",
                zh: "其用词的 {percent:.0}% 出现在正文中"
            ))),
            evidence: demand.evidence.clone(),
            ..ContractCheck::new(&demand.id, status)
        }
    }

    fn line_rule(&self, id: &str, constraint_type: Option<ConstraintType>) -> ContractCheck {
        let kept = match id {
            "LS-002" => self.anchored,
            "LS-005" => !self.plan.names_a_stranger(&self.text),
            _ => return self.unread(id, constraint_type),
        };
        ContractCheck {
            status: if kept {
                CheckStatus::Pass
            } else {
                CheckStatus::ViolationSuspected
            },
            confidence: Some(Confidence::Medium),
            detail: Some(self.say(message!(
                en: "measured by the names of places and people",
                zh: "依据地名与人名度量"
            ))),
            evidence: self.first.clone().filter(|_| id == "LS-002"),
            ..self.unread(id, constraint_type)
        }
    }

    fn risks(&self) -> Vec<Value> {
        let untold = self
            .objectives
            .iter()
            .filter(|demand| demand.required && demand.coverage < TOLD);
        untold
            .map(|demand| json!(format!("objective_not_found:{}", demand.id)))
            .collect()
    }

    fn fixes(&self) -> Vec<RequiredFix> {
        let fix = |target: &str, instruction: String| RequiredFix {
            target: target.to_owned(),
            instruction,
        };
        let mut fixes = Vec::new();
        for demand in self
            .objectives
            .iter()
            .filter(|demand| demand.required && demand.coverage < TOLD)
        {
            let (id, what) = (&demand.id, &demand.description);
            fixes.push(fix(
                "chapter",
                self.say(message!(
                    en: "tell objective {id}: {what}",
                    zh: "写出目标 {id}：{what}"
                )),
            ));
        }
        for hit in &self.lint.hits {
            let (word, line) = (&hit.word, hit.lines.first().copied().unwrap_or(1));
            fixes.push(fix(
                &format!("line_{line}"),
                self.say(message!(
                    en: "replace the stock phrase `{word}`",
                    zh: "替换套话“{word}”"
                )),
            ));
        }
        if !self.in_length() {
            let (words, most) = (self.metrics.words, self.length.most);
            let least = self.min_words.unwrap_or_default();
            fixes.push(fix(
                "chapter",
                self.say(message!(
                    en: "bring the length from {words} words to between {least} and {most}",
                    zh: "把篇幅从 {words} 字调整到 {least} 至 {most} 字之间"
                )),
            ));
        }
        fixes
    }
}

/// The items the contract touches that the packet describes.
fn described_items(task: &Task<'_>, plan: &ChapterPlan) -> Vec<(String, String)> {
    let described = ChapterPlan::foreshadow_descriptions(task);
    item_tasks(task, plan.contract.get())
        .into_iter()
        .filter_map(|item| {
            let id = item.id.to_string();
            let description = described
                .get(&id)
                .cloned()
                .filter(|text| !text.is_empty())?;
            Some((id, description))
        })
        .collect()
}

/// A sentence as a quotation that can be found in the text again.
fn quote(sentence: &str) -> String {
    clip(sentence, QUOTATION)
}

/// The share of sentences that stand there a second time; very short ones are nobody's fault.
fn repeated(told: &[&str]) -> f64 {
    const SHORT: usize = 6;
    let mut seen = std::collections::BTreeSet::new();
    let long = || {
        told.iter()
            .filter(|sentence| count_words(sentence) >= SHORT)
    };
    let again = long().filter(|sentence| !seen.insert(**sentence)).count();
    ratio(again, long().count())
}
