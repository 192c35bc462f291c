//! What a page answers.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use maud::Markup;
use novel_model::Failure;

use crate::{live::Live, session::Nonce};

/// What a page answers.
pub(crate) enum Reply {
    /// A page.
    Page(Markup),
    /// A page that says something is not as it was.
    PageWith(StatusCode, Markup),
    /// A page with the editor, whose styles the policy of the page lets in by a nonce. It is never kept: a
    /// nonce is used once.
    Editor(StatusCode, Nonce, Markup),
    /// On to a fixed place, after an act.
    Go(String),
    /// Signed in.
    Welcome {
        /// The cookie, ready to be sent.
        cookie: String,
        /// Where to.
        to: String,
    },
    /// A file to keep.
    File {
        /// What it is.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// Events as they come.
    Live(Live),
    /// A small answer for the page's script.
    Json(serde_json::Value),
    /// A JSON answer with an HTTP status.
    JsonWith(StatusCode, serde_json::Value),
}

/// Why there is no page.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Nothing is there.
    NotFound,
    /// A use case says why not.
    Failure(Failure),
}

impl<E> From<E> for Fault
where
    Failure: From<E>,
{
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        match self {
            Self::Page(page) => Html(page.into_string()).into_response(),
            Self::PageWith(status, page) => (status, Html(page.into_string())).into_response(),
            Self::Editor(status, nonce, page) => {
                let mut response = (status, Html(page.into_string())).into_response();
                response.extensions_mut().insert(nonce);
                response
            }
            Self::Go(place) => Redirect::to(&place).into_response(),
            Self::Welcome { cookie, to } => {
                let mut response = Redirect::to(&to).into_response();
                if let Ok(value) = HeaderValue::from_str(&cookie) {
                    response.headers_mut().insert(header::SET_COOKIE, value);
                }
                response
            }
            Self::File { kind, name, bytes } => {
                let mut response = Response::new(Body::from(bytes));
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
                let name = format!("attachment; filename=\"{name}\"");
                if let Ok(value) = HeaderValue::from_str(&name) {
                    headers.insert(header::CONTENT_DISPOSITION, value);
                }
                response
            }
            Self::Live(live) => live.into_response(),
            Self::Json(value) => json(StatusCode::OK, &value),
            Self::JsonWith(status, value) => json(status, &value),
        }
    }
}

fn json(status: StatusCode, value: &serde_json::Value) -> Response {
    let kind = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, kind)], value.to_string()).into_response()
}
