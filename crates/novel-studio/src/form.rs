//! Fields of a form or a query.

use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request},
    http::{HeaderMap, header},
};
use percent_encoding::percent_decode_str;

/// A file that was sent along.
#[derive(Debug, Clone)]
pub(crate) struct Upload {
    /// Its name at the sender, without directories.
    pub(crate) name: String,
    /// Its content.
    pub(crate) bytes: Bytes,
}

/// Fields by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields {
    texts: Vec<(String, String)>,
    /// A file, where the form has one.
    pub(crate) upload: Option<Upload>,
}

impl Fields {
    /// Fields of `a=1&b=2`.
    pub(crate) fn parse(text: &str) -> Self {
        let texts = text
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decoded(name), decoded(value))
            })
            .collect();
        Self {
            texts,
            upload: None,
        }
    }

    /// Fields of a request's body; `None` when it is no form.
    pub(crate) async fn read(request: Request, limit: usize) -> Option<Self> {
        if is_multipart(request.headers()) {
            return Self::multipart(request).await;
        }
        let bytes = axum::body::to_bytes(request.into_body(), limit)
            .await
            .ok()?;
        Some(Self::parse(std::str::from_utf8(&bytes).ok()?))
    }

    async fn multipart(request: Request) -> Option<Self> {
        let mut parts = Multipart::from_request(request, &()).await.ok()?;
        let mut fields = Self::default();
        while let Some(part) = parts.next_field().await.ok()? {
            let name = part.name()?.to_owned();
            match part.file_name().map(str::to_owned) {
                Some(file) => {
                    let bytes = part.bytes().await.ok()?;
                    if !bytes.is_empty() {
                        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
                        fields.upload = Some(Upload {
                            name: name.to_owned(),
                            bytes,
                        });
                    }
                }
                None => fields.texts.push((name, part.text().await.ok()?)),
            }
        }
        Some(fields)
    }

    /// The value of a field; `None` when it is missing.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.texts.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a field without blanks around it; `None` when missing or empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }
}

fn is_multipart(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|kind| kind.starts_with("multipart/form-data"))
}

fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}
