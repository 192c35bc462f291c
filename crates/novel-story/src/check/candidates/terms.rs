//! What a secret or a rule says, as groups of wordings a sentence may touch.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use novel_model::Lang;

use super::super::{
    prose::Scene,
    rules::{self, wordings_in},
};

/// The content words of a text, each with other words for the same.
pub(super) struct Terms(Vec<Vec<String>>);

impl Terms {
    /// Those of a text without the names in it.
    pub(super) fn of(text: &str, names: &[&str], lang: Lang) -> Self {
        match lang {
            Lang::Zh => zh(text, names),
            Lang::En => en(text, names),
        }
    }

    /// Given groups of wordings.
    pub(super) const fn given(groups: Vec<Vec<String>>) -> Self {
        Self(groups)
    }
}

/// The terms of all secrets and rules, searched for at once.
#[derive(Default)]
pub(super) struct TermIndex {
    words: Vec<String>,
    /// Of each word: whose it is, and its group.
    owners: Vec<(usize, u32)>,
    /// How many groups each has.
    sizes: Vec<u32>,
    automaton: Option<AhoCorasick>,
}

/// The groups of each terms that a sentence touches.
pub(super) type Touched = BTreeMap<(usize, usize), u64>;

impl TermIndex {
    /// Groups that are told apart.
    const GROUPS: usize = 64;

    /// Adds terms; gives their number.
    pub(super) fn add(&mut self, terms: Terms) -> usize {
        let own = self.sizes.len();
        let mut size = 0;
        for group in terms.0.into_iter().take(Self::GROUPS) {
            for word in group {
                self.words.push(word);
                self.owners.push((own, size));
            }
            size += 1;
        }
        self.sizes.push(size);
        own
    }

    /// To be called when all are added.
    pub(super) fn finish(&mut self) {
        self.automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(&self.words)
            .ok()
            .filter(|_| !self.words.is_empty());
    }

    /// What each sentence of a scene touches, by sentence and terms.
    pub(super) fn touched(&self, scene: &Scene<'_>) -> Touched {
        let mut touched = Touched::new();
        let text = scene.content;
        let mut at = 0;
        for hit in self
            .automaton
            .iter()
            .flat_map(|automaton| automaton.find_overlapping_iter(text))
        {
            let number = hit.pattern().as_usize();
            // A Latin stem begins a word; a Chinese wording stands anywhere.
            let inside = self.words[number].is_ascii()
                && text[..hit.start()].ends_with(|char: char| char.is_ascii_alphanumeric());
            while scene
                .sentences
                .get(at)
                .is_some_and(|sentence| sentence.end < hit.end())
            {
                at += 1;
            }
            let Some(sentence) = scene.sentences.get(at) else {
                break;
            };
            if !inside && sentence.start <= hit.start() {
                let (own, group) = self.owners[number];
                *touched.entry((at, own)).or_default() |= 1 << group;
            }
        }
        touched
    }

    /// Which share of the groups of terms a sentence touches, in percent, and how many they are.
    pub(super) fn share(&self, touched: &Touched, line: usize, terms: usize) -> (u32, u32) {
        let hits = touched
            .get(&(line, terms))
            .map_or(0, |hits| hits.count_ones());
        let size = self.sizes.get(terms).copied().unwrap_or_default();
        ((hits * 100).checked_div(size).unwrap_or_default(), hits)
    }
}

fn en(text: &str, names: &[&str]) -> Terms {
    const EMPTY: [&str; 64] = [
        "the", "a", "an", "is", "was", "are", "were", "has", "had", "have", "been", "be", "of",
        "to", "in", "his", "her", "their", "that", "it", "its", "on", "at", "by", "for", "with",
        "and", "or", "from", "as", "not", "no", "who", "which", "whom", "he", "she", "they", "him",
        "them", "may", "must", "can", "cannot", "could", "will", "would", "shall", "should", "any",
        "one", "never", "ever", "only", "into", "this", "these", "those", "once", "does", "did",
        "do", "but", "than",
    ];
    const STEM: usize = 5;
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let lower = text.to_lowercase().replace('’', "'");
    let mut groups: Vec<Vec<String>> = Vec::new();
    for word in lower.split(|char: char| !(char.is_alphanumeric() || char == '\'')) {
        let word = word.trim_end_matches("'s").trim_matches('\'');
        let is_name = names
            .iter()
            .any(|name| name.split(' ').any(|part| part == word));
        if word.is_empty() || is_name || EMPTY.contains(&word) {
            continue;
        }
        let stem: String = word.chars().take(STEM).collect();
        let mut group = vec![stem];
        // `keys` of `key`.
        if let Some(bare) = word.strip_suffix('s').filter(|bare| bare.len() > 2) {
            group.push(bare.chars().take(STEM).collect());
        }
        let same = rules::SAME_EN.iter().chain(SAME_EN).filter(|same| {
            same.iter()
                .any(|known| *known == word || group[0] == *known)
        });
        let other = wordings_in(word, Lang::En).map(|(_, told)| told);
        let other: Vec<&str> = same.copied().chain(other).flatten().copied().collect();
        group.extend(other.into_iter().map(str::to_owned));
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Terms(groups)
}

fn zh(text: &str, names: &[&str]) -> Terms {
    const EMPTY: &str = "的是了在着过被就也都其与和之于由所以为而且或不得可能会要把将从对向个只能必须禁止任何者一这那，。、；：！？“”（） ";
    let mut pieces = vec![text];
    for name in names {
        pieces = pieces
            .into_iter()
            .flat_map(|piece| piece.split(*name))
            .collect();
    }
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut add = |group: Vec<String>| {
        if !groups.contains(&group) {
            groups.push(group);
        }
    };
    for piece in pieces {
        for run in piece.split(|char| EMPTY.contains(char)) {
            let letters: Vec<char> = run.chars().collect();
            if letters.len() == 1 {
                add(vec![run.to_owned()]);
            }
            for pair in letters.windows(2) {
                add(vec![pair.iter().collect()]);
            }
        }
    }
    // A pair of letters that tells an event is told by any word of it.
    let same = SAME_ZH.iter().map(|same| (*same, *same));
    for (said, told) in wordings_in(text, Lang::Zh).chain(same) {
        let Some(own) = said.iter().find(|word| text.contains(**word)) else {
            continue;
        };
        let words = told.iter().map(|word| (*word).to_owned());
        let known = groups.iter_mut().find(|group| {
            let is_own = |word: &String| own.contains(word.as_str()) || word.contains(own);
            group.iter().any(is_own)
        });
        match known {
            Some(group) => group.extend(words),
            None => groups.push(words.collect()),
        }
    }
    Terms(groups)
}

/// Other words for the same.
const SAME_ZH: &[&[&str]] = &[
    &["父亲", "爹", "爸", "老爷子", "生父", "父"],
    &["母亲", "娘", "妈", "生母", "母"],
    &[
        "儿子", "女儿", "孩子", "骨肉", "血脉", "私生", "亲生", "遗腹", "后人",
    ],
    &[
        "杀", "害死", "毒死", "凶手", "下毒", "毒", "弑", "谋害", "死在", "命", "毙",
    ],
    &["偷", "盗", "窃", "顺走", "拿走", "贼"],
    &["烧", "放火", "纵火", "火", "点燃"],
    &["假", "伪", "冒", "赝", "仿"],
    &["藏", "埋", "密室", "暗格", "地窖", "底下", "夹层", "机关"],
    &[
        "内奸",
        "卧底",
        "细作",
        "奸细",
        "叛徒",
        "通敌",
        "内应",
        "内鬼",
        "线人",
        "密探",
        "通风报信",
        "反水",
        "投敌",
    ],
    &["皇", "太子", "公主", "龙种", "天子", "皇室", "帝", "王"],
    &["女扮男装", "女儿身", "女子", "姑娘", "女人"],
    &["病", "绝症", "不治", "活不过", "大限", "时日无多", "癌"],
    &["银", "钱", "账", "亏空", "贪", "款", "赃"],
    &["信", "密信", "书信", "遗书", "遗诏", "诏书"],
    &["地图", "藏宝图", "宝图", "图纸", "宝藏"],
    &["没死", "活着", "未死", "还活", "尚在人世", "诈死", "假死"],
];

const SAME_EN: &[&[&str]] = &[
    &[
        "father", "dad", "sire", "papa", "begot", "son", "daughter", "child",
    ],
    &["mother", "mum", "mom", "mama", "bore"],
    &["son", "daughter", "child", "heir", "bastard", "blood"],
    &[
        "kill", "murder", "slew", "slain", "death", "poison", "shot", "stabbed", "drown", "strangl",
    ],
    &[
        "stole", "steal", "stolen", "theft", "thief", "rob", "took", "pocket", "embezzl",
    ],
    &["fire", "burn", "arson", "torch", "ablaze", "blaze", "lit"],
    &[
        "fake",
        "forge",
        "fals",
        "counterfeit",
        "impost",
        "sham",
        "copy",
        "replica",
    ],
    &[
        "hid", "hidden", "buri", "conceal", "beneath", "under", "behind", "stash", "vault",
        "cellar",
    ],
    &[
        "spy",
        "spies",
        "traitor",
        "betray",
        "informant",
        "inform",
        "agent",
        "mole",
        "sold",
    ],
    &[
        "king", "queen", "prince", "princ", "royal", "throne", "crown",
    ],
    &[
        "ill",
        "sick",
        "dying",
        "disease",
        "fever",
        "consumption",
        "cancer",
    ],
    &["money", "gold", "coin", "fund", "debt", "ledger", "embezzl"],
    &["alive", "live", "surviv", "faked"],
    &["marri", "wed", "wife", "husband", "elope"],
];
