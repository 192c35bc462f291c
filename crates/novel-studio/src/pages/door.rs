//! Coming in: the one-time link, and what a stranger sees.

use axum::http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use novel_model::Lang;

use crate::{
    ask::Ask,
    assets::assets,
    reply::{Fault, Reply},
};

fn sheet(lang: Lang, main: &Markup, with_script: bool) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(match lang { Lang::Zh => "zh-CN", Lang::En => "en" }) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "novel studio" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(assets().style.href());
                @if with_script { script src=(assets().door.href()) type="module" {} }
            }
            body { main id="main" class="page center" { (main) } }
        }
    }
}

fn t(lang: Lang, en: &'static str, zh: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

fn form(lang: Lang, said: Option<&str>) -> Markup {
    html! {
        h1 { "novel studio" }
        @if let Some(said) = said { p class="lead" role="alert" { (said) } }
        p class="lead" {
            (t(
                lang,
                "The link in your terminal opens this page once. If nothing happens, paste the part after # here.",
                "终端里的链接只能打开一次。若没有反应，请把链接中 # 之后的部分粘贴到下面。",
            ))
        }
        form method="post" action="/in" id="door" class="field" autocomplete="off" {
            label for="code" { (t(lang, "Code", "访问码")) }
            input class="input" id="code" name="code" required autocomplete="off" spellcheck="false";
            div class="acts" { button class="btn primary" { (t(lang, "Enter", "进入")) } }
        }
    }
}

/// The page of the link. Its script posts the code and takes it out of the address.
pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    Ok(Reply::Page(sheet(
        ask.lang(),
        &form(ask.lang(), None),
        true,
    )))
}

/// Takes the code for a session.
pub(crate) fn enter(ask: &Ask) -> Result<Reply, Fault> {
    let code = ask.form.filled("code").unwrap_or_default();
    let door = ask.studio.door();
    let session = door.exchange(code)?;
    let Some(secret) = session else {
        let said = t(
            ask.lang(),
            "This code does not work: it was used already, or it is not the newest one. The \
                terminal shows a new link after each use.",
            "此访问码无效：可能已用过，或不是最新的一个。每次使用后终端会给出新链接。",
        );
        let page = sheet(ask.lang(), &form(ask.lang(), Some(said)), false);
        return Ok(Reply::PageWith(StatusCode::UNAUTHORIZED, page));
    };
    ask.studio.announce_next_link();
    let name = ask.studio.cookie_name();
    Ok(Reply::Welcome {
        cookie: format!("{name}={secret}; HttpOnly; SameSite=Strict; Path=/"),
        to: ask
            .studio
            .books()
            .first()
            .map_or_else(|| "/".to_owned(), |book| format!("/b/{book}")),
    })
}

/// What is shown to whoever has no session.
pub(crate) fn locked(lang: Lang) -> Markup {
    let main = html! {
        h1 { (t(lang, "Locked", "未登录")) }
        p class="lead" {
            (t(
                lang,
                "Open the newest link that `novel studio` printed in the terminal. The book is untouched.",
                "请打开 `novel studio` 在终端里给出的最新链接。作品没有任何变化。",
            ))
        }
        p { a class="btn" href="/in" { (t(lang, "Enter a code", "输入访问码")) } }
    };
    sheet(lang, &main, false)
}
