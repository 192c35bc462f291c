//! Events as they come: a file of lines that grows, sent as server-sent events. The number of a line is
//! its event number, so that a reader who comes back misses nothing and hears nothing twice.

use std::{
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
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
const PACE: Duration = Duration::from_millis(40);
/// Looks without news before a sign of life is sent.
const QUIET: u32 = 300;

/// What is to be sent.
pub(crate) enum Live {
    /// The lines of a log from a number on.
    Lines {
        /// The log.
        file: PathBuf,
        /// The number of the last line the reader has.
        after: u64,
        /// A line in words, where it is listed; sent as an event `row` before the line itself.
        row: Row,
    },
    /// One event whenever one of these files changes.
    Changes {
        /// The files.
        files: Vec<PathBuf>,
    },
}

/// Puts a line of a log into words.
type Row = Box<dyn Fn(&str) -> Option<serde_json::Value> + Send + Sync>;

impl Live {
    pub(crate) fn into_response(self) -> Response {
        let (sender, receiver) = mpsc::channel(64);
        tokio::spawn(async move {
            match self {
                Self::Lines { file, after, row } => lines(&file, after, &row, &sender).await,
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

async fn lines(file: &Path, after: u64, row: &Row, sender: &mpsc::Sender<String>) {
    let (mut offset, mut number, mut rest) = (0, 0, Vec::new());
    let mut quiet = 0;
    if !say(sender, "retry: 1000\n\n".to_owned()).await {
        return;
    }
    loop {
        let news = read_from(file, offset);
        offset += u64::try_from(news.len()).unwrap_or_default();
        rest.extend(news);
        let mut spoke = false;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            number += 1;
            if number <= after {
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            spoke = true;
            // No id: a reader that comes back between the two gets both again.
            let listed = row(&text).map(|row| format!("event: row\ndata: {row}\n\n"));
            let listed = listed.unwrap_or_default();
            if !say(sender, format!("{listed}id: {number}\ndata: {text}\n\n")).await {
                return;
            }
        }
        quiet = if spoke { 0 } else { quiet + 1 };
        if quiet == QUIET {
            quiet = 0;
            if !say(sender, ": still here\n\n".to_owned()).await {
                return;
            }
        }
        tokio::time::sleep(PACE).await;
        if sender.is_closed() {
            return;
        }
    }
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

/// What a file has from a place on; nothing where it cannot be read.
fn read_from(file: &Path, offset: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(mut file) = std::fs::File::open(file)
        && file.seek(SeekFrom::Start(offset)).is_ok()
        && file.read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    bytes
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
