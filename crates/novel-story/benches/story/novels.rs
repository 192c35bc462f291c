//! Real novels with ledgers of people who die in them: every finding is a false alarm.

use std::{env, fs, path::PathBuf, time::Instant};

use novel_story::check::candidates_in;
use novel_testkit::{
    sanguo::Sanguo,
    story::{Book, Chapter},
};
use serde_json::json;

use super::cases::findings;

/// Who dies in 三国演义: name, further names, chapter.
const SANGUO: &[(&str, &[&str], usize)] = &[
    ("何进", &[], 3),
    ("丁原", &["丁建阳"], 3),
    ("华雄", &[], 5),
    ("孙坚", &["孙文台"], 7),
    ("董卓", &[], 9),
    ("王允", &[], 9),
    ("李傕", &[], 17),
    ("郭汜", &[], 17),
    ("典韦", &[], 16),
    ("陶谦", &["陶恭祖"], 12),
    ("吕布", &["吕奉先"], 19),
    ("陈宫", &["陈公台"], 19),
    ("高顺", &[], 19),
    ("袁术", &["袁公路"], 21),
    ("公孙瓒", &[], 21),
    ("颜良", &[], 25),
    ("文丑", &[], 26),
    ("孙策", &["孙伯符"], 29),
    ("于吉", &[], 29),
    ("袁绍", &["袁本初"], 32),
    ("郭嘉", &["郭奉孝"], 33),
    ("刘表", &["刘景升"], 40),
    ("蔡瑁", &[], 45),
    ("周瑜", &["周公瑾"], 57),
    ("马腾", &[], 57),
    ("荀彧", &["荀文若"], 61),
    ("庞统", &["庞士元", "凤雏"], 63),
    ("鲁肃", &["鲁子敬"], 68),
    ("夏侯渊", &["夏侯妙才"], 71),
    ("庞德", &[], 74),
    ("关羽", &["关云长", "云长", "关公"], 77),
    ("吕蒙", &["吕子明"], 77),
    ("曹操", &["曹孟德", "孟德"], 78),
    ("张飞", &["张翼德", "翼德"], 81),
    ("黄忠", &["黄汉升"], 83),
    ("甘宁", &[], 83),
    ("刘备", &["刘玄德", "玄德", "先主"], 85),
    ("曹丕", &[], 91),
    ("马谡", &["幼常"], 96),
    ("赵云", &["赵子龙", "子龙"], 97),
    ("张苞", &[], 99),
    ("张郃", &[], 101),
    ("关兴", &[], 102),
    ("诸葛亮", &["孔明", "诸葛孔明"], 104),
    ("魏延", &["文长"], 105),
    ("曹叡", &[], 106),
    ("曹爽", &[], 107),
    ("司马懿", &["仲达", "司马仲达"], 108),
    ("孙权", &["孙仲谋"], 108),
    ("陆逊", &["陆伯言"], 108),
];

/// Who is gone in an English novel, after which share of its chapters. People who die in it, are
/// dead when it begins, or do nothing after their last scene and are still spoken of.
const ENGLISH: &[(&str, &[(&str, f64)])] = &[
    (
        "melville-moby_dick.txt",
        &[
            ("Bulkington", 0.20),
            ("Father Mapple", 0.12),
            ("Mapple", 0.12),
            ("Peter Coffin", 0.06),
            ("Mrs. Hussey", 0.20),
            ("Hosea Hussey", 0.20),
            ("Bildad", 0.25),
            ("Peleg", 0.25),
            ("Captain Bildad", 0.25),
            ("Captain Peleg", 0.25),
            ("Elijah", 0.25),
            ("Radney", 0.46),
            ("Steelkilt", 0.46),
            ("Aunt Charity", 0.25),
            ("Captain Boomer", 0.80),
            ("Dr. Bunger", 0.80),
            ("Derick", 0.66),
            ("Gabriel", 0.60),
            ("Captain Mayhew", 0.60),
            ("Perth", 0.99),
            ("Macey", 0.60),
            ("Don Sebastian", 0.46),
            ("Captain Coffin", 0.06),
            ("Sal", 0.06),
        ],
    ),
    (
        "austen-emma.txt",
        &[
            ("Mrs. Churchill", 0.85),
            ("Miss Campbell", 0.02),
            ("Miss Churchill", 0.02),
            ("Mrs. Campbell", 0.02),
            ("Mr. Dixon", 0.02),
            ("Mrs. Dixon", 0.02),
            ("Mrs. Bragge", 0.02),
            ("Mr. Suckling", 0.02),
            ("Mrs. Suckling", 0.02),
            ("Selina", 0.02),
            ("Mrs. Smallridge", 0.02),
            ("Mrs. Otway", 0.02),
            ("Mr. Otway", 0.02),
            ("Hannah", 0.02),
            ("Serle", 0.02),
            ("Dr. Hughes", 0.02),
            ("Mrs. Stokes", 0.02),
            ("Mrs. Gilbert", 0.02),
            ("William Larkins", 0.02),
            ("Mr. Churchill", 0.02),
            ("Captain Weston", 0.10),
            ("Robert Cole", 0.02),
        ],
    ),
    (
        "austen-persuasion.txt",
        &[
            ("Lady Elliot", 0.02),
            ("Dick Musgrove", 0.1),
            ("Fanny Harville", 0.4),
            ("Mr. Smith", 0.6),
            ("Mr. Hayter", 0.02),
            ("Governor of Barbados", 0.02),
            ("Sir Archibald Drew", 0.02),
            ("Lady St. Ives", 0.02),
            ("Lord St. Ives", 0.02),
            ("Admiral Baldwin", 0.02),
            ("Lady Wentworth", 0.02),
            ("Mrs. Wallis", 0.02),
            ("Dr. Shirley", 0.02),
            ("Mrs. Shirley", 0.02),
            ("Mrs. Speed", 0.02),
            ("Nurse Rooke", 0.02),
            ("Sir Basil Morley", 0.02),
            ("Admiral Brand", 0.02),
            ("Mackenzie", 0.02),
            ("Sarah", 0.02),
            ("Lady Mary Grierson", 0.02),
            ("Miss Hamilton", 0.02),
        ],
    ),
    (
        "austen-sense.txt",
        &[
            ("Henry Dashwood", 0.04),
            ("Mr. Henry Dashwood", 0.04),
            ("Mr. Brandon", 0.02),
            ("Miss Morton", 0.02),
            ("Sir John Middleton the elder", 0.02),
            ("Mr. Pratt", 0.02),
            ("Lord Morton", 0.02),
            ("Eliza", 0.02),
            ("Mrs. Ferrars the elder", 0.02),
            ("Miss Grey", 0.02),
            ("Mrs. Ellison", 0.02),
            ("Mr. Ellison", 0.02),
            ("Mrs. Dennison", 0.02),
            ("Mrs. Taylor", 0.02),
            ("Mr. Donavan", 0.02),
            ("Richardson", 0.02),
            ("Nancy", 0.02),
            ("Betty", 0.02),
            ("Cartwright", 0.02),
            ("Mr. Harris", 0.9),
            ("Miss Sparks", 0.02),
            ("Martha Sharpe", 0.02),
            ("Lady Courtland", 0.02),
        ],
    ),
    ("chesterton-brown.txt", &[]),
    ("chesterton-thursday.txt", &[]),
    ("edgeworth-parents.txt", &[]),
];

/// What is so of somebody throughout a novel: name, field, value. A tie names the other after a dot.
type Lasting = (&'static str, &'static str, &'static str);

/// What is so of people throughout a novel.
const LIVING: &[(&str, &[Lasting])] = &[
    (
        "三国演义",
        &[
            ("简雍", "relationships.糜竺", "盟友"),
            ("糜竺", "rank", "从事"),
            ("许褚", "relationships.徐晃", "同袍"),
            ("徐晃", "rank", "将军"),
            ("孙乾", "relationships.简雍", "同僚"),
        ],
    ),
    (
        "melville-moby_dick.txt",
        &[
            ("Ahab", "rank", "captain"),
            ("Starbuck", "rank", "first mate"),
            ("Stubb", "rank", "second mate"),
            ("Queequeg", "relationships.Starbuck", "comrade"),
            ("Stubb", "relationships.Flask", "comrade"),
        ],
    ),
    (
        "austen-emma.txt",
        &[
            ("Emma", "age", "21"),
            ("Emma", "relationships.Harriet", "friend"),
            ("Mr. Knightley", "relationships.Emma", "friend"),
            ("Mrs. Weston", "relationships.Emma", "friend"),
            ("Mr. Elton", "rank", "vicar"),
        ],
    ),
    (
        "austen-persuasion.txt",
        &[
            ("Anne", "age", "27"),
            ("Wentworth", "rank", "captain"),
            ("Admiral Croft", "rank", "admiral"),
            ("Lady Russell", "relationships.Anne", "friend"),
            ("Harville", "relationships.Wentworth", "friend"),
        ],
    ),
    (
        "austen-sense.txt",
        &[
            ("Elinor", "age", "19"),
            ("Colonel Brandon", "rank", "colonel"),
            ("Elinor", "relationships.Marianne", "close"),
            ("Mrs. Jennings", "relationships.Elinor", "friend"),
            ("Colonel Brandon", "relationships.Willoughby", "enemy"),
        ],
    ),
];

/// Adds what is so throughout to the cast and to the first chapter.
fn add_living(name: &str, book: &mut Book) {
    let known = LIVING.iter().find(|(novel, _)| *novel == name);
    let mut ids: Vec<&str> = Vec::new();
    let mut ops = Vec::new();
    for (who, field, value) in known.into_iter().flat_map(|(_, facts)| *facts) {
        let other = field.split_once('.').map(|(_, other)| other);
        for person in [Some(*who), other].into_iter().flatten() {
            if !ids.contains(&person) {
                book.character(&format!("living-{}", ids.len()), person, &[]);
                ids.push(person);
            }
        }
        let id = |person: &str| ids.iter().position(|known| *known == person).unwrap();
        let field = match other {
            Some(other) => format!("relationships.living-{}", id(other)),
            None => (*field).to_owned(),
        };
        let path = format!("characters.living-{}.{field}", id(who));
        ops.push(json!({"op": "set", "path": path, "value": value}));
    }
    if let Some(first) = book.chapters.first_mut() {
        first.ops.extend(ops);
    }
}

#[expect(clippy::disallowed_methods, reason = "reads the novels")]
pub(crate) fn run(tune: bool) {
    let mut characters = 0;
    let mut alarms = 0;
    if let Some(sanguo) = Sanguo::fetched() {
        let mut book = Book {
            language: "zh-CN",
            ..Book::default()
        };
        for (index, (name, aliases, _)) in SANGUO.iter().enumerate() {
            book.character(&format!("p{index}"), name, aliases);
        }
        for (at, chapter) in sanguo.chapters.iter().enumerate() {
            let (_, text) = Sanguo::parts(chapter);
            let dead = SANGUO
                .iter()
                .enumerate()
                .filter(|(_, (_, _, dies))| *dies == at + 1);
            let ops = dead.map(|(index, _)| json!({"op": "set", "path": format!("characters.p{index}.status"), "value": "战死"}));
            book.chapters.push(Chapter::of(text, ops.collect()));
        }
        add_living("三国演义", &mut book);
        report("三国演义", &book, tune, &mut characters, &mut alarms);
    }
    let Some(cache) = cache() else {
        return;
    };
    for (file, gone) in ENGLISH {
        let Ok(text) = fs::read(cache.join(file)) else {
            println!("skipped: {file} (run scripts/novel-texts.sh)");
            continue;
        };
        let text = String::from_utf8_lossy(&text).replace('\r', "");
        let mut book = Book {
            language: "en",
            ..Book::default()
        };
        for (index, (name, _)) in gone.iter().enumerate() {
            book.character(&format!("p{index}"), name, &[]);
        }
        let pieces = split(&text);
        let all = pieces.len() as f64;
        for (at, piece) in pieces.into_iter().enumerate() {
            let dead = gone
                .iter()
                .enumerate()
                .filter(|(_, (_, share))| (share * all) as usize == at);
            let ops = dead.map(|(index, _)| json!({"op": "set", "path": format!("characters.p{index}.status"), "value": "dead"}));
            book.chapters.push(Chapter::of(piece, ops.collect()));
        }
        add_living(file, &mut book);
        report(file, &book, tune, &mut characters, &mut alarms);
    }
    println!(
        "real novels: {alarms} finding(s) in {characters} characters, {:.2} per million",
        alarms as f64 * 1e6 / characters as f64
    );
}

/// Pieces of about ten thousand characters, cut at blank lines.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for paragraph in text.split("\n\n") {
        let last = pieces.last_mut().unwrap();
        last.push_str(paragraph);
        last.push_str("\n\n");
        if last.len() > 10_000 {
            pieces.push(String::new());
        }
    }
    pieces
}

/// Characters of a chapter whose candidates are counted.
const CHAPTER: usize = 3_000;

/// How many candidates chapters of one length have, and what they cost.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn report_candidates(name: &str, book: &Book) {
    let mut pieces = Vec::new();
    for chapter in &book.chapters {
        let mut rest = chapter.scenes[0].as_str();
        while let Some((at, _)) = rest.char_indices().nth(CHAPTER) {
            let ends = |char: char| matches!(char, '。' | '\n');
            let end = rest[at..].find(ends).map_or(rest.len(), |found| at + found);
            let end = end + rest[end..].chars().next().map_or(0, char::len_utf8);
            pieces.push(Chapter::of(&rest[..end], Vec::new()));
            rest = &rest[end..];
        }
        pieces.push(Chapter::of(rest, chapter.ops.clone()));
    }
    let book = Book {
        chapters: pieces,
        ..book.clone()
    };
    let (files, config) = (book.write(), book.config());
    let begun = Instant::now();
    let mut counts: Vec<usize> = candidates_in(&files, &config, book.numbered())
        .unwrap()
        .map(|(_, found)| found.unwrap().len())
        .collect();
    let took = begun.elapsed().as_secs_f64() * 1e3 / counts.len() as f64;
    counts.sort_unstable();
    let (median, most) = (counts[counts.len() / 2], counts[counts.len() - 1]);
    let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    println!(
        "{name:28} candidates of {} chapters of {CHAPTER} characters: median {median}, mean {mean:.1}, most {most}; {took:.2} ms a chapter",
        counts.len()
    );
}

fn report(name: &str, book: &Book, tune: bool, characters: &mut usize, alarms: &mut usize) {
    let length: usize = book
        .chapters
        .iter()
        .map(|chapter| chapter.scenes[0].chars().count())
        .sum();
    let found: Vec<_> = findings(book)
        .into_iter()
        .filter(|finding| finding.code.as_str() != "UNREGISTERED_NAME_RECURS")
        .collect();
    println!(
        "{name:28} {length:>8} characters, {} people in the ledger, {} finding(s)",
        book.files.len(),
        found.len()
    );
    if tune {
        for finding in &found {
            println!(
                "   {} {} {}",
                finding.chapter,
                finding.code,
                finding.place.quotation.replace('\n', " ")
            );
        }
    }
    if !book.files.is_empty() {
        report_candidates(name, book);
    }
    *characters += length;
    *alarms += found.len();
}

pub(crate) fn cache() -> Option<PathBuf> {
    env::var_os("NOVEL_TEXTS").map(PathBuf::from).or_else(|| {
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        Some(cache.or(home)?.join("novel-texts"))
    })
}
