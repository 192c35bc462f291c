//! Words of what the prose shows.

/// A sentence with one of these remembers, supposes, denies, pretends, or tells of a change.
pub(super) const NOT_PLAIN_ZH: &[&str] = &[
    "如果", "若是", "若非", "假如", "倘若", "要是", "仿佛", "好像", "似乎", "如同", "宛如", "像是", "以为", "误认", "误以", "装作", "假装", "佯装", "假扮", "扮作", "扮成", "冒充", "冒名", "自称", "谎称", "号称", "曾", "当年", "从前", "以前", "往日", "昔日", "昔年", "原本", "本来", "原先", "将来", "日后", "有朝一日", "梦", "传说", "据说", "听说", "相传", "想成为", "想当", "晋升", "升为", "升任", "升了", "突破", "成为", "成了", "擢", "提拔", "拜为", "封为", "受封", "册封", "任命", "踏入", "迈入", "冲击", "并非", "不再", "未来", "险些", "差点", "化敌为友", "反目", "和解", "决裂", "结为", "结成", "画像", "画中", "照片", "戏", "故事", "想象", "恍惚", "但愿", "希望", "宁愿", "恨不得", "也许", "或许", "可能", "大概", "莫非", "难道", "怀疑", "猜", "记得", "想起", "回忆", "改口", "撒谎", "骗", "谣言", "传言",
];
pub(super) const NOT_PLAIN_EN: &[&str] = &[
    " if ", " as though ", " would ", " could ", " might ", " may ", " once ", " former ", " formerly ", " used to ", " ex ", " pretended ", " pretending ", " pretend ", " disguised ", " posing ", " posed ", " dressed as ", " mistaken ", " mistook ", " took him for ", " took her for ", " claimed ", " claiming ", " dream ", " dreamed ", " dreamt ", " dreams ", " remembered ", " remember ", " recalled ", " recall ", " became ", " become ", " becomes ", " promoted ", " promotion ", " appointed ", " crowned ", " made him ", " made her ", " not ", " no longer ", " wished ", " wanted ", " hoped ", " imagined ", " imagine ", " perhaps ", " maybe ", " legend ", " story ", " portrait ", " photograph ", " painting ", " future ", " will be ", " acting as ", " like a ", " like an ", " like the ", " wondered ", " suspected ", " guessed ", " supposed ", " lied ", " lie ", " rumour ", " rumor ", " late ", " reconciled ", " made peace ", " hadn't ", " didn't ", " wasn't ", " isn't ", " weren't ", " years ago ", " back then ",
];

/// Ranks that exclude each other: the words of one ladder, each step with its wordings.
pub(super) const LADDERS: &[&[&[&str]]] = &[
    &[&["练气", "炼气", "凝气"], &["筑基"], &["金丹", "结丹"], &["元婴"], &["化神"], &["炼虚", "返虚"], &["合体"], &["大乘"], &["渡劫"], &["真仙"], &["金仙"]],
    &[&["武徒"], &["武者"], &["武师"], &["武宗"], &["武王"], &["武皇"], &["武尊"], &["武圣"], &["武帝"]],
    &[&["斗者"], &["斗师"], &["大斗师"], &["斗灵"], &["斗王"], &["斗皇"], &["斗宗"], &["斗尊"], &["斗圣"], &["斗帝"]],
    &[&["杂役", "杂役弟子"], &["外门弟子", "记名弟子"], &["内门弟子"], &["真传弟子", "亲传弟子", "核心弟子"], &["执事"], &["长老"], &["副掌门", "副宗主"], &["掌门", "宗主", "门主"]],
    &[&["跟班", "帮众", "喽啰", "小弟", "打手"], &["香主"], &["舵主"], &["堂主"], &["护法"], &["副帮主"], &["帮主", "教主", "庄主", "寨主"]],
    &[&["列兵", "士兵", "小兵", "小卒", "新兵", "兵卒"], &["班长"], &["排长"], &["连长"], &["营长"], &["团长"], &["旅长"], &["师长"], &["军长"], &["司令", "司令员"]],
    &[&["士兵", "小兵", "小卒", "兵卒", "军士"], &["伍长"], &["什长"], &["百夫长", "百户"], &["千夫长", "千户"], &["校尉"], &["都尉"], &["偏将", "裨将"], &["副将"], &["将军", "主将"], &["大将军"], &["元帅", "大元帅"]],
    &[&["少尉"], &["中尉"], &["上尉"], &["少校"], &["中校"], &["上校"], &["大校"], &["少将"], &["中将"], &["上将"], &["元帅"], &["大元帅"]],
    &[&["实习警员", "辅警", "协警"], &["警员", "民警", "刑警"], &["副队长"], &["队长", "刑警队长", "大队长", "支队长"], &["副局长"], &["局长"], &["厅长"]],
    &[&["捕快", "铜牌捕快", "银牌捕快"], &["捕头", "金牌捕头", "总捕头"]],
    &[&["童生"], &["秀才", "生员"], &["举人", "解元"], &["贡士", "会元"], &["进士"], &["探花"], &["榜眼"], &["状元"]],
    &[&["县丞"], &["主簿"], &["知县", "县令"], &["通判"], &["知府", "太守"], &["刺史"], &["巡抚"], &["总督"], &["侍郎"], &["尚书"], &["宰相", "丞相"]],
    &[&["小太监", "杂役太监"], &["总管", "总管太监", "大总管"]],
    &[&["答应"], &["常在"], &["贵人"], &["嫔"], &["妃"], &["贵妃"], &["皇贵妃"], &["皇后"]],
    &[&["宫女", "丫鬟", "丫头"], &["贵妃"], &["皇后"], &["太后"]],
    &[&["男爵"], &["子爵"], &["伯爵"], &["侯爵"], &["公爵"], &["亲王"], &["国王", "皇帝"]],
    &[&["实习生", "见习生"], &["职员", "专员", "助理"], &["主管"], &["经理"], &["总监"], &["副总裁"], &["总裁", "总经理", "首席执行官"], &["董事长"]],
    &[&["实习生", "实习记者"], &["记者"], &["编辑"], &["副主编"], &["主编", "总编"]],
    &[&["实习医生"], &["住院医师", "住院医生"], &["主治医师", "主治医生"], &["副主任医师"], &["主任医师"], &["院长"]],
    &[&["学徒", "伙计"], &["账房"], &["掌柜", "二掌柜"], &["东家"]],
    &[&["水手", "船员"], &["水手长"], &["二副"], &["大副"], &["船长"], &["舰长"], &["舰队司令"]],
    &[&["学徒", "见习法师"], &["法师"], &["大法师"], &["魔导师"], &["大魔导师"]],
    &[&["乞丐", "家奴", "奴隶", "奴仆", "仆人"], &["管家"], &["城主"], &["国王", "皇帝"]],
    &[&["private"], &["corporal"], &["sergeant"], &["lieutenant", "second lieutenant", "first lieutenant"], &["captain"], &["major"], &["lieutenant colonel"], &["colonel"], &["brigadier"], &["general", "major general"], &["field marshal", "marshal"]],
    &[&["cabin boy", "deckhand", "sailor", "seaman"], &["midshipman"], &["boatswain", "bosun"], &["second mate"], &["first mate", "mate"], &["lieutenant"], &["captain"], &["commodore"], &["rear admiral"], &["admiral"]],
    &[&["cadet"], &["constable", "officer", "patrolman"], &["sergeant"], &["detective"], &["lieutenant"], &["inspector"], &["chief inspector"], &["superintendent"], &["chief"], &["commissioner"]],
    &[&["page"], &["squire"], &["knight", "sir"], &["baron", "baroness"], &["viscount", "viscountess"], &["earl", "count", "countess"], &["marquis", "marquess"], &["duke", "duchess"], &["prince", "princess"], &["king", "queen"], &["emperor", "empress"]],
    &[&["thrall", "slave", "serf"], &["freeman"], &["thane", "thegn"], &["jarl"], &["king", "queen"]],
    &[&["apprentice", "initiate"], &["journeyman", "adept"], &["mage", "wizard", "sorcerer", "sorceress"], &["archmage", "high mage"]],
    &[&["apprentice"], &["journeyman"], &["master", "guildmaster"]],
    &[&["novice", "postulant"], &["monk", "nun", "friar"], &["prior", "prioress"], &["abbot", "abbess"], &["deacon"], &["priest", "vicar", "curate"], &["bishop"], &["archbishop"], &["cardinal"], &["pope"]],
    &[&["intern", "trainee"], &["clerk", "assistant", "junior clerk"], &["associate"], &["manager"], &["director"], &["vice president"], &["president", "chief executive", "ceo", "chairman", "chairwoman"]],
    &[&["intern", "trainee"], &["reporter"], &["editor", "sub-editor"], &["chief editor", "editor in chief", "editor-in-chief"]],
    &[&["intern", "medical student"], &["resident"], &["registrar"], &["consultant", "attending"], &["surgeon"], &["chief surgeon", "head surgeon"]],
    &[&["stable boy", "stable hand", "stablehand", "kitchen hand", "scullion", "scullery maid", "footman", "maid", "servant", "kitchen maid"], &["steward", "butler", "housekeeper"], &["lord", "lady"], &["king", "queen"]],
    &[&["f-rank"], &["e-rank"], &["d-rank"], &["c-rank"], &["b-rank"], &["a-rank"], &["s-rank"], &["ss-rank"], &["sss-rank"]],
    &[&["E级"], &["D级"], &["C级"], &["B级"], &["A级"], &["S级"]],
    &[&["probationer", "constable", "police constable"], &["detective constable"], &["detective sergeant"], &["detective inspector"], &["detective chief inspector"], &["superintendent", "detective superintendent"], &["chief superintendent"], &["commissioner"]],
    &[&["cadet", "ensign"], &["lieutenant"], &["lieutenant commander"], &["commander"], &["captain"], &["admiral"]],
];

/// After the name: what follows is what somebody is.
pub(super) const IS_ZH: &[&str] = &[
    "身为", "贵为", "官居", "官拜", "官至", "现为", "乃是", "乃", "是", "已是", "现任", "位居", "担任", "不过是", "只不过是", "不过", "只是", "仅是", "如今是", "作为", "如今已是", "不过只是", "才", "只有",
];

/// Before a title: another rank, or another time.
pub(super) const NOT_RANK_BEFORE_ZH: &[&str] = &["副", "前", "原", "假", "准", "代", "候补", "前任", "上任", "下任", "历任", "未来", "老", "少", "小", "大", "总", "见习", "实习", "故", "先", "见", "对", "向", "给", "找", "为", "替", "请", "的"];

/// Verbs of knowing, as after a name.
pub(super) const KNOWS_ZH: &[&str] = &["早就知道", "早已知道", "一直知道", "自然知道", "当然知道", "心知肚明", "心里清楚", "心里明白", "心知", "深知", "清楚", "知道", "晓得", "知晓", "明白", "确信", "毫不怀疑", "心中有数"];
pub(super) const KNOWS_EN: &[&str] = &["knew ", "knows ", "had always known ", "had known ", "had long known ", "was well aware ", "was aware ", "was fully aware ", "was certain ", "was quite certain ", "was sure ", "had no doubt ", "never doubted ", "understood "];

/// Verbs of thinking of something or saying it, as after a name.
pub(super) const TELLS_ZH: &[&str] = &["想到", "记得", "想起", "没忘记", "没有忘记", "认定", "断定", "料定", "一口咬定", "提醒", "告诉", "写下", "写道", "说出", "指出", "承认", "解释说", "明说", "点破", "道破", "看出", "瞒着", "说"];
pub(super) const TELLS_EN: &[&str] = &["had never forgotten ", "had not forgotten ", "remembered ", "remembers ", "told ", "tells ", "reminded ", "explained ", "mentioned ", "warned ", "admitted ", "pointed out ", "said that ", "says that ", "whispered that ", "confided "];

/// A sentence of knowing with one of these denies, supposes or doubts.
pub(super) const SUPPOSES_ZH: &[&str] = &["如果", "若", "假如", "要是", "倘若", "即便", "哪怕", "梦", "以为", "莫非", "难道", "怀疑", "猜", "也许", "或许", "可能", "据说", "听说", "传言", "谣", "有人说", "都说", "胡说", "骗", "谎", "假装", "不知", "没想到", "没想过", "想不到", "谁知", "哪知", "不会", "不信", "是不是", "是否", "吗", "并非", "不是", "未必", "才知道", "终于", "这才", "得知", "发现", "原来", "告诉她", "告诉他", "从没", "从未", "试探", "诈"];
pub(super) const SUPPOSES_EN: &[&str] = &[" if ", " whether ", " would ", " might ", " could ", " perhaps ", " maybe ", " supposed ", " suspect", " guess", " wonder", " believed ", " doubt", " rumour", " rumor", " they say ", " people say ", " heard ", " dream", " not know", " n't know", " didn't ", " did not ", " never knew ", " never guessed", " never told ", " no one knew ", " nobody knew ", " learned ", " learnt ", " discovered ", " found out ", " realised ", " realized ", " was told ", " had been told ", " lied", " lie ", " pretend", " joke", " as if it ", " nor ", " neither ", " unaware", " had no idea", " little did"];

/// Before or in a clause of knowing: it is denied, or learnt only now.
pub(super) const NOT_KNOWS_ZH: &[&str] = &["不知", "不清楚", "不明白", "不晓得", "未必", "才知道", "才明白", "终于", "这才", "得知", "发现", "听", "想知道", "无从", "哪里知道", "怎么知道", "谁知道", "是否", "没", "未", "不", "即将", "总算", "猛然", "恍然", "此刻方", "方知", "始知", "告诉"];

/// Colours of looks: the class, its words.
pub(super) const COLOURS: &[(char, &[&str])] = &[
    ('k', &["乌黑", "漆黑", "墨黑", "黑亮", "黑色", "墨色", "乌", "黑", "black", "jet-black", "raven"]),
    ('n', &["棕色", "褐色", "栗色", "棕褐", "棕", "褐", "栗", "brown", "chestnut", "hazel"]),
    ('y', &["金色", "金黄", "亚麻色", "金", "blonde", "blond", "golden", "flaxen", "fair", "yellow"]),
    ('w', &["雪白", "花白", "银白", "灰白", "白色", "银色", "灰色", "苍白", "银", "白", "灰", "white", "silver", "grey", "gray"]),
    ('r', &["火红", "赤红", "红色", "赤色", "红", "赤", "red", "ginger", "auburn", "copper"]),
    ('b', &["湛蓝", "碧蓝", "蔚蓝", "天蓝", "冰蓝", "深蓝", "蓝色", "蓝", "blue", "azure"]),
    ('g', &["碧绿", "翠绿", "墨绿", "绿色", "碧色", "翠色", "绿", "green", "emerald"]),
    ('a', &["琥珀色", "琥珀", "amber"]),
    ('v', &["紫色", "紫", "violet", "purple"]),
];

/// A sentence with one of these does not tell the colour itself.
pub(super) const NO_COLOUR: &[&str] = &["染", "假发", "面具", "月光", "灯光", "火光", "映", "泛", "血丝", "通红", "布满", "雪花", "落满", "沾", "尘", "灰尘", "易容", "变成", "变得", "转为", "化为", "幻", "发红", "红肿", "隐形眼镜", "美瞳", "dyed", "dye", "wig", "contact lens", "lenses", "mask", "bloodshot", "glowed", "glowing", "flashed", "turned", "powder", "snow", "dust", "flour", "firelight", "moonlight", "helmet", "bleached", "paint"];

/// On the way, or only spoken of: somebody need not be there.
pub(super) const NOT_THERE_ZH: &[&str] = &["打算", "计划", "决定", "准备", "约", "说", "讲", "听", "读", "答应", "生", "葬", "往", "去", "离", "从", "来自", "想", "望着", "望向", "看着", "提起", "说起", "关于", "消息", "信", "寄", "派", "通往", "启程", "动身", "出发", "赶", "朝", "向", "奔", "打听", "方向", "远处", "远方", "对岸", "地图", "未", "没", "不", "即将", "快要", "等", "若", "投影", "视频", "电话", "屏幕", "分身", "化身"];
pub(super) const NOT_THERE_EN: &[&str] = &[" to ", " toward ", " towards ", " from ", " for ", " about ", " of ", " thought ", " letter ", " wrote ", " news ", " road ", " map ", " not ", " never ", " leave ", " leaving ", " left ", " bound ", " heading ", " headed ", " until ", " before ", " if ", " telephone ", " phone ", " call ", " screen ", " away ", " distant ", " beyond ", " like "];

/// Somewhere earlier in a chapter: people travel, or time passes.
pub(super) const TRAVEL_ZH: &[&str] = &["走了", "行了", "天七夜", "日夜", "夜后", "终于", "到了", "抵达", "到达", "赶到", "来到", "启程", "出发", "动身", "上路", "一路", "赶路", "赶往", "前往", "离开", "路上", "途中", "奔赴", "飞往", "乘船", "坐船", "骑马", "登船", "日后", "天后", "数日", "半月", "月余", "几天", "几日", "数月", "年后", "月后", "传送", "逃出", "获释", "出狱"];
pub(super) const TRAVEL_EN: &[&str] = &["arriv", "set out", "set off", "travel", "journey", "sailed", "rode", "flew", "returned", "came back", "departed", "left ", "days later", "weeks later", "months later", "after a week", "after three", "days on the road", "train", "ship", "released", "escaped", "the road", "portal", "reached"];

/// Days pass.
pub(super) const LATER_ZH: &[&str] = &["天七夜", "日夜", "夜后", "日后", "天后", "数日", "半月", "月余", "几天", "几日", "数月", "年后", "月后", "传送"];
pub(super) const LATER_EN: &[&str] = &["days later", "weeks later", "months later", "after a week", "after three", "days on the road", "portal"];

/// No time has passed: whoever was elsewhere cannot be here.
pub(super) const SOON_ZH: &[&str] = &["当日", "当天", "当晚", "同一天", "次日", "第二天", "翌日", "片刻", "一刻钟", "半个时辰", "一个时辰", "一炷香", "前一刻", "转眼", "分钟后", "小时后", "同一时刻", "与此同时", "今晨", "隔天"];
pub(super) const SOON_EN: &[&str] = &["an hour later", "that same", "the same evening", "the same day", "the same night", "minutes after", "minutes later", "the next day", "the next morning", "next morning", "by morning", "that evening", "hours later", "moments later", "at the same time", "meanwhile", "at that moment", "the following day", "by nightfall", "that afternoon"];

/// After a place: the name is part of a longer one.
pub(super) const LONGER_ZH: &[&str] = &["街", "路", "大道", "号", "饭店", "酒家", "大学", "人", "话", "口音", "菜", "来的", "方向"];

/// Verbs that reach a place, or tell of a life, from elsewhere.
pub(super) const FROM_AFAR_EN: &[&str] = &["telephoned", "phoned", "called", "rang", "cabled", "wired", "wrote", "texted", "emailed", "messaged", "contacted", "knew", "had", "has", "kept", "owned", "loved", "missed", "wanted", "needed", "imagined", "pictured", "described", "mentioned", "heard", "read", "thought", "remembered", "expected", "planned", "hoped", "intended", "promised", "sent", "bought", "sold", "rented", "inherited", "lost", "born", "grew", "studied", "married", "lived", "worked", "served", "died", "fought", "trusted", "paid", "banked", "believed", "interested"];
