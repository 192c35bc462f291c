//! What every request must pass, whatever it asks for.
//!
//! The guard is a layer around the whole router: a route that forgets a check cannot exist.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use novel_model::Lang;

use crate::{
    ask::{Theme, Visitor},
    form::Fields,
    pages::door,
    session::{Nonce, csrf, same},
    studio::Studio,
};

/// The largest body of a form, in bytes; a book to be imported must fit.
pub(crate) const LARGEST: usize = 64 * 1024 * 1024;

/// What a page may do. The editor makes styles of its own, on the pages that have it and nowhere else.
fn policy(nonce: Option<&Nonce>) -> String {
    let editor = nonce.map_or_else(String::new, |nonce| format!(" 'nonce-{}'", nonce.as_str()));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{editor}; img-src 'self' data:; \
        connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

/// The limit of a body, as the layer that reads multipart forms wants it.
pub(crate) fn limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(LARGEST)
}

/// Checks a request; what passes carries a [`Visitor`], and a form its [`Fields`].
pub(crate) async fn guard(
    State(studio): State<Arc<Studio>>,
    request: Request,
    next: Next,
) -> Response {
    let lang = language(&studio, &request);
    let is_page = !request.uri().path().starts_with("/assets/");
    let mut response = match check(&studio, request, lang, next).await {
        Ok(response) => response,
        Err(refused) => refused.into_response(lang),
    };
    let policy = policy(response.extensions().get::<Nonce>());
    harden(response.headers_mut(), &policy, is_page);
    response
}

/// Why a request does not pass.
enum Refused {
    /// It came to another name than that of this machine.
    Host,
    /// It comes from another page.
    Origin,
    /// A form without the value of the session.
    Csrf,
    /// Nobody signed in.
    Session,
    /// A method no page has.
    Method,
    /// An address no page has.
    Path,
    /// A body that is no form, or too large.
    Body,
}

impl Refused {
    fn into_response(self, lang: Lang) -> Response {
        let status = match self {
            Self::Host | Self::Origin | Self::Csrf => StatusCode::FORBIDDEN,
            Self::Session => StatusCode::UNAUTHORIZED,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Path => StatusCode::NOT_FOUND,
            Self::Body => StatusCode::PAYLOAD_TOO_LARGE,
        };
        match self {
            Self::Session => (status, Html(door::locked(lang).into_string())).into_response(),
            _ => status.into_response(),
        }
    }
}

async fn check(
    studio: &Studio,
    mut request: Request,
    lang: Lang,
    next: Next,
) -> Result<Response, Refused> {
    let host = own_host(studio, request.headers()).ok_or(Refused::Host)?;
    let reads = match *request.method() {
        Method::GET | Method::HEAD => true,
        Method::POST => false,
        _ => return Err(Refused::Method),
    };
    if is_odd(request.uri().path()) {
        return Err(Refused::Path);
    }
    let site = text(request.headers(), "sec-fetch-site");
    if reads {
        // A navigation from elsewhere brings no cookie; anything else from elsewhere is not ours.
        if matches!(site, Some("cross-site" | "same-site")) {
            return Err(Refused::Origin);
        }
    } else {
        let origin = text(request.headers(), "origin");
        if origin != Some(&format!("http://{host}")) || site != Some("same-origin") {
            return Err(Refused::Origin);
        }
    }
    let path = request.uri().path();
    let is_door = path == "/in";
    let is_open = is_door || path.starts_with("/assets/");
    let cookie = cookie(request.headers(), &studio.cookie_name())
        .filter(|value| studio.door().knows(value))
        .map(str::to_owned);
    if cookie.is_none() && !is_open {
        return Err(Refused::Session);
    }
    if !reads {
        request = with_form(studio, request, cookie.as_deref().filter(|_| !is_door)).await?;
    }
    let theme = query(&request, "theme")
        .or_else(|| self::cookie(request.headers(), "novel_theme").map(str::to_owned))
        .and_then(|word| Theme::from_word(&word));
    let keys = self::cookie(request.headers(), "novel_keys") != Some("off");
    let chosen = chosen(&request);
    request.extensions_mut().insert(Visitor {
        csrf: cookie.as_deref().map(csrf).unwrap_or_default(),
        lang,
        theme,
        keys,
    });
    let mut response = next.run(request).await;
    for value in chosen {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// Reads the form and compares its proof with the session's; the door has no session yet.
async fn with_form(
    studio: &Studio,
    request: Request,
    cookie: Option<&str>,
) -> Result<Request, Refused> {
    let is_door = request.uri().path() == "/in";
    if is_door && !studio.door().is_patient() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let (parts, body) = request.into_parts();
    let mut copy = Request::new(body);
    *copy.headers_mut() = parts.headers.clone();
    let fields = Fields::read(copy, LARGEST).await.ok_or(Refused::Body)?;
    if !is_door {
        let proof = text(&parts.headers, "x-novel-form").or_else(|| fields.get("_form"));
        let expected = cookie.map(csrf).ok_or(Refused::Session)?;
        if !proof.is_some_and(|proof| same(proof, &expected)) {
            return Err(Refused::Csrf);
        }
    }
    let mut request = Request::from_parts(parts, Body::empty());
    request.extensions_mut().insert(fields);
    Ok(request)
}

/// The host the request names, if it is this machine under the port in use.
fn own_host<'a>(studio: &Studio, headers: &'a HeaderMap) -> Option<&'a str> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let (name, port) = host.rsplit_once(':')?;
    let is_own =
        matches!(name, "127.0.0.1" | "[::1]" | "localhost") && port.parse() == Ok(studio.port());
    is_own.then_some(host)
}

/// Whether an address tries to be a path: dots, back strokes, encoded separators.
fn is_odd(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let encoded = ["%2f", "%5c", "%2e", "%00", "%25", "\\", "//"];
    lower.split('/').any(|part| part == "." || part == "..")
        || encoded.iter().any(|odd| lower.contains(odd))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}

fn query(request: &Request, name: &str) -> Option<String> {
    let fields = Fields::parse(request.uri().query().unwrap_or_default());
    fields.get(name).map(str::to_owned)
}

/// The language of the pages: asked for, chosen before, or that of the program.
fn language(studio: &Studio, request: &Request) -> Lang {
    query(request, "lang")
        .or_else(|| cookie(request.headers(), "novel_lang").map(str::to_owned))
        .and_then(|tag| Lang::from_tag(&tag))
        .unwrap_or(studio.lang())
}

/// Cookies for what the visitor chose with this request: language, theme, keys.
fn chosen(request: &Request) -> Vec<HeaderValue> {
    let kept = |name: &str, words: &[&str]| {
        let value = query(request, name).filter(|value| words.contains(&value.as_str()))?;
        let line = format!("novel_{name}={value}; SameSite=Strict; Path=/; Max-Age=31536000");
        HeaderValue::from_str(&line).ok()
    };
    [
        kept("lang", &["zh", "en"]),
        kept("theme", &["light", "dark"]),
        kept("keys", &["on", "off"]),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn harden(headers: &mut HeaderMap, policy: &str, is_page: bool) {
    // Hexadecimal digits are all that is not written above.
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let fixed = [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        // Not `no-referrer`: with it a browser sends `Origin: null` with our own forms.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), microphone=(), geolocation=()",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_page {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
