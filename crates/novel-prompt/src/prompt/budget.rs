//! Spends the budget of a prompt by priority.
//!
//! Every section has a priority and forms, from its usual one to the smallest that is still useful.
//! All sections get their smallest form, the least important ones are left out until that fits, and
//! what remains of the budget goes to fuller forms, the most important section first. So a larger
//! budget never sends less.

use novel_model::{Message, message};

use super::{
    PromptError,
    fields::{self, KEPT},
    item::{Item, Scene},
    shorten,
};

/// A section and the forms it can have.
struct Choice {
    /// From the usual form to the smallest useful one, each with what was done to it.
    forms: Vec<(Item, Option<Message>)>,
    /// The form it gets; `None` when it is left out.
    chosen: Option<usize>,
    priority: u8,
}

impl Choice {
    fn of(item: &Item, scene: &Scene) -> Result<Self, PromptError> {
        let spec = fields::spec(&item.field);
        let mut forms = vec![(item.clone(), None)];
        for cut in spec.forms {
            let mut shorter = item.clone();
            let how = shorten::cut(&mut shorter, *cut, scene)?;
            shorter.note = how.clone().or(shorter.note);
            let smallest = forms.last().map_or(u64::MAX, |(form, _)| form.cost(scene));
            if how.is_some() && !shorter.is_empty() && shorter.cost(scene) < smallest {
                forms.push((shorter, how));
            }
        }
        Ok(Self {
            chosen: Some(forms.len() - 1),
            priority: spec.priority,
            forms,
        })
    }

    fn cost(&self, scene: &Scene) -> u64 {
        self.chosen.map_or(0, |form| self.forms[form].0.cost(scene))
    }
}

/// What the budget made of a section.
pub(super) struct Spent {
    /// As it is sent; `None` when it is left out.
    pub(super) item: Option<Item>,
    /// What was done to it, where it is not in its usual form.
    pub(super) how: Option<Message>,
}

/// The forms of `items` that cost at most `budget` together, in the order of the items. Sections that
/// are never left out may be over it.
pub(super) fn spend(items: &[Item], budget: u64, scene: &Scene) -> Result<Vec<Spent>, PromptError> {
    let mut choices: Vec<Choice> = items
        .iter()
        .map(|item| Choice::of(item, scene))
        .collect::<Result<_, _>>()?;
    let mut order: Vec<usize> = (0..choices.len()).collect();
    // Of equal sections the later one goes first: it is nearer to what changes.
    order.sort_by_key(|at| (choices[*at].priority, usize::MAX - at));
    let total = |choices: &[Choice]| -> u64 { choices.iter().map(|it| it.cost(scene)).sum() };
    for at in &order {
        if total(&choices) <= budget || choices[*at].priority >= KEPT {
            break;
        }
        choices[*at].chosen = None;
    }
    for at in order.iter().rev() {
        let left = budget.saturating_sub(total(&choices) - choices[*at].cost(scene));
        let choice = &mut choices[*at];
        if choice.chosen.is_some() {
            let forms = &choice.forms;
            choice.chosen = forms
                .iter()
                .position(|(form, _)| form.cost(scene) <= left)
                .or(choice.chosen);
        }
    }
    Ok(choices
        .into_iter()
        .map(|choice| settled(choice, budget))
        .collect())
}

fn settled(mut choice: Choice, budget: u64) -> Spent {
    let priority = choice.priority;
    match choice.chosen {
        None => Spent {
            item: None,
            how: Some(message!(
                en: "left out: over the budget of {budget} tokens, priority {priority}",
                zh: "省去：超出 {budget} token 的预算，优先级 {priority}"
            )),
        },
        Some(form) => {
            let (item, how) = choice.forms.swap_remove(form);
            Spent {
                item: Some(item),
                how: how.map(|how| {
                    let Message { en, zh } = how;
                    message!(
                        en: "{en}; over the budget of {budget} tokens, priority {priority}",
                        zh: "{zh}；超出 {budget} token 的预算，优先级 {priority}"
                    )
                }),
            }
        }
    }
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
