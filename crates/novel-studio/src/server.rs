//! The server: loopback only, one thread, started by `novel studio` alone.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
};

use novel_model::{Explain, Kind, Message, message};

use crate::{routes::router, session::NoRandomness, studio::Studio};

/// Why the Studio does not start or stops.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port cannot be had.
    #[error("port {port} cannot be opened on 127.0.0.1")]
    Port {
        /// The port.
        port: u16,
        /// The system's word.
        source: io::Error,
    },
    /// The runtime or the socket failed.
    #[error("the server failed")]
    Server {
        /// The system's word.
        source: io::Error,
    },
    /// No randomness.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

impl Explain for ServeError {
    fn kind(&self) -> Kind {
        match self {
            Self::Port { .. } => Kind::Input,
            Self::Server { .. } | Self::NoRandomness(_) => Kind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Port { .. } => "STUDIO_PORT",
            Self::Server { .. } | Self::NoRandomness(_) => "STUDIO_FAILED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Port { port, source } => message!(
                en: "port {port} cannot be opened on 127.0.0.1: {source}",
                zh: "无法在 127.0.0.1 上打开端口 {port}：{source}"
            ),
            Self::Server { source } => message!(
                en: "the Studio's server failed: {source}", zh: "Studio 服务出错：{source}"
            ),
            Self::NoRandomness(source) => source.message(),
        }
    }

    fn hint(&self) -> Option<Message> {
        match self {
            Self::Port { .. } => Some(message!(
                en: "`novel studio` without `--port` takes a free one",
                zh: "`novel studio` 不带 `--port` 会自动选用空闲端口"
            )),
            Self::Server { .. } | Self::NoRandomness(_) => None,
        }
    }
}

/// A socket on loopback.
#[derive(Debug)]
pub struct Serving {
    listener: TcpListener,
    /// Its port.
    pub port: u16,
}

/// Takes a port of 127.0.0.1; 0 for any free one.
///
/// # Errors
/// When it cannot be had.
pub fn bind(port: u16) -> Result<Serving, ServeError> {
    let open = || {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Serving { listener, port })
    };
    open().map_err(|source| ServeError::Port { port, source })
}

/// Serves until Ctrl-C. Runs that were started go on: they are processes of their own.
///
/// # Errors
/// When the socket or the runtime fails.
pub fn serve(serving: Serving, studio: Arc<Studio>) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(16)
        .build()
        .map_err(|source| ServeError::Server { source })?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(serving.listener)?;
        let server = tokio::spawn(async move { axum::serve(listener, router(studio)).await });
        tokio::signal::ctrl_c().await?;
        server.abort();
        Ok(())
    });
    // Pages under way are given up: nothing of them is kept here.
    runtime.shutdown_background();
    result.map_err(|source| ServeError::Server { source })
}
