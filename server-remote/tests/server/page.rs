//! The page's files, as a runner serves them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use benchbook_server::http::routes::{SitePage, app};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::routes::{body, decode, header, runner, send};

const SCRIPT: &str = "app-0123456789abcdef.js";
const MODULE: &str = "app-0123456789abcdef_bg.wasm";

/// A built page, with a file for each kind of name.
fn built_page() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    };
    write("index.html", &format!("<!doctype html><script src={SCRIPT}></script>{}", "<p>text</p>".repeat(100)));
    write(SCRIPT, &"let x = 1;\n".repeat(1_000));
    write(MODULE, &"\0asm".repeat(1_000));
    write(
        "notebook.json",
        r#"{ "title": "ours", "suites": ["suites/other.wasm"], "examples": [{ "link": "suite=other&function=f" }] }"#,
    );
    write("suites/other.wasm", "x");
    write(".stage/index.html", "an unfinished build");
    folder
}

/// The routes of a runner that serves this folder.
fn serve(folder: &Path, compressed: bool) -> Router {
    let (runner, page) = (runner(), SitePage::read(Some(folder)).expect("the folder contains a page"));
    if compressed {
        page.assets(&runner.setup.suites).compress();
    }
    app(Arc::new(runner), Arc::new(page))
}

#[tokio::test]
async fn files_have_types_caching_and_isolation() {
    const HASHED: &str = "public, max-age=31536000, immutable";
    let folder = built_page();
    let routes = serve(folder.path(), true);
    for (path, kind, caching) in [
        ("/", "text/html", "no-cache"),
        ("/index.html", "text/html", "no-cache"),
        ("/notebook.json", "application/json", "no-cache"),
        ("/suites/other.wasm", "application/wasm", "no-cache"),
        ("/app-0123456789abcdef.js", "text/javascript", HASHED),
        ("/app-0123456789abcdef_bg.wasm", "application/wasm", HASHED),
    ] {
        for method in ["GET", "HEAD"] {
            let response = send(&routes, method, path, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{method} {path}");
            let headers = response.headers();
            assert_eq!(header(headers, "content-type"), Some(kind), "{method} {path}");
            assert_eq!(header(headers, "cache-control"), Some(caching), "{method} {path}");
            assert_eq!(header(headers, "vary"), Some("accept-encoding"), "{method} {path}");
            assert_eq!(header(headers, "cross-origin-opener-policy"), Some("same-origin"), "{method} {path}");
            assert_eq!(header(headers, "cross-origin-embedder-policy"), Some("require-corp"), "{method} {path}");
            assert_eq!(header(headers, "cross-origin-resource-policy"), Some("same-origin"), "{method} {path}");
        }
    }
    for path in
        ["/nothing", "/suites", "/suites/", "/suites/none.wasm", "/.stage/index.html", "/none-0123456789abcdef.js"]
    {
        let response = send(&routes, "GET", path, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(header(response.headers(), "cache-control"), Some("no-cache"), "{path}");
    }
    assert_eq!(send(&routes, "POST", "/", &[]).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn files_are_compressed_ahead_of_requests() {
    let folder = built_page();
    let plain = fs::read(folder.path().join(SCRIPT)).expect("the script was written");
    let path = format!("/{SCRIPT}");
    let routes_compressed = serve(folder.path(), true);
    for (accepted, expected) in [
        ("", None),
        ("identity", None),
        ("gzip", Some("gzip")),
        ("gzip, deflate, br, zstd", Some("br")),
        ("br;q=0.5, gzip", Some("gzip")),
        ("br;q=0", None),
    ] {
        let response = send(&routes_compressed, "GET", &path, &[("accept-encoding", accepted)]).await;
        let headers = response.headers().clone();
        assert_eq!(header(&headers, "content-encoding"), expected, "{accepted}");
        let body = body(response).await;
        assert_eq!(header(&headers, "content-length"), Some(body.len().to_string().as_str()), "{accepted}");
        assert_eq!(decode(expected, &body), plain, "{accepted}");
        assert!(expected.is_none() || body.len() < plain.len() / 10, "{accepted}: {}", body.len());
    }
    // Before it is compressed, and if it would not become smaller.
    let uncompressed = serve(folder.path(), false);
    for (routes, path) in [(&uncompressed, path.as_str()), (&routes_compressed, "/suites/other.wasm")] {
        let response = send(routes, "GET", path, &[("accept-encoding", "br, gzip")]).await;
        assert_eq!(
            (response.status(), header(response.headers(), "content-encoding")),
            (StatusCode::OK, None),
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let folder = built_page();
    let first = serve(folder.path(), true);
    let response = send(&first, "GET", "/", &[]).await;
    let tag = header(response.headers(), "etag").expect("an entity tag").to_owned();
    for method in ["GET", "HEAD"] {
        let response = send(&first, method, "/", &[("if-none-match", &tag)]).await;
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{method}");
        assert_eq!(header(response.headers(), "etag"), Some(tag.as_str()));
        assert_eq!(header(response.headers(), "cache-control"), Some("no-cache"));
        assert!(body(response).await.is_empty());
    }
    // The next build has the same size and the same modification time.
    let index = folder.path().join("index.html");
    let modified = fs::metadata(&index).and_then(|metadata| metadata.modified()).expect("the file has a time");
    let text = fs::read_to_string(&index).expect("the file was written").replace("text", "next");
    fs::write(&index, text).expect("the file is writable");
    fs::File::options()
        .write(true)
        .open(&index)
        .and_then(|file| file.set_modified(modified))
        .expect("the file is writable");
    let second = serve(folder.path(), true);
    let response = send(&second, "GET", "/", &[("if-none-match", &tag)]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(String::from_utf8_lossy(&body(response).await).contains("next"));
    // A runner keeps the page that it has read.
    let response = send(&first, "GET", "/", &[("if-none-match", &tag)]).await;
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn the_configuration_names_this_runner() {
    let folder = built_page();
    let response = send(&serve(folder.path(), true), "GET", "/notebook.json", &[]).await;
    let config: Value = serde_json::from_slice(&body(response).await).expect("JSON");
    assert_eq!(config, json!({ "title": "ours", "suites": [], "examples": [], "runner": "./" }));
}

#[tokio::test]
async fn a_folder_without_a_page_is_an_error() {
    let folder = TempDir::new().expect("a temporary folder");
    let error = SitePage::read(Some(folder.path())).expect_err("there is no page").to_string();
    assert!(error.contains("contains no index.html") && error.contains("cargo xtask build"), "{error}");
    // The runner serves its own page, unless it was compiled before the page was built.
    let page = SitePage::read(None).expect("the program's own page");
    let response = send(&app(Arc::new(runner()), Arc::new(page)), "GET", "/", &[]).await;
    let expected = if benchbook_page::files().is_empty() { StatusCode::NOT_FOUND } else { StatusCode::OK };
    assert_eq!(response.status(), expected);
}
