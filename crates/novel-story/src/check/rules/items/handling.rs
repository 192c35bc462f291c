//! Words of handling things.

/// Chinese verbs of handling, by their last letter before a complement: `抽`, `抡`, `解`.
pub(super) const VERBS_ZH: &str = "拔抽取掏拿摸亮祭举抓端提拎抄捡握持执攥捏挥舞抡横戴穿披骑跨翻摊铺递吹弹拨敲插催掷抛扔甩服吞喝倒擦抚挲收塞放搁佩挂系捧拄按推拉搭解摘掂转拧撑打合点牵赶抱背扛挎夹揣别枕倚晃搂擎托套绑束擂拍饮嚼磨拭驾御划射投展启揭斟抖使用舀锁接摇扶贴摁旋挽控勒拽拖挪捻掐剥扣挨撕铰";

/// What may stand between such a verb and its object.
pub(super) const COMPLEMENTS_ZH: &[&str] = &["起来", "出来", "下来", "了", "着", "过", "起", "出", "下", "开", "上", "住", "进", "入", "回", "到", "紧", "满", "圆", "稳", "好", "动", "过来"];

/// Before a thing: the words that point at it.
pub(super) const POINTS_ZH: &[&str] = &["那", "这", "一", "自己的", "他的", "她的", "手中的", "手里的", "怀中的", "怀里的", "腰间的", "背上的", "身上的", "随身的", "那只", "此", "其"];

/// Measures of things.
pub(super) const MEASURES_ZH: &str = "把柄枚块张支根个件只口面条盏卷封本册尊座匹副串颗粒杆瓶壶架辆艘发匣双株滴片头锭份门袋道";

/// Words right before a thing that make it the means or the object.
pub(super) const MEANS_ZH: &[&str] = &["把", "将", "用", "以", "凭", "凭着", "仗着", "借着", "借", "靠着", "持", "拿", "提", "使", "执", "手持", "手握", "腰悬", "腰佩", "背负", "怀抱", "腰间是", "手里是", "手中是", "左手是", "右手是", "身后是", "背上是", "怀里是"];

/// Parts of things: `剑锋`, `火苗`, `播放键`.
pub(super) const PARTS_ZH: &[&str] = &["锋", "刃", "柄", "尖", "弦", "鞘", "光", "火苗", "火焰", "灯芯", "盖", "锁", "键", "按钮", "链", "页", "镜面", "灯光", "声音", "琴声", "笛声", "指针", "扳机", "枪口", "剑锋", "剑尖", "刀锋", "刀刃", "剑身", "刀身", "剑柄", "刀柄", "弓弦", "屏幕", "缰绳", "方向盘", "引擎", "帆", "舵", "旗面", "铃声", "播放键", "剑光", "刀光", "系带", "袋口", "壶嘴"];

/// What only a whole thing does or undergoes, after it.
pub(super) const DOES_ZH: &[&str] = &["出鞘", "在手", "握", "横在", "横扫", "劈", "斩", "刺", "划", "嗡", "鸣", "亮", "燃", "响", "挂在", "悬在", "插在", "别在", "背在", "斜", "躺在", "搁在", "放在", "摆在", "拉成", "拉满", "张", "贴", "压在", "抵", "舞", "挡", "飞", "滑", "照", "映", "指向", "转动", "敲", "盛", "展开", "打开", "翻开", "一抖", "一挥", "一闪", "一横", "一挺", "一指", "一转", "一沉", "一摆", "就在", "还在", "正在", "稳稳", "发出", "停在", "驶", "载", "开动", "起飞", "系在", "戴在", "握在"];

/// In the clause of a thing: it is not the thing as it was, or only spoken of.
pub(super) const NOT_WHOLE_ZH: &[&str] = &["残", "碎", "断", "修", "仿", "赝", "假", "另一", "同样", "一模一样", "画", "梦", "想", "记", "曾", "若", "如果", "仿佛", "没", "不在", "不见", "不到", "不", "毁", "失", "丢", "沉", "烧", "下落", "寻", "找", "旧", "埋", "祭奠", "名叫", "叫做", "说", "原", "本该", "当年", "从前", "昔", "往日", "空", "只剩", "像", "捞", "新", "熔", "废", "渣", "灰", "遗", "痕", "影", "仇", "像是", "重铸", "截", "重打", "传闻", "图", "未", "何", "谁", "赔", "的下", "的事", "的名", "的来历", "的主人", "的去向", "的模样", "的样子"];

/// A thing goes from hand to hand.
pub(super) const PASSED_ZH: &[&str] = &["递", "给", "还", "借", "夺", "抢", "接", "交", "送", "偷", "赠", "换", "讨", "取走", "拿走", "捡", "拾", "买", "托付", "缴", "顺走", "要来", "要走", "替", "代", "保管", "盗", "取来", "捎", "赢", "输", "抵押", "遗", "留下", "对方", "那人", "别人"];
pub(super) const PASSED_EN: &[&str] = &["gave", "give", "hand", "pass", "lent", "lend", "borrow", "stole", "stolen", "took it", "snatch", "seize", "return", "bought", "sold", "won ", "trade", "swap", "left him", "left her", "left it", "fetch", "threw him", "threw her", "toss", "held out", "offer", "received", "accept", "pried", "prised", "entrust", "wrest", "grabbed", "pickpocket", "lifted it from", "for him", "for her", "minding", "behalf", "took the", "brought"];

/// English verbs of handling with forms of their own.
pub(super) const VERBS_EN: &[&str] = &["drew", "took", "held", "swung", "put", "set", "laid", "threw", "slung", "wore", "bore", "kept", "caught", "brought", "blew", "rang", "rode", "drove", "slid", "hung", "flung", "spun", "lit", "cut", "bent", "shook", "stuck", "thrust", "swept", "flew", "sailed", "drank", "ate", "wound", "wrapped", "unslung", "undid", "strung", "beat", "read", "hid", "shot", "spread", "broke open", "drawing", "taking", "holding", "swinging", "putting", "setting", "laying", "throwing", "wearing", "bearing", "catching", "blowing", "ringing", "riding", "driving", "sliding", "hanging", "flinging", "lighting", "shaking", "sticking", "thrusting", "sweeping", "flying", "sailing", "drinking", "winding", "reading", "had", "has", "draws", "takes", "holds", "swings", "puts", "sets", "lays", "wears", "lifts", "raises", "grips", "with"];

/// English verbs in -ed and -ing that handle nothing.
pub(super) const NOT_HANDLING_EN: &[&str] = &["missed", "mourned", "wanted", "needed", "remembered", "mentioned", "described", "imagined", "buried", "wished", "asked", "recalled", "pictured", "dreamed", "hated", "loved", "feared", "envied", "coveted", "noticed", "watched", "eyed", "studied", "heard", "named", "called", "discussed", "cursed", "praised", "followed", "passed", "reached", "entered", "destroyed", "smashed", "shattered", "lamented", "regretted", "painted", "sketched", "replaced", "searched", "searching", "missing", "wanting", "remembering", "regarding", "concerning", "including", "considered", "expected", "ordered", "demanded", "promised", "refused", "admired", "owed", "sold", "pawned", "considering", "watching", "eyeing", "seeing", "being", "nothing", "something", "anything", "during", "recognised", "recognized", "approached", "showed", "indicated", "boarded", "believed", "examined", "inspected", "received", "returned", "accepted", "offered", "handed", "salvaged", "recovered", "melted", "wrecked", "burned", "burnt", "broken", "mended", "repaired", "circled", "neared", "sighted"];

/// Particles and adverbs between an English verb and its object.
pub(super) const PARTICLES_EN: &[&str] = &["up", "out", "down", "off", "back", "over", "open", "on", "in", "around", "about", "away", "aside", "forth", "onto", "into", "against", "again", "slowly", "gently", "carefully", "quietly"];

/// After a thing: what only a whole one does.
pub(super) const DOES_EN: &[&str] = &["hung", "swung", "lifted", "hummed", "rested", "gleamed", "glinted", "shone", "sang", "rang", "flashed", "dangled", "bumped", "slapped", "ticked", "chimed", "burned", "glowed", "leaned", "nestled", "rode", "rolled", "roared", "started", "fired", "jerked", "slid", "flew", "creaked", "banged", "weighed", "clicked", "spun", "pulsed", "sounded"];

/// In the sentence of a thing: it is not the thing as it was, or only spoken of.
pub(super) const NOT_WHOLE_EN: &[&str] = &["what was left", "what remained", "remains", "pieces", "shards", "fragment", "wreck", "broken", "ruin", "stump", "copy", "replica", "another", " new ", "drawing of", "picture of", "dream", "missed", "mourn", " had been", "without the ", "without his ", "without her ", "no longer", "would", "could have", " if ", "pawn", "search", "looked for", "ghost of", "empty", "twin", "repair", "mended", "memory", "remember", "ashes", "half of", "halves", "splinter", "scrap", "hilt of", "story of", "used to", "once", "not ", "n't", "never", "bottom of", "wished", "instead of", "in place of", "thought of", "spoke of", "told of", "loss of", "lost", "like the", "imagin", "identical", "forged", "reforged", "buried", "rusted", "days of", "since the"];
