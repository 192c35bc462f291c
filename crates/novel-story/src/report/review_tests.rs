//! Tests of the review file.

use super::*;

#[test]
fn headings_of_the_advice_stay_inside_their_section() {
    let advice = "# 总评\n好。\n## 细节\n```\n# 不是标题\n```\n#也不是\n";
    insta::assert_snapshot!(compose("# R\n", advice, Lang::Zh), @r"
    # R

    ## 建议

    ### 总评
    好。
    #### 细节
    ```
    # 不是标题
    ```
    #也不是
    ");
    let low = "### 总评\n";
    assert!(compose("", low, Lang::En).ends_with("## Advice\n\n### 总评\n"));
}

#[test]
fn advice_without_words_is_refused_and_long_advice_is_remarked() {
    let path = "staging/volumes/vol-01/review.md".parse().unwrap();
    for empty in ["", " \n", "# \n* * *\n"] {
        let findings = check_advice(&path, empty);
        assert_eq!(findings.problems[0].code, "empty", "{empty:?}");
    }
    assert_eq!(check_advice(&path, "好。").warnings, []);
    let long = check_advice(&path, &"好".repeat(MAX_ADVICE_WORDS + 1));
    assert_eq!(long.problems, []);
    assert_eq!(long.warnings[0].code, "long_advice");
}
