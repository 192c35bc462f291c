//! Server-sent events out of a stream of bytes.
//!
//! Invariant: where the bytes are split makes no difference to the events. Lines
//! are found in bytes and decoded whole, so that no character is ever cut.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// The `event:` field; empty when there is none.
    pub(crate) name: String,
    /// All `data:` lines, joined by newlines.
    pub(crate) data: String,
}

/// A line that is not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotUtf8(pub(crate) String);

/// Takes bytes, gives events.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    /// The last byte was a CR: a following LF belongs to it.
    after_cr: bool,
    started: bool,
    name: String,
    data: Option<String>,
}

impl SseParser {
    /// The events that `bytes` complete.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, NotUtf8> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()?),
                _ => self.line.push(byte),
            }
        }
        Ok(events)
    }

    /// The event that was not closed by an empty line when the stream ended.
    pub(crate) fn finish(&mut self) -> Result<Option<SseEvent>, NotUtf8> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(self.dispatch())
    }

    fn end_line(&mut self) -> Result<Option<SseEvent>, NotUtf8> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8(bytes)
            .map_err(|error| NotUtf8(String::from_utf8_lossy(error.as_bytes()).into_owned()))?;
        let line = if std::mem::replace(&mut self.started, true) {
            line.as_str()
        } else {
            line.trim_start_matches('\u{FEFF}')
        };
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = value.into(),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.into()),
            },
            // Comments (an empty field), `id`, `retry` and unknown fields say nothing here.
            _ => {}
        }
        Ok(None)
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let name = std::mem::take(&mut self.name);
        let data = self.data.take()?;
        Some(SseEvent { name, data })
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
