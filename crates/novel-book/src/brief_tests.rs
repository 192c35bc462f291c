use super::*;

#[test]
fn the_lines_of_a_new_brief_are_read() {
    let zh = Brief::parse(
        "# 雾港\n\n- 题材：悬疑\n- 主角：林枫，守塔人\n- 核心冲突：查出寄信人\n- 读者期待：…\n",
    );
    assert_eq!(zh.title.as_deref(), Some("雾港"));
    assert_eq!(zh.genre.as_deref(), Some("悬疑"));
    assert_eq!(zh.protagonist.as_deref(), Some("林枫，守塔人"));
    assert_eq!(zh.conflict.as_deref(), Some("查出寄信人"));
    let en = Brief::parse(
        "# Fog\n- **Genre**: mystery\n- Protagonist: Hale, a keeper\n- Core conflict: who writes\n",
    );
    assert_eq!(en.genre.as_deref(), Some("mystery"));
    assert_eq!(en.protagonist.as_deref(), Some("Hale, a keeper"));
    assert_eq!(en.conflict.as_deref(), Some("who writes"));
}

#[test]
fn a_line_left_open_is_no_answer() {
    assert_eq!(
        Brief::parse("# …\n\n- 题材：…\n- 主角：...\n"),
        Brief::default()
    );
}

#[test]
fn what_init_writes_is_read_back() {
    let full = Brief {
        title: Some("雾港来信".to_owned()),
        genre: Some("悬疑".to_owned()),
        protagonist: Some("陆砚，23 岁".to_owned()),
        conflict: Some("送信的人：被信追着走".to_owned()),
    };
    for lang in [Lang::Zh, Lang::En] {
        for brief in [full.clone(), Brief::default()] {
            assert_eq!(Brief::parse(&brief.render(lang)), brief);
        }
    }
}
