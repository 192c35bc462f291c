//! One HTTP exchange: a worker thread talks, the caller's thread watches the time.
//!
//! The worker may hang in a name lookup, a connection or a read; the caller waits
//! for a channel and never for the worker. When the exchange is dropped before its
//! end the socket is shut down, so a worker that is still reading ends at once; a
//! response that was heard to its end leaves its connection to the next call.

use std::io::{ErrorKind, Read};
use std::net::{IpAddr, SocketAddr};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use ureq::config::Config;
use ureq::http::{HeaderMap, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Timeout};

use crate::cancel::HookGuard;
use crate::wire::clean;
use crate::{CancelToken, Endpoint, ModelError, Proxy, RedactingStream, TimeoutPhase, Wire};

const READ_BUFFER: usize = 16 * 1024;
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// What the worker reports.
enum Report {
    Head(Head),
    Bytes(Vec<u8>),
    End,
    TooLarge,
    Failed(ureq::Error),
    Cancelled,
}

/// Status and headers, as far as they matter.
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) is_event_stream: bool,
    headers: HeaderMap,
}

impl Head {
    /// The pause that the server asks for: `Retry-After-Ms`, or `Retry-After` in
    /// seconds or as a date.
    pub(crate) fn retry_after(&self, now: SystemTime) -> Option<Duration> {
        let text = |name: &str| Some(self.headers.get(name)?.to_str().ok()?.trim());
        if let Some(millis) = text("retry-after-ms").and_then(|value| value.parse().ok()) {
            return Some(Duration::from_millis(millis));
        }
        let value = text("retry-after")?;
        if let Ok(seconds) = value.parse::<f64>() {
            return Duration::try_from_secs_f64(seconds).ok();
        }
        let date = httpdate::parse_http_date(value).ok()?;
        Some(date.duration_since(now).unwrap_or_default())
    }
}

/// A piece of the response.
pub(crate) enum Piece {
    Head(Head),
    Bytes(Vec<u8>),
    End,
}

/// Open connections that nobody uses just now: the next chapter's call needs no new handshake.
///
/// Each agent has one connection at most, so that a call that is given up takes no other with it.
#[derive(Default)]
pub(crate) struct Connections(Mutex<Vec<Agent>>);

/// How long the end of a response may come after the end of its answer.
const LAST_BYTES: Duration = Duration::from_millis(2);
/// How long a connection is kept without a call; servers close idle ones after some seconds.
const IDLE: Duration = Duration::from_secs(2);

impl Connections {
    fn take(&self, endpoint: &Endpoint) -> Result<Agent, ModelError> {
        match self.idle().pop() {
            Some(agent) => Ok(agent),
            None => agent(endpoint),
        }
    }

    /// Agents hold no state that a panic could leave half changed.
    fn idle(&self) -> MutexGuard<'_, Vec<Agent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request under way.
pub(crate) struct Exchange<'a> {
    endpoint: &'a Endpoint,
    connections: &'a Connections,
    url: &'a str,
    agent: Agent,
    reports: Receiver<Report>,
    started: Instant,
    phase: Phase,
    /// Bytes of the body so far.
    pub(crate) bytes: u64,
    /// Nobody sees the bytes before the key is taken out.
    redacting: RedactingStream,
    _hook: HookGuard<'a>,
}

#[derive(Clone, Copy)]
enum Phase {
    /// Waiting for the head: the transport watches connection and first byte.
    Head,
    /// Waiting for the first byte of the body, since then.
    FirstByte(Instant),
    /// In the body; the last byte came then.
    Body(Instant),
    /// The whole answer is here.
    Over,
}

impl<'a> Exchange<'a> {
    /// Sends `body` from a new thread.
    pub(crate) fn start(
        endpoint: &'a Endpoint,
        connections: &'a Connections,
        url: &'a str,
        body: String,
        cancel: &'a CancelToken,
    ) -> Result<Self, ModelError> {
        let agent = connections.take(endpoint)?;
        let (sender, reports) = mpsc::channel();
        let hook = cancel.on_cancel({
            let sender = sender.clone();
            move || drop(sender.send(Report::Cancelled))
        });
        let mut request = agent
            .post(endpoint.request_url())
            .header("content-type", "application/json")
            .header("accept", "text/event-stream, application/json");
        if endpoint.wire == Wire::Anthropic {
            request = request.header("anthropic-version", ANTHROPIC_VERSION);
        }
        if let Some(key) = &endpoint.key {
            request = match endpoint.wire {
                Wire::OpenAi => request.header("authorization", format!("Bearer {}", key.expose())),
                Wire::Anthropic => request.header("x-api-key", key.expose()),
            };
        }
        let limit = endpoint.max_answer_bytes;
        thread::Builder::new()
            .name("model-call".into())
            .spawn(move || {
                let last = match request.send(body) {
                    Ok(response) => read(response, limit, &sender),
                    Err(error) => Report::Failed(error),
                };
                // Nobody listens any more when the call was given up.
                let _ = sender.send(last);
            })
            .map_err(|error| ModelError::Connect {
                url: url.into(),
                detail: error.to_string(),
            })?;
        Ok(Self {
            endpoint,
            connections,
            url,
            agent,
            reports,
            started: Instant::now(),
            phase: Phase::Head,
            bytes: 0,
            redacting: RedactingStream::new(endpoint.redactor()),
            _hook: hook,
        })
    }

    /// The next piece, or why there is none.
    pub(crate) fn next(&mut self) -> Result<Piece, ModelError> {
        if matches!(self.phase, Phase::Over) {
            return Ok(Piece::End);
        }
        let timeouts = &self.endpoint.timeouts;
        let total = (TimeoutPhase::Total, self.started, timeouts.total);
        let (phase, since, limit) = match self.phase {
            Phase::Head | Phase::Over => total,
            Phase::FirstByte(since) => (TimeoutPhase::FirstByte, since, timeouts.first_byte),
            Phase::Body(since) => (TimeoutPhase::Silent, since, timeouts.silent),
        };
        let left = |since: Instant, limit: Duration| limit.saturating_sub(since.elapsed());
        let (phase, wait, limit) = if left(total.1, total.2) < left(since, limit) {
            (total.0, left(total.1, total.2), total.2)
        } else {
            (phase, left(since, limit), limit)
        };
        match self.reports.recv_timeout(wait) {
            Ok(Report::Head(head)) => {
                self.phase = Phase::FirstByte(Instant::now());
                Ok(Piece::Head(head))
            }
            Ok(Report::Bytes(bytes)) => {
                self.phase = Phase::Body(Instant::now());
                self.bytes += bytes.len() as u64;
                Ok(Piece::Bytes(self.redacting.feed(&bytes)))
            }
            Ok(Report::End) => {
                self.phase = Phase::Over;
                Ok(Piece::Bytes(self.redacting.finish()))
            }
            Ok(Report::TooLarge) => Err(ModelError::TooLarge {
                url: self.url.into(),
                limit: self.endpoint.max_answer_bytes,
            }),
            Ok(Report::Failed(error)) => Err(self.failure(&error)),
            Ok(Report::Cancelled) => Err(ModelError::Cancelled),
            Err(RecvTimeoutError::Timeout) => Err(self.timeout(phase, limit)),
            Err(RecvTimeoutError::Disconnected) => Err(self.broken("the connection was lost")),
        }
    }

    /// Hears the response out when its answer is whole, so that the connection can be used again;
    /// not for long.
    pub(crate) fn close(&mut self) {
        let begun = Instant::now();
        while !matches!(self.phase, Phase::Over) {
            let left = LAST_BYTES.saturating_sub(begun.elapsed());
            match self.reports.recv_timeout(left) {
                Ok(Report::Bytes(_)) => {}
                Ok(Report::End) => self.phase = Phase::Over,
                _ => return,
            }
        }
    }

    fn timeout(&self, phase: TimeoutPhase, limit: Duration) -> ModelError {
        ModelError::Timeout {
            url: self.url.into(),
            phase,
            limit,
        }
    }

    /// A connection that broke: before the head there was no answer at all.
    fn broken(&self, detail: &str) -> ModelError {
        match self.phase {
            Phase::Head => ModelError::Connect {
                url: self.url.into(),
                detail: clean(self.endpoint, detail),
            },
            Phase::FirstByte(_) | Phase::Body(_) | Phase::Over => ModelError::CutStream {
                url: self.url.into(),
                bytes: self.bytes,
            },
        }
    }

    fn failure(&self, error: &ureq::Error) -> ModelError {
        let timeouts = &self.endpoint.timeouts;
        let (url, detail) = (
            self.url.to_owned(),
            clean(self.endpoint, &error.to_string()),
        );
        match error {
            ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
                self.timeout(TimeoutPhase::Connect, timeouts.connect)
            }
            ureq::Error::Timeout(Timeout::Global) => {
                self.timeout(TimeoutPhase::Total, timeouts.total)
            }
            ureq::Error::Timeout(_) => self.timeout(TimeoutPhase::FirstByte, timeouts.first_byte),
            ureq::Error::Rustls(_) | ureq::Error::Tls(_) | ureq::Error::TlsRequired => {
                ModelError::Tls { url, detail }
            }
            // While it shakes hands, rustls wraps its errors in an `io::Error`.
            ureq::Error::Io(error)
                if error.kind() == ErrorKind::InvalidData && url.starts_with("https:") =>
            {
                ModelError::Tls { url, detail }
            }
            ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
                ModelError::BadEndpoint { url, detail }
            }
            _ => self.broken(&detail),
        }
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        let agent = self.agent.clone();
        match self.phase {
            Phase::Over => self.connections.idle().push(agent),
            Phase::Head | Phase::FirstByte(_) | Phase::Body(_) => agent.shutdown(),
        }
    }
}

fn agent(endpoint: &Endpoint) -> Result<Agent, ModelError> {
    let timeouts = &endpoint.timeouts;
    let bad = |detail: &str| ModelError::BadEndpoint {
        url: shown_url(endpoint),
        detail: detail.into(),
    };
    let uri: Uri = endpoint
        .request_url()
        .parse()
        .map_err(|_| bad("it is not a URL"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err(bad("it does not start with http:// or https://"));
    }
    let host = uri.host().ok_or_else(|| bad("it names no host"))?;
    let proxy = match endpoint.proxy {
        Proxy::Environment if !is_this_machine(host) => ureq::Proxy::try_from_env(),
        Proxy::Environment | Proxy::Direct => None,
    };
    let tls = endpoint
        .authorities
        .tls(&endpoint.base_url)
        .map_err(|file| ModelError::Authorities {
            path: file.path,
            detail: file.detail,
        })?;
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // A redirected key would go to a host nobody chose.
        .max_redirects(0)
        .max_idle_connections(1)
        .max_idle_connections_per_host(1)
        .max_idle_age(IDLE)
        .user_agent(concat!("novel/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .tls_config(tls)
        .timeout_resolve(Some(timeouts.connect))
        .timeout_connect(Some(timeouts.connect))
        .timeout_send_body(Some(timeouts.first_byte))
        .timeout_recv_response(Some(timeouts.first_byte))
        .timeout_global(Some(timeouts.total))
        .build();
    let resolver = AddressesAreKnown::default();
    Ok(Agent::with_parts(config, DefaultConnector::new(), resolver))
}

/// Looks names up in a thread that may hang; an address needs none.
#[derive(Debug, Default)]
struct AddressesAreKnown(DefaultResolver);

impl Resolver for AddressesAreKnown {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let (Some(address), Some(port)) = (uri.host().and_then(address), uri.port_u16()) else {
            return self.0.resolve(uri, config, timeout);
        };
        let mut found = self.empty();
        found.push(SocketAddr::new(address, port));
        Ok(found)
    }
}

fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || address(host).is_some_and(|ip| ip.is_loopback())
}

/// The address that stands in the place of a host name.
fn address(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

/// The endpoint's address without credentials or query.
pub(crate) fn shown_url(endpoint: &Endpoint) -> String {
    let url = endpoint.request_url();
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let shown = match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = authority.rsplit('@').next().unwrap_or(authority);
            format!("{scheme}://{host}{path}")
        }
        None => url.into(),
    };
    clean(endpoint, &shown)
}

/// Reads the response to its end; the return value is the last report.
fn read(response: ureq::http::Response<ureq::Body>, limit: u64, sender: &Sender<Report>) -> Report {
    let (parts, body) = response.into_parts();
    let is_event_stream = parts
        .headers
        .get("content-type")
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.to_ascii_lowercase().contains("event-stream"));
    let head = Head {
        status: parts.status.as_u16(),
        is_event_stream,
        headers: parts.headers,
    };
    if sender.send(Report::Head(head)).is_err() {
        return Report::End;
    }
    let mut reader = body.into_reader();
    let mut buffer = vec![0; READ_BUFFER];
    let mut total = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => {
                return Report::End;
            }
            Ok(length) => {
                total += length as u64;
                if total > limit {
                    return Report::TooLarge;
                }
                if sender
                    .send(Report::Bytes(buffer[..length].to_vec()))
                    .is_err()
                {
                    return Report::End;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Report::Failed(error.into()),
        }
    }
}
