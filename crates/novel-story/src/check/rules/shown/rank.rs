//! A rank told as a title or as what somebody is.

use novel_model::Lang;
use serde_json::Value;

use super::{
    super::against::{self, Clash},
    Shown, titles, words,
};
use crate::{check::prose::holds, ledger::Slot};

/// Every word of a ladder.
pub(in crate::check) fn words_of_ladders() -> impl Iterator<Item = &'static str> {
    all()
}

/// The step of a ladder a text names: ladder, step, and the word.
fn steps(text: &str) -> impl Iterator<Item = (usize, usize, &'static str)> + '_ {
    words::LADDERS
        .iter()
        .enumerate()
        .flat_map(move |(ladder, steps)| {
            steps.iter().enumerate().flat_map(move |(step, wordings)| {
                wordings
                    .iter()
                    .filter(move |word| text == **word)
                    .map(move |word| (ladder, step, *word))
            })
        })
}

/// Whether two ranks stand on different steps of one ladder, and on no ladder on one step.
pub(super) fn exclude(told: &str, known: &str) -> bool {
    let mut differ = false;
    for (ladder, step, _) in steps(told) {
        for (other, known, _) in steps(known) {
            if ladder == other {
                if step == known {
                    return false;
                }
                differ = true;
            }
        }
    }
    differ
}

/// The longest word of a ladder a text ends with.
pub(super) fn ending(text: &str) -> Option<&'static str> {
    all()
        .filter(|word| ends_with_word(text, word))
        .max_by_key(|word| word.len())
}

/// The longest word of a ladder a text begins with.
pub(super) fn beginning(text: &str) -> Option<&'static str> {
    all()
        .filter(|word| {
            text.strip_prefix(word).is_some_and(|rest| {
                !word.is_ascii() || !rest.starts_with(|char: char| char.is_alphanumeric())
            })
        })
        .max_by_key(|word| word.len())
}

fn all() -> impl Iterator<Item = &'static str> {
    words::LADDERS
        .iter()
        .flat_map(|steps| steps.iter().flat_map(|step| step.iter().copied()))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|rest| !word.is_ascii() || !rest.ends_with(char::is_alphanumeric))
}

/// A recorded rank brought to the word of a ladder: `金丹初期`, `七品县令`, `a lieutenant`.
pub(in crate::check) fn known(value: &str) -> Option<&'static str> {
    let value = value.trim().to_lowercase();
    let bare = value
        .trim_end_matches("修士")
        .trim_end_matches("境")
        .trim_end_matches("期")
        .trim_end_matches(['初', '中', '后', '巅', '峰', '圆', '满', '大']);
    ending(bare)
        .or_else(|| beginning(bare).filter(|word| word.is_ascii()))
        .or_else(|| {
            // `练气三层`.
            all()
                .filter(|word| !word.is_ascii() && bare.starts_with(word))
                .max_by_key(|word| word.len())
        })
}

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let record = shown.scope.past.character(shown.mention.id)?.as_object()?;
    let recorded = record
        .iter()
        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Rank))
        .and_then(|(_, value)| Value::as_str(value))
        .and_then(known)?;
    let told = match shown.scope.lang {
        Lang::Zh => told_zh(shown.before(), shown.after())
            .or_else(|| is_zh(shown))
            .or_else(|| power_zh(shown)),
        Lang::En => told_en(
            &shown.before().to_lowercase(),
            &shown.after().to_lowercase(),
        )
        .or_else(|| title_en(shown.before()))
        .or_else(|| is_en(shown)),
    }?;
    if risen_before(shown) {
        return None;
    }
    if !exclude(told, recorded) {
        return titles::other_grade(shown, told);
    }
    against::rank(shown.scope, shown.mention.id, told, None)
}

/// Whether the chapter told of a rise before.
pub(super) fn risen_before(shown: &Shown<'_, '_>) -> bool {
    const RISES: &[&str] = &[
        "突破",
        "晋升",
        "升任",
        "升为",
        "提拔",
        "擢升",
        "封为",
        "受封",
        "册封",
        "任命",
        "结丹成功",
        "成为",
        "继任",
        "接任",
        "promoted",
        "promotion",
        "appointed",
        "crowned",
        "became",
        "knighted",
        "ordained",
        "sworn in",
        "elected",
    ];
    holds(
        &shown.scene.content[..shown.sentence.start].to_lowercase(),
        RISES,
    )
}

fn told_zh(before: &str, after: &str) -> Option<&'static str> {
    let front = before
        .trim_end_matches("的")
        .trim_end_matches("真人")
        .trim_end_matches("老祖")
        .trim_end_matches("强者")
        .trim_end_matches("修士")
        .trim_end_matches("境")
        .trim_end_matches("期");
    if let Some(word) = ending(front) {
        let rest = &front[..front.len() - word.len()];
        let clause = rest
            .rsplit(['，', '。', '；', '：', '！', '”'])
            .next()
            .unwrap_or_default();
        let is = ["身为", "贵为", "作为"].contains(&clause);
        let other = !is
            && words::NOT_RANK_BEFORE_ZH
                .iter()
                .any(|mark| clause.ends_with(mark));
        return (!other && clause.chars().count() <= 4).then_some(word);
    }
    let clause = after
        .split(['，', '。', '；', '！', '：'])
        .next()
        .unwrap_or_default();
    // `苏晚将军掀帘而入`; some ranks are also verbs.
    if let Some(word) = beginning(clause)
        && !["答应", "常在", "主管", "总管", "编辑", "助理"].contains(&word)
        && !clause[word.len()..].starts_with(['的', '和', '与', '、', '之'])
    {
        return Some(word);
    }
    let rest = words::IS_ZH
        .iter()
        .filter_map(|is| clause.strip_prefix(is))
        .min_by_key(|rest| rest.len())?;
    // `不是`, `是个怕死的`: what follows is the rank at once, after a grade or a measure.
    let rest = rest
        .trim_start_matches(['一', '个', '名', '位', '的', '从', '正'])
        .trim_start_matches(|char: char| "二三四五六七八九".contains(char))
        .trim_start_matches('品');
    let word = beginning(rest)?;
    let tail = &rest[word.len()..];
    let ends = tail.is_empty()
        || titles::grade_at(tail).is_some()
        || [
            "期", "境", "修士", "修为", "初期", "中期", "后期", "巅峰", "强者", "弟子", "了",
            "大人",
        ]
        .iter()
        .any(|end| tail.starts_with(end));
    (ends && !tail.contains('的') && !tail.ends_with("手下")).then_some(word)
}

fn told_en(before: &str, after: &str) -> Option<&'static str> {
    // `Colonel Hale`, `the archmage Tamsin`, `As commissioner, Ruiz`.
    let front = before.trim_end();
    if let Some(word) = ending(front) {
        let rest = front[..front.len() - word.len()].trim_end();
        let last = rest.rsplit(' ').next().unwrap_or_default();
        let begins = rest.is_empty()
            || rest.ends_with([',', '.', ';', ':', '—', '"', '”'])
            || matches!(rest, "as a" | "as an")
            || matches!(
                last,
                "the" | "and" | "but" | "when" | "then" | "as" | "while" | "young" | "old" | "so"
            );
        return begins.then_some(word);
    }
    if let Some(office) = front
        .strip_prefix("as ")
        .and_then(|rest| rest.strip_suffix(','))
    {
        let office = office.trim_start_matches("the ").trim_start_matches("a ");
        return ending(office).filter(|word| *word == office);
    }
    // `Priya, the chief editor, killed`, `Edmund, Duke of the March, received`.
    if let Some(aside) = after.strip_prefix(", ") {
        let aside = aside.split(',').next()?;
        let bare = aside
            .trim_start_matches("the ")
            .trim_start_matches("a ")
            .trim_start_matches("an ")
            .trim_start_matches("now ");
        let word = beginning(bare)?;
        let tail = bare[word.len()..].trim_start();
        let closes = after[2 + aside.len()..].starts_with(',');
        return (closes && (tail.is_empty() || tail.starts_with("of ") || tail.starts_with("in ")))
            .then_some(word);
    }
    // `Ruiz was commissioner here`.
    let rest = after
        .strip_prefix(" was ")
        .or_else(|| after.strip_prefix(" is "))?;
    let rest = rest
        .trim_start_matches("the ")
        .trim_start_matches("a ")
        .trim_start_matches("an ")
        .trim_start_matches("now ");
    let word = beginning(rest)?;
    let tail = rest[word.len()..].trim_start();
    (tail.is_empty()
        || tail.starts_with(['.', ',', ';'])
        || tail.starts_with("of ")
        || tail.starts_with("and ")
        || tail.starts_with("here"))
    .then_some(word)
}

/// Whether nobody else is named in the sentence.
fn is_alone(shown: &Shown<'_, '_>) -> bool {
    let mut mentions = shown.scope.mentions(shown.at).iter();
    mentions.all(|other| {
        other.id == shown.mention.id
            || !(shown.sentence.start..shown.sentence.end).contains(&other.start)
    })
}

/// `顾砚如今已贵为当朝尚书`, `苏晚做了三年将军`, `身为长老，林枫`: what is said of somebody is the rank,
/// with whatever stands before it.
fn is_zh(shown: &Shown<'_, '_>) -> Option<&'static str> {
    const LONGEST: usize = 8;
    const ADVERBS: &[&str] = &[
        "如今",
        "现在",
        "现如今",
        "今日",
        "此时",
        "此刻",
        "眼下",
        "早已",
        "早就",
        "已经",
        "已",
        "早",
        "竟然",
        "竟",
        "居然",
        "原来",
        "其实",
        "毕竟",
        "终究",
        "到底",
        "果然",
        "确实",
        "仍然",
        "仍",
        "依然",
        "依旧",
        "也",
        "都",
        "堂堂",
        "虽然",
        "虽",
        "既然",
        "既",
        "因为",
        "好歹",
        "怎么说也",
        "这位",
        "可",
        "正",
        "便",
        "就",
        "一直",
        "向来",
        "这些年",
        "本人",
        "自己",
        "还只",
        "还",
        "只不过",
        "不过",
        "只",
        "仍旧",
        "依旧还",
        "分明",
        "原就",
        "的修为",
        "的境界",
        "的实力",
        "的道行",
    ];
    const IS: &[&str] = &[
        "身为", "贵为", "官居", "官拜", "官至", "现为", "乃是", "乃", "是", "现任", "位居", "位列",
        "担任", "作为", "出任", "做了", "当了", "当着", "做着", "任着", "身居", "执掌", "有着",
        "拥有", "修至", "修到", "修成", "已至", "已达", "达到",
    ];
    const OTHER: &[&str] = &[
        "手下",
        "麾下",
        "之子",
        "之女",
        "的儿子",
        "的女儿",
        "的人",
        "弟子的",
        "身边",
        "眼中",
        "门下",
        "派来",
        "府上",
        "的徒弟",
        "的部下",
        "夫人",
        "的对手",
        "见过",
        "想",
        "见",
        "求",
        "杀",
        "打",
        "不",
        "没",
        "未",
        "像",
        "似",
    ];
    let is_break = |char: char| matches!(char, '，' | '。' | '；' | '！' | '：' | '？');
    let said = |clause: &str| -> Option<&'static str> {
        let mut rest = clause;
        while let Some(next) = ADVERBS.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = next;
        }
        let rest = IS
            .iter()
            .filter_map(|is| rest.strip_prefix(is))
            .min_by_key(|rest| rest.len())?;
        let (at, word) = all()
            .filter(|word| !word.is_ascii())
            .filter_map(|word| Some((rest.find(word)?, word)))
            .min_by_key(|(at, word)| (*at, std::cmp::Reverse(word.len())))?;
        let (modifier, tail) = (&rest[..at], &rest[at + word.len()..]);
        let whole = tail.is_empty() || is_suffix(tail);
        let other = holds(modifier, OTHER)
            || words::NOT_RANK_BEFORE_ZH
                .iter()
                .filter(|mark| **mark != "的")
                .any(|mark| modifier.ends_with(mark));
        (whole && !other && modifier.chars().count() <= LONGEST).then_some(word)
    };
    let clause = shown.after().split(is_break).next().unwrap_or_default();
    said(clause).or_else(|| {
        // `身为长老，林枫不能不管`.
        let front = shown.before().strip_suffix('，')?;
        let front = front.rsplit(is_break).next().unwrap_or_default();
        let own =
            front.starts_with("身为") || front.starts_with("作为") || front.starts_with("贵为");
        said(front).filter(|_| own)
    })
}

/// What may follow a rank that is all that is said.
fn is_suffix(tail: &str) -> bool {
    const SUFFIXES: [&str; 18] = [
        "期",
        "境",
        "修士",
        "修为",
        "初期",
        "中期",
        "后期",
        "巅峰",
        "大圆满",
        "强者",
        "弟子",
        "了",
        "大人",
        "之尊",
        "之身",
        "之位",
        "老祖",
        "真人",
    ];
    let mut rest = tail;
    while let Some(next) = SUFFIXES.iter().find_map(|end| rest.strip_prefix(end)) {
        rest = next;
    }
    rest.is_empty()
}

/// `以林枫炼气期的修为`, `林枫的金丹威压铺开`, `林枫亮出金牌捕头的腰牌`: what somebody has is of a rank.
fn power_zh(shown: &Shown<'_, '_>) -> Option<&'static str> {
    const POWERS: [&str; 25] = [
        "修为", "实力", "境界", "威压", "气息", "灵力", "真元", "法力", "气势", "身份", "之职",
        "之身", "之位", "腰牌", "令牌", "官服", "军衔", "肩章", "印信", "官印", "头衔", "职位",
        "服色", "道行", "朝服",
    ];
    if !is_alone(shown) {
        return None;
    }
    let clause = shown
        .after()
        .split(['，', '。', '；', '！', '：'])
        .next()
        .unwrap_or_default();
    let (at, word) = all()
        .filter(|word| !word.is_ascii())
        .filter_map(|word| Some((clause.find(word)?, word)))
        .min_by_key(|(at, word)| (*at, std::cmp::Reverse(word.len())))?;
    let tail = clause[at + word.len()..]
        .trim_start_matches(['期', '境'])
        .trim_start_matches("修士")
        .trim_start_matches('的');
    let front = &clause[..at];
    let other = holds(
        front,
        &[
            "对方", "他人", "别人", "敌", "来人", "那", "师父", "师尊", "假", "不", "没", "未",
            "被", "感", "察觉", "见", "看", "接", "抢", "夺", "捡", "偷", "交", "还", "想", "挡",
            "抗",
        ],
    );
    (front.chars().count() <= 6 && !other && POWERS.iter().any(|power| tail.starts_with(power)))
        .then_some(word)
}

/// `told Captain Tobias`: a title with a capital right before the name is theirs whatever stands
/// before it.
fn title_en(before: &str) -> Option<&'static str> {
    let front = before.trim_end();
    let word = ending(&front.to_lowercase())?;
    let title = &front[front.len() - word.len()..];
    let former = front[..front.len() - word.len()].to_lowercase();
    let former = [
        "former", "late", "acting", "ex-", "retired", "would-be", "vice", "deputy", "sub-",
    ]
    .iter()
    .any(|mark| former.trim_end().ends_with(mark));
    (title.starts_with(char::is_uppercase) && !former).then_some(word)
}

/// `Mara was now the youngest colonel in the army`, `Old Chen, a major of thirty years' service,`,
/// `held the rank of`, `As the newly elected abbot, Tobias`.
fn is_en(shown: &Shown<'_, '_>) -> Option<&'static str> {
    const MOST_WORDS: usize = 4;
    const OTHER: [&str; 28] = [
        "to", "of", "for", "with", "by", "under", "than", "like", "not", "no", "never", "once",
        "almost", "nearly", "about", "his", "her", "their", "son", "daughter", "wife", "husband",
        "friend", "from", "at", "former", "late", "future",
    ];
    let (before, after) = (shown.before().to_lowercase(), shown.after().to_lowercase());
    let after = after.split(['"', '“']).next().unwrap_or_default();
    let said = |phrase: &str| -> Option<&'static str> {
        let phrase = phrase.split([',', '.', ';', ':', '—', '!']).next()?.trim();
        let words: Vec<&str> = phrase.split_whitespace().collect();
        // The first rank of the phrase, after a few words that give it to nobody else.
        (0..words.len().min(MOST_WORDS + 1)).find_map(|at| {
            if words[..at]
                .iter()
                .any(|word| OTHER.contains(word) || word.ends_with("'s"))
            {
                return None;
            }
            let rest = words[at..].join(" ");
            let word = beginning(&rest)?;
            let tail = rest[word.len()..].trim_start();
            let ends = tail.is_empty()
                || [
                    "of ", "in ", "at ", "now", "here", "and ", "who ", "with ", "on ", "by ",
                ]
                .iter()
                .any(|next| tail.starts_with(next));
            ends.then_some(word)
        })
    };
    const IS: [&str; 9] = [
        " was ",
        " is ",
        " served as ",
        " serves as ",
        " held the rank of ",
        " holds the rank of ",
        " bore the rank of ",
        " remained ",
        " worked as ",
    ];
    if let Some(rest) = IS.iter().find_map(|is| after.strip_prefix(is)) {
        return said(rest);
    }
    if let Some(aside) = after.strip_prefix(", ") {
        let first = aside.split_whitespace().next()?;
        let closes = aside.contains(',');
        return (closes && matches!(first, "a" | "an" | "the" | "now" | "newly"))
            .then(|| said(aside))
            .flatten();
    }
    let office = before
        .trim()
        .strip_prefix("as ")
        .and_then(|rest| rest.strip_suffix(','))?;
    said(office)
}
