//! All routes, in one table: the router is made of it, and a test calls each of them as a stranger would.

use std::sync::{Arc, OnceLock};

use axum::{
    Router,
    extract::{RawPathParams, Request, State},
    http::Method,
    middleware,
    response::{IntoResponse, Response},
};

use crate::{
    ask::{Ask, Visitor},
    assets,
    form::Fields,
    guard,
    pages::{self, error},
    reply::{Fault, Reply},
    studio::Studio,
};

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// `get` or `post`.
    pub method: &'static str,
    /// Its pattern.
    pub path: &'static str,
}

macro_rules! routes {
    ($($method:ident $path:literal => $page:path;)+) => {
        /// Every page and every act.
        pub const TABLE: &[Route] = &[
            $(Route { method: stringify!($method), path: $path }),+
        ];

        fn pages() -> Router<Arc<Studio>> {
            Router::new()
                $(.route(
                    $path,
                    axum::routing::$method(
                        |State(studio): State<Arc<Studio>>, places: RawPathParams, request: Request| {
                            answer(studio, places, request, $page)
                        },
                    ),
                ))+
        }
    };
}

routes! {
    get "/in" => pages::door::page;
    post "/in" => pages::door::enter;
    get "/" => pages::shelf::page;
    post "/new" => pages::shelf::new_book;
    post "/import" => pages::shelf::import;
    post "/demo" => pages::shelf::demo;
    get "/b/{book}" => pages::desk::page;
    get "/b/{book}/live" => pages::desk::live;
    get "/b/{book}/decisions" => pages::decisions::page;
    post "/b/{book}/decisions" => pages::decisions::decide;
    get "/b/{book}/chapters" => pages::chapters::page;
    get "/b/{book}/chapters/{chapter}" => pages::chapter::read;
    get "/b/{book}/chapters/{chapter}/edit" => pages::edit::page;
    post "/b/{book}/chapters/{chapter}/edit" => pages::edit::save;
    post "/b/{book}/chapters/{chapter}/adopt" => pages::edit::adopt;
    get "/b/{book}/chapters/{chapter}/diff" => pages::chapter::difference;
    get "/b/{book}/chapters/{chapter}/packet" => pages::chapter::packet;
    get "/b/{book}/chapters/{chapter}/history" => pages::chapter::history;
    get "/b/{book}/board" => pages::board::page;
    post "/b/{book}/board" => pages::board::replan;
    get "/b/{book}/outline" => pages::outline::page;
    post "/b/{book}/outline" => pages::outline::take;
    get "/b/{book}/codex" => pages::codex::list;
    get "/b/{book}/codex/{person}" => pages::codex::person;
    post "/b/{book}/codex/{person}" => pages::codex::retire;
    get "/b/{book}/threads" => pages::threads::page;
    get "/b/{book}/checks" => pages::checks::page;
    post "/b/{book}/checks" => pages::checks::act;
    get "/b/{book}/runs" => pages::runs::page;
    post "/b/{book}/runs" => pages::runs::start;
    post "/b/{book}/stop" => pages::runs::stop;
    post "/b/{book}/tell" => pages::runs::tell;
    get "/b/{book}/runs/{run}" => pages::runs::run;
    get "/b/{book}/runs/{run}/events" => pages::runs::events;
    get "/b/{book}/reports" => pages::reports::page;
    get "/b/{book}/history" => pages::history::page;
    post "/b/{book}/undo" => pages::history::undo;
    post "/b/{book}/redo" => pages::history::redo;
    get "/b/{book}/search" => pages::search::page;
    get "/b/{book}/settings" => pages::settings::page;
    post "/b/{book}/settings" => pages::settings::change;
    get "/b/{book}/model" => pages::model::page;
    post "/b/{book}/model" => pages::model::set_up;
    get "/b/{book}/export/{format}" => pages::settings::export;
}

/// The Studio's router with its guard.
pub fn router(studio: Arc<Studio>) -> Router {
    pages()
        .route("/assets/{name}", axum::routing::get(assets::send))
        .layer(guard::limit())
        .layer(middleware::from_fn_with_state(
            Arc::clone(&studio),
            guard::guard,
        ))
        .with_state(studio)
}

type Page = fn(&Ask) -> Result<Reply, Fault>;

async fn answer(
    studio: Arc<Studio>,
    places: RawPathParams,
    mut request: Request,
    page: Page,
) -> Response {
    let Some(visitor) = request.extensions_mut().remove::<Visitor>() else {
        return axum::http::StatusCode::UNAUTHORIZED.into_response();
    };
    let last_event = request
        .headers()
        .get("last-event-id")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse().ok());
    let ask = Ask {
        studio,
        visitor,
        path: request.uri().path().to_owned(),
        places: places
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        query: Fields::parse(request.uri().query().unwrap_or_default()),
        form: request
            .extensions_mut()
            .remove::<Fields>()
            .unwrap_or_default(),
        last_event,
        opened: OnceLock::new(),
    };
    let reads = request.method() == Method::GET;
    // Use cases read files and wait for locks: not on the thread that serves.
    let result = tokio::task::spawn_blocking(move || {
        let kept = ask.studio.kept();
        let key = ask.key().filter(|_| reads);
        if let Some(markup) = key.as_deref().and_then(|key| kept.get(key)) {
            return Reply::Page(markup);
        }
        let reply = page(&ask);
        if !reads {
            kept.forget();
        }
        if let (Some(key), Ok(Reply::Page(markup))) = (&key, &reply)
            && let Some(watched) = ask.take_watched()
        {
            kept.keep(key, markup, watched);
        }
        reply.unwrap_or_else(|fault| error::page(&ask, &fault))
    })
    .await;
    match result {
        Ok(reply) => reply.into_response(),
        Err(_) => axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
