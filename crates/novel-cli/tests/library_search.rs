//! `novel search`: words, phrases and names in a book, without an index.

use std::{collections::BTreeSet, fs};

use novel_testkit::{TestBook, assert_same_tree, sanguo::Sanguo, tree};
use serde_json::{Value, json};

/// The chapters of all results.
fn chapters_of(data: &Value) -> BTreeSet<u64> {
    let results = data["results"].as_array().unwrap().iter();
    results
        .filter_map(|result| result["chapter"].as_u64())
        .collect()
}

fn library() -> TestBook {
    let shelf = TestBook::with_file(
        "a.txt",
        "第一章 上山\n　　林枫拿着密信上山，小枫很累。\n***\n　　夜里他探看了废墟。\n第二章 下山\n　　山上有一座古塔，The Tower of Song。\n第三章 出海\n　　枫儿想起夜探之人，废墟已远，探废之事不提。\n",
    );
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    shelf.write(
        "book/characters/active/lin-feng.json",
        "{\n  \"id\": \"lin-feng\",\n  \"display_name\": \"林枫\",\n  \"aliases\": [\"小枫\", \"枫儿\"],\n  \"contracts\": []\n}\n",
    );
    shelf.write(
        "book/summaries/chapter-002-summary.md",
        "## 第 2 章\n\n林枫看见古塔。\n",
    );
    shelf.write("book/world/geography.md", "古塔在山上。\n");
    shelf
}

fn search(shelf: &TestBook, args: &[&str]) -> Value {
    shelf
        .ask(&[&["search", "--project", "book"], args].concat())
        .data()
}

#[test]
fn a_name_finds_its_aliases_with_chapter_scene_and_snippet() {
    let shelf = library();
    let before = tree(&shelf.path("book"));
    let data = search(&shelf, &["小枫", "--in", "chapters"]);
    assert_eq!(
        data["terms"],
        json!([{"text": "小枫", "names": ["小枫", "林枫", "枫儿"]}])
    );
    assert_eq!(data["total"], 2);
    let first = &data["results"][0];
    assert_eq!(
        (
            &first["chapter"],
            &first["scene"],
            &first["count"],
            &first["title"]
        ),
        (&json!(1), &json!(1), &json!(2), &json!("上山"))
    );
    assert_eq!(first["path"], "chapters/chapter_001.json");
    assert_eq!(first["snippet"], "林枫拿着密信上山，小枫很累。");
    assert_eq!(first["marks"], json!([[0, 2], [9, 11]]));
    assert_eq!(chapters_of(&data), [1, 3].into());
    let exact = search(&shelf, &["小枫", "--exact", "--in", "chapters"]);
    assert_eq!(chapters_of(&exact), [1].into());
    assert_same_tree(&before, &tree(&shelf.path("book")), "search writes nothing");
}

#[test]
fn words_phrases_and_shelves_narrow_a_search() {
    let shelf = library();
    // All words must be there; pairs of characters may come apart, a phrase may not.
    assert_eq!(
        chapters_of(&search(&shelf, &["林枫", "密信", "--in", "chapters"])),
        [1].into()
    );
    let loose = search(&shelf, &["夜探废墟", "--in", "chapters"]);
    assert_eq!(chapters_of(&loose), [3].into());
    assert_eq!(search(&shelf, &["\"夜探废墟\""])["total"], 0);
    assert_eq!(search(&shelf, &["\"the tower\""])["total"], 0);
    assert_eq!(chapters_of(&search(&shelf, &["tower", "song"])), [2].into());
    let tower = search(&shelf, &["古塔"]);
    let mut kinds: Vec<&str> = tower["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["in"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["chapters", "notes", "summaries"]);
    let notes = search(&shelf, &["古塔", "--in", "notes"]);
    assert_eq!(notes["results"][0]["path"], "world/geography.md");
    let one = search(&shelf, &["古塔", "--limit", "1"]);
    assert_eq!(
        (&one["total"], one["results"].as_array().unwrap().len()),
        (&json!(3), 1)
    );
}

#[test]
fn people_see_place_and_words_and_colours_only_when_asked() {
    let shelf = library();
    let plain = shelf.novel(&[
        "search",
        "林枫",
        "--project",
        "book",
        "--lang",
        "zh",
        "--in",
        "chapters",
    ]);
    insta::assert_snapshot!(plain.stdout, @r"
    第 1 章 上山 · 第 1 场  ×2
        林枫拿着密信上山，小枫很累。
    第 3 章 出海 · 第 1 场
        枫儿想起夜探之人，废墟已远，探废之事不提。
    ");
    insta::assert_snapshot!(plain.stderr, @r"
    “林枫”包括：小枫、林枫、枫儿。
    共 2 处。
    ");
    let colour = shelf.novel(&["search", "密信", "--project", "book", "--color", "always"]);
    assert!(
        colour.stdout.contains("\u{1b}[1m\u{1b}[31m密信\u{1b}[0m"),
        "{colour:?}"
    );
    let nothing = shelf.novel(&["search", "不存在", "--project", "book", "--lang", "en"]);
    assert_eq!(
        (
            nothing.code,
            nothing.stdout.as_str(),
            nothing.stderr.as_str()
        ),
        (0, "", "Nothing found.\n")
    );
}

#[test]
fn a_search_of_nothing_and_a_damaged_chapter_are_errors() {
    let shelf = library();
    let error = shelf.ask(&["search", "\"\"", "--project", "book"]).fails(2);
    assert_eq!(error["code"], "NO_SEARCH_WORDS");
    shelf.write(
        "book/chapters/chapter_002.json",
        "{\"chapter_number\": 2,\n",
    );
    let error = shelf.ask(&["search", "林枫", "--project", "book"]).fails(2);
    assert_eq!(
        error["details"]["problems"][0]["path"],
        "chapters/chapter_002.json"
    );
    shelf
        .ask(&["search", "林枫", "--in", "summaries", "--project", "book"])
        .data();
}

#[test]
fn a_name_of_a_real_novel_finds_what_a_plain_scan_finds() {
    let Some(novel) = Sanguo::fetched() else {
        return;
    };
    let shelf = TestBook::with_file("sanguo.txt", novel.text());
    shelf
        .ask(&[
            "import",
            "sanguo.txt",
            "--into",
            "book",
            "--title",
            "三国演义",
            "--yes",
        ])
        .data();
    let people = [
        ("guan-yu", "关羽"),
        ("liu-bei", "刘备"),
        ("zhuge-liang", "诸葛亮"),
        ("diao-chan", "貂蝉"),
        ("sima-yi", "司马懿"),
        ("yu-jin", "于禁"),
    ];
    for (id, name) in people {
        let names = &novel.names[name];
        let aliases: Vec<&String> = names.iter().filter(|alias| *alias != name).collect();
        let record = json!({"id": id, "display_name": name, "aliases": aliases, "contracts": []});
        shelf.write(
            &format!("book/characters/active/{id}.json"),
            format!("{record:#}\n"),
        );
    }
    for (_, name) in people {
        let names = &novel.names[name];
        let scanned: BTreeSet<u64> = (1..)
            .zip(&novel.chapters)
            .filter(|(_, chapter)| {
                let (_, text) = Sanguo::parts(chapter);
                text.contains(name) || names.iter().any(|alias| text.contains(alias.as_str()))
            })
            .map(|(number, _)| number)
            .collect();
        assert!(!scanned.is_empty(), "{name}");
        for asked in std::iter::once(name).chain(names.iter().map(String::as_str)) {
            let shared = people
                .iter()
                .filter(|(_, other)| novel.names[*other].iter().any(|alias| alias == asked));
            if shared.count() > 1 {
                continue;
            }
            let data = search(&shelf, &[asked, "--in", "chapters", "--limit", "1000"]);
            assert_eq!(chapters_of(&data), scanned, "{name} as {asked}");
        }
        let plain: BTreeSet<u64> = (1..)
            .zip(&novel.chapters)
            .filter(|(_, chapter)| Sanguo::parts(chapter).1.contains(name))
            .map(|(number, _)| number)
            .collect();
        let exact = search(
            &shelf,
            &[name, "--exact", "--in", "chapters", "--limit", "1000"],
        );
        assert_eq!(chapters_of(&exact), plain, "{name}");
        let order: Vec<u64> = exact["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["chapter"].as_u64().unwrap())
            .collect();
        assert!(order.is_sorted());
    }
}

#[test]
fn a_book_that_can_not_be_written_can_be_searched() {
    let shelf = library();
    let mut permissions = fs::metadata(shelf.path("book")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(shelf.path("book"), permissions).unwrap();
    let data = search(&shelf, &["密信"]);
    assert_eq!(chapters_of(&data), [1].into());
}
