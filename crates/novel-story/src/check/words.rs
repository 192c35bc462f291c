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

/// Verbs of using an item.
pub(super) const USES_ZH: &[&str] = &[
    "拔出", "抽出", "取出", "掏出", "拿出", "摸出", "亮出", "祭出", "拿起", "举起", "抓起", "端起", "提起", "拎起", "抄起", "捡起", "握着", "握住", "握紧", "紧握", "手握", "手持", "持着", "拿着", "提着", "拎着", "抱着", "举着", "扛着", "背着", "挎着", "佩着", "挂着", "系着", "捧着", "拄着", "攥着", "攥紧", "捏着", "捏住", "捏碎", "挥动", "挥起", "挥舞", "挥着", "舞动", "舞起", "抡起", "横起", "横着", "戴上", "戴着", "穿上", "穿着", "披上", "披着", "骑上", "骑着", "跨上", "打开", "展开", "翻开", "摊开", "铺开", "递上", "递出", "递过", "递给", "交给", "吹响", "吹起", "弹起", "拨动", "敲响", "点燃", "插入", "插进", "催动", "驱使", "操控", "释放", "射出", "掷出", "抛出", "扔出", "甩出", "服下", "吞下", "喝下", "倒出", "擦拭", "擦着", "抚摸", "摩挲", "收起", "收好", "塞进", "塞给", "放下", "放在", "搁在", "拔", "抽", "握", "挥", "执", "持", "佩", "戴", "举", "用", "以", "凭", "借助", "使出", "使", "祭起", "取下", "解下", "摘下", "掂", "亮起", "转动", "拧动", "撑开", "撑起", "拉开", "拉满", "搭上", "一抖", "抖开", "翻看", "翻着", "把玩", "骑了", "系上", "别在", "揣着", "揣进", "掷", "点起", "点亮", "牵着", "赶着", "压进",
];

/// The sentence with such a word does not say that the item is at hand.
pub(super) const NO_USE_ZH: &[&str] = &[
    "没有", "不再", "不用", "不能", "无法", "未曾", "没能", "早已", "想起", "想到", "想要", "记得", "曾", "如果", "若是", "若有", "若能", "要是", "倘若", "假如", "的话", "仿佛", "似乎", "好像", "像是", "梦", "从前", "当年", "原来", "本该", "本想", "送给", "还给", "交还", "归还", "交给了", "借来", "借了", "夺", "抢", "接过", "接住", "另一", "同样", "仿制", "新的", "寻找", "找到", "找回", "取回", "拿回", "捡回", "买", "偷", "失去", "丢", "遗失", "残", "碎片", "断成", "修复", "重铸", "赝", "仿", "假的", "提到", "提起过", "说起", "听说", "打听", "换", "讨回", "一模一样", "那把已", "空鞘", "昔日", "往日", "可惜",
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

/// English verbs of using an item.
pub(super) const USES_EN: &[&str] = &[
    "drew", "draws", "took out", "takes out", "pulled out", "raised", "lifted", "held", "holds", "holding", "gripped", "clutched", "clutching", "swung", "swings", "opened", "unfolded", "used", "put on", "picked up", "produced", "brandished", "brandishing", "wielded", "wielding", "carried", "carrying", "wore", "wearing", "strapped", "hefted", "slid", "slipped", "tucked", "drank", "swallowed", "fired", "aimed", "threw", "hurled", "played", "blew", "rang", "unrolled", "unsheathed", "sheathed", "fitted", "turned", "set", "laid", "placed", "polished", "cleaned", "sharpened", "handed", "leaned on", "leant on", "rode", "mounted", "gave", "spent", "uncorked", "lit", "buckled", "shouldered", "fingered", "twirled", "tapped", "waved", "unlocked", "with", "reached for", "gripping", "raising", "drawing", "pulled", "took", "poured", "counted out", "notched", "nocked", "leafing through", "leafed through", "flipping through", "flipped through", "thumbed through", "loosed", "read from", "reading from", "leaning on", "toyed with", "toying with", "using",
];

/// English verbs before a number of things.
pub(super) const HANDLES_EN: &[&str] = &[
    "lit", "laid", "set", "put", "threw", "shot", "drew", "took", "held", "spent", "gave", "tied", "dealt", "ate", "drank", "led", "rode", "brought", "bound", "hung", "sold", "paid", "burnt", "hid", "with",
];

/// English: the sentence with such a word does not say that the item is at hand.
pub(super) const NO_USE_EN: &[&str] = &[
    " not ", "n't", "without", "no longer", "never", "remember", "recall", "if ", "as if", "once", "had ", "dream", "would", "borrow", "another", "gave back", "gave it back", "returned", "wished", "missed", "like ", "searched", "looked for", "searching", "lost", "stolen", "stole", "copy", "replica", "found", "recovered", "snatched", "seized", "won back", "bought", "pieces", "shards", "hilt of", "broken", "replacement", "new ", "could have", "thought of", "mourned", "asked about", "spoke of", "instead of", "the twin of", "ruins",
];

/// Capitalised English words before a verb of speech that are no names.
pub(super) const NOT_NAMES_EN: &[&str] = &[
    "I", "He", "She", "They", "We", "You", "It", "The", "A", "An", "And", "But", "Then", "Someone", "Somebody",
    "Nobody", "Everyone", "Everybody", "Both", "One", "Another", "This", "That", "Who", "What", "When", "As",
    "Captain", "Father", "Mother", "Doctor", "King", "Queen", "Lord", "Lady", "Sir", "Master", "Mister", "Mr",
    "Mrs", "Miss", "Uncle", "Aunt", "Grandmother", "Grandfather", "Sergeant", "Brother", "Sister", "People",
    "Voices", "Neither", "Others", "Men", "Women", "Something", "Nothing",
];
