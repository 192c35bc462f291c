//! Titles and forms of address.

use novel_model::Lang;

/// After a Chinese family name.
pub(super) const TITLES_ZH: &[&str] = &["先生", "夫人", "太太", "小姐", "姑娘", "公子", "少爷", "少侠", "女侠", "大侠", "老爷", "老爷子", "老太爷", "将军", "元帅", "都督", "校尉", "统领", "掌柜", "老板", "大人", "师兄", "师姐", "师弟", "师妹", "师父", "师傅", "师叔", "师伯", "师尊", "长老", "掌门", "宗主", "真人", "道长", "大师", "护法", "堂主", "帮主", "庄主", "寨主", "捕头", "捕快", "知县", "县令", "知府", "尚书", "侍郎", "丞相", "太守", "御史", "公公", "嬷嬷", "娘娘", "贵妃", "妃", "郡主", "公主", "王爷", "侯爷", "侯", "世子", "老", "伯", "叔", "婶", "姨", "姑", "爷", "爷爷", "奶奶", "婆婆", "婆", "翁", "公", "某", "哥", "姐", "兄", "嫂", "家妹子", "队", "队长", "局", "局长", "处", "处长", "科长", "主任", "教授", "老师", "医生", "大夫", "护士", "律师", "法官", "警官", "船长", "舰长", "大副", "司令", "团长", "营长", "连长", "排长", "班长", "经理", "总", "总监", "董", "董事长", "书记", "秘书", "主编", "记者", "博士", "院长", "校长", "导师", "同学", "同志", "管家", "账房", "教头", "镖头", "镖师", "大哥", "二哥", "三哥", "大姐", "二姐", "三姐", "大嫂", "大爷", "二爷", "三爷", "四爷", "五爷", "大娘", "二娘", "三娘", "家老大", "工", "导", "少", "氏"];

/// Before a Chinese family name.
pub(super) const PREFIX_ZH: &[&str] = &["老", "小", "阿", "大"];

/// After the last letter of a given name.
pub(super) const ADDRESS_ZH: &[&str] = &["哥", "姐", "妹", "弟", "儿", "叔", "伯", "姨", "婶", "爷", "娘", "哥哥", "姐姐", "妹妹", "弟弟", "丫头", "姑娘", "公子"];

/// Words of family that can stand for a person.
pub(super) const KIN_ZH: &[&str] = &["父亲", "母亲", "爹爹", "阿爹", "老爹", "爸爸", "妈妈", "娘亲", "阿娘", "儿子", "女儿", "闺女", "哥哥", "兄长", "大哥", "弟弟", "姐姐", "妹妹", "妻子", "丈夫", "夫君", "相公", "娘子", "祖父", "祖母", "爷爷", "奶奶", "外公", "外婆", "叔叔", "叔父", "伯父", "舅舅", "姑姑", "姨母", "侄儿", "侄女", "外甥", "孙子", "孙女", "表哥", "表妹", "堂兄", "未婚妻", "未婚夫"];

/// English words of family that can stand for a person.
pub(super) const KIN_EN: &[&str] = &["father", "mother", "son", "daughter", "brother", "sister", "wife", "husband", "uncle", "aunt", "cousin", "nephew", "niece", "grandfather", "grandmother", "grandson", "granddaughter", "dad", "mum", "mom", "papa", "mama", "twin"];

/// Words of family that tell a tie.
pub(super) const fn kin_words(lang: Lang) -> &'static [&'static str] {
    match lang {
        Lang::Zh => KIN_ZH,
        Lang::En => KIN_EN,
    }
}

/// Whether what follows a word makes it one of many: `陈家`, `陈氏`.
pub(super) fn is_said_of_many(rest: &str) -> bool {
    rest.starts_with("们")
}
