//! Verbs of rules, with the other words prose has for the same event.

/// One kind of event. `needs_object`: without one after it, what the rule is about is the object.
pub(super) struct Verb {
    pub(super) needs_object: bool,
    /// Chinese: words of rules and of prose alike.
    pub(super) zh: &'static [&'static str],
    /// English: the forms a rule uses.
    pub(super) rule_en: &'static [&'static str],
    /// English: the forms prose tells it with, some of several words.
    pub(super) told_en: &'static [&'static str],
}

pub(super) const VERBS: &[Verb] = &[
    Verb { needs_object: true, zh: &["使用", "动用", "运用", "催动", "引动", "驱动", "激活", "启用", "施用", "施展", "施放", "释放", "使出", "发动", "运转", "祭出", "施法", "挥出", "打出", "念动", "用出", "用上", "用起", "用了", "化作", "凝成", "凝出", "涌出", "爆发", "结印", "掐诀", "念咒", "凝聚", "灌注", "注入", "踏入", "用过"], rule_en: &["use", "used", "using", "cast", "casting", "wield", "wielded", "wielding", "work", "worked", "practise", "practised", "practice", "practiced", "perform", "performed", "invoke", "invoked", "draw on", "conjure"], told_en: &["used", "uses", "cast", "casts", "wielded", "wields", "invoked", "practised", "practiced", "performed", "wove", "conjured", "drew on", "called on", "worked"] },
    Verb { needs_object: true, zh: &["杀害", "杀死", "斩杀", "刺杀", "杀掉", "杀了", "诛杀", "击杀", "害死", "毒死", "勒死", "掐死", "砍死", "刺死", "打死", "射杀", "射死", "弑", "残杀", "处死", "杀"], rule_en: &["kill", "killed", "killing", "murder", "murdered", "slay", "slain"], told_en: &["killed", "kills", "murdered", "murders", "slew", "slays", "strangled", "beheaded", "stabbed", "shot", "poisoned"] },
    Verb { needs_object: true, zh: &["伤害", "损伤", "刺伤", "打伤", "砍伤", "击伤", "咬伤", "弄伤", "划伤", "射伤", "重伤", "抓伤", "烧伤", "撞伤", "踢伤", "殴打", "伤了", "伤及", "打断", "拧断", "折断了"], rule_en: &["harm", "harmed", "harming", "hurt", "hurting", "injure", "injured", "wound", "wounded"], told_en: &["harmed", "harms", "hurt", "hurts", "injured", "wounded", "struck", "stabbed", "slashed", "beat", "broke", "bit", "burned", "burnt", "cut", "crushed", "clubbed"] },
    Verb { needs_object: true, zh: &["攻击", "袭击", "进攻", "偷袭", "扑向", "扑上", "出手打", "一拳", "一剑刺"], rule_en: &["attack", "attacked", "attacking", "strike", "assault"], told_en: &["attacked", "attacks", "struck", "assaulted", "fell upon", "set upon"] },
    Verb { needs_object: true, zh: &["进入", "踏入", "走进", "闯入", "闯进", "潜入", "步入", "迈进", "迈入", "溜进", "冲进", "跨进", "跨入", "钻进", "混进", "混入", "走入", "飞入", "踏进", "入内", "擅入", "涉足", "进了", "闪身进", "闪身入", "闪身而入", "进去", "而入", "翻进", "摸进", "爬进", "钻入", "闪进", "潜进", "溜入", "蹑手蹑脚进", "走了进去", "跳进", "翻窗进", "进得", "进到", "迈过"], rule_en: &["enter", "entered", "entering", "set foot in", "set foot on", "go into", "walk into", "step into", "come into", "approach"], told_en: &["entered", "enters", "went into", "walked into", "stepped into", "slipped into", "strode into", "came into", "crept into", "climbed into", "broke into", "burst into", "set foot in", "set foot on", "sneaked into", "snuck into", "marched into", "stole into", "rode into", "stepped inside", "slipped inside", "went inside", "walked inside", "went in", "stepped through the door of", "let herself into", "let himself into", "let themselves into", "climbed in", "ran into", "wandered into", "strolled into", "came in", "slid into", "tiptoed into", "pushed into", "led the way into", "ducked into", "vanished into"] },
    Verb { needs_object: true, zh: &["离开", "走出", "踏出", "离去", "飞离", "逃离", "逃出", "跨出", "远离", "出了", "走离", "冲出", "溜出", "迈出"], rule_en: &["leave", "left", "leaving", "depart", "exit", "go outside", "go out of"], told_en: &["left", "leaves", "departed", "walked out of", "stepped out of", "slipped out of", "rode out of", "went out of", "ran out of", "fled", "stepped outside", "went outside", "walked outside"] },
    Verb { needs_object: true, zh: &["打开", "开启", "推开", "敞开", "撬开", "拉开", "揭开", "启封", "掀开", "大开", "开了", "撞开", "踹开", "启开", "掀起"], rule_en: &["open", "opened", "opening", "unseal", "unlock"], told_en: &["opened", "opens", "unlocked", "unbarred", "unsealed", "threw open", "pushed open", "pulled open", "prised open", "pried open", "swung open"] },
    Verb { needs_object: true, zh: &["触碰", "触摸", "碰触", "触及", "抚摸", "接触", "摸了", "碰了", "摸到", "碰到", "握住", "抓住", "攥住", "攥紧", "搂住", "拉住", "抱住", "牵住", "扶住", "按住", "按在", "抚上", "搭上", "拍了", "捏住", "捧起", "捧住", "摸上", "攥着", "掐住", "抓着"], rule_en: &["touch", "touched", "touching", "handle"], told_en: &["touched", "touches", "laid a hand on", "laid her hand on", "laid his hand on", "put a hand on", "put his hand on", "put her hand on", "grasped", "gripped", "stroked", "seized", "took hold of", "caught hold of", "patted", "brushed", "clasped", "grabbed", "picked up", "took"] },
    Verb { needs_object: true, zh: &["渡过", "穿过", "越过", "跨过", "通过", "横渡", "穿越", "翻过", "跨越", "过了", "走过", "渡河", "过河", "过桥"], rule_en: &["cross", "crossed", "crossing", "pass", "passed", "traverse"], told_en: &["crossed", "crosses", "passed", "traversed", "swam across", "walked across", "rode across", "rowed across", "ran across", "waded across", "forded"] },
    Verb { needs_object: true, zh: &["遇见", "遇到", "碰见", "会见", "面见", "相见", "见面"], rule_en: &["meet", "met", "meeting", "encounter"], told_en: &["met", "meets", "encountered", "came face to face with", "ran into", "came upon"] },
    Verb { needs_object: true, zh: &["复活", "复生", "死而复生", "起死回生", "还魂", "活过来", "活了过来", "救活", "活转", "醒转", "重新睁开", "睁开了眼", "起死"], rule_en: &["raise", "raised", "raising", "revive", "revived", "resurrect", "resurrected", "bring back", "brought back", "return to life", "come back to life"], told_en: &["raised", "raises", "revived", "resurrected", "brought back", "called back", "came back to life", "returned to life", "restored to life", "rose again", "back to life", "breathed again", "rose from the dead"] },
    Verb { needs_object: true, zh: &["携带", "佩带", "持有", "带着", "佩着", "携着", "带入", "带进", "带了", "背着", "腰悬", "挎着", "腰挎", "提着", "揣着", "别着", "背负", "揣进"], rule_en: &["carry", "carried", "carrying", "bear", "borne", "bring", "brought", "possess"], told_en: &["carried", "carries", "bore", "brought", "brings", "smuggled", "kept", "with a", "with an", "with her", "with his"] },
    Verb { needs_object: true, zh: &["佩戴", "穿戴", "穿着", "戴着", "身着", "身穿", "戴上", "穿上", "披上"], rule_en: &["wear", "worn", "wearing"], told_en: &["wore", "wears", "put on", "pulled on", "donned"] },
    Verb { needs_object: true, zh: &["泄露", "透露", "泄漏", "说出", "讲出", "吐露", "告诉"], rule_en: &["reveal", "revealed", "disclose", "tell", "betray"], told_en: &["revealed", "disclosed", "told", "betrayed", "gave away", "confessed"] },
    Verb { needs_object: true, zh: &["保持", "维持", "保有"], rule_en: &["keep", "kept", "hold", "maintain", "retain"], told_en: &["kept", "keeps", "held", "maintained", "retained"] },
    Verb { needs_object: true, zh: &["偷取", "盗取", "偷走", "盗走", "偷盗", "窃取", "偷了", "偷"], rule_en: &["steal", "stolen", "stealing"], told_en: &["stole", "steals", "pocketed", "made off with"] },
    Verb { needs_object: true, zh: &["点燃", "点起", "点亮", "生火", "点火", "升起", "生起", "燃起", "点了"], rule_en: &["light", "lit", "lighting", "kindle", "burn"], told_en: &["lit", "lights", "kindled", "set fire to", "struck a light", "burned", "burnt"] },
    Verb { needs_object: true, zh: &["召唤", "唤出", "唤来", "召出"], rule_en: &["summon", "summoned", "summoning", "call up"], told_en: &["summoned", "summons", "called up", "called forth"] },
    Verb { needs_object: true, zh: &["修炼", "修习", "修行", "习练", "练了", "练成", "学习"], rule_en: &["study", "learn", "learned", "learnt"], told_en: &["studied", "studies", "learned", "learnt"] },
    Verb { needs_object: true, zh: &["吞服", "服用", "服下", "食用", "吃下", "吞下", "吃了", "喝下", "饮下", "喝了", "饮用", "吃", "喝", "饮", "灌了", "灌下", "抿了", "啜", "干了", "仰脖", "咬了", "啃", "嚼", "举杯"], rule_en: &["eat", "eaten", "eating", "drink", "drunk", "drinking", "taste", "consume"], told_en: &["ate", "eats", "drank", "drinks", "swallowed", "tasted", "devoured", "bit into", "sipped", "drained", "downed", "gulped", "chewed", "finished"] },
    Verb { needs_object: true, zh: &["骑乘", "骑上", "骑着", "跨上", "乘坐", "骑"], rule_en: &["ride", "ridden", "riding", "mount"], told_en: &["rode", "rides", "mounted"] },
    Verb { needs_object: true, zh: &["阅读", "翻阅", "翻看", "翻开", "读了", "读完", "偷看"], rule_en: &["read", "reading"], told_en: &["read", "reads", "leafed through"] },
    Verb { needs_object: true, zh: &["出售", "贩卖", "卖掉", "卖给", "售卖", "卖出", "卖了"], rule_en: &["sell", "sold", "selling", "trade"], told_en: &["sold", "sells", "traded", "bartered"] },
    Verb { needs_object: true, zh: &["直视", "注视", "盯着", "正视", "看着", "凝视"], rule_en: &["look at", "look upon", "gaze upon", "see"], told_en: &["looked at", "looked upon", "gazed at", "gazed upon", "stared at", "looked straight at"] },
    Verb { needs_object: true, zh: &["迎娶", "娶了", "嫁给", "通婚", "成婚", "成亲", "结婚", "拜堂", "完婚"], rule_en: &["marry", "married", "marrying", "wed"], told_en: &["married", "marries", "wed", "took to wife"] },
    Verb { needs_object: true, zh: &["违抗", "违背", "背叛", "反抗", "抗命"], rule_en: &["disobey", "defy", "refuse", "betray"], told_en: &["disobeyed", "defied", "betrayed", "refused"] },
    Verb { needs_object: true, zh: &["改变", "更改", "篡改", "改写"], rule_en: &["change", "changed", "alter", "altered"], told_en: &["changed", "altered", "rewrote"] },
    Verb { needs_object: true, zh: &["登上", "登临", "踏上", "走上", "步上", "爬上", "攀上", "登"], rule_en: &["climb", "mount the", "ascend"], told_en: &["climbed", "climbs", "ascended", "mounted", "went up", "scaled"] },
    Verb { needs_object: true, zh: &["拔出", "出鞘", "抽出", "亮出", "拔"], rule_en: &["draw", "drawn", "drawing", "unsheathe"], told_en: &["drew", "draws", "unsheathed", "pulled", "bared", "had out"] },
    Verb { needs_object: true, zh: &["看见", "看到", "望见", "瞧见", "瞥见", "见到"], rule_en: &["behold"], told_en: &["saw", "beheld", "caught sight of"] },
    Verb { needs_object: false, zh: &[], rule_en: &["drink alcohol", "drink wine"], told_en: &["drank", "drained", "sipped", "downed"] },
    Verb { needs_object: true, zh: &["停在", "停靠", "停留"], rule_en: &["stop at", "halt at"], told_en: &["stopped at", "halted at", "drew up at"] },
    Verb { needs_object: false, zh: &["喧哗", "大声", "高声", "大笑", "大叫", "大喊", "喊着", "嚷", "扯着嗓子", "吵闹", "争吵", "叫骂"], rule_en: &["shout", "raise their voice", "raise one's voice"], told_en: &["shouted", "yelled", "bellowed", "roared", "raised her voice", "raised his voice"] },
    Verb { needs_object: false, zh: &["飞行", "飞翔", "御剑", "凌空", "腾空", "飞起", "飞上", "飞过", "飞了", "御空", "飞到"], rule_en: &["fly", "flying", "flown"], told_en: &["flew", "flies", "soared", "took wing", "rose into the air"] },
    Verb { needs_object: false, zh: &["行走", "走动", "漫步", "散步", "踱步", "走在"], rule_en: &["walk", "walking"], told_en: &["walked", "walks", "strolled", "strode", "paced", "sauntered"] },
    Verb { needs_object: false, zh: &["说话", "开口", "出声", "交谈", "言语", "讲话", "说道", "喊道", "大喊", "高声", "高声大笑", "大笑", "扯着嗓子", "嚷", "吵", "大叫", "喊了", "喊着", "说了", "开腔", "答道", "问道"], rule_en: &["speak", "speaking", "spoken", "talk", "talking", "utter a word", "make a sound"], told_en: &["spoke", "speaks", "talked", "said", "shouted", "whispered", "called out", "cried out", "asked", "answered", "cried", "replied", "murmured"] },
    Verb { needs_object: false, zh: &["私斗", "动武", "打斗", "斗殴", "动手", "交手", "械斗", "拔刀", "拔剑", "比武"], rule_en: &["fight", "fighting", "fought", "duel", "draw a blade", "draw steel"], told_en: &["fought", "fights", "duelled", "dueled", "drew steel", "came to blows", "drew his sword", "drew her sword"] },
    Verb { needs_object: false, zh: &["说谎", "撒谎", "扯谎", "骗了", "欺骗"], rule_en: &["lie", "lying", "tell a lie", "deceive"], told_en: &["lied", "lies", "told a lie", "deceived"] },
    Verb { needs_object: false, zh: &["入睡", "睡觉", "睡着", "睡去", "沉沉睡", "安睡", "睡了"], rule_en: &["sleep", "sleeping"], told_en: &["slept", "fell asleep", "dozed off"] },
    Verb { needs_object: false, zh: &["变身", "化形", "化为人形", "变回", "变形", "变成"], rule_en: &["transform", "shift", "change shape", "take human form", "take human shape"], told_en: &["transformed", "shifted", "changed shape", "took human form", "took human shape"] },
    Verb { needs_object: false, zh: &["下水", "游泳", "入水", "潜水", "游了", "游到", "跳入"], rule_en: &["swim", "swimming"], told_en: &["swam", "swims", "dived", "dove"] },
    Verb { needs_object: false, zh: &["流泪", "落泪", "哭泣", "哭了", "痛哭"], rule_en: &["weep", "cry", "shed tears"], told_en: &["wept", "cried", "shed tears", "sobbed"] },
    Verb { needs_object: false, zh: &["歌唱", "唱歌", "唱起", "高歌", "唱了"], rule_en: &["sing", "singing"], told_en: &["sang", "sings", "hummed"] },
    Verb { needs_object: false, zh: &["传送", "瞬移", "瞬间移动", "穿梭"], rule_en: &["teleport", "teleporting"], told_en: &["teleported", "teleports", "vanished and reappeared"] },
];

/// Words for a time of which a rule speaks: what the rule says, what prose says.
pub(super) const TIMES: &[(&[&str], &[&str])] = &[
    (&["月圆", "满月", "圆月"], &["月圆", "满月", "圆月"]),
    (&["full moon"], &["full moon"]),
    (&["入夜", "夜间", "夜里", "夜晚", "天黑", "日落", "深夜", "夜", "宵禁", "晚上", "子时", "半夜", "午夜", "凌晨"], &["夜", "天黑", "凌晨", "月亮", "掌灯后", "熄灯后", "五更", "打更", "更鼓", "日头落", "太阳落", "三更", "二更", "四更", "子时", "宵禁", "月光", "月色", "星光", "亥时", "丑时", "日落后", "日落之后", "晚上"]),
    (&["白天", "白昼", "日间", "正午", "日光", "阳光", "太阳"], &["白天", "白昼", "正午", "中午", "阳光", "日光", "烈日", "太阳", "大白天", "日头", "骄阳", "晌午"]),
    (&["at night", "by night", "after dark", "after dusk", "after sunset", "after sundown", "after nightfall", "after curfew", "night", "midnight", "dark"], &["at night", "by night", "that night", "midnight", "after dark", "after dusk", "after sunset", "after nightfall", "nightfall", "after curfew", "moonlight", "in the dark", "past dark", "the moon was up", "moonlit", "by candlelight", "by lantern light", "the stars were out", "o'clock at night", "in the small hours", "past ten", "starlight", "the night"]),
    (&["daylight", "sunlight", "by day", "the sun", "noon", "daytime"], &["daylight", "sunlight", "by day", "the sun", "noon", "midday", "sunshine", "broad day"]),
];

/// Sorts of things a rule names, and what belongs to them. `某` stands for a name.
pub(super) const SORTS: &[(&[&str], &[&str])] = &[
    (&["兵刃", "兵器", "武器", "刀兵", "利器", "刀剑", "利刃"], &["剑", "刀", "长枪", "匕首", "斧", "弓", "戟", "鞭", "锤"]),
    (&["酒", "酒水"], &["烧刀子", "女儿红", "花雕", "竹叶青"]),
    (&["荤", "荤腥", "肉", "肉食"], &["鸡腿", "烧鸡", "羊腿", "牛肉", "鱼", "猪蹄", "肉"]),
    (&["灵力", "法力", "真气", "内力", "法术", "术法", "道术", "灵气", "真元"], &["灵力", "法力", "真气", "内力", "法术", "术法", "真元", "灵光", "雷法", "火球"]),
    (&["魔法"], &["咒语", "法术", "火球", "魔力"]),
    (&["活人", "凡人", "他人", "生人", "外人", "旁人", "任何人"], &["某"]),
    (&["明火", "火", "火种"], &["火折子", "火把", "蜡烛", "油灯", "火柴", "打火机", "篝火"]),
    (&["blade", "blad", "weapon", "steel", "arm"], &["sword", "knife", "dagger", "blade", "axe", "rapier", "sabre", "saber", "bow", "pistol", "spear"]),
    (&["alcohol", "wine", "liquor", "spirit", "drink", "ale"], &["wine", "beer", "ale", "brandy", "whisky", "whiskey", "gin", "rum", "mead", "sherry", "flask"]),
    (&["meat", "flesh"], &["beef", "pork", "chicken", "mutton", "bacon", "ham", "venison", "steak"]),
    (&["red"], &["scarlet", "crimson"]),
    (&["dead", "corpse"], &["back to life", "corpse", "dead"]),
    (&["magic", "spell", "sorcery", "sorcer"], &["spell", "fireball", "charm", "incantation", "enchantment"]),
    (&["fire", "flame"], &["match", "candle", "torch", "lamp", "lantern", "bonfire"]),
];
