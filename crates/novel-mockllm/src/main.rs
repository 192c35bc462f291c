//! `mockllm SCRIPT.json [--port N] [--log FILE.jsonl]`: the test server as a program.
//!
//! Prints its address on the first line of standard output and runs until its
//! standard input ends. The log gets one JSON object per request.

use std::error::Error;
use std::io::{Read, Write};
use std::sync::Mutex;

use novel_mockllm::{MockServer, Script};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut script, mut port, mut log) = (None, 0, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--port" => port = arguments.next().ok_or("--port needs a number")?.parse()?,
            "--log" => log = Some(arguments.next().ok_or("--log needs a file")?),
            _ => script = Some(argument),
        }
    }
    let script = script.ok_or("usage: mockllm SCRIPT.json [--port N] [--log FILE.jsonl]")?;
    let script: Script = serde_json::from_str(&std::fs::read_to_string(script)?)?;
    let log = log
        .map(|path| {
            std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
        })
        .transpose()?
        .map(Mutex::new);
    let handler = script.into_handler();
    let server = MockServer::start_at(port, move |request| {
        if let Some(log) = &log {
            let line = serde_json::json!({
                "number": request.number, "method": request.method, "path": request.path,
                "headers": request.headers, "body": request.json,
            });
            let mut log = log
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            // One write per line, so that a reader never sees half of one.
            let _ = log.write_all(format!("{line}\n").as_bytes());
        }
        handler(request)
    })?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", server.url())?;
    out.flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
