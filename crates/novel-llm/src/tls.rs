//! Who vouches for a server: the usual public authorities, or those of a file.

use std::path::{Path, PathBuf};

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// Why a file of authorities is of no use.
#[derive(Debug)]
pub(crate) struct UnusableFile {
    pub(crate) path: PathBuf,
    pub(crate) detail: String,
}

/// The certificate authorities that vouch for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorities {
    /// Those of the file that `SSL_CERT_FILE` names, and the usual public ones where it names none.
    Environment,
    /// Those of a PEM file, and no others.
    File(PathBuf),
}

impl Authorities {
    /// The settings for the server at `url`. The file is not read for a server without TLS.
    pub(crate) fn tls(&self, url: &str) -> Result<TlsConfig, UnusableFile> {
        let file = match self {
            Self::Environment => std::env::var_os("SSL_CERT_FILE").map(PathBuf::from),
            Self::File(path) => Some(path.clone()),
        };
        match file {
            Some(path) if !path.as_os_str().is_empty() && is_secure(url) => {
                let roots = roots(&path)?;
                Ok(TlsConfig::builder().root_certs(roots).build())
            }
            _ => Ok(TlsConfig::default()),
        }
    }
}

fn is_secure(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https")
}

fn roots(path: &Path) -> Result<RootCerts, UnusableFile> {
    let unusable = |detail: String| UnusableFile {
        path: path.to_owned(),
        detail,
    };
    let pem = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(one) = item.map_err(|error| unusable(error.to_string()))? {
            certificates.push(one);
        }
    }
    if certificates.is_empty() {
        return Err(unusable("no certificate in PEM form".into()));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
