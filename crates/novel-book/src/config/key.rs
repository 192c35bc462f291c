//! The keys of `novel.toml` that can be set by name, and the values each of them takes.

use novel_model::{Lang, Message, message};

use super::{
    ConsistencyCheck, LogicReviewPolicy, MOST_CANDIDATES, RevisionPolicy, change::Candidate,
};

/// The values a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Values {
    /// Any text.
    Text,
    /// One of these words.
    Words(&'static [&'static str]),
    /// The tag of a language the program has headings and prompts in.
    Language,
    /// A whole number between two bounds.
    Whole(u64, u64),
    /// A number between two bounds.
    Decimal(f64, f64),
    /// A list of texts.
    Texts,
    /// An address of a server, without credentials.
    Address,
    /// The name of an environment variable.
    Variable,
    /// An address of a server, or `$` and the name of the variable that holds it.
    Webhook,
}

const TOKENS: Values = Values::Whole(1, u32::MAX as u64);
const COUNT: Values = Values::Whole(1, u32::MAX as u64);
const SECONDS: Values = Values::Whole(1, 604_800);
const WORDS: Values = Values::Whole(0, i64::MAX as u64);
const PRICE: Values = Values::Decimal(0.0, 1_000_000.0);
const MODES: Values = Values::Words(&["chapter", "scenes"]);

/// Every key with a fixed name, in the order of the documentation.
const KEYS: &[(&str, Values)] = &[
    ("title", Values::Text),
    ("author", Values::Text),
    ("language", Values::Language),
    ("executor", Values::Words(&["offline", "llm", "command"])),
    ("approval", Values::Words(&["ask", "unattended"])),
    ("drafting", MODES),
    ("drafting.mode", MODES),
    (
        "drafting.candidates",
        Values::Whole(1, MOST_CANDIDATES as u64),
    ),
    ("chapter.min_words", WORDS),
    ("chapter.max_words", WORDS),
    ("chapter.length_policy", Values::Words(&["warn", "refuse"])),
    ("llm.api", Values::Words(&["openai", "anthropic"])),
    ("llm.base_url", Values::Address),
    ("llm.key_env", Values::Variable),
    ("llm.key_file", Values::Text),
    ("llm.temperature", Values::Decimal(0.0, 2.0)),
    ("llm.max_output_tokens", TOKENS),
    ("llm.thinking_tokens", Values::Whole(0, u32::MAX as u64)),
    ("llm.max_attempts", COUNT),
    ("llm.connect_seconds", SECONDS),
    ("llm.first_byte_seconds", SECONDS),
    ("llm.silent_seconds", SECONDS),
    ("llm.total_seconds", SECONDS),
    ("command.program", Values::Texts),
    ("command.output", Values::Words(&["stdout", "staged"])),
    ("command.timeout_seconds", SECONDS),
    (
        "command.sandbox",
        Values::Words(&["auto", "landlock", "compare"]),
    ),
    ("command.env", Values::Texts),
    ("command.network", Values::Words(&["open", "closed"])),
    ("budget.max_cost_usd", PRICE),
    ("budget.max_tokens", Values::Whole(0, i64::MAX as u64)),
    ("context.input_tokens", Values::Whole(1, i64::MAX as u64)),
    ("revision_policy", Values::Words(RevisionPolicy::WORDS)),
    (
        "logic_review_policy",
        Values::Words(LogicReviewPolicy::WORDS),
    ),
    ("logic_review_min_score", Values::Whole(0, 100)),
    ("consistency_check", Values::Words(ConsistencyCheck::WORDS)),
    ("contract.differs", Values::Words(&["tell", "book", "stop"])),
    ("plan.chapters", COUNT),
    ("plan.chunk", COUNT),
    ("plan.material", Values::Words(&["open", "known"])),
    (
        "style.source",
        Values::Words(&["original", "reference", "template", "write_then_extract"]),
    ),
    ("style.template", Values::Text),
    ("style.reference", Values::Text),
    ("refine.max_change", Values::Decimal(0.0, 1.0)),
    ("limits.calls_per_chapter", COUNT),
    ("gate.probe_every", Values::Whole(0, u32::MAX as u64)),
    ("notify.command", Values::Texts),
    ("notify.webhook", Values::Webhook),
];

/// Table of the models, one key an agent.
const MODELS: &str = "models";
/// Roles that have a model beside the agents.
const ROLES: [&str; 3] = ["default", "revision", "judge-secondary"];
/// Table of the prices, one table a model.
const PRICES: &str = "prices";
/// Keys of a price.
const PRICE_KEYS: [&str; 4] = ["input", "cached_input", "cache_write", "output"];

/// Table of the fallbacks, one table an agent.
const FALLBACK: &str = "fallback";
/// Keys of a fallback.
const FALLBACK_KEYS: &[(&str, Values)] = &[
    ("model", Values::Text),
    ("api", Values::Words(&["openai", "anthropic"])),
    ("base_url", Values::Address),
    ("key_env", Values::Variable),
    ("key_file", Values::Text),
];

/// Every key that can be set, with one for each agent; the prices of a model have keys of their own.
#[must_use]
pub fn setting_keys(agents: &[&str]) -> Vec<String> {
    let fixed = KEYS.iter().map(|(key, _)| (*key).to_owned());
    let roles = ROLES.iter().chain(agents);
    let fallbacks = FALLBACK_KEYS.iter();
    fixed
        .chain(roles.map(|role| format!("{MODELS}.{role}")))
        .chain(fallbacks.map(|(key, _)| format!("{FALLBACK}.default.{key}")))
        .collect()
}

/// Whether a value is one of the fixed words a setting takes.
#[must_use]
pub fn is_setting_word(key: &str, value: &str) -> bool {
    let mut known = KEYS.iter().filter(|(known, _)| *known == key);
    known.any(|(_, values)| match values {
        Values::Words(words) => words.contains(&value),
        Values::Language => Lang::from_tag(value).is_some(),
        _ => false,
    })
}

/// The values of the key with these parts.
pub(super) fn values_of(parts: &[String], agents: &[&str]) -> Option<Values> {
    match parts {
        [table, role] if table == MODELS => {
            let role = role.as_str();
            (ROLES.contains(&role) || agents.contains(&role)).then_some(Values::Text)
        }
        [table, _, price] if table == PRICES => {
            PRICE_KEYS.contains(&price.as_str()).then_some(PRICE)
        }
        [table, role, key] if table == FALLBACK => {
            let is_role = role == "default" || agents.contains(&role.as_str());
            let mut known = FALLBACK_KEYS.iter().filter(|(known, _)| known == key);
            known.next().map(|(_, values)| *values).filter(|_| is_role)
        }
        parts => {
            let key = parts.join(".");
            let mut known = KEYS.iter().filter(|(known, _)| *known == key);
            known.next().map(|(_, values)| *values)
        }
    }
}

impl Values {
    /// The value a text on the command line stands for.
    pub(super) fn parse(self, text: &str) -> Option<Candidate> {
        match self {
            Self::Text => (!text.trim().is_empty()).then(|| Candidate::text(text)),
            Self::Words(words) => words.contains(&text).then(|| Candidate::text(text)),
            Self::Language => Lang::from_tag(text).map(|_| Candidate::text(text)),
            Self::Whole(least, most) => {
                let number: u64 = text.parse().ok()?;
                let number = (least..=most).contains(&number).then_some(number)?;
                i64::try_from(number).ok().map(Candidate::Whole)
            }
            Self::Decimal(least, most) => {
                let number: f64 = text.parse().ok()?;
                (least..=most)
                    .contains(&number)
                    .then_some(Candidate::Decimal(number))
            }
            Self::Texts => Candidate::texts(text),
            Self::Address => is_address(text).then(|| Candidate::text(text)),
            Self::Variable => is_variable(text).then(|| Candidate::text(text)),
            Self::Webhook => {
                let named = text.strip_prefix('$').is_some_and(is_variable);
                (named || is_address(text)).then(|| Candidate::text(text))
            }
        }
    }

    /// Whether a refused value may be shown: where a place of a key is asked for, it may be the key.
    pub(super) fn may_be_shown(self) -> bool {
        !matches!(self, Self::Variable | Self::Address | Self::Webhook)
    }

    /// The values, for people.
    pub(super) fn allowed(self) -> Message {
        match self {
            Self::Text => message!(en: "text", zh: "一段文字"),
            Self::Words(words) => Message::same(words.join(", ")),
            Self::Language => Message::same("zh-CN, en"),
            Self::Whole(least, most) if most > u64::from(u32::MAX) => message!(
                en: "a whole number, at least {least}", zh: "不小于 {least} 的整数"
            ),
            Self::Whole(least, most) => message!(
                en: "a whole number from {least} to {most}", zh: "{least} 到 {most} 的整数"
            ),
            Self::Decimal(least, most) => message!(
                en: "a number from {least} to {most}", zh: "{least} 到 {most} 的数"
            ),
            Self::Texts => message!(
                en: "a list such as '[\"claude\", \"-p\"]'", zh: "一个列表，如 '[\"claude\", \"-p\"]'"
            ),
            Self::Address => message!(
                en: "an address that begins with http:// or https://, without a name or key in it",
                zh: "以 http:// 或 https:// 开头的地址，其中不含用户名或密钥"
            ),
            Self::Webhook => message!(
                en: "an address that begins with http:// or https://, or `$NAME`: the variable that holds it",
                zh: "以 http:// 或 https:// 开头的地址，或 `$NAME`：存放该地址的环境变量"
            ),
            Self::Variable => message!(
                en: "the name of an environment variable, such as OPENAI_API_KEY; never the key itself",
                zh: "环境变量的名字，如 OPENAI_API_KEY；不能是密钥本身"
            ),
        }
    }
}

fn is_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let authority = rest.split('/').next().unwrap_or_default();
        !authority.is_empty()
            && !rest.contains(['@', '?', '#'])
            && !rest.contains(char::is_whitespace)
    })
}

/// Names of variables have no hyphens, which keys of providers have.
fn is_variable(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next();
    first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
