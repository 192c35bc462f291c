//! The server: one thread per connection, HTTP/1.1, no more than the wires need.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::behaviour::error_body;
use crate::wire::{Frame, Shape};
use crate::{Answer, Behaviour, Script, Wire};

const MAX_BODY: usize = 64 * 1024 * 1024;
/// More than a sleeping thread needs to wake up.
const WAKES_LATE: Duration = Duration::from_millis(1);
/// How often a stalled connection looks whether anyone is still there.
const STALL_POLL: Duration = Duration::from_millis(10);

/// One request, as received.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its number at this server, from one.
    pub number: usize,
    /// `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// All headers in order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// The body as JSON; `Null` when it is none.
    pub json: Value,
}

impl Request {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The protocol, by the path.
    #[must_use]
    pub fn wire(&self) -> Option<Wire> {
        let path = self.path.split('?').next().unwrap_or_default();
        if path.ends_with("/chat/completions") {
            Some(Wire::OpenAi)
        } else if path.ends_with("/messages") {
            Some(Wire::Anthropic)
        } else {
            None
        }
    }

    /// All text of the prompt: system first, then the messages, joined by newlines.
    #[must_use]
    pub fn prompt(&self) -> String {
        let mut texts = Vec::new();
        collect_text(&self.json["system"], &mut texts);
        for message in self.json["messages"].as_array().into_iter().flatten() {
            collect_text(&message["content"], &mut texts);
        }
        texts.join("\n")
    }

    /// The schema the answer must follow, if one was sent.
    #[must_use]
    pub fn schema(&self) -> Option<&Value> {
        self.json
            .pointer("/response_format/json_schema/schema")
            .or_else(|| self.json.pointer("/output_config/format/schema"))
            .or_else(|| self.json.pointer("/tools/0/input_schema"))
    }

    fn shape(&self, wire: Wire) -> Shape {
        Shape {
            wire,
            model: self.json["model"].as_str().unwrap_or("mock").into(),
            include_usage: self.json.pointer("/stream_options/include_usage")
                == Some(&Value::Bool(true)),
            forced_tool: (self.json.pointer("/tool_choice/type") == Some(&"tool".into()))
                .then(|| self.json.pointer("/tool_choice/name")?.as_str())
                .flatten()
                .map(Into::into),
        }
    }
}

fn collect_text(content: &Value, texts: &mut Vec<String>) {
    match content {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(parts) => texts.extend(
            parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .map(String::from),
        ),
        _ => {}
    }
}

type Handler = dyn Fn(&Request) -> Behaviour + Send + Sync;

struct Shared {
    handler: Box<Handler>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    /// Connections that are being served.
    open: AtomicUsize,
    stop: AtomicBool,
}

/// A running server; it stops when dropped.
pub struct MockServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<thread::JoinHandle<()>>,
}

impl MockServer {
    /// Waits until every request that was sent is counted. Whoever sent one must have ended.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub fn settle(&self) -> io::Result<()> {
        // Connections are accepted in order: once this one is served, all before it are accepted.
        let mut last = TcpStream::connect(self.address)?;
        last.shutdown(Shutdown::Write)?;
        let _ = last.read(&mut [0])?;
        while self.shared.open.load(Ordering::SeqCst) > 0 {
            thread::yield_now();
        }
        Ok(())
    }

    /// Starts on a free loopback port.
    ///
    /// # Errors
    /// When no socket can be had.
    pub fn start(
        handler: impl Fn(&Request) -> Behaviour + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::start_at(0, handler)
    }

    /// Starts on a given loopback port.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub fn start_at(
        port: u16,
        handler: impl Fn(&Request) -> Behaviour + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        });
        let accepting = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Ok(Self {
            address,
            shared,
            accepting: Some(accepting),
        })
    }

    /// Each behaviour once, in order; the last one for all further requests.
    ///
    /// # Errors
    /// When no socket can be had.
    pub fn sequence(behaviours: Vec<Behaviour>) -> io::Result<Self> {
        Self::start(Script::sequence(behaviours).into_handler())
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL of the OpenAI wire.
    #[must_use]
    pub fn openai_base(&self) -> String {
        format!("{}/v1", self.url())
    }

    /// The base URL of the Anthropic wire.
    #[must_use]
    pub fn anthropic_base(&self) -> String {
        self.url()
    }

    /// All requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// Number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Number of requests so far.
    #[must_use]
    pub fn count(&self) -> usize {
        lock(&self.shared.requests).len()
    }
}

impl Drop for MockServer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // Wakes the accepting thread; it sees the flag and ends.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stop.load(Ordering::SeqCst) {
            return;
        }
        if let Ok(stream) = stream {
            shared.connections.fetch_add(1, Ordering::SeqCst);
            let shared = Arc::clone(shared);
            shared.open.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || {
                // A broken connection is the client's affair; the test sees its side of it.
                drop(serve(&stream, &shared));
                shared.open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

/// Requests of one connection until one side closes it.
fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some((mut request, received)) = read_request(&mut reader)? {
        {
            let mut requests = lock(&shared.requests);
            request.number = requests.len() + 1;
            requests.push(request.clone());
        }
        let behaviour = (shared.handler)(&request);
        let mut reply = Reply {
            stream,
            shared,
            request: &request,
            received,
        };
        if reply.perform(behaviour)? == After::Close {
            return Ok(());
        }
    }
    Ok(())
}

/// The next request, and when its last byte came.
fn read_request(reader: &mut impl BufRead) -> io::Result<Option<(Request, Instant)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let value_of = |wanted: &str| {
        headers
            .iter()
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| value.as_str())
    };
    let body = if value_of("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
        read_chunked(reader)?
    } else {
        let length = value_of("content-length")
            .and_then(|value| value.parse().ok())
            .unwrap_or(0);
        read_exact(reader, length)?
    };
    let received = Instant::now();
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let request = Request {
        number: 0,
        method,
        path,
        headers,
        body,
        json,
    };
    Ok(Some((request, received)))
}

fn read_exact(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > MAX_BODY {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_chunked(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        body.extend(read_exact(reader, length)?);
        reader.read_line(&mut line)?;
        if length == 0 {
            return Ok(body);
        }
    }
}

#[derive(PartialEq, Eq)]
enum After {
    KeepOpen,
    Close,
}

struct Reply<'a> {
    stream: &'a TcpStream,
    shared: &'a Shared,
    request: &'a Request,
    received: Instant,
}

impl Reply<'_> {
    fn perform(&mut self, behaviour: Behaviour) -> io::Result<After> {
        match behaviour {
            Behaviour::Answer(answer) => self.answer(&answer),
            Behaviour::Status {
                status,
                headers,
                body,
            } => self.whole(status, &headers, &body),
            Behaviour::Error {
                status,
                kind,
                message,
                headers,
            } => {
                let wire = self.request.wire().unwrap_or(Wire::OpenAi);
                let body = error_body(wire, &kind, &message).to_string();
                self.whole(status, &headers, &body)
            }
            Behaviour::Stall => self.stall(),
            Behaviour::Close => Ok(After::Close),
            Behaviour::Delayed { millis, then } => {
                thread::sleep(Duration::from_millis(millis));
                self.perform(*then)
            }
        }
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<After> {
        let Some(wire) = self.request.wire() else {
            let body = error_body(Wire::OpenAi, "not_found_error", "no such path").to_string();
            return self.whole(404, &[], &body);
        };
        let mut shape = self.request.shape(wire);
        if answer.ignores_tool {
            shape.forced_tool = None;
        }
        if answer.whole || self.request.json["stream"] != true {
            self.linger(answer);
            return self.whole(200, &[], &shape.object(answer).to_string());
        }
        self.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n",
        )?;
        let mut text = Vec::new();
        let mut is_ending = false;
        for frame in shape.frames(answer) {
            match frame {
                Frame::Send(lines) => {
                    sse(&lines, answer.odd_sse, &mut text);
                    if answer.bytes_per_write.is_none() && !is_ending {
                        self.chunk(&std::mem::take(&mut text))?;
                    }
                }
                Frame::Cut => {
                    self.chunks(&text, answer)?;
                    return Ok(After::Close);
                }
                Frame::Stall => {
                    self.chunks(&text, answer)?;
                    return self.stall();
                }
                Frame::Linger => {
                    self.linger(answer);
                    is_ending = true;
                }
            }
        }
        if answer.bytes_per_write.is_some() {
            self.chunks(&text, answer)?;
            text.clear();
        }
        let mut end = framed(&text);
        end.extend_from_slice(b"0\r\n\r\n");
        self.send(&end)?;
        Ok(After::KeepOpen)
    }

    fn linger(&self, answer: &Answer) {
        let Some(millis) = answer.lasts_millis else {
            return;
        };
        let end = self.received + Duration::from_millis(millis);
        let left = || end.saturating_duration_since(Instant::now());
        // A sleeper wakes late; whoever asked for a time is given that time.
        thread::sleep(left().saturating_sub(WAKES_LATE));
        while !left().is_zero() {
            std::hint::spin_loop();
        }
    }

    fn chunks(&mut self, bytes: &[u8], answer: &Answer) -> io::Result<()> {
        let size = answer.bytes_per_write.unwrap_or(usize::MAX).max(1);
        bytes.chunks(size).try_for_each(|piece| self.chunk(piece))
    }

    fn chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.send(&framed(bytes))
    }

    fn whole(
        &mut self,
        status: u16,
        headers: &[(String, String)],
        body: &str,
    ) -> io::Result<After> {
        let mut head = format!(
            "HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        self.send(head.as_bytes())?;
        self.send(body.as_bytes())?;
        Ok(After::KeepOpen)
    }

    /// Says nothing until the client closes or the server stops.
    fn stall(&mut self) -> io::Result<After> {
        self.stream.set_read_timeout(Some(STALL_POLL))?;
        let mut byte = [0];
        while !self.shared.stop.load(Ordering::SeqCst) {
            let mut stream = self.stream;
            match stream.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(After::Close)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stream = self.stream;
        stream.write_all(bytes)
    }
}

/// A chunk of a chunked body; nothing for no bytes, which would end the body.
fn framed(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    framed
}

fn sse(lines: &[String], odd: bool, out: &mut Vec<u8>) {
    let end = if odd { "\r\n" } else { "\n" };
    if odd {
        out.extend_from_slice(b": keep-alive\r\n");
    }
    for line in lines {
        let line = if odd {
            line.replacen("data: ", "data:", 1)
        } else {
            line.clone()
        };
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(end.as_bytes());
    }
    out.extend_from_slice(end.as_bytes());
}
