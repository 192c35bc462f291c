//! Words that show a part of the body or a sense in use.

use novel_model::Lang;

use crate::ledger::{Part, Trouble};

/// The words that show what a trouble rules out.
pub(super) fn of(trouble: Trouble, lang: Lang) -> Vec<&'static [&'static str]> {
    let side = |side: char, left: &'static [&'static str], right: &'static [&'static str]| match side {
        'l' => vec![left],
        'r' => vec![right],
        'b' => vec![left, right],
        _ => Vec::new(),
    };
    match (lang, trouble) {
        (Lang::Zh, Trouble::Lost(Part::Arm | Part::Hand, of)) => {
            let mut lists = side(of, LEFT_HAND_ZH, RIGHT_HAND_ZH);
            lists.push(BOTH_HANDS_ZH);
            lists
        }
        (Lang::Zh, Trouble::Lost(Part::Finger, of)) => side(of, LEFT_FINGERS_ZH, RIGHT_FINGERS_ZH),
        (Lang::Zh, Trouble::Lost(Part::Leg, of)) => {
            let mut lists = side(of, LEFT_LEG_ZH, RIGHT_LEG_ZH);
            lists.push(BOTH_LEGS_ZH);
            lists.push(RUNS_ZH);
            if matches!(of, 'b' | '-') {
                lists.push(WALKS_ZH);
            }
            lists
        }
        (Lang::Zh, Trouble::Lamed) => vec![BOTH_LEGS_ZH, RUNS_ZH, WALKS_ZH],
        (Lang::Zh, Trouble::Lost(Part::Eye, of)) => {
            let mut lists = side(of, &["左眼"], &["右眼"]);
            lists.push(&["双眼", "双目", "两眼", "两只眼睛"]);
            lists
        }
        (Lang::Zh, Trouble::Blind) => vec![SEES_ZH],
        (Lang::Zh, Trouble::Lost(Part::Ear, _)) => vec![&["两耳", "双耳"]],
        (Lang::Zh, Trouble::Deaf) => vec![HEARS_ZH],
        (Lang::Zh, Trouble::Mute | Trouble::Lost(Part::Tongue, _)) => vec![SPEAKS_ZH],
        (Lang::En, Trouble::Lost(Part::Arm | Part::Hand, of)) => {
            let mut lists = side(of, LEFT_HAND_EN, RIGHT_HAND_EN);
            lists.push(BOTH_HANDS_EN);
            lists
        }
        (Lang::En, Trouble::Lost(Part::Finger, _)) => vec![&["all ten fingers", "all five fingers"]],
        (Lang::En, Trouble::Lost(Part::Leg, of)) => {
            let mut lists = side(of, &["left leg", "left foot", "left knee"], &["right leg", "right foot", "right knee"]);
            lists.push(BOTH_LEGS_EN);
            lists.push(RUNS_EN);
            if matches!(of, 'b' | '-') {
                lists.push(WALKS_EN);
            }
            lists
        }
        (Lang::En, Trouble::Lamed) => vec![BOTH_LEGS_EN, RUNS_EN, WALKS_EN],
        (Lang::En, Trouble::Lost(Part::Eye, of)) => {
            let mut lists = side(of, &["left eye"], &["right eye"]);
            lists.push(&["both eyes", "both his eyes", "both her eyes"]);
            lists
        }
        (Lang::En, Trouble::Blind) => vec![SEES_EN],
        (Lang::En, Trouble::Lost(Part::Ear, _)) => vec![&["both ears"]],
        (Lang::En, Trouble::Deaf) => vec![HEARS_EN],
        (Lang::En, Trouble::Mute | Trouble::Lost(Part::Tongue, _)) => vec![SPEAKS_EN],
    }
}

const LEFT_HAND_ZH: &[&str] = &["左手", "左臂", "左拳", "左掌", "左肘", "左腕", "左胳膊", "左五指"];
const RIGHT_HAND_ZH: &[&str] = &["右手", "右臂", "右拳", "右掌", "右肘", "右腕", "右胳膊"];
const LEFT_FINGERS_ZH: &[&str] = &["左手五指", "左手五根", "五根手指", "五指", "十根手指", "十指"];
const RIGHT_FINGERS_ZH: &[&str] = &["右手五指", "右手五根", "五根手指", "五指", "十根手指", "十指"];
const BOTH_HANDS_ZH: &[&str] = &[
    "双手", "双臂", "两手", "双拳", "双掌", "两只手", "两条胳膊", "两条手臂", "十指", "抱拳", "合十", "拱手", "拍着手", "拍手", "鼓掌", "鼓起掌", "弯弓", "张弓", "拉弓", "挽弓", "开弓", "抱臂", "抱着胳膊", "抱起胳膊", "环抱双", "搓手", "搓着手", "左右手",
];
const LEFT_LEG_ZH: &[&str] = &["左腿", "左脚", "左膝"];
const RIGHT_LEG_ZH: &[&str] = &["右腿", "右脚", "右膝"];
const BOTH_LEGS_ZH: &[&str] = &["双腿", "双脚", "两腿", "双足", "两条腿", "两只脚"];
const RUNS_ZH: &[&str] = &[
    "飞奔", "狂奔", "奔跑", "小跑", "健步如飞", "大步流星", "拔腿", "撒腿", "撒开腿", "撒开了跑", "跑出", "跑进", "跑过", "跑上", "跑下", "跑到", "跑去", "跑了起来", "一路跑", "快跑", "跑得", "冲出", "冲进", "冲上", "冲下", "冲过", "冲了出去", "冲了过去", "疾步", "快步", "大步", "飞身", "纵身", "跳过", "跳上", "跳下", "跳起", "一跃", "跃上", "跃下", "跃过", "翻身上马", "翻过墙", "飞起一脚", "一脚踹", "一脚踢", "蹦",
];
const WALKS_ZH: &[&str] = &["站起", "走到", "走进", "走出", "走上", "走下", "迈步", "踱步", "踱到", "跑", "奔", "站在", "散步"];
const SEES_ZH: &[&str] = &[
    "看见", "看到", "看着", "看向", "看了", "看清", "看准", "看完", "看罢", "看得", "望着", "望向", "望见", "望了", "望去", "望到", "盯着", "盯住", "瞪", "瞥", "瞟", "瞅", "目光", "打量", "端详", "注视", "凝视", "扫视", "扫了一眼", "瞧见", "瞧着", "瞧了", "读", "眯起眼", "眯着眼", "目送", "一眼", "抬眼", "定睛", "目不转睛", "环视", "环顾", "四顾", "张望", "眺望", "远眺", "俯瞰", "逼视", "映入眼帘", "尽收眼底", "眼前一亮", "辨认", "看出",
];
const HEARS_ZH: &[&str] = &[
    "听见", "听到", "听着", "听了", "听完", "听罢", "侧耳", "闻声", "闻言", "听出", "听得", "听清", "循声", "应声", "聆听", "倾听", "竖起耳朵", "循着",
];
const SPEAKS_ZH: &[&str] = &[
    "说道", "问道", "答道", "喊道", "叫道", "喝道", "笑道", "骂道", "叹道", "低声道", "沉声道", "开口", "说：", "道：", "问：", "喊：", "答：", "叫：", "大喊", "大叫", "高喊", "说了", "回答", "吩咐", "唱", "嘀咕", "嘟囔", "念叨", "喃喃", "朗声", "沉声", "厉声", "高声", "扬声", "柔声", "聊了", "聊起", "聊着", "说着", "说起", "嚷", "吆喝", "说。", "道。", "问。", "说，", "答。",
];

const LEFT_HAND_EN: &[&str] = &["left hand", "left arm", "left fist", "left elbow", "left wrist", "left palm"];
const RIGHT_HAND_EN: &[&str] = &["right hand", "right arm", "right fist", "right elbow", "right wrist", "right palm"];
const BOTH_HANDS_EN: &[&str] = &[
    "both hands", "both arms", "two hands", "both fists", "both elbows", "both palms", "hands together", "palms together", "fingers together", "one in each hand", "in each hand", "clapped until", "clapped politely", "applauded", "folded his arms", "folded her arms", "arms folded", "crossed his arms", "crossed her arms", "arms crossed", "wrung his hands", "wrung her hands", "rubbed his hands", "rubbed her hands", "cupped his hands", "cupped her hands", "spread his hands", "spread her hands", "clasped his hands", "clasped her hands", "hands on hips", "hands on his hips", "hands on her hips", "laced his fingers", "laced her fingers", "hand over hand", "drew the bow", "drew his bow", "drew her bow", "nocked an arrow",
];
const BOTH_LEGS_EN: &[&str] = &["both legs", "both feet", "two feet", "both knees"];
const RUNS_EN: &[&str] = &[
    "sprinted", "sprinting", " ran ", "running", "raced", "racing", "leapt", "leaped", "leaping", "jumped", "vaulted", "sprang", "bounded", "bounding", "dashed", "bolted", "jogged", "jogging", "hurdled", "skipped", "danced", "waltzed", "kicked", "charged",
];
const WALKS_EN: &[&str] = &["strode", "walked", "stood up", "climbed", "marched", "paced", "strolled", "got to his feet", "got to her feet", "rose to his feet", "rose to her feet"];
const SEES_EN: &[&str] = &[
    " saw ", "looked at", "looked up", "looked him", "looked her", "looked over", "looked down", "looked back", "stared", "glanced", "watched", "watching", "gazed", "peered", " read ", "squinted", "spotted", "spied", "glimpsed", "caught sight", "noticed the", "could see", "glared", "scanned", "studied", "eyed ", "surveyed",
];
const HEARS_EN: &[&str] = &["heard", "listened", "overheard", "could hear", "pricked up", "caught every word", "at the sound", "listening to"];
const SPEAKS_EN: &[&str] = &[
    " said", "shouted", "whispered", "asked", "replied", "answered", "called out", "cried out", " called ", "murmured", "muttered", "yelled", " sang", "told ", " spoke ", "snapped", "explained", "hummed", "bellowed", "hissed", "announced", "remarked", "declared", "chatted",
];
