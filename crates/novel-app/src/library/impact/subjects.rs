//! What a character, a rule of the world and a fact are in.

use std::collections::BTreeSet;

use novel_model::{
    ChapterNo, Document, Slug,
    files::{Evaluation, WorldRules},
    layout,
};
use novel_text::sentences;
use serde_json::Value;

use super::{
    ImpactError, ImpactReport, NoImpact,
    claims::{Claim, is_name, is_passing, path_of},
    ground::Found,
    survey::{Survey, is_below},
};

impl Survey<'_> {
    pub(super) fn character(&self, name: &str) -> Result<ImpactReport, ImpactError> {
        let cast = self.called.cast;
        let id = name
            .parse::<Slug>()
            .ok()
            .filter(|id| cast.member(id).is_some())
            .or_else(|| cast.resolve(name).cloned())
            .ok_or_else(|| {
                let members = cast.members().map(|(id, member)| (id, &member.character));
                let known = members.flat_map(|(id, it)| {
                    let names = std::iter::once(&it.display_name).chain(&it.aliases);
                    std::iter::once(id.to_string()).chain(names.cloned())
                });
                NoImpact::NoCharacter {
                    name: name.to_owned(),
                    known: known.collect(),
                }
            })?;
        let names = self.called.names(id.as_str());
        let of_them = format!("characters.{id}");
        let claims = self
            .called
            .claims(|fact| path_of(fact).starts_with(&format!("{of_them}.")));
        let named = Claim::thing(of_them.clone(), ChapterNo::first(), names.clone());
        self.gather(
            &format!("{id} ({})", names.listed()),
            0,
            |chapter| {
                let mut found = Found::default();
                self.claimed(chapter, &claims, &mut found)?;
                // What they are called says nothing of them.
                let is_of = |path: &str| is_below(path, &of_them) && !is_name(path);
                self.built_on(chapter, is_of, &mut found);
                // A sentence that says nothing else of them shows that they are there.
                if !found.has("text") {
                    let scenes = self.scenes(chapter)?;
                    let mut passages = scenes.iter().flat_map(|scene| named.passages(scene));
                    if let Some(passage) = passages.next() {
                        found.ground("text", &of_them, chapter, passage);
                    }
                }
                if named.is_about(&self.plan_of(chapter)?) {
                    found.way("shown");
                }
                found.let_pass(is_passing);
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let mut because: Vec<String> = said.map(|claim| claim.path.clone()).collect();
                if because.is_empty() && named.is_about(plan) {
                    because.push(of_them.clone());
                }
                because
            },
        )
    }

    pub(super) fn rule(&self, id: &str) -> Result<ImpactReport, ImpactError> {
        let rules = Document::<WorldRules>::load(self.reader(), &layout::world_rules())?;
        let all = || rules.iter().flat_map(|rules| &rules.get().rules);
        let rule = all()
            .find(|rule| rule.id.eq_ignore_ascii_case(id))
            .cloned()
            .ok_or_else(|| NoImpact::NoRule {
                id: id.to_owned(),
                known: all().map(|rule| rule.id.clone()).collect(),
            })?;
        let since = rule
            .introduced_chapter
            .map_or(0, |chapter| chapter.saturating_sub(1));
        let terms = novel_story::plan::terms(&rule.rule);
        let shared = |text: &str| {
            let found = terms.iter().filter(|term| text.contains(term.as_str()));
            found.count()
        };
        let subject = format!("{}: {}", rule.id, rule.rule);
        self.gather(
            &subject,
            since,
            |chapter| {
                let mut found = Found::default();
                let path = layout::evaluation(chapter);
                if let Some(evaluation) = Document::<Evaluation>::load(self.reader(), &path)? {
                    for quoted in quoted_about(evaluation.raw(), &rule.id) {
                        found.ground("verdict", &rule.id, chapter, &quoted);
                    }
                }
                let scenes = self.scenes(chapter)?;
                let sentences = scenes.iter().flat_map(|scene| sentences(scene));
                let mut claiming: Vec<(usize, &str)> = sentences
                    .map(|sentence| (shared(sentence), sentence.trim()))
                    .filter(|(count, _)| *count >= 2)
                    .collect();
                claiming.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
                for (_, sentence) in claiming.into_iter().take(2) {
                    found.ground("text", &rule.id, chapter, sentence);
                }
                // Every writer is given the rules; that alone says nothing about a chapter.
                if !found.grounds.is_empty() {
                    found.way("shown");
                }
                Ok(found)
            },
            |plan| {
                let rests = plan.contains(&rule.id) || shared(plan) >= 2;
                rests.then(|| rule.id.clone()).into_iter().collect()
            },
        )
    }

    pub(super) fn fact(&self, path: &str) -> Result<ImpactReport, ImpactError> {
        let is_of = |other: &str| is_below(other, path);
        let first = self
            .written(0)
            .find(|chapter| self.ops(*chapter).keys().any(|it| is_of(it)))
            .ok_or_else(|| {
                let changed = self.written(0).flat_map(|chapter| self.ops(chapter));
                let known: BTreeSet<String> = changed.map(|(path, _)| path).collect();
                NoImpact::NoFact {
                    path: path.to_owned(),
                    known: known.into_iter().collect(),
                }
            })?;
        let claims = self.called.claims(|fact| is_of(&path_of(fact)));
        self.gather(
            path,
            first.get() - 1,
            |chapter| {
                let mut found = Found::default();
                self.claimed(chapter, &claims, &mut found)?;
                self.built_on(chapter, is_of, &mut found);
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let paths: BTreeSet<String> = said.map(|claim| claim.path.clone()).collect();
                paths.into_iter().collect()
            },
        )
    }
}

/// What an evaluation quotes where it names an id.
fn quoted_about(value: &Value, id: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect_quotes(value, id, &mut found);
    found
}

fn collect_quotes(value: &Value, id: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let names = map.values().any(|value| value.as_str() == Some(id));
            let quote = ["evidence", "quote", "quotation"]
                .iter()
                .find_map(|key| map.get(*key).and_then(Value::as_str));
            if let (true, Some(quote)) = (names, quote.filter(|quote| !quote.trim().is_empty())) {
                found.push(quote.trim().to_owned());
            }
            for value in map.values() {
                collect_quotes(value, id, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                collect_quotes(value, id, found);
            }
        }
        _ => {}
    }
}
