use novel_model::{
    BookReader, ChapterNo, Document, ReadError, RelPath, files::GeneratedChapter, layout,
};
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }
}

fn no(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn write(book: &mut MemoryBook, number: u32, text: &str) {
    let chapter = json!({"chapter_number": number, "chapter_title": "题",
        "scenes": [{"scene_number": 1, "content": text, "word_count": 1}], "total_words": 1});
    let path = novel_model::layout::chapter_json(no(number));
    book.write(path, chapter.to_string());
}

/// What the facts are about: people, places, things.
const SUBJECTS: [&str; 40] = [
    "铜钥匙",
    "青灯寺",
    "沈砚",
    "断玉簪",
    "老槐树",
    "柳七娘",
    "黑水渡",
    "半截账本",
    "韩掌柜",
    "乌木匣",
    "望潮亭",
    "裴九",
    "白马客栈",
    "虎头令",
    "许先生",
    "枯井",
    "赤绳",
    "阿蘅",
    "北仓",
    "铁算盘",
    "石门",
    "罗三",
    "旧船票",
    "顾夫人",
    "雁回关",
    "银哨子",
    "哑仆",
    "药王谷",
    "血书",
    "陆青",
    "听雨楼",
    "玄铁尺",
    "孟婆婆",
    "观星台",
    "残棋",
    "宋捕头",
    "荷花池",
    "皮影箱",
    "曹公子",
    "义庄",
];

/// One fact each, told once: the whole sentence with its subject, and the words a plan may share with it.
const FACTS: [(&str, &str); 40] = [
    ("{}的齿断了一根，断口涂着朱砂。", "朱砂"),
    ("{}的住持左手只有四根指头，少的那根埋在塔下。", "住持的手指"),
    ("{}怕猫，小时候被一只三花抓瞎过右眼。", "三花猫"),
    ("{}里藏着一张药方，写给一个叫阿满的孩子。", "药方"),
    ("{}底下第七块砖是空的，能塞进一只手。", "第七块砖"),
    ("{}欠盐帮三百两，约好霜降那天还。", "盐帮的债"),
    ("{}每逢朔日停摆，船家都去祭一条没有名字的河。", "朔日停摆"),
    ("{}缺的那几页记着粮船改道的日子。", "粮船改道"),
    ("{}其实识字，只是从来不肯在人前写。", "识字"),
    ("{}要用左旋三圈再按下去才打得开。", "左旋三圈"),
    ("{}的柱子上有一道刀痕，齐眉高，是他父亲留下的。", "刀痕"),
    ("{}答应过替寡嫂送终，为此推掉了镖局的差事。", "寡嫂"),
    ("{}的地窖通到城墙外，出口压着一盘石磨。", "地窖出口"),
    ("{}一共铸了两枚，另一枚随前任将军下葬。", "另一枚"),
    ("{}年轻时当过仵作，验过太子的尸。", "仵作"),
    ("{}里的水是咸的，因为底下通着盐脉。", "盐脉"),
    ("{}系上就解不开，要等系的人先死。", "系的人"),
    ("{}闻不得桂花，一闻就起疹子。", "桂花"),
    ("{}的粮早被换成了沙，只有最上面三层是真的。", "换成沙"),
    ("{}少了一颗珠子，补的是一粒人牙。", "人牙"),
    ("{}只在涨潮时才推得动，退潮便锁死。", "涨潮"),
    ("{}的真名叫罗守拙，是罗家逐出门的长子。", "逐出门"),
    ("{}的日期是假的，那一天根本没有开船。", "日期是假"),
    ("{}把亲生女儿寄养在尼庵，对外说夭折了。", "尼庵"),
    ("{}的守军每月多领二十份饷，养着死人的名字。", "空饷"),
    ("{}吹不响，除非含一口冷水。", "冷水"),
    ("{}能说话，只是发过誓，仇报之前不开口。", "发过誓"),
    ("{}第三道泉有毒，喝了三日之后才发作。", "第三道泉"),
    ("{}是左手写的，可死者惯用右手。", "左手写的"),
    ("{}的师父就是当年放火烧祠堂的人。", "烧祠堂"),
    ("{}三层的地板会响，唯独靠窗第二块不会。", "靠窗第二块"),
    ("{}量过的东西总短半寸，匠人故意做的。", "短半寸"),
    ("{}认得先帝的笔迹，她替他研过十年墨。", "研墨"),
    ("{}上的铜仪被人拨偏了两度，历书从此不准。", "两度"),
    ("{}走到第三十七手就没人敢接，接的人都疯了。", "三十七手"),
    ("{}收过一双绣鞋作谢礼，鞋里缝着地契。", "绣鞋"),
    ("{}填过一次，底下压着一顶轿子。", "轿子"),
    ("{}最底下那张是照着活人的脸刻的。", "活人的脸"),
    ("{}中过一箭，箭头至今还在肩胛里。", "箭头"),
    ("{}的棺材少一口，账上却一口不少。", "少一口"),
];

const DOES: [&str; 24] = [
    "看了一眼",
    "想起",
    "绕过",
    "摸了摸",
    "提到",
    "守着",
    "问起",
    "避开",
    "记着",
    "离开",
    "走近",
    "盯着",
    "望着",
    "等着",
    "放下",
    "说起",
    "寻到",
    "经过",
    "找着",
    "惦记",
    "护着",
    "指着",
    "听见",
    "认出",
];
const WHEN: [&str; 20] = [
    "天刚亮",
    "入夜以后",
    "雨停了",
    "风起时",
    "午后",
    "灯灭之前",
    "雪还在下",
    "第二天一早",
    "黄昏",
    "鸡叫头遍",
    "过了三更",
    "饭后",
    "月上中天",
    "街上静下来",
    "钟响过",
    "云散了",
    "潮退之后",
    "集市散尽",
    "门关上后",
    "火熄了",
];
const WHO: [&str; 12] = [
    "林枫",
    "他",
    "她",
    "众人",
    "老人",
    "那孩子",
    "伙计",
    "两个人",
    "来客",
    "林枫",
    "车夫",
    "守夜的",
];
const THEN: [&str; 28] = [
    "没有说话",
    "心里一沉",
    "把手缩回袖中",
    "转身就走",
    "叹了口气",
    "半天没动",
    "只觉得冷",
    "咬了咬牙",
    "往巷子深处去了",
    "眉头皱起来",
    "声音低下去",
    "谁也不敢应声",
    "又坐回原处",
    "茶已经凉了",
    "手心全是汗",
    "脚步慢下来",
    "忽然笑了",
    "抬头看天",
    "把灯拨亮了些",
    "朝河边走去",
    "数着更声",
    "把门闩上",
    "像是忘了什么",
    "吹灭了灯",
    "喉咙发紧",
    "背后有人咳嗽",
    "衣角湿了",
    "鞋底沾着泥",
];
const THING: [&str; 24] = [
    "一碗面",
    "半壶酒",
    "旧斗笠",
    "一捆柴",
    "那把伞",
    "灯笼",
    "铜盆",
    "布包",
    "一串铜钱",
    "药罐",
    "马鞍",
    "竹篮",
    "窗纸",
    "炭火",
    "门环",
    "井绳",
    "扁担",
    "木梳",
    "茶盏",
    "油纸",
    "草鞋",
    "香炉",
    "棉被",
    "算筹",
];

fn filler(dice: &mut Dice, subject: Option<&str>) -> String {
    let (when, who, then) = (dice.pick(&WHEN), dice.pick(&WHO), dice.pick(&THEN));
    let (thing, does) = (dice.pick(&THING), dice.pick(&DOES));
    match (subject, dice.roll(4)) {
        (Some(it), 0) => format!("{when}，{who}{does}{it}，{then}。"),
        (Some(it), 1) => format!("{it}就在那里。{who}{does}{thing}，{then}。"),
        (Some(it), 2) => format!("“{it}呢？”{who}问。{when}，没有人{does}{thing}。"),
        (Some(it), _) => format!("{who}为了{it}{then}，{when}还{does}{thing}。"),
        (None, 0) => format!("{when}，{who}{does}{thing}，{then}。"),
        (None, _) => format!("{who}{then}。{when}，{thing}还在原处。"),
    }
}

struct Planted {
    subject: &'static str,
    fact: String,
    shared: &'static str,
    chapter: u32,
}

/// A book of `length` chapters. Every subject occurs in a third of them at least; fact `n` stands in
/// one chapter, `back(n)` before the end.
fn book(length: u32, back: impl Fn(usize) -> u32) -> (MemoryBook, Vec<Planted>) {
    let mut dice = Dice(7);
    let planted: Vec<Planted> = FACTS
        .iter()
        .zip(SUBJECTS)
        .enumerate()
        .map(|(at, ((fact, shared), subject))| Planted {
            subject,
            fact: fact.replace("{}", subject),
            shared,
            chapter: (length + 1).saturating_sub(back(at)).max(1),
        })
        .collect();
    let mut book = MemoryBook::new();
    for number in 1..=length {
        let mut paragraphs: Vec<String> = Vec::new();
        for subject in SUBJECTS {
            if dice.roll(100) < 42 {
                paragraphs.push(filler(&mut dice, Some(subject)));
            }
        }
        for _ in 0..8 {
            paragraphs.push(filler(&mut dice, None));
        }
        for one in planted.iter().filter(|one| one.chapter == number) {
            let at = dice.roll(paragraphs.len());
            let mut text = filler(&mut dice, None);
            text.push_str(&one.fact);
            text.push_str(&filler(&mut dice, None));
            paragraphs.insert(at, text);
        }
        write(&mut book, number, &paragraphs.join("\n\n"));
    }
    (book, planted)
}

/// The share of the facts that are among the passages for `chapter`, for a plan that names the
/// subject, the hero and two others; every second plan shares nothing else with the fact.
fn found(book: &MemoryBook, planted: &[Planted], chapter: u32, tokens: u64) -> (usize, usize) {
    let mut dice = Dice(11);
    let digests = Digests::default();
    let (mut found, mut all) = (0, 0);
    for (at, one) in planted
        .iter()
        .enumerate()
        .filter(|(_, one)| one.chapter < chapter)
    {
        let others = [dice.pick(&SUBJECTS), dice.pick(&SUBJECTS)];
        let words = if at % 2 == 0 { "" } else { one.shared };
        let plan = format!(
            "林枫带着人来到{}，为的是{}，{words}。{}也在场，双方对峙到天亮。\n地点：{}\n冲突：林枫要问清一件旧事",
            others[0], one.subject, others[1], others[0]
        );
        let named = |name: &str| vec![name.to_owned()];
        let wanted = Wanted {
            chapter: no(chapter),
            plan: &plan,
            named: vec![
                named("林枫"),
                named(one.subject),
                named(others[0]),
                named(others[1]),
            ],
            given: &[],
            withheld: &[],
            tokens,
        };
        let passages = recall(book, &digests, &wanted, |_| Ok(true)).unwrap();
        let spent: u64 = passages
            .iter()
            .map(|passage| estimate_tokens(&passage.text))
            .sum();
        assert!(spent <= tokens, "{spent} of {tokens}");
        all += 1;
        found += usize::from(passages.iter().any(|it| it.text.contains(&one.fact)));
    }
    (found, all)
}

#[test]
fn nineteen_of_twenty_facts_are_recalled_at_chapter_300_within_2000_tokens() {
    let (book, planted) = book(299, |at| 5 + 7 * at as u32);
    for subject in SUBJECTS {
        let texts = book.files().values();
        let chapters = texts
            .filter(|it| std::str::from_utf8(it).unwrap().contains(subject))
            .count();
        assert!(chapters > 100, "{subject}: {chapters}");
    }
    for tokens in [500, 1_000, 1_500, 2_000, 3_000, 4_000] {
        let (found, all) = found(&book, &planted, 300, tokens);
        println!("chapter 300, {tokens} tokens: {found} of {all}");
        if tokens == 2_000 {
            assert!(found * 100 >= all * 95, "{found} of {all}");
        }
    }
}

#[test]
fn facts_five_to_five_hundred_chapters_back_are_recalled() {
    let (book, planted) = book(519, |at| 5 + at as u32 * 495 / 39);
    let (found, all) = found(&book, &planted, 520, 2_000);
    println!("chapter 520, 2000 tokens: {found} of {all}");
    assert!(found * 100 >= all * 95, "{found} of {all}");
}

#[test]
fn nothing_is_recalled_twice_or_that_is_given_or_kept_secret() {
    let mut book = MemoryBook::new();
    write(
        &mut book,
        1,
        "银哨子是左撇子做的，孔在右边。\n\n银哨子原来属于裴九的母亲。",
    );
    write(
        &mut book,
        2,
        "银哨子是左撇子做的，孔在右边。\n\n银哨子里藏着一枚蜡丸。",
    );
    for number in 3..9 {
        write(&mut book, number, "什么也没有发生。");
    }
    let (given, secret) = (
        "银哨子里藏着一枚蜡丸。".to_owned(),
        "裴九的母亲有银哨子".to_owned(),
    );
    let wanted = Wanted {
        chapter: no(9),
        plan: "林枫拿出银哨子",
        named: vec![vec!["林枫".to_owned()]],
        given: &[given],
        withheld: &[secret],
        tokens: 2_000,
    };
    let passages = recall(&book, &Digests::default(), &wanted, |_| Ok(true)).unwrap();
    let texts: Vec<&str> = passages.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["银哨子是左撇子做的，孔在右边。"]);
    assert_eq!(
        recall(&book, &Digests::default(), &wanted, |_| Ok(false)).unwrap(),
        []
    );
    // The same files, the same passages.
    assert_eq!(
        recall(&book, &Digests::default(), &wanted, |_| Ok(true)).unwrap(),
        passages
    );
}

#[test]
fn a_damaged_chapter_is_an_error() {
    let mut book = MemoryBook::new();
    book.write(novel_model::layout::chapter_json(no(1)), "{");
    let wanted = Wanted {
        chapter: no(2),
        plan: "林枫",
        named: vec![vec!["林枫".to_owned()]],
        given: &[],
        withheld: &[],
        tokens: 2_000,
    };
    assert!(recall(&book, &Digests::default(), &wanted, |_| Ok(true)).is_err());
}

/// A book whose files have states, as those on a disk have.
#[derive(Clone, Default)]
struct Disk {
    book: MemoryBook,
    states: BTreeMap<RelPath, u64>,
    /// The next state.
    state: u64,
    /// What was read, in order.
    read: std::sync::Arc<std::sync::Mutex<Vec<RelPath>>>,
}

impl Disk {
    fn put(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        self.state += 1;
        self.states.insert(path.clone(), self.state);
        self.book.write(path, bytes);
    }

    fn chapter(&mut self, number: u32, text: &str) {
        let mut written = MemoryBook::new();
        write(&mut written, number, text);
        let (path, bytes) = written.files().iter().next().unwrap();
        self.put(path.clone(), bytes.clone());
    }

    fn remove(&mut self, path: &RelPath) {
        self.states.remove(path);
        self.book.remove(path);
    }

    fn refresh(&mut self, last: u32) {
        let last = ChapterNo::new(last);
        for (path, bytes) in outdated(self, &Digests::default(), last).unwrap() {
            self.put(path, bytes);
        }
    }

    /// Refreshes until nothing changes: states of what was just written are noted the next time.
    fn settle(&mut self, last: u32) {
        self.refresh(last);
        self.refresh(last);
        let last = ChapterNo::new(last);
        assert!(
            outdated(self, &Digests::default(), last)
                .unwrap()
                .is_empty()
        );
    }

    /// The book without its index.
    fn bare(&self) -> MemoryBook {
        let mut bare = MemoryBook::new();
        for (path, bytes) in self.book.files() {
            if !layout::is_cached(path) {
                bare.write(path.clone(), bytes.clone());
            }
        }
        bare
    }

    fn chapters_read(&self) -> usize {
        let read = self.read.lock().unwrap();
        read.iter()
            .filter(|path| layout::chapter_of(path).is_some())
            .count()
    }
}

impl BookReader for Disk {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.read.lock().unwrap().push(path.clone());
        self.book.read(path)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.book.list(directory)
    }

    fn stamp(&self, path: &RelPath) -> Option<u64> {
        self.states.get(path).copied()
    }
}

fn asked(book: &dyn BookReader, chapter: u32, subjects: &[&str]) -> Vec<Passage> {
    let plan = format!("林枫来到{}，为的是{}。", subjects[0], subjects.join("和"));
    let wanted = Wanted {
        chapter: no(chapter),
        plan: &plan,
        named: subjects.iter().map(|it| vec![(*it).to_owned()]).collect(),
        given: &[],
        withheld: &[],
        tokens: 600,
    };
    recall(book, &Digests::default(), &wanted, |_| Ok(true)).unwrap()
}

/// The passages with the index are those without it.
#[track_caller]
fn assert_same_as_without(disk: &Disk, chapter: u32) {
    for subjects in [
        ["铜钥匙", "沈砚"],
        ["白马客栈", "林枫"],
        ["Old Chen", "Will"],
    ] {
        let expected = asked(&disk.bare(), chapter, &subjects);
        assert_eq!(asked(disk, chapter, &subjects), expected, "{subjects:?}");
    }
}

/// A page of prose in which the subjects of [`assert_same_as_without`] occur now and then.
fn page(dice: &mut Dice) -> String {
    let named = ["铜钥匙", "沈砚", "白马客栈", "林枫", "孟婆婆"];
    let english = [
        "Old Chen locked the door and would not say why.",
        "Will you come? Will asked the old man twice.",
        "They will burn the barge at dawn, said Chen.",
    ];
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..6 {
        let subject = (dice.roll(2) == 0).then(|| named[dice.roll(named.len())]);
        lines.push(filler(dice, subject));
        if dice.roll(4) == 0 {
            lines.push(english[dice.roll(english.len())].to_owned());
        }
    }
    lines.join(if dice.roll(2) == 0 { "\n\n" } else { "" })
}

fn shelf(chapters: u32, seed: u64) -> Disk {
    let mut dice = Dice(seed);
    let mut disk = Disk::default();
    for number in 1..=chapters {
        disk.chapter(number, &page(&mut dice));
    }
    disk
}

#[test]
fn whatever_is_done_to_a_book_its_index_changes_no_passage() {
    for seed in 1..=12 {
        let mut dice = Dice(seed);
        let mut last = 40 + dice.roll(100) as u32;
        let mut disk = shelf(last, seed + 100);
        for _ in 0..14 {
            match dice.roll(9) {
                // By the program or by hand; the index learns of it or not.
                0 | 1 => disk.chapter(1 + dice.roll(last as usize) as u32, &page(&mut dice)),
                2 | 3 => {
                    last += 1;
                    disk.chapter(last, &page(&mut dice));
                }
                4 => {
                    let back = (dice.roll(50) as u32).min(last - 5);
                    for number in last - back + 1..=last {
                        disk.remove(&layout::chapter_json(no(number)));
                    }
                    last -= back;
                }
                5 => disk.remove(&layout::recall_block(no(1))),
                6 => {
                    let path = layout::chapter_json(no(1 + dice.roll(last as usize) as u32));
                    disk.remove(&path);
                }
                _ => disk.refresh(last),
            }
            assert_same_as_without(&disk, last + 1);
        }
        // Bit by bit or at once: the same files.
        disk.settle(last);
        let mut anew = Disk::default();
        for (path, bytes) in disk.bare().files() {
            anew.put(path.clone(), bytes.clone());
        }
        anew.refresh(last);
        let blocks = |disk: &Disk| -> Vec<(RelPath, Vec<u8>)> {
            let files = disk.book.files().iter();
            let files = files.filter(|(path, _)| layout::is_cached(path));
            files
                .filter(|(path, _)| **path != layout::recall_stamps())
                .map(|(path, bytes)| (path.clone(), bytes.clone()))
                .collect()
        };
        // Blocks of chapters that are gone may stay; nobody asks for them.
        let kept: BTreeMap<RelPath, Vec<u8>> = blocks(&disk).into_iter().collect();
        for (path, bytes) in blocks(&anew) {
            assert_eq!(kept.get(&path), Some(&bytes), "seed {seed}: {path}");
        }
        // A chapter in the middle knows nothing of the later ones.
        let middle = last / 2;
        let mut until = disk.clone();
        for number in middle..=last {
            until.remove(&layout::chapter_json(no(number)));
        }
        let subjects = ["铜钥匙", "沈砚"];
        assert_eq!(
            asked(&disk, middle, &subjects),
            asked(&until.bare(), middle, &subjects)
        );
    }
}

#[test]
fn with_an_index_only_chapters_with_passages_are_opened() {
    let mut disk = shelf(200, 5);
    disk.settle(200);
    disk.read.lock().unwrap().clear();
    let passages = asked(&disk, 201, &["铜钥匙", "沈砚"]);
    let chapters: BTreeSet<ChapterNo> = passages.iter().map(|it| it.chapter).collect();
    let read = disk.chapters_read();
    assert!(
        chapters.len() > 5 && read < 40,
        "{} of {read}",
        chapters.len()
    );
}

#[test]
fn an_index_that_is_damaged_foreign_or_of_other_chapters_is_not_believed() {
    let mut disk = shelf(70, 3);
    disk.settle(70);
    let first = layout::recall_block(no(1));
    let sound = disk.book.files()[&first].clone();
    let mut other = shelf(70, 4);
    other.settle(70);
    let sealed = |mut bytes: Vec<u8>| {
        let end = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        bytes
    };
    let swapped = {
        // The hashes of chapters 1 and 2, each in the place of the other.
        let mut bytes = sound.clone();
        let (one, two) = (bytes[20..52].to_vec(), bytes[60..92].to_vec());
        bytes[20..52].copy_from_slice(&two);
        bytes[60..92].copy_from_slice(&one);
        sealed(bytes)
    };
    let renamed = {
        let mut bytes = sound.clone();
        bytes[16..20].copy_from_slice(&9_u32.to_le_bytes());
        sealed(bytes)
    };
    let unknown = {
        let mut bytes = sound.clone();
        bytes[25] ^= 1;
        sealed(bytes)
    };
    let mut wrong = vec![
        ("another book's", other.book.files()[&first].clone()),
        (
            "another block",
            disk.book.files()[&layout::recall_block(no(65))].clone(),
        ),
        ("swapped", swapped),
        ("renamed", renamed),
        ("unknown hash", unknown),
        ("empty", Vec::new()),
        ("text", b"{}".to_vec()),
    ];
    for cut in [1, 4, 8, 15, 16, 40, sound.len() / 2, sound.len() - 1] {
        wrong.push(("cut", sound[..cut].to_vec()));
        wrong.push((
            "cut and sealed",
            sealed([&sound[..cut], &[0; 4][..]].concat()),
        ));
    }
    for at in (0..sound.len() - 4).step_by(997) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x41;
        wrong.push(("one byte", bytes));
    }
    for (what, bytes) in wrong {
        println!("{what}");
        let mut disk = disk.clone();
        // Its state is not looked at by recall; the chapters' are.
        disk.book.write(first.clone(), bytes.clone());
        assert_same_as_without(&disk, 71);
    }
    // The states of another book's files, of other chapters, or nonsense.
    for bytes in [
        other.book.files()[&layout::recall_stamps()].clone(),
        b"NSTAMPS1".to_vec(),
        vec![0xFF; 200],
    ] {
        let mut disk = disk.clone();
        disk.chapter(7, "铜钥匙在沈砚手里断成两截。");
        disk.book.write(layout::recall_stamps(), bytes);
        assert_same_as_without(&disk, 71);
    }
}

#[test]
fn terms_that_are_not_in_the_text_bring_no_passage() {
    let mut disk = shelf(70, 3);
    disk.settle(70);
    // Sound in form and hash: all of its terms stand in other sentences than it says.
    let path = layout::recall_block(no(1));
    let mut bytes = disk.book.files()[&path].clone();
    let end = bytes.len() - 4;
    let from = end - end / 4;
    bytes[from..end].rotate_left(7);
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    disk.book.write(path, bytes);
    for passage in asked(&disk, 71, &["铜钥匙", "沈砚"]) {
        let path = layout::chapter_json(passage.chapter);
        let chapter = Document::<GeneratedChapter>::load_value(&disk.book, &path).unwrap();
        assert!(chapter.unwrap().scenes[0].content.contains(&passage.text));
        for name in &passage.about {
            assert!(passage.text.contains(name), "{passage:?}");
        }
    }
}

#[test]
fn a_state_that_lies_is_found_out_where_a_passage_is_taken() {
    let mut disk = shelf(70, 3);
    disk.chapter(20, "铜钥匙藏在沈砚的鞋底，鞋底缝着七根鱼骨。");
    disk.settle(70);
    let path = layout::chapter_json(no(20));
    let state = disk.states[&path];
    disk.chapter(20, "铜钥匙早已熔成沈砚腰间的铃铛。");
    // As if nothing had happened to the file.
    disk.states.insert(path, state);
    let passages = asked(&disk, 71, &["铜钥匙", "沈砚"]);
    assert_eq!(passages, asked(&disk.bare(), 71, &["铜钥匙", "沈砚"]));
    assert!(passages.iter().any(|it| it.text.contains("铃铛")));
}
