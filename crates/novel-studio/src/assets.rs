//! The files of the front end, built into the program. Their names carry their hash, so that a browser
//! may keep them.

use std::sync::OnceLock;

use axum::{
    extract::Path,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

const STYLE: &str = include_str!("../assets/studio.css");
const SCRIPT: &str = include_str!("../assets/studio.js");
const DOOR: &str = include_str!("../assets/door.js");
/// Made by `editor/build.mjs`.
const EDITOR: &str = include_str!("../assets/editor.js");
/// The licences of what the editor is made of; they go where it goes.
const NOTICE: &str = include_str!("../assets/editor.LICENSES.txt");

/// One file.
pub(crate) struct Asset {
    /// Its name with the hash.
    pub(crate) name: String,
    kind: &'static str,
    text: &'static str,
}

/// All files of the front end.
pub(crate) struct Assets {
    pub(crate) style: Asset,
    pub(crate) script: Asset,
    pub(crate) door: Asset,
    /// Loaded by the pages that edit, and by no other.
    pub(crate) editor: Asset,
    pub(crate) notice: Asset,
}

pub(crate) fn assets() -> &'static Assets {
    static ASSETS: OnceLock<Assets> = OnceLock::new();
    ASSETS.get_or_init(|| Assets {
        style: Asset::new("studio", "css", "text/css; charset=utf-8", STYLE),
        script: Asset::new("studio", "js", "text/javascript; charset=utf-8", SCRIPT),
        door: Asset::new("door", "js", "text/javascript; charset=utf-8", DOOR),
        editor: Asset::new("editor", "js", "text/javascript; charset=utf-8", EDITOR),
        notice: Asset::new("notice", "txt", "text/plain; charset=utf-8", NOTICE),
    })
}

impl Asset {
    fn new(stem: &str, ending: &str, kind: &'static str, text: &'static str) -> Self {
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let digits: String = hash.chars().take(10).collect();
        Self {
            name: format!("{stem}-{digits}.{ending}"),
            kind,
            text,
        }
    }

    /// Its address.
    pub(crate) fn href(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// Sends a file.
pub(crate) async fn send(Path(name): Path<String>) -> Response {
    let all = assets();
    let found = [&all.style, &all.script, &all.door, &all.editor, &all.notice]
        .into_iter()
        .find(|asset| asset.name == name);
    let Some(asset) = found else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = asset.text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    let forever = HeaderValue::from_static("private, max-age=31536000, immutable");
    headers.insert(header::CACHE_CONTROL, forever);
    response
}
