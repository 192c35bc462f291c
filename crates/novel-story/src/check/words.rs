//! Word lists of the text rules. Each is short on purpose: a rule that stays silent costs an author
//! less than a rule that cries wolf.

/// Adverbs that may stand between a subject and its verb, besides `…地`.
pub(super) const ADVERBS_ZH: &[&str] = &[
    "忍不住", "不由得", "不禁", "忽然", "突然", "猛地", "猛然", "陡然", "缓缓", "慢慢", "轻轻", "静静",
    "默默", "冷冷", "淡淡", "微微", "连忙", "急忙", "赶紧", "赶忙", "立刻", "立即", "随即", "随后", "终于",
    "依旧", "仍然", "已经", "正在", "一把", "一边", "再次", "这才", "低声", "沉声", "高声", "大声", "轻声",
    "柔声", "厉声", "冷声", "颤声", "哑声", "笑着", "苦笑着", "叹着气", "摇着头", "点着头", "上前一步",
    "当即", "霍然", "径直", "仍", "还", "又", "也", "便", "就", "却", "已", "正", "再", "才", "只是", "只",
];

/// Words that may stand before a subject at the start of a clause.
pub(super) const OPENERS_ZH: &[&str] = &[
    "只见", "却见", "但见", "这时", "此时", "忽然", "突然", "片刻后", "随后", "接着", "然后", "于是", "不料",
    "没想到", "但", "而", "可", "那边", "身后", "一旁",
];

/// Verbs of speech, longest first.
pub(super) const SPEECH_ZH: &[&str] = &[
    "开口说道", "接着说道", "继续说道", "低声说道", "开口问道", "说道", "问道", "答道", "回答", "回道", "应道",
    "喊道", "叫道", "喝道", "骂道", "叹道", "笑道", "怒道", "吼道", "劝道", "吩咐", "嘱咐", "催促", "追问",
    "反问", "插嘴", "开口", "冷笑", "苦笑", "道", "说", "问", "答", "喊", "叫", "骂", "喝", "吼", "笑", "叹",
];

/// Verbs only somebody present can do.
pub(super) const ACTS_ZH: &[&str] = &[
    "站起", "站了起来", "站在", "站到", "坐下", "坐到", "坐直", "坐起", "走进", "走到", "走向", "走来", "走出",
    "走上前", "走过来", "推开", "推门", "转身", "转过", "抬起", "抬手", "抬头", "抬眼", "低下头", "点头",
    "点了点头", "点点头", "摇头", "摇了摇头", "摇摇头", "伸手", "伸出", "拔出", "拔剑", "拔刀", "举起",
    "放下", "拿起", "接过", "递给", "递过", "递来", "抓住", "抓起", "握住", "握紧", "冲进", "冲出", "冲向",
    "冲上", "扑向", "跑进", "跑出", "跑来", "跑向", "跳下", "跳上", "跃起", "挥手", "挥剑", "挥刀", "皱眉",
    "皱起", "皱了皱眉", "睁开", "看着", "看向", "看了", "望着", "望向", "望了", "盯着", "瞥了", "扫了",
    "笑了", "叹了", "叹息", "哼了", "咳了", "咳嗽", "端起", "打开", "关上", "合上", "回头", "回过头", "迈步",
    "跪下", "俯身", "弯腰", "蹲下", "起身", "上前", "退后", "后退", "退了", "冷笑", "大笑", "苦笑", "大喝",
    "沉默", "拱手", "抱拳", "挡在", "拦住", "拦在", "拉住", "拉着", "扶起", "扶住", "点燃", "吹灭", "拍了",
    "掏出", "取出", "摸出", "翻身", "闪身", "纵身", "出手", "出现在", "出了门", "进了门", "走了进来",
];

/// After a verb: it is told as past, or it describes a thing.
pub(super) const AFTER_VERB_ZH: &[&str] = &["过", "的", "时候"];

/// A clause that describes a picture in somebody's mind.
pub(super) const PICTURES_ZH: &[&str] = &[
    "的样子", "的模样", "的神情", "的背影", "的身影", "的声音", "的话", "的那", "的时候", "的地方", "的位置",
    "的习惯", "的画面", "的情景", "的手势", "的语气", "的姿势",
];

/// The paragraphs after such a word may be a memory, a dream or a vision.
pub(super) const MEMORY_ZH: &[&str] = &[
    "回忆", "记忆", "想起", "忆起", "记起", "往事", "梦", "幻", "当年", "那年", "那一年", "年前", "小时候",
    "从前", "往日", "昔日", "旧日", "生前", "那时候", "多年以前", "脑海", "浮现", "魂", "鬼", "倒叙",
];

/// The sentence with such a word is no plain report of what happens now.
pub(super) const DISTANT_ZH: &[&str] = &[
    "记得", "曾", "那时", "那天", "当时", "当初", "坟", "墓", "灵位", "牌位", "灵堂", "灵前", "棺", "遗", "亡",
    "死", "去世", "已故", "故去", "先父", "先师", "先母", "画像", "雕像", "塑像", "照片", "画里", "仿佛",
    "似乎", "好像", "如同", "宛如", "像是", "如果", "若是", "若在", "要是", "倘若", "假如", "的话", "耳边",
    "耳畔", "信上", "信中", "信里", "日记", "传说", "据说", "听说", "假扮", "冒充", "扮作", "祭", "恍惚", "错觉",
    "以为", "想象", "当成",
];

/// Verbs of using an item.
pub(super) const USES_ZH: &[&str] = &[
    "拔出", "抽出", "取出", "掏出", "拿出", "摸出", "亮出", "祭出", "拿起", "举起", "抓起", "端起", "握着",
    "握住", "握紧", "捏着", "捏住", "攥着", "攥紧", "挥动", "挥起", "挥舞", "戴上", "打开", "展开", "翻开",
    "递上", "递出", "吹响", "插入", "催动", "用",
];

/// The sentence with such a word does not say that the item is at hand.
pub(super) const NO_USE_ZH: &[&str] = &[
    "没有", "不再", "不用", "不能", "未曾", "早已", "想起", "记得", "曾", "如果", "若", "要是", "倘若", "假如",
    "的话", "仿佛", "似乎", "好像", "像", "梦", "从前", "当年", "原来", "本该", "本想", "送给", "还给", "交还",
    "交给了", "借", "夺", "抢", "接过", "另一", "同样", "仿制", "新的",
];

/// Family names that are seldom anything else at the start of a clause.
pub(super) const SURNAMES_ZH: &str = "赵钱孙李周吴王冯陈褚蒋沈韩杨朱秦尤许何吕张孔曹魏陶姜谢邹窦苏潘葛范彭鲁韦柳鲍唐薛贺倪汤滕罗毕郝傅卞顾孟萧尹姚邵汪祁毛狄戴宋庞熊纪项董梁杜阮闵贾江颜郭梅林刁钟徐邱骆夏蔡田樊胡霍虞柯卢邓崔龚程邢裴陆荀靳段侯仇栾刘詹叶黎蔺乔翟谭姬冉桑庄晏柴瞿阎廖耿";

/// Family names of two characters.
pub(super) const LONG_SURNAMES_ZH: &[&str] = &[
    "欧阳", "上官", "司马", "诸葛", "慕容", "令狐", "司徒", "独孤", "南宫", "夏侯", "皇甫", "尉迟", "公孙",
    "轩辕", "端木", "宇文", "长孙", "澹台",
];

/// Characters a given name does not hold: function words, titles, parts of the body, places.
pub(super) const NOT_IN_NAMES_ZH: &str = "的了着是在不一这那他她它我你们也就都又还很才便却则只已正再将把被给对向从和与跟同声笑说问答道喝叫喊骂叹哼怒急忙重冷沉淡缓轻低头手眼脸口身人者家爷夫婆娘叔伯哥姐弟妹嫂爹妈父母师兄公主军大小老先生太少掌柜总管捕长王帝皇后姑氏府门城河州县村镇街巷某等二三四五六七八九十两几上下中里外前左右有没去来到过得地之其此该";

/// Words that look like a name but are none.
pub(super) const NOT_NAMES_ZH: &[&str] = &[
    "江湖", "江南", "江北", "田野", "林间", "梅花", "叶片", "夏夜", "夏日", "毕竟", "何必", "何苦", "何况", "何尝",
    "许久", "许诺", "顾自", "庄重", "钟鼓", "项目", "范围", "程序", "段落", "陆续", "胡乱", "胡言", "张口", "张嘴",
    "谢恩", "谢罪", "白衣",
];

/// English verbs of speech.
pub(super) const SPEECH_EN: &[&str] = &[
    "said", "says", "asked", "asks", "replied", "answered", "whispered", "shouted", "murmured", "muttered",
    "called", "cried", "snapped", "added", "laughed", "sighed",
];

/// English verbs only somebody present can do.
pub(super) const ACTS_EN: &[&str] = &[
    "walked", "walks", "stood", "stands", "sat", "sits", "turned", "turns", "nodded", "nods", "smiled", "smiles",
    "frowned", "shrugged", "stepped", "steps", "ran", "runs", "reached", "grabbed", "drew", "opened", "closed",
    "pushed", "pulled", "picked", "looked", "looks", "stared", "glanced", "leaned", "knelt", "rose", "entered",
    "handed", "lifted", "raised", "hurried", "paused", "grinned", "coughed",
];

/// English words that may stand between a subject and its verb, besides `…ly`.
pub(super) const ADVERBS_EN: &[&str] = &["then", "just", "still", "only", "now", "also", "soon", "again"];

/// English: the paragraphs after such a word may be a memory, a dream or a vision.
pub(super) const MEMORY_EN: &[&str] = &[
    "remember", "recall", "memory", "memories", "dream", "vision", "ghost", "years ago", "years before",
    "long ago", "used to", "back then", "in those days", "childhood", "haunt",
];

/// English: the sentence with such a word is no plain report of what happens now.
pub(super) const DISTANT_EN: &[&str] = &[
    "had ", "once", "grave", "tomb", "coffin", "funeral", "portrait", "photograph", "picture", "statue", "if ",
    "as though", "would", "died", "dead", "death", "late ", "letter", "diary", "alive", "seemed", "imagin",
    "thought",
];

/// English verbs of using an item.
pub(super) const USES_EN: &[&str] = &[
    "drew", "took out", "pulled out", "raised", "lifted", "held", "gripped", "clutched", "swung", "opened",
    "unfolded", "used", "put on", "picked up", "produced", "brandished", "with",
];

/// English: the sentence with such a word does not say that the item is at hand.
pub(super) const NO_USE_EN: &[&str] = &[
    " not ", "n't", "without", "no longer", "never", "remember", "recall", "if ", "as if", "once", "had ", "dream",
    "would", "borrow", "another", "gave back", "returned", "wished", "missed", "like ",
];

/// Capitalised English words before a verb of speech that are no names.
pub(super) const NOT_NAMES_EN: &[&str] = &[
    "I", "He", "She", "They", "We", "You", "It", "The", "A", "An", "And", "But", "Then", "Someone", "Somebody",
    "Nobody", "Everyone", "Everybody", "Both", "One", "Another", "This", "That", "Who", "What", "When", "As",
    "Captain", "Father", "Mother", "Doctor", "King", "Queen", "Lord", "Lady", "Sir", "Master", "Mister", "Mr",
    "Mrs", "Miss", "Uncle", "Aunt", "Grandmother", "Grandfather", "Sergeant", "Brother", "Sister", "People",
    "Voices", "Neither", "Others", "Men", "Women", "Something", "Nothing",
];
