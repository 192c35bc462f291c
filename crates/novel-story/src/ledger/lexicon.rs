//! Words of values in both languages.

/// Dead, whatever came about.
pub(super) const DEAD: &[&str] = &[
    "dead", "deceased", "died", "killed", "slain", "murdered", "executed", "perished", "assassinated", "beheaded", "hanged", "drowned", "burned to death", "passed away", "kia", "killed in action", "fallen in battle", "fell in battle", "no longer alive", "not alive", "lifeless", "buried", "martyred", "late", "is no more", "poisoned to death", "stabbed to death", "shot dead", "bled out", "succumbed", "gave up the ghost", "starved to death", "died of", "died in", "rip", "corpse", "cremated", "interred", "entombed", "in his grave", "in her grave", "took his own life", "took her own life", "suicide", "expired", "put to death", "guillotined", "strangled", "electrocuted", "lynched", "garrotted", "burned at the stake", "burnt at the stake", "burned alive", "burnt alive", "lost overboard", "lost with all hands", "shot", "stabbed through the heart", "crushed", "stoned", "crucified", "laid to rest", "breathed his last", "breathed her last", "took poison", "gone to his rest", "gone to her rest", "mauled by", "torn apart", "blown up", "blown to pieces", "overdosed",
    "死", "死亡", "已死", "战死", "阵亡", "身亡", "身死", "身故", "病故", "病死", "病逝", "去世", "逝世", "过世", "辞世", "离世", "谢世", "已故", "故去", "亡故", "亡", "已亡", "殒命", "殒落", "陨落", "陨灭", "丧命", "丧生", "毙命", "毙", "遇害", "遇难", "遇刺身亡", "被杀", "被害", "被斩", "斩首", "处决", "处死", "被处死", "伏诛", "伏法", "牺牲", "殉职", "殉国", "殉难", "殉情", "殉城", "自尽", "自杀", "自刎", "自缢", "溺亡", "溺死", "烧死", "毒死", "毒发身亡", "饿死", "冻死", "坠崖身亡", "坠亡", "暴毙", "猝死", "圆寂", "坐化", "仙逝", "驾崩", "崩", "薨", "卒", "薨逝", "归西", "入土", "下葬", "魂飞魄散", "形神俱灭", "灰飞烟灭", "断气", "咽气", "气绝", "气绝身亡", "不治身亡", "已逝", "逝", "殁", "战殁", "捐躯", "罹难", "凉了", "领便当", "挂了", "枭首", "凌迟", "赐死", "鸩杀", "毒杀", "被刺", "被刺杀", "刺杀身亡", "阵殁", "力战而亡", "力竭而亡", "尸骨无存", "长眠", "命丧", "陣亡", "戰死", "死於", "过劳死", "难产而死", "老死", "寿终正寝", "寿终", "作古", "香消玉殒", "玉殒", "投江", "投河", "投井", "投湖", "投缳", "悬梁", "上吊", "服毒", "饮鸩", "就义", "正法", "问斩", "处斩", "腰斩", "绞刑", "弃市", "夷族", "归天", "升天", "仙去", "羽化", "兵解", "弃世", "下世", "宾天", "晏驾", "长逝", "与世长辞", "不治", "葬身", "送命", "没命", "丧身", "身陨", "命陨", "神魂俱灭", "魂飞", "粉身碎骨", "五马分尸", "过身", "走了，享年", "享年", "断魂", "见阎王", "血祭", "献祭", "毒发", "灭口", "被刺死", "毙于",
];

/// Alive, or again.
pub(super) const LIVING: &[&str] = &[
    "alive", "living", "active", "well", "healthy", "survived", "survives", "resurrected", "revived", "returned to life", "reborn", "undead", "present", "normal", "recovered", "wounded", "injured", "safe", "ok", "fine", "free", "at liberty", "released", "escaped", "freed",
    "活", "活着", "存活", "生还", "健在", "在世", "复活", "复生", "重生", "苏醒", "幸存", "生存", "正常", "受伤", "重伤", "轻伤", "平安", "康复", "痊愈", "未死", "诈死", "假死", "起死回生", "还魂", "夺舍重生", "安好", "无恙", "健康", "自由", "获释", "脱困", "逃脱", "归来",
];

/// Letters that make a short value a death, whatever stands before them: `冻死`, `杖毙`, `饮鸩而亡`.
pub(super) const DEATH_LETTERS: &[char] = &['死', '毙', '殒', '殁', '薨', '殉'];

/// Endings that make a short value a death.
pub(super) const DEATH_ENDINGS: &[&str] = &["亡", "而亡", "亡故", "病故", "身故", "已故", "驾崩", "长逝", "仙逝", "逝", "逝去", "陨落", "陨灭"];

/// Words with such a letter that are no death.
pub(super) const NO_DEATH: &[&str] = &["逃亡", "流亡", "亡命", "存亡", "兴亡", "消逝", "殉道者", "死士", "死党", "死忠", "死对头", "死缓", "死因", "死神", "死灵", "生死", "敢死", "死皮", "死脑筋", "死角", "死寂", "死板", "死气"];

/// A value with one of these is no plain death.
pub(super) const NOT_DEAD: &[&str] = &["not dead", "undead", "presumed", "believed", "thought", "faked", "fake", "nearly", "near death", "almost", "half dead", "half-dead", "left for dead", "dying", "may be", "possibly", "rumoured", "rumored", "allegedly", "dead tired", "deadly", "drunk", "未死", "没死", "不死", "假死", "诈死", "濒死", "垂死", "将死", "半死", "疑似", "据说", "传闻", "生死不明", "生死未卜", "下落不明", "九死一生", "死里逃生", "死而复生", "起死回生", "死战", "死士", "死忠", "寻死", "求死", "怕死", "装死", "死心", "死守", "死敌", "死罪", "死牢", "死囚", "不明", "shot in the arm", "shot in the leg", "shot in the shoulder", "shot and wounded", "shot at", "recovering", "wounded", "will die", "sentenced", "death row", "about to", "在逃", "待斩", "候斩", "判处", "判了", "将被", "即将", "险些", "差点", "几乎", "未遂", "获救"];

/// Away from where the story is.
pub(super) const ABSENT: &[&str] = &[
    "missing", "absent", "departed", "left", "away", "exiled", "banished", "imprisoned", "jailed", "captured", "gone", "disappeared", "vanished", "left the city", "left the story", "in prison", "in exile", "abroad", "kidnapped", "abducted", "in custody", "deported", "retired", "at large", "on the run", "lost at sea", "whereabouts unknown", "in hiding", "locked up", "held prisoner", "in jail", "in gaol", "prisoner of war", "prisoner", "captive", "in captivity", "taken prisoner", "held captive", "incarcerated", "interned", "under house arrest", "confined to", "cloistered", "enclosed in", "in seclusion", "in retreat", "at sea", "overseas", "gone to", "gone abroad", "on leave", "on pilgrimage", "on a pilgrimage", "transported to", "pressed into", "sent away", "shipped off", "shipped to", "marooned", "in the tower", "in hospital", "hospitalised", "hospitalized", "in an asylum", "committed to", "conscripted", "emigrated", "moved abroad", "run away", "ran away", "eloped", "fled", "in the dungeon", "in the dungeons", "sent to",
    "失踪", "离开", "离去", "远走", "远行", "出走", "流放", "被流放", "囚禁", "被囚", "被捕", "入狱", "下狱", "被俘", "被擒", "失联", "消失", "退场", "离队", "归隐", "隐退", "闭关", "被绑架", "远嫁", "出国", "离城", "离京", "关押", "被关押", "收监", "下落不明", "不知所踪", "不知去向", "不知下落", "去向不明", "杳无音信", "音信全无", "云游", "未归", "不归", "潜逃", "在逃", "逃亡", "不在", "圈禁", "软禁", "幽禁", "监禁", "拘押", "羁押", "服刑", "坐牢", "蹲大牢", "押解", "押往", "逐出", "被逐", "放逐", "驱逐", "发配", "充军", "流亡", "留学", "出征", "远征", "出使", "出海", "出洋", "和亲", "隐居", "退隐", "归隐", "隐世", "避世", "遁世", "出家", "遁入空门", "远赴", "远渡", "旅居", "移居", "移民", "离家", "不辞而别", "出逃", "逃走", "遁走", "外派", "外放", "贬谪", "被贬", "戍边", "从军未", "被掳", "被劫", "掳走", "劫走", "被抓", "落网", "住院",
];

/// Cannot act.
pub(super) const SENSELESS: &[&str] = &["unconscious", "comatose", "coma", "in a coma", "sealed", "petrified", "frozen", "昏迷", "昏迷不醒", "昏厥", "沉睡", "不省人事", "封印", "被封印", "石化", "冰封", "植物人", "昏睡"];

/// Gone or useless, of a thing.
pub(super) const DESTROYED: &[&str] = &[
    "broken", "destroyed", "shattered", "burned", "burnt", "lost", "ruined", "melted", "gone", "smashed", "snapped", "torn", "sunk", "crushed", "stolen", "consumed", "used up", "spent", "discarded", "buried", "eaten", "drunk", "crumbled", "in pieces", "in ruins", "demolished", "razed", "collapsed", "split in two", "cracked in two", "dissolved", "wrecked", "sank", "scuttled", "capsized", "incinerated", "annihilated", "ripped up", "torn up", "sold", "pawned", "traded away", "given away", "scrapped", "melted down", "swallowed", "confiscated", "repossessed", "thrown away", "burned up", "burnt down", "burned down", "totalled", "written off",
    "断", "断裂", "折断", "断成", "已断", "碎", "碎裂", "粉碎", "破碎", "损毁", "毁", "毁坏", "已毁", "被毁", "烧毁", "焚毁", "烧掉", "遗失", "丢失", "失落", "熔化", "用尽", "耗尽", "用光", "用完", "沉没", "坍塌", "倒塌", "化为灰烬", "撕毁", "撕碎", "砸碎", "摔碎", "崩碎", "报废", "被盗", "失窃", "吃掉", "喝光", "消散", "销毁", "失效", "坠毁", "炸毁", "烧成灰", "焚烧", "打碎", "碎了", "沉了", "沉入", "毁掉", "毁了", "烧了", "典当", "当掉", "卖掉", "变卖", "卖了", "售出", "服下", "服用", "吞服", "吞下", "喝下", "没收", "充公", "抵债", "撞毁", "粉身碎骨", "熔了", "熔掉", "熔毁", "摔得粉碎", "碎成", "裂成", "四分五裂", "灰飞烟灭", "扔进", "丢进", "弃于",
];

/// Parts of a body: words, the part, its side (`l`, `r`, `b` both, `-` none).
pub(super) const PARTS: &[(&str, char, char)] = &[
    ("left arm", 'a', 'l'), ("right arm", 'a', 'r'), ("both arms", 'a', 'b'), ("left hand", 'h', 'l'), ("right hand", 'h', 'r'), ("both hands", 'h', 'b'), ("left leg", 'g', 'l'), ("right leg", 'g', 'r'), ("both legs", 'g', 'b'), ("left foot", 'g', 'l'), ("right foot", 'g', 'r'), ("both feet", 'g', 'b'), ("left eye", 'e', 'l'), ("right eye", 'e', 'r'), ("both eyes", 'e', 'b'), ("left ear", 'r', 'l'), ("right ear", 'r', 'r'), ("tongue", 't', '-'), ("left wrist", 'h', 'l'), ("right wrist", 'h', 'r'), ("left shoulder", 'a', 'l'), ("right shoulder", 'a', 'r'), ("left knee", 'g', 'l'), ("right knee", 'g', 'r'), ("left ankle", 'g', 'l'), ("right ankle", 'g', 'r'), ("sword arm", 'a', 'r'), ("arms", 'a', 'b'), ("hands", 'h', 'b'), ("legs", 'g', 'b'), ("eyes", 'e', 'b'), ("arm", 'a', '-'), ("hand", 'h', '-'), ("leg", 'g', '-'), ("foot", 'g', '-'), ("thumb", 'h', '-'), ("finger", 'h', '-'), ("eye", 'e', '-'), ("ear", 'r', '-'), ("spine", 'g', 'b'), ("fingers", 'h', '-'),
    ("左臂", 'a', 'l'), ("右臂", 'a', 'r'), ("双臂", 'a', 'b'), ("两臂", 'a', 'b'), ("左手", 'h', 'l'), ("右手", 'h', 'r'), ("双手", 'h', 'b'), ("两手", 'h', 'b'), ("左腿", 'g', 'l'), ("右腿", 'g', 'r'), ("双腿", 'g', 'b'), ("两腿", 'g', 'b'), ("左脚", 'g', 'l'), ("右脚", 'g', 'r'), ("双脚", 'g', 'b'), ("双足", 'g', 'b'), ("左眼", 'e', 'l'), ("右眼", 'e', 'r'), ("左目", 'e', 'l'), ("右目", 'e', 'r'), ("双眼", 'e', 'b'), ("双目", 'e', 'b'), ("两眼", 'e', 'b'), ("左耳", 'r', 'l'), ("右耳", 'r', 'r'), ("双耳", 'r', 'b'), ("舌头", 't', '-'), ("舌", 't', '-'), ("左膝", 'g', 'l'), ("右膝", 'g', 'r'), ("左肩", 'a', 'l'), ("右肩", 'a', 'r'), ("手臂", 'a', '-'), ("胳膊", 'a', '-'), ("一臂", 'a', '-'), ("一手", 'h', '-'), ("一腿", 'g', '-'), ("一目", 'e', '-'), ("一眼", 'e', '-'), ("眼睛", 'e', 'b'), ("腿", 'g', '-'), ("手", 'h', '-'), ("眼", 'e', '-'), ("耳", 'r', '-'), ("臂", 'a', '-'), ("脚", 'g', '-'), ("指", 'h', '-'),
];

/// Parts of a hand: whoever has lost one still has the hand.
pub(super) const FINGERS: &[&str] = &["finger", "thumb", "指"];

/// A part is no longer there or cannot be used.
pub(super) const LOST_PART: &[&str] = &[
    "lost", "loses", "severed", "cut off", "amputated", "missing", "gone", "crippled", "paralysed", "paralyzed", "blinded", "put out", "useless", "hacked off", "torn off", "cut out", "broken", "shattered", "no longer", "blind in", "no left", "no right", "without", "ruined", "destroyed", "gouged", "fractured", "smashed",
    "失去", "断", "斩断", "砍断", "被斩", "被砍", "截", "残", "废", "没了", "没有", "瘫", "失明", "瞎", "盲", "挖", "割", "折", "骨折", "断裂", "尽断", "不能动", "麻痹", "坏死", "截肢", "缺", "丧失", "无法使用", "动弹不得", "被毁", "被挖",
];

/// Whole words of a trouble that needs no part.
pub(super) const BLIND: &[&str] = &["blind", "blinded", "lost his sight", "lost her sight", "sightless", "失明", "瞎了", "双目失明", "眼盲", "目盲", "全盲", "盲人", "瞎子", "双眼被毁"];
/// Cannot hear.
pub(super) const DEAF: &[&str] = &["deaf", "deafened", "lost his hearing", "lost her hearing", "失聪", "聋了", "耳聋", "双耳失聪", "聋子"];
/// Cannot speak.
pub(super) const MUTE: &[&str] = &["mute", "dumb", "tongue cut out", "lost his voice", "lost her voice", "voiceless", "哑了", "失声", "哑巴", "变哑", "不能说话", "被割舌", "割去舌头", "割了舌头", "毒哑", "舌头被割", "失语"];
/// Cannot walk.
pub(super) const LAMED: &[&str] = &["paralysed", "paralyzed", "paralysed from the waist down", "cannot walk", "can't walk", "in a wheelchair", "legless", "瘫痪", "下半身瘫痪", "双腿残废", "双腿尽断", "双腿被废", "不能行走", "无法行走", "断了双腿", "失去双腿", "坐轮椅", "高位截瘫"];

/// Healed.
pub(super) const HEALED: &[&str] = &["healed", "recovered", "healthy", "well", "restored", "cured", "unhurt", "none", "fine", "regrown", "痊愈", "康复", "恢复", "愈合", "治好", "无恙", "健康", "正常", "完好", "无", "重生", "接好", "复原", "好了"];

/// Stand against each other.
pub(super) const HOSTILE: &[&str] = &["enemy", "enemies", "hostile", "foe", "rival", "nemesis", "hates", "hatred", "feud", "at war", "sworn enemy", "traitor", "betrayed", "敌人", "敌对", "仇人", "死敌", "仇敌", "宿敌", "敌", "仇", "反目", "决裂", "势不两立", "不共戴天", "对手", "敌视", "仇视", "憎恨", "世仇", "死对头", "叛徒", "对头", "冤家", "仇家", "敌手", "为敌", "不和", "交恶", "血仇", "深仇", "仇恨", "恨之入骨", "势同水火", "水火不容", "敌意", "积怨", "结怨", "有仇", "有怨", "loathes", "despises", "archenemy", "arch-enemy", "vendetta", "bad blood", "resents", "bitter"];
/// Stand together.
pub(super) const FRIENDLY: &[&str] = &["friend", "friends", "ally", "allies", "friendly", "trusted", "trusts", "loyal", "comrade", "lover", "lovers", "sworn brother", "sworn brothers", "companion", "partner", "close", "devoted", "朋友", "好友", "盟友", "挚友", "知己", "同盟", "结盟", "友好", "信任", "亲近", "恋人", "情人", "爱人", "结义兄弟", "义兄弟", "兄弟", "同伴", "战友", "伙伴", "生死之交", "莫逆之交", "友", "忠诚", "亲密", "至交", "密友", "师徒", "师父", "徒弟", "师傅", "弟子", "夫妻", "夫妇", "妻子", "丈夫", "情侣", "未婚夫", "未婚妻", "搭档", "结拜", "知交", "好兄弟", "姐妹", "闺蜜", "主仆", "情同手足", "亲如手足", "莫逆", "交好", "相爱", "深爱", "倾慕", "爱慕", "心腹", "过命", "发小", "死党", "亲如", "恩爱", "感情深厚", "要好", "loyal to", "in love", "loves", "adores", "inseparable", "confidant", "blood brothers", "bosom", "devoted to"];
/// Do not know each other.
pub(super) const STRANGE: &[&str] = &["stranger", "strangers", "never met", "unknown to each other", "unacquainted", "陌生人", "素不相识", "素未谋面", "不认识", "互不相识", "未曾谋面", "陌路", "从未见过"];

/// Know each other, whatever else.
pub(super) const ACQUAINTED: &[&str] = &["colleague", "colleagues", "neighbour", "neighbours", "neighbor", "neighbors", "classmate", "classmates", "acquaintance", "acquainted", "co-worker", "coworker", "co-workers", "employer", "employee", "teacher", "student", "pupil", "同事", "同门", "同窗", "同学", "邻居", "街坊", "熟人", "旧识", "相识", "认识", "上司", "下属", "上下级", "师生", "同僚", "同乡", "师兄弟", "师兄妹", "雇主", "雇佣"];

/// Family: the word, its kind.
/// `p` parent, `c` child, `s` sibling, `m` spouse, `g` grandparent, `k` grandchild, `u` uncle or aunt, `n` nephew or niece, `o` cousin; then `f` or `m` or `-` for the sex of who is called so.
pub(super) const KIN: &[(&str, char, char)] = &[
    ("grandfather", 'g', 'm'), ("grandmother", 'g', 'f'), ("grandson", 'k', 'm'), ("granddaughter", 'k', 'f'), ("father", 'p', 'm'), ("mother", 'p', 'f'), ("parent", 'p', '-'), ("son", 'c', 'm'), ("daughter", 'c', 'f'), ("child", 'c', '-'), ("children", 'c', '-'), ("brother", 's', 'm'), ("sister", 's', 'f'), ("sibling", 's', '-'), ("twin", 's', '-'), ("wife", 'm', 'f'), ("husband", 'm', 'm'), ("spouse", 'm', '-'), ("uncle", 'u', 'm'), ("aunt", 'u', 'f'), ("nephew", 'n', 'm'), ("niece", 'n', 'f'), ("parents", 'p', '-'), ("siblings", 's', '-'), ("cousin", 'o', '-'), ("cousins", 'o', '-'),
    ("祖父", 'g', 'm'), ("爷爷", 'g', 'm'), ("外公", 'g', 'm'), ("祖母", 'g', 'f'), ("奶奶", 'g', 'f'), ("外婆", 'g', 'f'), ("孙子", 'k', 'm'), ("孙女", 'k', 'f'), ("外孙", 'k', 'm'), ("父亲", 'p', 'm'), ("生父", 'p', 'm'), ("亲爹", 'p', 'm'), ("爹", 'p', 'm'), ("爸爸", 'p', 'm'), ("母亲", 'p', 'f'), ("生母", 'p', 'f'), ("亲娘", 'p', 'f'), ("娘亲", 'p', 'f'), ("妈妈", 'p', 'f'), ("儿子", 'c', 'm'), ("长子", 'c', 'm'), ("次子", 'c', 'm'), ("幼子", 'c', 'm'), ("独子", 'c', 'm'), ("女儿", 'c', 'f'), ("长女", 'c', 'f'), ("次女", 'c', 'f'), ("独女", 'c', 'f'), ("哥哥", 's', 'm'), ("兄长", 's', 'm'), ("胞兄", 's', 'm'), ("胞弟", 's', 'm'), ("弟弟", 's', 'm'), ("亲弟弟", 's', 'm'), ("姐姐", 's', 'f'), ("胞姐", 's', 'f'), ("妹妹", 's', 'f'), ("胞妹", 's', 'f'), ("亲妹妹", 's', 'f'), ("妻子", 'm', 'f'), ("夫人", 'm', 'f'), ("丈夫", 'm', 'm'), ("夫君", 'm', 'm'), ("娘", 'p', 'f'), ("妈", 'p', 'f'), ("爸", 'p', 'm'), ("哥", 's', 'm'), ("大哥", 's', 'm'), ("大姐", 's', 'f'), ("媳妇", 'm', 'f'), ("老婆", 'm', 'f'), ("老公", 'm', 'm'), ("闺女", 'c', 'f'), ("表兄", 'o', 'm'), ("表哥", 'o', 'm'), ("表弟", 'o', 'm'), ("表姐", 'o', 'f'), ("表妹", 'o', 'f'), ("堂兄", 'o', 'm'), ("堂哥", 'o', 'm'), ("堂弟", 'o', 'm'), ("堂姐", 'o', 'f'), ("堂妹", 'o', 'f'), ("叔叔", 'u', 'm'), ("伯父", 'u', 'm'), ("舅舅", 'u', 'm'), ("叔父", 'u', 'm'), ("姑姑", 'u', 'f'), ("姨母", 'u', 'f'), ("侄子", 'n', 'm'), ("侄女", 'n', 'f'), ("外甥", 'n', 'm'), ("父", 'p', 'm'), ("母", 'p', 'f'), ("兄", 's', 'm'), ("弟", 's', 'm'), ("姐", 's', 'f'), ("妹", 's', 'f'), ("妻", 'm', 'f'), ("夫", 'm', 'm'), ("子", 'c', 'm'), ("女", 'c', 'f'),
];
