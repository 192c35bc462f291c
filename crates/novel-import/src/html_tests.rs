use super::*;

fn texts(page: &str) -> Vec<String> {
    lines(page)
        .0
        .into_iter()
        .filter(|line| !line.text.is_empty())
        .map(|line| match line.level {
            Some(level) => format!("{level}:{}", line.text),
            None => line.text,
        })
        .collect()
}

#[test]
fn headings_paragraphs_and_breaks_are_lines() {
    let page = "<?xml version='1.0'?><!DOCTYPE html><html><head><title>x</title><style>p{}</style></head>\
        <body><h1>第一章<br/>夜雨</h1><p>　　一&amp;二 &#x4E09;<em>四</em></p><!-- <p>no</p> --><hr/>\
        <p>五<br/>六 < 七 &unknown; &lt;p&gt;</p><script>var a = '<p>';</script><img src='a.png'/></body></html>";
    assert_eq!(
        texts(page),
        [
            "1:第一章 夜雨",
            "　　一&二 三四",
            "* * *",
            "五",
            "六 < 七 &unknown; <p>"
        ]
    );
    assert_eq!(lines(page).1, 1);
}

#[test]
fn broken_pages_lose_no_text() {
    assert_eq!(texts("一<p>二<p>三</div>四"), ["一", "二", "三", "四"]);
    assert_eq!(texts("a & b &; < c"), ["a & b &; < c"]);
    assert_eq!(texts("<![CDATA[a < b & c]]>d"), ["a < b & cd"]);
}
