//! Events as they come, sent as server-sent events.

use std::{
    path::PathBuf,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_core::Stream;
use tokio::sync::mpsc;

/// How often the file is looked at.
const PACE: Duration = Duration::from_millis(80);
/// Looks without news before a sign of life is sent.
const QUIET: u32 = 150;

/// What is to be sent.
pub(crate) enum Live {
    /// One event whenever one of these files changes.
    Changes {
        /// The files.
        files: Vec<PathBuf>,
    },
}

impl Live {
    pub(crate) fn into_response(self) -> Response {
        let (sender, receiver) = mpsc::channel(64);
        tokio::spawn(async move {
            match self {
                Self::Changes { files } => changes(&files, &sender).await,
            }
        });
        let mut response = Response::new(Body::from_stream(Events(receiver)));
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response.into_response()
    }
}

/// Sends; false when nobody listens any more.
async fn say(sender: &mpsc::Sender<String>, text: String) -> bool {
    sender.send(text).await.is_ok()
}

async fn changes(files: &[PathBuf], sender: &mpsc::Sender<String>) {
    let mut seen = stamps(files);
    if !say(sender, "retry: 1000\n\n".to_owned()).await {
        return;
    }
    let mut quiet = 0;
    loop {
        tokio::time::sleep(PACE).await;
        let now = stamps(files);
        quiet += 1;
        let text = if now == seen {
            if quiet < QUIET {
                if sender.is_closed() {
                    return;
                }
                continue;
            }
            ": still here\n\n"
        } else {
            "event: changed\ndata: 1\n\n"
        };
        quiet = 0;
        seen = now;
        if !say(sender, text.to_owned()).await {
            return;
        }
    }
}

/// Length and time of each file; a missing one has neither.
fn stamps(files: &[PathBuf]) -> Vec<Option<(u64, std::time::SystemTime)>> {
    let stamp = |file: &PathBuf| {
        let found = std::fs::metadata(file).ok()?;
        Some((found.len(), found.modified().ok()?))
    };
    files.iter().map(stamp).collect()
}

/// The events as a body.
struct Events(mpsc::Receiver<String>);

impl Stream for Events {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0
            .poll_recv(context)
            .map(|text| text.map(|text| Ok(Bytes::from(text))))
    }
}
