use novel_model::layout;

use super::problems;

const CHAPTER: &str = "# 第 2 章 局长的抽屉\n\n\
    大潮第二日的上午，陆砚推开潮信局局长室的门。邱伯远坐在桌后，正在翻看一本发黄的登记册，听见门响也没有抬头。\n\n\
    “局长，我想查七年前的投递簿。”陆砚站在桌前说。邱伯远把登记册合上，慢慢地摘下眼镜。\n\n\
    “旧档谁都不许翻，这是局里的规矩。”\n";
const OWN: &str = "## 重新作答\n你上一次的回答没有通过校验，问题如下：\n请重新给出完整的回答：逐条改正上述问题，没有问题的内容保持不变；";
const EARLIER: &str = "## 第 1 章 写给自己的信\n\n陆砚在末一只邮袋里分拣出一封潮信，收信人写的是自己的名字。信封的落款是溺亡七年的姐姐陆笙，\
    日期写着明天。他把信封凑到灯下，封口是潮信局七年前就停用的蓝蜡。\n\n### 关键事件\n- 陆砚分拣出一封潮信\n";

fn codes(summary: &str) -> Vec<&'static str> {
    let path = layout::staged_summary(novel_model::ChapterNo::new(2).unwrap());
    let found = problems(&path, summary, CHAPTER, &[OWN], &[EARLIER.to_owned()]);
    found.iter().map(|problem| problem.code).collect()
}

#[test]
fn a_summary_in_other_words_is_one() {
    let sound = "## 第 2 章摘要\n\n陆砚去局长室，要查七年前的投递簿；邱伯远拿规矩拒绝了他，说“旧档谁都不许翻”。\n\n\
        ### 关键事件\n- 陆砚要查旧档而被拒绝，因此起了疑心，决定从别处打听\n\n### 伏笔变更\n- 无\n\n\
        ### 故事线标记\n- storyline_id: main-arc\n\n### 下章须知\n- 陆砚在局长室\n";
    assert_eq!(codes(sound), Vec::<&str>::new());
}

#[test]
fn the_chapter_is_no_summary_of_itself() {
    assert_eq!(codes(CHAPTER), ["summary_is_chapter"]);
    // With a heading of a summary on top and a line of its form below, it is still the chapter.
    let disguised =
        format!("## 第 2 章摘要\n\n{CHAPTER}\n### 故事线标记\n- storyline_id: main-arc\n");
    assert_eq!(codes(&disguised), ["summary_is_chapter"]);
}

/// Attack: other punctuation, other quotation marks and white space do not make other words.
#[test]
fn a_copy_with_other_marks_is_a_copy() {
    let marked = CHAPTER
        .replace('，', ", ")
        .replace(['“', '”'], "\"")
        .replace("\n\n", " ");
    assert_eq!(codes(&marked), ["summary_is_chapter"]);
}

#[test]
fn a_line_of_the_re_ask_is_no_part_of_a_summary() {
    let echoed = "陆砚去局长室查旧档，被拒绝。\n逐条改正上述问题，没有问题的内容保持不变；";
    assert_eq!(codes(echoed), ["echo"]);
    assert_eq!(
        codes("陆砚查档。\n- contract_verification 缺失"),
        ["field_name"]
    );
}

/// A few sentences of a long chapter are a summary, if a plain one; most of it is not.
#[test]
fn a_few_sentences_of_a_long_chapter_may_stand_in_its_summary() {
    let sentence =
        |n: usize| format!("第{n}天的傍晚，{n}号码头的灯亮了又灭，陆砚数到{n}才敢回头看一眼海面。");
    let chapter: String = (1..=30).map(sentence).collect();
    let path = layout::staged_summary(novel_model::ChapterNo::new(2).unwrap());
    let found = |sentences: usize| {
        let summary: String = (1..=sentences).map(sentence).collect();
        problems(&path, &summary, &chapter, &[], &[]).len()
    };
    assert_eq!(found(4), 0);
    assert_eq!(found(24), 1);
}

#[test]
fn headings_and_marks_alone_are_no_summary() {
    for empty in [
        "- storyline_id: main-arc\n",
        "## 第 2 章摘要\n\n### 关键事件\n- 无\n\n### 故事线标记\n- storyline_id: main-arc\n",
        "……\n\n- storyline_id: main-arc\n",
    ] {
        assert_eq!(codes(empty), ["summary_says_nothing"], "{empty}");
    }
}

/// A small model gave the memory of the storyline for what happens in the chapter.
#[test]
fn a_narrative_of_an_earlier_chapter_is_refused() {
    let told_again = "## 第 2 章摘要\n\n陆砚在末一只邮袋里分拣出一封潮信，收信人写的是自己的名字；信封的落款是溺亡七年的姐姐陆笙，\
        日期写着明天；他把信封凑到灯下，封口是潮信局七年前就停用的蓝蜡。\n\n### 关键事件\n- 陆砚去局长室查旧档\n\n\
        ### 故事线标记\n- storyline_id: main-arc\n";
    assert_eq!(codes(told_again), ["summary_of_earlier"]);
    // What is still true may be said again beside what happened.
    let sound = "## 第 2 章摘要\n\n陆砚带着那封信去局长室，要查七年前的投递簿；邱伯远看过封口，拿规矩拒绝了他，却没有问信从哪里来。\
        信封的落款是溺亡七年的姐姐陆笙，日期写着明天。\n\n### 下章须知\n- 封口是潮信局七年前就停用的蓝蜡\n- 信封的落款是溺亡七年的\
        姐姐陆笙，日期写着明天；他把信封凑到灯下，封口是潮信局七年前就停用的蓝蜡\n";
    assert_eq!(codes(sound), Vec::<&str>::new());
}
