//! `https`: whom the client believes, and a secure connection that breaks.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use novel_llm::{Authorities, CancelToken, Client, Endpoint, ModelError, Secret, Wire};
use novel_model::Explain;
use rcgen::{CertificateParams, CertifiedIssuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, Stream};
use tempfile::TempDir;

use super::support::{KEY, Outcome, TestPace, ask_client, prose};

const WHOLE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"夜雨初歇\"},\"finish_reason\":null}]}\n\n\
    data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
    data: [DONE]\n\n";

/// How the server ends an answer.
#[derive(Clone, Copy)]
enum Ending {
    /// With all of it, and a farewell.
    Whole,
    /// In the middle, the line dead: what an attacker who cuts the line can do.
    Cut,
}

/// An authority and a server on a loopback port that it vouches for.
struct SecureServer {
    directory: TempDir,
    port: u16,
    /// Everything that was heard in the clear or decrypted.
    heard: Arc<Mutex<Vec<u8>>>,
}

impl SecureServer {
    /// The first answers end so; the last way stays.
    fn start(name: &str, endings: Vec<Ending>) -> Self {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let directory = TempDir::new().unwrap();
        std::fs::write(directory.path().join("authority.pem"), issuer.pem()).unwrap();

        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        thread::spawn(move || {
            let mut endings = endings.into_iter().peekable();
            while let Ok((socket, _)) = listener.accept() {
                let ending = match endings.len() {
                    1 => *endings.peek().unwrap(),
                    _ => endings.next().unwrap(),
                };
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                answer(connection, socket, ending, &hears);
            }
        });
        Self {
            directory,
            port,
            heard,
        }
    }

    fn authority(&self) -> PathBuf {
        self.directory.path().join("authority.pem")
    }

    fn heard(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap()).into_owned()
    }

    fn ask(&self, authorities: Authorities) -> Outcome {
        let url = format!("https://127.0.0.1:{}/v1", self.port);
        ask_at(url, authorities)
    }
}

fn ask_at(url: String, authorities: Authorities) -> Outcome {
    let mut endpoint = Endpoint::new(Wire::OpenAi, url);
    endpoint.key = Some(Secret::new(KEY).unwrap());
    endpoint.authorities = authorities;
    endpoint.retry.max_attempts = 3;
    let pace = TestPace::default();
    let client = Client::with_pace(endpoint, Box::new(pace.clone()));
    ask_client(&client, &pace, &prose(), &CancelToken::new(), |_| {})
}

/// One request and its answer; a client that goes away during the handshake ends it.
fn answer(
    mut connection: ServerConnection,
    mut socket: TcpStream,
    ending: Ending,
    heard: &Mutex<Vec<u8>>,
) {
    let mut stream = Stream::new(&mut connection, &mut socket);
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_complete(&request) {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => request.extend_from_slice(&buffer[..count]),
            Ok(_) | Err(_) => break,
        }
    }
    heard.lock().unwrap().extend_from_slice(&request);
    if !is_complete(&request) {
        return;
    }
    let body = match ending {
        Ending::Whole => WHOLE,
        Ending::Cut => WHOLE.split_inclusive("\n\n").next().unwrap(),
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    if let Ending::Whole = ending {
        connection.send_close_notify();
        connection.complete_io(&mut socket).ok();
    }
    socket.shutdown(Shutdown::Both).ok();
}

/// Whether head and body of a request are here.
fn is_complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, _)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().unwrap())
    });
    request.len() >= head.len() + 4 + length.unwrap_or_default()
}

#[test]
fn an_authority_of_a_file_vouches_for_a_server() {
    let server = SecureServer::start("127.0.0.1", vec![Ending::Whole]);
    let outcome = server.ask(Authorities::File(server.authority()));
    assert_eq!(outcome.answer().text, "夜雨初歇");
    assert!(server.heard().contains(KEY));
}

#[test]
fn a_server_nobody_vouches_for_is_refused_at_once_and_never_hears_the_key() {
    let server = SecureServer::start("127.0.0.1", vec![Ending::Whole]);
    let other = SecureServer::start("127.0.0.1", vec![Ending::Whole]);
    for authorities in [
        Authorities::Environment,
        Authorities::File(other.authority()),
    ] {
        let outcome = server.ask(authorities);
        let error = outcome.error();
        assert!(matches!(error, ModelError::Tls { .. }), "{error:?}");
        assert_eq!((error.code(), outcome.retries()), ("PROVIDER_TLS", 0));
        assert!(error.hint().unwrap().en.contains("SSL_CERT_FILE"));
    }
    assert_eq!(server.heard(), "");
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    let server = SecureServer::start("models.example", vec![Ending::Whole]);
    let outcome = server.ask(Authorities::File(server.authority()));
    let error = outcome.error();
    assert!(matches!(error, ModelError::Tls { .. }), "{error:?}");
    assert_eq!(server.heard(), "");
}

#[test]
fn an_answer_that_is_cut_inside_a_secure_connection_is_no_answer() {
    let server = SecureServer::start("127.0.0.1", vec![Ending::Cut, Ending::Whole]);
    let authorities = Authorities::File(server.authority());
    let outcome = server.ask(authorities.clone());
    assert_eq!(
        (outcome.answer().text.as_str(), outcome.retries()),
        ("夜雨初歇", 1)
    );
    assert_eq!(outcome.streamed, "夜雨初歇");

    let server = SecureServer::start("127.0.0.1", vec![Ending::Cut]);
    let outcome = server.ask(Authorities::File(server.authority()));
    assert!(outcome.result.is_err());
}

#[test]
fn a_file_of_authorities_that_is_of_no_use_is_named() {
    let server = SecureServer::start("127.0.0.1", vec![Ending::Whole]);
    let empty = server.directory.path().join("empty.pem");
    std::fs::write(&empty, "nothing of the kind\n").unwrap();
    let damaged = server.directory.path().join("damaged.pem");
    let cut = std::fs::read_to_string(server.authority()).unwrap();
    std::fs::write(&damaged, &cut[..cut.len() / 2]).unwrap();
    let missing = server.directory.path().join("missing.pem");
    for path in [empty, damaged, missing] {
        let outcome = server.ask(Authorities::File(path.clone()));
        let error = outcome.error();
        assert!(matches!(error, ModelError::Authorities { .. }), "{error:?}");
        let said = error.message();
        let name = path.display().to_string();
        assert!(said.en.contains(&name) && said.zh.contains(&name));
        assert_eq!((error.code(), outcome.retries()), ("PROVIDER_TLS", 0));
        // A server without TLS needs no file.
        let plain = ask_at("http://127.0.0.1:9/v1".into(), Authorities::File(path));
        assert!(!matches!(plain.error(), ModelError::Authorities { .. }));
    }
    assert_eq!(server.heard(), "");
}
