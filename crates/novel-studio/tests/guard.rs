//! Every route, called as a stranger, as another site, and with tricks.

use axum::http::{Method, Request, StatusCode};
use novel_model::Lang;
use novel_studio::TABLE;
use novel_testkit::tree;

use crate::support::{HOST, House, ORIGIN, own};

/// Every route with something in the place of its names.
fn routes() -> Vec<(Method, String)> {
    TABLE
        .iter()
        .map(|route| {
            let path = route
                .path
                .replace("{book}", "fare")
                .replace("{chapter}", "1")
                .replace("{person}", "ilse")
                .replace("{format}", "txt")
                .replace("{run}", "1");
            let method = match route.method {
                "get" => Method::GET,
                "post" => Method::POST,
                other => panic!("{other}"),
            };
            (method, path)
        })
        .collect()
}

#[test]
fn without_a_session_no_route_answers_and_nothing_is_written() {
    let house = House::with_chapters(Lang::En, 1);
    let before = tree(&house.root());
    for (method, path) in routes() {
        if path == "/in" {
            continue;
        }
        let answer = house.send(own(method.clone(), &path), String::new());
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
        let forged = own(method.clone(), &path).header("cookie", "novel_4321=0000");
        let answer = house.send(forged, String::new());
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
        assert!(!answer.body.contains("The Fare"), "{method} {path}");
    }
    assert_eq!(tree(&house.root()), before);
}

#[test]
fn another_host_name_is_refused_even_with_a_session() {
    let house = House::signed_in(Lang::En, 1);
    let hosts = [
        "evil.example:4321",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.evil.example:4321",
        "127.0.0.1.nip.io:4321",
        "0.0.0.0:4321",
        "127.0.0.1:4321@evil.example",
    ];
    for (method, path) in routes() {
        for host in hosts {
            let request = Request::builder()
                .method(method.clone())
                .uri(&path)
                .header("host", host)
                .header("origin", format!("http://{host}"))
                .header("sec-fetch-site", "same-origin")
                .header("cookie", house.cookie());
            let answer = house.send(request, String::new());
            assert_eq!(
                answer.status,
                StatusCode::FORBIDDEN,
                "{method} {path} {host}"
            );
        }
        let request = Request::builder()
            .method(method)
            .uri(&path)
            .header("cookie", house.cookie());
        assert_eq!(
            house.send(request, String::new()).status,
            StatusCode::FORBIDDEN
        );
    }
    for name in ["localhost:4321", "[::1]:4321"] {
        let request = Request::builder()
            .uri("/")
            .header("host", name)
            .header("cookie", house.cookie());
        assert_eq!(
            house.send(request, String::new()).status,
            StatusCode::OK,
            "{name}"
        );
    }
}

#[test]
fn another_site_can_neither_read_nor_act() {
    let house = House::signed_in(Lang::En, 1);
    let before = tree(&house.root());
    let proof = house.proof();
    for (method, path) in routes() {
        if method == Method::GET {
            for site in ["cross-site", "same-site"] {
                let request = Request::builder()
                    .uri(&path)
                    .header("host", HOST)
                    .header("sec-fetch-site", site)
                    .header("cookie", house.cookie());
                let answer = house.send(request, String::new());
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {site}");
            }
            continue;
        }
        let post = || {
            Request::builder()
                .method(Method::POST)
                .uri(&path)
                .header("host", HOST)
                .header("cookie", house.cookie())
                .header("content-type", "application/x-www-form-urlencoded")
        };
        let body = format!("_form={proof}");
        let foreign = [
            post(),
            post().header("origin", ORIGIN),
            post().header("sec-fetch-site", "same-origin"),
            post()
                .header("origin", "null")
                .header("sec-fetch-site", "same-origin"),
            post()
                .header("origin", "http://evil.example")
                .header("sec-fetch-site", "same-origin"),
            post()
                .header("origin", "http://127.0.0.1:4322")
                .header("sec-fetch-site", "same-origin"),
            post()
                .header("origin", ORIGIN)
                .header("sec-fetch-site", "cross-site"),
            post()
                .header("origin", ORIGIN)
                .header("sec-fetch-site", "same-site"),
        ];
        for request in foreign {
            let answer = house.send(request, body.clone());
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    assert_eq!(tree(&house.root()), before);
}

#[test]
fn a_form_without_its_proof_does_nothing() {
    let house = House::signed_in(Lang::En, 1);
    let before = tree(&house.root());
    for (method, path) in routes() {
        if method != Method::POST || path == "/in" {
            continue;
        }
        for body in [
            "",
            "_form=",
            "_form=00",
            "operation=1&act=waive",
            "_form=%00",
        ] {
            let request = own(Method::POST, &path).header("cookie", house.cookie());
            let answer = house.send(request, body.to_owned());
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {body}");
        }
        // A proof in the address is none.
        let proof = house.proof();
        let request =
            own(Method::POST, &format!("{path}?_form={proof}")).header("cookie", house.cookie());
        assert_eq!(
            house.send(request, String::new()).status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    assert_eq!(tree(&house.root()), before);
}

#[test]
fn a_method_no_route_has_is_refused() {
    let house = House::signed_in(Lang::En, 0);
    let reads: Vec<String> = routes()
        .into_iter()
        .filter(|(method, _)| method == Method::GET)
        .map(|(_, path)| path)
        .collect();
    for (_, path) in routes() {
        for method in [
            Method::PUT,
            Method::DELETE,
            Method::PATCH,
            Method::OPTIONS,
            Method::TRACE,
        ] {
            let request = own(method.clone(), &path).header("cookie", house.cookie());
            let answer = house.send(request, String::new());
            assert_eq!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert!(!answer.headers.contains_key("access-control-allow-origin"));
        }
        if !reads.contains(&path) {
            let request = own(Method::GET, &path).header("cookie", house.cookie());
            let answer = house.send(request, String::new());
            assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "GET {path}");
        }
    }
}

#[test]
fn an_address_is_never_a_path() {
    let house = House::signed_in(Lang::En, 1);
    std::fs::write(
        house.root().parent().unwrap().join("secret.txt"),
        "do not show",
    )
    .unwrap();
    let tricks = [
        "/b/..",
        "/b/../secret.txt",
        "/b/%2e%2e/secret.txt",
        "/b/..%2fsecret.txt",
        "/b/fare/..%2f..%2fetc%2fpasswd",
        "/b/fare%2f..",
        "/b/fare/chapters/..",
        "/b/fare/chapters/%2e%2e%2fnovel.toml",
        "/b/fare/chapters/1%00",
        "/b/fare/chapters/-1",
        "/b/fare/chapters/+1",
        "/b/fare/chapters/0",
        "/b/fare/chapters/1.json",
        "/b/fare/chapters/99999999999",
        "/b/fare/codex/..",
        "/b/fare/codex/%2e%2e%2f%2e%2e%2fsecret",
        "/b/fare/codex/ilse.json",
        "/b/fare/export/pdf",
        "/b/fare/export/..%2ftxt",
        "/b/secret.txt",
        "/b//etc/passwd",
        "/b/fare//chapters",
        "/assets/..%2fsrc%2flib.rs",
        "/assets/studio.css",
        "/b/fare\\..\\secret.txt",
    ];
    for path in tricks {
        let Ok(uri) = path.parse::<axum::http::Uri>() else {
            continue;
        };
        let request = own(Method::GET, &uri.to_string()).header("cookie", house.cookie());
        let answer = house.send(request, String::new());
        assert!(
            [
                StatusCode::NOT_FOUND,
                StatusCode::FORBIDDEN,
                StatusCode::UNPROCESSABLE_ENTITY
            ]
            .contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.body.contains("do not show"), "{path}");
    }
}

#[test]
fn the_link_opens_once_and_its_code_stays_out_of_every_answer() {
    let house = House::with_chapters(Lang::En, 0);
    let link = house.studio.link();
    let code = link.split_once('#').unwrap().1.to_owned();
    assert_eq!(code.len(), 64);
    let wrong = house.send(own(Method::POST, "/in"), "code=guess".to_owned());
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert!(!wrong.headers.contains_key("set-cookie"));
    let right = house.enter();
    assert_eq!(right.status, StatusCode::SEE_OTHER);
    assert_eq!(right.headers["location"], "/b/fare");
    let cookie = right.headers["set-cookie"].to_str().unwrap().to_owned();
    for wanted in ["novel_4321=", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(wanted), "{cookie}");
    }
    assert!(!cookie.contains(&code));
    let again = house.send(own(Method::POST, "/in"), format!("code={code}"));
    assert_eq!(again.status, StatusCode::UNAUTHORIZED);
    assert_ne!(
        house.studio.link(),
        link,
        "another browser gets another code"
    );
    let value = cookie.split(';').next().unwrap();
    let next = house.studio.link();
    let next = next.split_once('#').unwrap().1;
    for (method, path) in routes() {
        if method == Method::GET {
            let answer = house.send(
                own(Method::GET, &path).header("cookie", value),
                String::new(),
            );
            let secret = value.split_once('=').unwrap().1;
            for hidden in [code.as_str(), next, secret] {
                assert!(!answer.body.contains(hidden), "{path}");
            }
        }
    }
    for path in walk(&house.root()) {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains(&code) && !text.contains(next),
            "{}",
            path.display()
        );
    }
}

fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_answer_carries_the_strict_headers() {
    let house = House::signed_in(Lang::En, 1);
    let mut paths: Vec<String> = routes().into_iter().map(|(_, path)| path).collect();
    paths.push("/nothing/here".to_owned());
    for path in paths {
        for cookie in [house.cookie(), "none=1"] {
            let answer = house.send(
                own(Method::GET, &path).header("cookie", cookie),
                String::new(),
            );
            let csp = answer.headers["content-security-policy"].to_str().unwrap();
            for wanted in [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                "require-trusted-types-for 'script'",
            ] {
                assert!(csp.contains(wanted), "{path}: {csp}");
            }
            assert!(!csp.contains("unsafe"), "{path}: {csp}");
            assert_eq!(
                answer.headers["x-content-type-options"], "nosniff",
                "{path}"
            );
            assert_eq!(answer.headers["cache-control"], "no-store", "{path}");
            assert_eq!(
                answer.headers["cross-origin-resource-policy"], "same-origin",
                "{path}"
            );
            assert!(
                !answer.headers.contains_key("access-control-allow-origin"),
                "{path}"
            );
        }
    }
}
