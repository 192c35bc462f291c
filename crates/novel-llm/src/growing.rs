//! An answer while it grows: whether it goes round in circles, and what of it is whole when it ends early.
//!
//! A small model repeats itself until the limit of tokens, in a list or inside a text. Such an answer is ended by
//! the client; what was whole before is used. Nothing that was still open counts: half a sentence is none, and a
//! list loses the item that was being written.

use std::collections::HashSet;

use serde_json::Value;

/// Items of a list that were all there before, one after the other, until the list goes round.
const SAME_OBJECTS: u32 = 3;
/// The same where they differ in their numbers alone.
const NEARLY_SAME_OBJECTS: u32 = 8;
/// The same of single words and numbers.
const SAME_VALUES: u32 = 16;
/// Marks of an object that says something; shorter ones may well be the same.
const LEAST_OBJECT: usize = 24;
/// White space between members, in bytes, after which nothing more comes.
const MOST_BLANK: u32 = 400;

/// Watches an answer for repetition as it arrives. In what pieces it arrives does not matter.
pub(crate) struct Watch {
    kind: Kind,
    /// Bytes so far.
    length: usize,
    /// Bytes after which it goes round.
    ends_at: Option<usize>,
}

enum Kind {
    Json(Box<Growing>),
    Prose(Tail),
}

impl Watch {
    pub(crate) fn new(is_structured: bool) -> Self {
        let kind = if is_structured {
            Kind::Json(Box::default())
        } else {
            Kind::Prose(Tail::default())
        };
        Self {
            kind,
            length: 0,
            ends_at: None,
        }
    }

    /// Takes more of the answer.
    pub(crate) fn feed(&mut self, text: &str) {
        for char in text.chars() {
            if self.ends_at.is_some() {
                return;
            }
            self.length += char.len_utf8();
            let goes_round = match &mut self.kind {
                Kind::Json(growing) => {
                    growing.push(char);
                    growing.round.is_some()
                }
                Kind::Prose(tail) => {
                    tail.push(char);
                    tail.goes_round
                }
            };
            self.ends_at = goes_round.then_some(self.length);
        }
    }

    /// How much of it there is before it goes round, in bytes.
    pub(crate) fn ends_at(&self) -> Option<usize> {
        self.ends_at
    }
}

/// The end of a text. Numbers count as equal: a loop that counts is one.
#[derive(Default)]
pub(crate) struct Tail {
    chars: Vec<char>,
    unchecked: usize,
    goes_round: bool,
}

impl Tail {
    /// Characters that are looked at, and the longest piece that repeats in them: four times, three, or two.
    const SPANS: [(usize, usize); 3] = [(480, 120), (1200, 400), (1640, 820)];
    const STEP: usize = 64;

    fn push(&mut self, char: char) {
        if self.goes_round {
            return;
        }
        self.chars.push(if char.is_numeric() { '0' } else { char });
        self.unchecked += 1;
        if self.unchecked < Self::STEP {
            return;
        }
        self.unchecked = 0;
        self.goes_round = Self::SPANS.iter().any(|(span, longest)| {
            let from = self.chars.len().checked_sub(*span);
            from.is_some_and(|from| period(&self.chars[from..]) <= *longest)
        });
        let most = Self::SPANS[2].0;
        if self.chars.len() > 2 * most {
            self.chars.drain(..self.chars.len() - most);
        }
    }

    fn clear(&mut self) {
        self.chars.clear();
        self.unchecked = 0;
    }
}

/// The shortest piece whose repetition a text is; its length where there is none.
fn period(text: &[char]) -> usize {
    let mut borders = vec![0_usize; text.len()];
    let mut length = 0;
    for at in 1..text.len() {
        while length > 0 && text[at] != text[length] {
            length = borders[length - 1];
        }
        if text[at] == text[length] {
            length += 1;
        }
        borders[at] = length;
    }
    text.len() - borders.last().copied().unwrap_or_default()
}

/// A structured answer that ended early.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Salvaged {
    /// What was whole.
    pub(crate) value: Value,
    /// Whether it went round; what it repeated is left out.
    pub(crate) went_round: bool,
    /// Whether it ended within a list.
    pub(crate) in_list: bool,
}

/// What is whole of an answer that ended within its object or list; `None` where it did not, or cannot be read.
pub(crate) fn salvage(text: &str) -> Option<Salvaged> {
    let mut growing = Growing::default();
    growing.feed(text);
    growing.salvage()
}

/// JSON as it arrives.
#[derive(Default)]
pub(crate) struct Growing {
    text: String,
    /// The opening bracket of the answer.
    start: Option<usize>,
    open: Vec<Open>,
    /// Where the string under way began.
    string: Option<usize>,
    is_escaped: bool,
    tail: Tail,
    blank: u32,
    is_over: bool,
    /// Whether something stands where JSON has nothing: quotes in a text that are not escaped.
    is_odd: bool,
    round: Option<Round>,
}

/// What goes round.
#[derive(Default)]
struct Round {
    /// The list, by the members that lead to it; empty where a text does.
    list: Vec<Step>,
    /// Whether its items differ in their numbers.
    is_counting: bool,
}

/// A member of an object, or an item of a list.
#[derive(Debug)]
enum Step {
    Member(String),
    Item(usize),
}

/// A bracket that is open.
struct Open {
    is_list: bool,
    /// Where the item or member under way begins.
    item: usize,
    /// Up to where everything is whole.
    whole: usize,
    /// The key of the member under way, once its colon has come.
    key: Option<String>,
    /// The last string of an object, which may be a key.
    last: Option<(usize, usize)>,
    count: usize,
    /// Whether the value of the item or member under way is whole.
    has_value: bool,
    repeats: Repeats,
}

/// The items of a list that came before.
#[derive(Default)]
struct Repeats {
    seen: HashSet<String>,
    nearly: HashSet<String>,
    same: u32,
    nearly_same: u32,
}

impl Repeats {
    /// Takes an item. Where the list goes round with it, says whether its items differ in their numbers.
    fn take(&mut self, item: &str) -> Option<bool> {
        let exact: String = item.chars().filter(|char| !char.is_whitespace()).collect();
        let is_object = exact.starts_with('{');
        if is_object && exact.chars().count() < LEAST_OBJECT {
            return None;
        }
        let is_near = is_object && !self.nearly.insert(without_numbers(&exact));
        let is_same = !self.seen.insert(exact);
        self.same = if is_same { self.same + 1 } else { 0 };
        self.nearly_same = if is_near { self.nearly_same + 1 } else { 0 };
        let limit = if is_object { SAME_OBJECTS } else { SAME_VALUES };
        if self.same >= limit {
            return Some(false);
        }
        (self.nearly_same >= NEARLY_SAME_OBJECTS).then_some(true)
    }
}

/// The text with every run of digits as one.
fn without_numbers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_numeric() {
            if !kept.ends_with('0') {
                kept.push('0');
            }
        } else {
            kept.push(char);
        }
    }
    kept
}

impl Growing {
    fn feed(&mut self, more: &str) {
        more.chars().for_each(|char| self.push(char));
    }

    fn push(&mut self, char: char) {
        let at = self.text.len();
        self.text.push(char);
        if !self.is_over && self.round.is_none() {
            self.take(at, char);
        }
    }

    fn take(&mut self, at: usize, char: char) {
        if self.string.is_some() {
            return self.take_in_string(at, char);
        }
        if self.start.is_none() {
            // A list is an answer only where nothing stands before it.
            if char == '{' || (char == '[' && at == 0) {
                self.start = Some(at);
                self.enter(at, char == '[');
            }
            return;
        }
        if char.is_whitespace() {
            self.blank += 1;
            if self.blank > MOST_BLANK {
                self.round = Some(Round::default());
            }
            return;
        }
        self.blank = 0;
        let has_value = self.open.last().is_some_and(|open| open.has_value);
        self.is_odd |= has_value && !matches!(char, ',' | '}' | ']');
        match char {
            '"' => {
                self.string = Some(at);
                self.tail.clear();
            }
            '{' | '[' => self.enter(at, char == '['),
            '}' | ']' => self.leave(at),
            ':' => {
                let text = &self.text;
                if let Some(open) = self.open.last_mut().filter(|open| !open.is_list) {
                    open.key = open.last.map(|(from, to)| text[from..to].to_owned());
                }
            }
            ',' => {
                self.end_item(at);
                if let Some(open) = self.open.last_mut() {
                    open.item = at + 1;
                    open.key = None;
                    open.has_value = false;
                    open.count += 1;
                }
            }
            _ => {}
        }
    }

    fn take_in_string(&mut self, at: usize, char: char) {
        if self.is_escaped {
            self.is_escaped = false;
            self.tail.push(char);
        } else if char == '\\' {
            self.is_escaped = true;
        } else if char == '"' {
            let from = self.string.take().unwrap_or(at) + 1;
            if let Some(open) = self.open.last_mut() {
                if open.is_list || open.key.is_some() {
                    open.whole = at + 1;
                    open.has_value = true;
                } else {
                    open.last = Some((from, at));
                }
            }
        } else {
            self.tail.push(char);
        }
        if self.tail.goes_round {
            self.round = Some(Round::default());
        }
    }

    fn enter(&mut self, at: usize, is_list: bool) {
        self.open.push(Open {
            is_list,
            item: at + 1,
            whole: at + 1,
            key: None,
            last: None,
            count: 0,
            has_value: false,
            repeats: Repeats::default(),
        });
    }

    /// The item or member under way ends before `at`.
    fn end_item(&mut self, at: usize) {
        let text = &self.text;
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let item = text[open.item..at].trim();
        if item.is_empty() {
            return;
        }
        open.whole = at;
        if open.is_list
            && let Some(is_counting) = open.repeats.take(item)
        {
            self.round = Some(Round {
                list: self.place(),
                is_counting,
            });
        }
    }

    fn leave(&mut self, at: usize) {
        self.end_item(at);
        if self.round.is_some() {
            return;
        }
        self.open.pop();
        match self.open.last_mut() {
            Some(open) => {
                open.whole = at + 1;
                open.has_value = true;
            }
            None => self.is_over = true,
        }
    }

    /// The steps to the innermost bracket.
    fn place(&self) -> Vec<Step> {
        let inner = self.open.len().saturating_sub(1);
        let steps = self.open[..inner].iter().map(|open| {
            if open.is_list {
                Step::Item(open.count)
            } else {
                Step::Member(open.key.clone().unwrap_or_default())
            }
        });
        steps.collect()
    }

    fn salvage(&self) -> Option<Salvaged> {
        let start = self.start.filter(|_| !self.is_odd)?;
        // An item that is being written goes with everything in it.
        let unfinished = |depth: usize| {
            let next = self.open.get(depth + 1);
            self.open[depth].is_list && next.is_some_and(|next| !next.is_list)
        };
        let depth = (0..self.open.len())
            .find(|depth| unfinished(*depth))
            .or(self.open.len().checked_sub(1))?;
        let mut whole = self.text[start..self.open[depth].whole].to_owned();
        let closing = self.open[..=depth].iter().rev();
        whole.extend(closing.map(|open| if open.is_list { ']' } else { '}' }));
        let mut value: Value = serde_json::from_str(&whole).ok()?;
        if let Some(round) = &self.round {
            let steps = &mut round.list.iter();
            let list = steps.try_fold(&mut value, |value, step| match step {
                Step::Member(name) => value.get_mut(name),
                Step::Item(at) => value.get_mut(at),
            });
            let mut seen = HashSet::new();
            let mut is_new = |item: &Value| {
                let text = item.to_string();
                seen.insert(if round.is_counting {
                    without_numbers(&text)
                } else {
                    text
                })
            };
            if let Some(Value::Array(items)) = list {
                items.retain(|item| is_new(item));
            }
        }
        Some(Salvaged {
            value,
            went_round: self.round.is_some(),
            in_list: self.open.iter().any(|open| open.is_list),
        })
    }
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;
