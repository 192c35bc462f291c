//! The slots of the ledger, and the field names that mean them.

use std::{fmt, str::FromStr};

use novel_model::{ErrorTable, Kind, Row, message};

macro_rules! slots {
    ($($(#[$doc:meta])* $name:ident = $word:literal [$($field:literal),* $(,)?];)+) => {
        /// What a fact is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Slot {
            $($(#[$doc])* $name,)+
        }

        impl Slot {
            /// Every slot.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its name in files and answers.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// The slot a field of the state or of a claim means.
            #[must_use]
            pub fn of_field(field: &str) -> Option<Self> {
                let field = field.trim().to_lowercase().replace(['-', ' '], "_");
                $(if field == $word $(|| field == $field)* { return Some(Self::$name); })+
                None
            }
        }
    };
}

slots! {
    /// Whether somebody lives, and is there.
    Alive = "alive" ["status", "life_status", "vital_status", "is_alive", "dead", "is_dead", "life", "state", "fate", "生死", "状态", "存活", "生存状态"];
    /// Where somebody or something is.
    Place = "place" ["location", "position", "whereabouts", "at", "current_location", "residence", "地点", "位置", "所在", "所在地"];
    /// What somebody has.
    Holds = "holds" ["inventory", "items", "holding", "carries", "possessions", "equipment", "weapon", "has", "持有", "物品", "携带", "装备", "武器"];
    /// Who has a thing.
    Holder = "holder" ["owner", "held_by", "custodian", "bearer", "in_hands_of", "possessor", "持有者", "持有人", "主人", "归属"];
    /// How many there are of a thing.
    Count = "count" ["quantity", "number", "amount", "remaining", "left", "数量", "剩余", "余量"];
    /// Whether a thing is whole.
    Intact = "intact" ["condition", "broken", "destroyed", "is_intact", "完好", "完整", "损坏"];
    /// Injuries.
    Body = "body" ["injury", "injuries", "wound", "wounds", "health", "disability", "physical", "physical_state", "伤", "伤势", "身体", "残疾", "伤情"];
    /// What somebody knows.
    Knows = "knows" ["knowledge", "secrets", "known_secrets", "aware_of", "knows_about", "知道", "知晓", "已知", "所知", "秘密"];
    /// How somebody stands to somebody.
    Relation = "relation" ["relationships", "relationship", "relations", "attitude", "allegiance", "关系", "立场"];
    /// Family.
    Kinship = "kinship" ["family", "kin", "parents", "father", "mother", "son", "daughter", "brother", "sister", "spouse", "wife", "husband", "children", "siblings", "child", "sibling", "亲属", "家人", "父亲", "母亲", "儿子", "女儿", "妻子", "丈夫", "哥哥", "弟弟", "姐姐", "妹妹", "父", "母"];
    /// How old somebody is.
    Age = "age" ["years_old", "年龄", "年纪", "岁数"];
    /// When somebody was born.
    Birth = "birth" ["birth_year", "born", "birthday", "birth_date", "出生", "生年", "生于"];
    /// The day of the story.
    Day = "day" ["time_marker", "date", "time", "日期", "时间", "日子"];
    /// The part of the day.
    PartOfDay = "part_of_day" ["hour", "time_of_day", "时辰", "时段"];
    /// Rank, title, office, power.
    Rank = "rank" ["realm", "level", "title", "office", "grade", "cultivation", "境界", "等级", "官职", "职位", "军衔", "身份", "修为"];
    /// What somebody wants.
    Goal = "goal" ["goals", "objective", "intention", "目标", "目的"];
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no slot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a slot of the ledger")]
pub struct UnknownSlot(pub String);

impl ErrorTable for UnknownSlot {
    fn row(&self) -> Row<'_> {
        let text = &self.0;
        let slots: Vec<&str> = Slot::ALL.iter().map(|slot| slot.as_str()).collect();
        let (en, zh) = (slots.join(", "), slots.join("、"));
        let message = message!(
            en: "`{text}` is not a slot of facts; the slots are: {en}",
            zh: "`{text}` 不是事实的栏目；可用的栏目：{zh}"
        );
        Row::new(Kind::Input, "UNKNOWN_SLOT", message).hint(message!(
            en: "`novel fact list` shows the slots in use",
            zh: "`novel fact list` 显示在用的栏目"
        ))
    }
}

impl FromStr for Slot {
    type Err = UnknownSlot;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::of_field(text).ok_or_else(|| UnknownSlot(text.to_owned()))
    }
}
