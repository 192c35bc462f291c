//! A verdict covers its contracts, and says where it sees what it says.

use std::collections::BTreeSet;

use novel_model::{
    BookReader, ChapterNo, Problem, RelPath, VolumeNo, Warning,
    files::{
        CheckStatus, Confidence, ConstraintType, ContractCheck, Evaluation, StorylineSpec,
        WorldRules,
    },
    layout, message,
};
use novel_model::{Document, Lang};
use novel_text::Locator;
use serde_json::{Map, Value, json};

use crate::context::{Cast, ContextError, load_contract};

/// Names of the four lists of checks.
pub const LAYERS: [&str; 4] = ["l1_checks", "l2_checks", "l3_checks", "ls_checks"];
const DIMENSIONS: [&str; 8] = [
    "plot_logic",
    "character",
    "immersion",
    "foreshadowing",
    "pacing",
    "style_naturalness",
    "emotional_impact",
    "storyline_coherence",
];

/// The contracts a judge was given, by layer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contracts {
    l1: Vec<String>,
    l2: Vec<String>,
    l3: Vec<String>,
    ls: Vec<(String, Option<ConstraintType>)>,
}

impl Contracts {
    /// Hard rules, contracts of the people in question, required objectives, rules of storylines:
    /// what the packet of the judge holds.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub fn load(
        reader: &dyn BookReader,
        volume: VolumeNo,
        chapter: ChapterNo,
    ) -> Result<Self, ContextError> {
        let mut contracts = Self::default();
        if let Some(rules) = Document::<WorldRules>::load(reader, &layout::world_rules())? {
            let hard = rules.get().rules.iter();
            let hard = hard.filter(|rule| rule.constraint_type == ConstraintType::Hard);
            contracts.l1 = hard.map(|rule| rule.id.clone()).collect();
        }
        if let Some(spec) = Document::<StorylineSpec>::load(reader, &layout::storyline_spec())? {
            let rules = spec.get().rules.iter();
            contracts.ls = rules
                .map(|rule| (rule.id.clone(), rule.constraint_type))
                .collect();
        }
        // An older book may have no contract; the steps that need one say so.
        if reader.text(&layout::contract(volume, chapter))?.is_none() {
            return Ok(contracts);
        }
        let contract = load_contract(reader, volume, chapter, None)?;
        let objectives = contract.get().objectives.iter();
        let required = objectives.filter(|objective| objective.required);
        contracts.l3 = required.map(|objective| objective.id.clone()).collect();
        let cast = Cast::load(reader)?;
        let selected = cast.select(reader, volume, chapter, contract.get())?;
        let given = cast.contracts(&selected, chapter);
        contracts.l2 = given
            .as_object()
            .into_iter()
            .flat_map(Map::values)
            .filter_map(|person| person.get("contracts")?.as_array())
            .flatten()
            .filter_map(|contract| contract.get("id")?.as_str())
            .map(str::to_owned)
            .collect();
        Ok(contracts)
    }

    fn layer_of(&self, id: &str) -> Option<(usize, Option<ConstraintType>)> {
        let has = |ids: &[String]| ids.iter().any(|known| same(known, id));
        if has(&self.l1) {
            Some((0, None))
        } else if has(&self.l2) {
            Some((1, None))
        } else if has(&self.l3) {
            Some((2, None))
        } else {
            let rule = self.ls.iter().find(|(known, _)| same(known, id))?;
            Some((3, rule.1))
        }
    }

    /// The ids of all of them.
    pub fn ids(&self) -> impl Iterator<Item = &String> {
        self.by_layer().map(|(_, id)| id)
    }

    /// Every id with the name of the list its check stands in.
    pub fn by_layer(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let [l1, l2, l3, ls] = LAYERS;
        let world = self.l1.iter().map(move |id| (l1, id));
        let people = self.l2.iter().map(move |id| (l2, id));
        let objectives = self.l3.iter().map(move |id| (l3, id));
        let lines = self.ls.iter().map(move |(id, _)| (ls, id));
        world.chain(people).chain(objectives).chain(lines)
    }
}

/// Whether two ids are the same, however they are written.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.trim().eq_ignore_ascii_case(b.trim())
}

/// All checks of an evaluation.
pub fn checks(evaluation: &Evaluation) -> impl Iterator<Item = &ContractCheck> {
    layers(evaluation).into_iter().flatten()
}

/// The checks of an evaluation in the order of [`LAYERS`].
pub(super) fn layers(evaluation: &Evaluation) -> [&[ContractCheck]; 4] {
    let contracts = &evaluation.contract_verification;
    [
        &contracts.l1_checks,
        &contracts.l2_checks,
        &contracts.l3_checks,
        &contracts.ls_checks,
    ]
}

fn checks_mut(evaluation: &mut Evaluation) -> impl Iterator<Item = &mut ContractCheck> {
    let contracts = &mut evaluation.contract_verification;
    contracts
        .l1_checks
        .iter_mut()
        .chain(&mut contracts.l2_checks)
        .chain(&mut contracts.l3_checks)
        .chain(&mut contracts.ls_checks)
}

/// Whether a check was taken back, with a reason.
#[must_use]
pub fn is_withdrawn(check: &ContractCheck) -> bool {
    check
        .withdrawn
        .as_deref()
        .is_some_and(|reason| !reason.trim().is_empty())
}

/// Whether something missing is declared.
fn is_absent(absent: Option<&str>) -> bool {
    absent.is_some_and(|absent| !absent.trim().is_empty())
}

/// Writes passes that came as a list out as checks.
pub fn write_out(evaluation: &mut Evaluation, contracts: &Contracts) {
    let checked: BTreeSet<String> = checks(evaluation)
        .map(|check| check.rule_id.trim().to_lowercase())
        .collect();
    let verification = &mut evaluation.contract_verification;
    let mut written = BTreeSet::new();
    for id in std::mem::take(&mut verification.passed) {
        let id = id.trim().to_owned();
        let key = id.to_lowercase();
        if checked.contains(&key) || !written.insert(key) {
            continue;
        }
        let Some((layer, constraint_type)) = contracts.layer_of(&id) else {
            continue;
        };
        let check = ContractCheck {
            constraint_type,
            ..ContractCheck::new(id, CheckStatus::Pass)
        };
        match layer {
            0 => verification.l1_checks.push(check),
            1 => verification.l2_checks.push(check),
            2 => verification.l3_checks.push(check),
            _ => verification.ls_checks.push(check),
        }
    }
}

/// Looks every quotation up and marks what is neither located nor declared missing. Confidence stays
/// what the judge said.
pub fn mark(evaluation: &mut Evaluation, text: &str) {
    let locator = Locator::new(text);
    let found = |evidence: Option<&str>| {
        evidence
            .map(str::trim)
            .filter(|quoted| !quoted.is_empty())
            .map(|quoted| locator.contains(quoted))
    };
    for check in checks_mut(evaluation) {
        check.evidence_found = found(check.evidence.as_deref());
        let proven = check.evidence_found == Some(true) || is_absent(check.absent.as_deref());
        let accuses = check.status != CheckStatus::Pass;
        check.unproven = (accuses && !proven).then_some(true);
    }
    for (_, dimension) in evaluation.scores.by_name_mut() {
        dimension.evidence_found = found(dimension.evidence.as_deref());
        let proven =
            dimension.evidence_found == Some(true) || is_absent(dimension.absent.as_deref());
        dimension.unproven = (!proven).then_some(true);
    }
    let any = checks(evaluation)
        .any(|check| check.status == CheckStatus::Violation && !is_withdrawn(check));
    let verification = &mut evaluation.contract_verification;
    if any {
        verification.has_violations = Some(true);
    }
}

/// Whether one quotation of a verdict was located. The marks must be set.
pub(super) fn quotes(evaluation: &Evaluation) -> bool {
    let located = |found: Option<bool>| found == Some(true);
    let scores = evaluation.scores.by_name();
    checks(evaluation).any(|check| located(check.evidence_found))
        || scores
            .iter()
            .any(|(_, dimension)| located(dimension.evidence_found))
}

/// What keeps a verdict from being one. The marks must be set.
#[must_use]
pub fn invalid(path: &RelPath, evaluation: &Evaluation, contracts: &Contracts) -> Vec<Problem> {
    let mut problems = Vec::new();
    let missing: Vec<&str> = contracts
        .ids()
        .filter(|id| !checks(evaluation).any(|check| same(&check.rule_id, id)))
        .map(String::as_str)
        .collect();
    for id in missing {
        problems.push(
            Problem::new(
                "check_missing",
                path,
                message!(en: "there is no check of `{id}`", zh: "缺少对 `{id}` 的检查"),
            )
            .at("/contract_verification")
            .hint(message!(
                en: "give a check of it, or list it in `passed`",
                zh: "请给出该条检查，或列入 `passed`"
            )),
        );
    }
    if !quotes(evaluation) {
        problems.push(
            Problem::new(
                "no_quotation_located",
                path,
                message!(
                    en: "not one quotation of the verdict is in the chapter",
                    zh: "评审的引文没有一条能在正文中找到"
                ),
            )
            .hint(message!(
                en: "copy passages of the chapter word for word as evidence",
                zh: "请在 evidence 里逐字抄录正文"
            )),
        );
    }
    let accuses = |check: &ContractCheck| check.status != CheckStatus::Pass;
    if evaluation.contract_verification.has_violations == Some(true)
        && !checks(evaluation).any(accuses)
    {
        problems.push(
            Problem::new(
                "violations_not_named",
                path,
                message!(
                    en: "`has_violations` is true, but no check is a violation",
                    zh: "`has_violations` 为 true，却没有一条违反"
                ),
            )
            .at("/contract_verification/has_violations")
            .hint(message!(
                en: "name the violation, or say false",
                zh: "请写出是哪一条违反，或改为 false"
            )),
        );
    }
    for check in checks(evaluation) {
        if check.status == CheckStatus::Violation
            && check.confidence.is_none()
            && !is_withdrawn(check)
        {
            let id = &check.rule_id;
            problems.push(
                Problem::new(
                    "violation_without_confidence",
                    path,
                    message!(
                        en: "the violation of `{id}` has no confidence",
                        zh: "对 `{id}` 的违反没有写 confidence"
                    ),
                )
                .at("/contract_verification")
                .hint(message!(en: "high, medium or low", zh: "high、medium 或 low")),
            );
        }
    }
    for (name, dimension) in evaluation.scores.by_name() {
        let score = dimension.score;
        if !(1.0..=5.0).contains(&score) {
            problems.push(
                Problem::new(
                    "score_off_scale",
                    path,
                    message!(
                        en: "the score of {name} is {score}; scores are from 1 to 5",
                        zh: "{name} 的分数是 {score}，应在 1 到 5 之间"
                    ),
                )
                .at(format!("/scores/{name}/score")),
            );
        }
    }
    problems
}

/// Violations and scores that say neither where nor what is missing. The marks must be set.
#[must_use]
pub fn unlocated(path: &RelPath, evaluation: &Evaluation) -> Vec<Problem> {
    let hint = || {
        message!(
            en: "copy one passage word for word as `evidence`, or say in `absent` what was looked for and is not there; a violation you no longer see gets `withdrawn` with the reason",
            zh: "请在 `evidence` 里逐字抄录一段，或在 `absent` 里写明找过而没有的东西；不再成立的违反请写 `withdrawn` 与理由"
        )
    };
    let mut problems = Vec::new();
    for check in checks(evaluation) {
        if check.status != CheckStatus::Violation
            || check.unproven != Some(true)
            || is_withdrawn(check)
        {
            continue;
        }
        let id = &check.rule_id;
        let quoted = check.evidence.as_deref().unwrap_or_default();
        problems.push(
            Problem::new(
                "violation_not_located",
                path,
                message!(
                    en: "the violation of `{id}` quotes nothing that is in the chapter: `{quoted}`",
                    zh: "对 `{id}` 的违反没有能在正文中找到的引文：`{quoted}`"
                ),
            )
            .at("/contract_verification")
            .hint(hint()),
        );
    }
    for (name, dimension) in evaluation.scores.by_name() {
        if dimension.unproven == Some(true) {
            let quoted = dimension.evidence.as_deref().unwrap_or_default();
            problems.push(
                Problem::new(
                    "score_not_located",
                    path,
                    message!(
                        en: "the score of {name} quotes nothing that is in the chapter: `{quoted}`",
                        zh: "{name} 的分数没有能在正文中找到的引文：`{quoted}`"
                    ),
                )
                .at(format!("/scores/{name}"))
                .hint(hint()),
            );
        }
    }
    problems
}

/// One line about a violation, with its quotation.
#[must_use]
pub fn shown(check: &ContractCheck, lang: Lang) -> String {
    let mut line = check.rule_id.clone();
    let (colon, open, close) = match lang {
        Lang::Zh => ("：", "（", "）"),
        Lang::En => (": ", " (", ")"),
    };
    if let Some(detail) = check.detail.as_deref().filter(|it| !it.trim().is_empty()) {
        line.push_str(&format!("{colon}{detail}"));
    }
    let quoted = check.evidence.as_deref().filter(|it| !it.trim().is_empty());
    let ground = match (quoted, check.absent.as_deref(), lang) {
        (Some(quoted), _, Lang::Zh) => Some(format!("“{quoted}”")),
        (Some(quoted), _, Lang::En) => Some(format!("\"{quoted}\"")),
        (None, Some(absent), Lang::Zh) => Some(format!("缺少：{absent}")),
        (None, Some(absent), Lang::En) => Some(format!("missing: {absent}")),
        (None, None, _) => None,
    };
    if let Some(ground) = ground {
        line.push_str(&format!("{open}{ground}{close}"));
    }
    if check.unproven == Some(true) {
        line.push_str(match lang {
            Lang::Zh => " [unproven：引文未找到]",
            Lang::En => " [unproven: no quotation found]",
        });
    }
    line
}

/// What the author is told of a verdict beside its decision: violations that do not force a revision,
/// grounds that were not found, violations that were taken back.
#[must_use]
pub fn warnings(evaluation: &Evaluation) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for check in checks(evaluation) {
        let (en, zh) = (shown(check, Lang::En), shown(check, Lang::Zh));
        let confidence = match check.confidence {
            Some(Confidence::High) => "high",
            Some(Confidence::Medium) => "medium",
            Some(Confidence::Low) => "low",
            None => "-",
        };
        if is_withdrawn(check) {
            let reason = check.withdrawn.as_deref().unwrap_or_default();
            warnings.push(Warning::new(
                "violation_withdrawn",
                message!(
                    en: "the judge withdrew a violation: {en}; reason: {reason}",
                    zh: "评审撤回一条违反：{zh}；理由：{reason}"
                ),
            ));
            continue;
        }
        match check.status {
            CheckStatus::Pass => {}
            CheckStatus::Violation if check.confidence == Some(Confidence::High) => {
                if check.unproven == Some(true) {
                    warnings.push(Warning::new(
                        "violation_unproven",
                        message!(
                            en: "a violation without a quotation that could be found forces a revision: {en}",
                            zh: "一条引文未找到的违反要求修订：{zh}"
                        ),
                    ));
                }
            }
            CheckStatus::Violation | CheckStatus::ViolationSuspected => {
                warnings.push(Warning::new(
                    "violation_warning",
                    message!(
                        en: "possible violation ({confidence}): {en}",
                        zh: "可能的违反（{confidence}）：{zh}"
                    ),
                ));
            }
        }
    }
    let unproven: Vec<&str> = evaluation
        .scores
        .by_name()
        .into_iter()
        .filter(|(_, dimension)| dimension.unproven == Some(true))
        .map(|(name, _)| name)
        .collect();
    if !unproven.is_empty() {
        let list = unproven.join(", ");
        warnings.push(Warning::new(
            "score_unproven",
            message!(
                en: "scores without a quotation that could be found: {list}",
                zh: "引文未找到的分数：{list}"
            ),
        ));
    }
    warnings
}

/// A verdict with the answer to its re-ask: what the judge had said stands, and only what was missing
/// is filled in.
#[must_use]
pub fn completed(first: &Value, second: &Value, text: &str) -> Value {
    let locator = Locator::new(text);
    let mut whole = first.clone();
    if !whole.is_object() {
        return second.clone();
    }
    let is_located = |entry: &Value| {
        let quoted = entry.get("evidence").and_then(Value::as_str);
        quoted.is_some_and(|quoted| locator.contains(quoted))
    };
    let later = |layer: &str| {
        second
            .pointer(&format!("/contract_verification/{layer}"))
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    if !whole["contract_verification"].is_object() {
        whole["contract_verification"] = json!({});
    }
    for layer in LAYERS {
        for said in later(layer) {
            let id = id_of(&said);
            let known = LAYERS.iter().find_map(|layer| {
                let list = whole["contract_verification"].get(*layer)?.as_array()?;
                let at = list.iter().position(|check| same(&id_of(check), &id))?;
                Some((*layer, at))
            });
            match known {
                Some((layer, at)) => {
                    let check = &mut whole["contract_verification"][layer][at];
                    complete_check(check, &said, is_located(check), is_located(&said));
                }
                None => match whole["contract_verification"][layer].as_array_mut() {
                    Some(list) => list.push(said),
                    None => whole["contract_verification"][layer] = json!([said]),
                },
            }
        }
    }
    let passed = second.pointer("/contract_verification/passed");
    for id in passed.and_then(Value::as_array).into_iter().flatten() {
        match whole["contract_verification"]["passed"].as_array_mut() {
            Some(list) => list.push(id.clone()),
            None => whole["contract_verification"]["passed"] = json!([id]),
        }
    }
    // A claim without a violation named may be taken back; a violation may not.
    let named = LAYERS.iter().any(|layer| {
        let list = whole["contract_verification"][*layer].as_array();
        list.into_iter()
            .flatten()
            .any(|check| check["status"] != "pass")
    });
    if !named && let Some(said) = second.pointer("/contract_verification/has_violations") {
        whole["contract_verification"]["has_violations"] = said.clone();
    }
    if !whole["scores"].is_object() {
        whole["scores"] = json!({});
    }
    for name in DIMENSIONS {
        let Some(said) = second.pointer(&format!("/scores/{name}")) else {
            continue;
        };
        let entry = &mut whole["scores"][name];
        let on_scale = |entry: &Value| {
            entry
                .get("score")
                .and_then(Value::as_f64)
                .is_some_and(|score| (1.0..=5.0).contains(&score))
        };
        if !entry.is_object() {
            *entry = said.clone();
            continue;
        }
        if !on_scale(entry) && on_scale(said) {
            entry["score"] = said["score"].clone();
        }
        ground(entry, said, is_located(entry), is_located(said));
    }
    for field in ["required_fixes", "recommendation", "anti_ai"] {
        let is_empty = match &whole[field] {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if is_empty && let Some(said) = second.get(field) {
            whole[field] = said.clone();
        }
    }
    whole
}

fn id_of(check: &Value) -> String {
    ["rule_id", "contract_id", "objective_id"]
        .iter()
        .find_map(|key| check.get(*key)?.as_str())
        .unwrap_or_default()
        .to_owned()
}

fn complete_check(check: &mut Value, said: &Value, is_located: bool, said_is_located: bool) {
    let is_missing = |value: &Value, key: &str| value.get(key).is_none_or(Value::is_null);
    // How sure somebody is that a contract is kept says nothing of how sure they were that it is not.
    let is_pass = |value: &Value| value["status"] == "pass";
    let is_of_it = is_missing(check, "status")
        || is_missing(said, "status")
        || is_pass(check) == is_pass(said);
    for (key, is_wanted) in [("status", true), ("confidence", is_of_it)] {
        if is_wanted && is_missing(check, key) && !is_missing(said, key) {
            check[key] = said[key].clone();
        }
    }
    ground(check, said, is_located, said_is_located);
    let accuses = check["status"] != "pass";
    let reason = said.get("withdrawn").and_then(Value::as_str);
    if let Some(reason) = reason.filter(|reason| accuses && !reason.trim().is_empty()) {
        check["withdrawn"] = json!(reason);
    }
}

/// Fills in the ground of a check or a score: a quotation that was found, beside what was said to be missing;
/// another ground only where there is none.
fn ground(entry: &mut Value, said: &Value, is_located: bool, said_is_located: bool) {
    let has_absent = is_absent(entry.get("absent").and_then(Value::as_str));
    if is_located {
        return;
    }
    if !has_absent {
        take(entry, said, &["evidence", "absent"]);
    } else if said_is_located {
        take(entry, said, &["evidence"]);
    }
}

fn take(entry: &mut Value, said: &Value, keys: &[&str]) {
    for key in keys {
        if let Some(value) = said.get(*key).filter(|value| !value.is_null()) {
            entry[*key] = value.clone();
        }
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
pub(super) mod tests;
