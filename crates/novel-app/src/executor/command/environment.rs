//! What an agent's program sees of this process's environment.

use std::{collections::BTreeMap, ffi::OsString};

/// Variables without which programs do not find their way: places, language, terminal, certificates.
/// None of them holds a key.
const USUAL: [&str; 26] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "COLUMNS",
    "LINES",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "NVM_DIR",
];

/// The way to the network, in either case; passed on unless it holds credentials.
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/// The variables a program is given: the usual ones and those the author names.
pub(crate) fn passed_on(
    named: &[String],
    all: impl Iterator<Item = (OsString, OsString)>,
) -> BTreeMap<String, OsString> {
    all.filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, value)| {
            let is_proxy = PROXIES.contains(&name.to_ascii_lowercase().as_str());
            USUAL.contains(&name.as_str())
                || name.starts_with("LC_")
                || (is_proxy && !value.as_encoded_bytes().contains(&b'@'))
                || named.contains(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_passed_on_only_if_it_is_named() {
        let all = || {
            [
                ("PATH", "/bin"),
                ("LC_ALL", "zh_CN.UTF-8"),
                ("OPENAI_API_KEY", "sk-1"),
                ("ANTHROPIC_API_KEY", "sk-2"),
                ("MY_PASSWORD", "x"),
                ("HTTPS_PROXY", "http://user:secret@proxy:3128"),
                ("http_proxy", "http://proxy:3128"),
            ]
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
        };
        let names = |named: &[&str]| {
            let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
            passed_on(&named, all()).into_keys().collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["LC_ALL", "PATH", "http_proxy"]);
        assert_eq!(
            names(&["ANTHROPIC_API_KEY", "NOT_SET"]),
            ["ANTHROPIC_API_KEY", "LC_ALL", "PATH", "http_proxy"]
        );
    }
}
