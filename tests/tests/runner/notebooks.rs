//! The notebooks that a runner offers: the list, the files, and that no request reads anything else.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use benchbook_host::api::{ErrorBody, NotebookCard, NotebookList, NotebookTitle, RunnerCatalog};
use benchbook_tests::runner::RunnerProgram;
use reqwest::{Method, RequestBuilder};
use tempfile::TempDir;
use url::form_urlencoded::Serializer;

const TOKEN: &str = "a-token-of-sufficient-length-0123";

/// The content of the files outside the folder of notebooks.
const SECRET: &str = "a secret outside the folder";

/// A folder of notebooks, and a folder next to it with a file of the same kind.
struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: TempDir::new().unwrap() };
        fs::create_dir(files.notebooks()).unwrap();
        fs::create_dir(files.outside()).unwrap();
        fs::write(files.outside().join("secret.benchbook.json"), SECRET).unwrap();
        files
    }

    fn notebooks(&self) -> PathBuf {
        self.folder.path().join("notebooks")
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.notebooks().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Starts a runner that offers the folder.
    fn start(&self) -> RunnerProgram {
        RunnerProgram::start(&[], &["--notebooks", self.notebooks().to_str().unwrap()]).unwrap()
    }
}

/// A notebook without cells, not formatted as Benchbook does it.
fn notebook(title: &str) -> String {
    format!("{{ \"cells\" : [ ],\n\t\"title\":\"{title}\", \"benchbook\":1 }}\n")
}

async fn list(runner: &RunnerProgram) -> NotebookList {
    runner.get("notebooks").send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

/// The paths and titles of the list.
async fn titles(runner: &RunnerProgram) -> Vec<(String, NotebookTitle)> {
    list(runner).await.notebooks.into_iter().map(|card| (card.path, card.title)).collect()
}

fn titled(path: &str, title: &str) -> (String, NotebookTitle) {
    (path.to_owned(), NotebookTitle::Title(title.to_owned()))
}

fn file_request(runner: &RunnerProgram, path: &str) -> RequestBuilder {
    let query = Serializer::new(String::new()).append_pair("path", path).finish();
    runner.get(&format!("notebooks/file?{query}"))
}

async fn content(runner: &RunnerProgram, path: &str) -> String {
    file_request(runner, path).send().await.unwrap().error_for_status().unwrap().text().await.unwrap()
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

/// Sends a request whose address no client library has normalised. Returns the whole response.
fn get_raw(runner: &RunnerProgram, address: &[u8]) -> String {
    let mut stream = TcpStream::connect(runner.url().trim_start_matches("http://")).unwrap();
    let request = [b"GET ", address, b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"].concat();
    stream.write_all(&request).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test(flavor = "current_thread")]
async fn lists_notebooks_with_title_size_and_time() {
    let files = Files::new();
    files.write("sorting/keys.benchbook.json", &notebook("Nearly sorted keys"));
    files.write("maps.benchbook.json", &notebook(""));
    for skipped in ["readme.md", ".git/a.benchbook.json", "target/a.benchbook.json", "x/node_modules/a.benchbook.json"]
    {
        files.write(skipped, &notebook("skipped"));
    }
    for path in ["sorting/keys.benchbook.json", "maps.benchbook.json"] {
        let file = File::options().write(true).open(files.notebooks().join(path)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_millis(1_700_000_000_123)).unwrap();
    }
    let runner = files.start();
    let card = |path: &str, title: &str| NotebookCard {
        path: path.to_owned(),
        title: NotebookTitle::Title(title.to_owned()),
        bytes: notebook(title).len() as u64,
        modified: 1_700_000_000_123,
    };
    let expected = [card("maps.benchbook.json", ""), card("sorting/keys.benchbook.json", "Nearly sorted keys")];
    let expected = NotebookList { notebooks: expected.into(), warnings: Vec::new() };
    assert_eq!(list(&runner).await, expected);
    // An unchanged folder has the same list.
    assert_eq!(list(&runner).await, expected);
    let catalog: RunnerCatalog = runner.get("catalog").send().await.unwrap().json().await.unwrap();
    assert!(catalog.notebooks);
}

#[tokio::test(flavor = "current_thread")]
async fn returns_files_byte_for_byte() {
    let files = Files::new();
    files.write("größe/a & b+c.benchbook.json", &notebook("Maps"));
    // Sent in many parts.
    let large = notebook(&"x".repeat(300_000));
    files.write("large.benchbook.json", &large);
    files.write("empty.benchbook.json", "");
    let runner = files.start();
    for (path, expected) in [
        ("größe/a & b+c.benchbook.json", notebook("Maps")),
        ("large.benchbook.json", large),
        ("empty.benchbook.json", String::new()),
    ] {
        let response = file_request(&runner, path).send().await.unwrap();
        let header = |name| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(response.status().as_u16(), 200, "{path}");
        assert_eq!(header("content-type").as_deref(), Some("application/json"), "{path}");
        assert_eq!(header("content-length"), Some(expected.len().to_string()), "{path}");
        assert_eq!(header("cache-control").as_deref(), Some("no-store"), "{path}");
        assert_eq!(response.text().await.unwrap(), expected, "{path}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_file_that_is_not_a_notebook_is_listed_with_the_reason() {
    let files = Files::new();
    files.write("a.benchbook.json", "{ \"benchbook\": 1, ");
    files.write("b.benchbook.json", "{ \"name\": 1 }");
    files.write("c.benchbook.json", &notebook("Maps"));
    let too_large = File::create(files.notebooks().join("d.benchbook.json")).unwrap();
    too_large.set_len(1 + (64 << 20)).unwrap();
    let runner = files.start();
    let listed = titles(&runner).await;
    let error = |index: usize| match &listed[index].1 {
        NotebookTitle::Error(error) => error.as_str(),
        NotebookTitle::Title(title) => panic!("{title}"),
    };
    assert_eq!(listed.len(), 4);
    assert!(error(0).contains("damaged or incomplete"), "{}", error(0));
    assert!(error(1).contains("not a Benchbook notebook"), "{}", error(1));
    assert_eq!(listed[2], titled("c.benchbook.json", "Maps"));
    assert!(error(3).contains("the limit is 64 MiB"), "{}", error(3));
    // A page may be able to read more than the runner, except beyond the maximum size.
    assert_eq!(content(&runner, "a.benchbook.json").await, "{ \"benchbook\": 1, ");
    assert_eq!(status(file_request(&runner, "d.benchbook.json")).await, 404);
}

#[tokio::test(flavor = "current_thread")]
async fn changed_files_are_visible_at_the_next_request() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("one"));
    files.write("b.benchbook.json", &notebook("two"));
    let runner = files.start();
    let before = [titled("a.benchbook.json", "one"), titled("b.benchbook.json", "two")];
    assert_eq!(titles(&runner).await, before);

    files.write("a.benchbook.json", &notebook("changed"));
    fs::remove_file(files.notebooks().join("b.benchbook.json")).unwrap();
    files.write("new/c.benchbook.json", &notebook("three"));
    let after = [titled("a.benchbook.json", "changed"), titled("new/c.benchbook.json", "three")];
    assert_eq!(titles(&runner).await, after);
    assert_eq!(content(&runner, "a.benchbook.json").await, notebook("changed"));
    assert_eq!(status(file_request(&runner, "b.benchbook.json")).await, 404);

    // With the same size, the time of the change distinguishes them.
    files.write("a.benchbook.json", &notebook("CHANGED"));
    let file = File::options().write(true).open(files.notebooks().join("a.benchbook.json")).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    assert_eq!(titles(&runner).await[0], titled("a.benchbook.json", "CHANGED"));
}

#[tokio::test(flavor = "current_thread")]
async fn hostile_paths_read_nothing() {
    let files = Files::new();
    files.write("sub/a.benchbook.json", &notebook("Maps"));
    files.write("sub/plain.json", SECRET);
    files.write("plain.txt", SECRET);
    for hidden in [".git/a.benchbook.json", ".a.benchbook.json", "target/a.benchbook.json", ".benchbook.json"] {
        files.write(hidden, SECRET);
    }
    let runner = files.start();
    let secret = files.outside().join("secret.benchbook.json");
    let secret = secret.to_str().unwrap();
    assert!(get_raw(&runner, b"/api/v1/notebooks/file?path=sub%2Fa.benchbook.json").contains("Maps"));
    let absolute = [secret, &secret.replace('/', "%2F"), &format!("/{secret}"), &format!("file://{secret}")];
    let relative = [
        "",
        "/",
        ".",
        "..",
        "sub",
        "sub/",
        "../outside/secret.benchbook.json",
        "..%2Foutside%2Fsecret.benchbook.json",
        "%2e%2e/outside/secret.benchbook.json",
        "%2E%2E%2Foutside%2Fsecret.benchbook.json",
        "%252e%252e%252Foutside%252Fsecret.benchbook.json",
        "..%5Coutside%5Csecret.benchbook.json",
        "..\\outside\\secret.benchbook.json",
        "..%c0%afoutside%c0%afsecret.benchbook.json",
        "%ff%fe/a.benchbook.json",
        "sub/../../outside/secret.benchbook.json",
        "sub/../sub/a.benchbook.json",
        "./sub/a.benchbook.json",
        "sub/./a.benchbook.json",
        "sub//a.benchbook.json",
        "/sub/a.benchbook.json",
        "sub%252Fa.benchbook.json",
        "sub\\a.benchbook.json",
        "sub%5Ca.benchbook.json",
        "sub/a.benchbook.json/",
        "sub/a.benchbook.json/.",
        "sub/a.benchbook.json%00",
        "%00sub/a.benchbook.json",
        "plain.txt%00.benchbook.json",
        "sub/a.benchbook.json%0a",
        "sub/a.benchbook.json%20",
        "sub/A.benchbook.json",
        "plain.txt",
        "sub/plain.json",
        ".a.benchbook.json",
        ".benchbook.json",
        ".git/a.benchbook.json",
        "target/a.benchbook.json",
        "absent.benchbook.json",
    ];
    let long = format!("{}a.benchbook.json", "sub/".repeat(2_000));
    for path in absolute.into_iter().chain(relative).chain([long.as_str()]) {
        let response = get_raw(&runner, format!("/api/v1/notebooks/file?path={path}").as_bytes());
        assert!(response.starts_with("HTTP/1.1 404"), "{path}: {response}");
        assert!(!response.contains(SECRET) && response.contains("no notebook"), "{path}: {response}");
    }
    // Other addresses are no routes.
    for address in [
        "/api/v1/notebooks/sub/a.benchbook.json",
        "/api/v1/notebooks/file/../../outside/secret.benchbook.json",
        "/api/v1/notebooks/..%2f..%2foutside%2fsecret.benchbook.json",
        "/api/v1/notebooks/file%2f..%2fsecret.benchbook.json",
        "/notebooks/sub/a.benchbook.json",
        "/notebooks/../outside/secret.benchbook.json",
        "/../outside/secret.benchbook.json",
    ] {
        let response = get_raw(&runner, address.as_bytes());
        assert!(response.starts_with("HTTP/1.1 404") && !response.contains(SECRET), "{address}: {response}");
    }
    for query in ["", "?path", "?paths=a", "?path=a&path=b", "?path=a&more=b"] {
        let response = get_raw(&runner, format!("/api/v1/notebooks/file{query}").as_bytes());
        let status = if query == "?path" { "404" } else { "400" };
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{query}: {response}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn symbolic_links_do_not_lead_outside() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("Maps"));
    files.write("sub/b.benchbook.json", &notebook("Sets"));
    let link = |target: &Path, name: &str| symlink(target, files.notebooks().join(name)).unwrap();
    link(&files.outside().join("secret.benchbook.json"), "file.benchbook.json");
    link(Path::new("../outside/secret.benchbook.json"), "relative.benchbook.json");
    link(&files.outside(), "folder");
    link(Path::new("/"), "root");
    link(Path::new("."), "loop");
    link(Path::new("a.benchbook.json"), "inside.benchbook.json");
    let runner = files.start();
    let expected = [titled("a.benchbook.json", "Maps"), titled("sub/b.benchbook.json", "Sets")];
    assert_eq!(titles(&runner).await, expected);
    let absolute = files.outside().join("secret.benchbook.json");
    let through_root = format!("root{}", absolute.to_str().unwrap());
    let linked = ["file.benchbook.json", "relative.benchbook.json", "folder/secret.benchbook.json", &through_root];
    for path in linked.into_iter().chain(["loop/a.benchbook.json", "inside.benchbook.json"]) {
        assert_eq!(status(file_request(&runner, path)).await, 404, "{path}");
    }

    // A folder is replaced by a link while the runner runs.
    assert_eq!(content(&runner, "sub/b.benchbook.json").await, notebook("Sets"));
    fs::rename(files.notebooks().join("sub"), files.outside().join("sub")).unwrap();
    link(&files.outside().join("sub"), "sub");
    assert_eq!(status(file_request(&runner, "sub/b.benchbook.json")).await, 404);
    assert_eq!(titles(&runner).await, expected[..1]);
}

#[tokio::test(flavor = "current_thread")]
async fn notebooks_require_the_token_and_an_accepted_origin() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("Maps"));
    let token = files.folder.path().join("token");
    fs::write(&token, TOKEN).unwrap();
    let folder = files.notebooks();
    let arguments = ["--notebooks", folder.to_str().unwrap(), "--token-file", token.to_str().unwrap()];
    let runner = RunnerProgram::start(&[], &arguments).unwrap();
    for path in ["notebooks", "notebooks/file?path=a.benchbook.json", "notebooks/file?path=absent.benchbook.json"] {
        let request = || runner.get(path);
        let wrong = "a-token-of-sufficient-length-0124";
        for (expected, request) in [
            (401, request()),
            (401, request().bearer_auth(wrong)),
            (403, request().bearer_auth(TOKEN).header("origin", "https://other.example.org")),
            (403, request().bearer_auth(TOKEN).header("host", "rebound.example.org")),
            (if path.contains("absent") { 404 } else { 200 }, request().bearer_auth(TOKEN)),
        ] {
            let response = request.send().await.unwrap();
            assert_eq!(response.status().as_u16(), expected, "{path}");
            let text = response.text().await.unwrap();
            assert_eq!(text.contains("Maps"), expected == 200, "{path}: {text}");
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn no_request_changes_a_notebook() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("Maps"));
    let runner = files.start();
    for path in ["notebooks", "notebooks/file?path=a.benchbook.json", "notebooks/file?path=new.benchbook.json"] {
        for method in [Method::PUT, Method::POST, Method::PATCH, Method::DELETE] {
            assert_eq!(status(runner.request(method.clone(), path).body("{}")).await, 405, "{method} {path}");
        }
    }
    assert_eq!(titles(&runner).await, [titled("a.benchbook.json", "Maps")]);
}

#[tokio::test(flavor = "current_thread")]
async fn without_the_option_there_are_no_notebooks() {
    let runner = RunnerProgram::start(&[], &[]).unwrap();
    assert_eq!(list(&runner).await, NotebookList::default());
    assert_eq!(status(file_request(&runner, "a.benchbook.json")).await, 404);
    let catalog: RunnerCatalog = runner.get("catalog").send().await.unwrap().json().await.unwrap();
    assert!(!catalog.notebooks);
}

#[tokio::test(flavor = "current_thread")]
async fn a_folder_that_disappears_is_reported_and_found_again() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("Maps"));
    let runner = files.start();
    let away = files.folder.path().join("away");
    fs::rename(files.notebooks(), &away).unwrap();
    for request in [runner.get("notebooks"), file_request(&runner, "a.benchbook.json")] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), 503);
        let error = response.json::<ErrorBody>().await.unwrap().error;
        assert!(error.starts_with("Cannot read the notebooks. ") && !error.contains('/'), "{error}");
        let logged = runner.wait_for_log("Cannot read the notebooks").unwrap();
        assert!(logged.contains(files.notebooks().to_str().unwrap()), "{logged}");
    }
    fs::rename(&away, files.notebooks()).unwrap();
    assert_eq!(titles(&runner).await, [titled("a.benchbook.json", "Maps")]);
}

#[test]
fn a_folder_that_cannot_be_read_ends_the_start() {
    let files = Files::new();
    files.write("a.benchbook.json", "");
    for (name, reason) in [("missing", "No such file or directory"), ("notebooks/a.benchbook.json", "Not a directory")]
    {
        let folder = files.folder.path().join(name);
        let error = RunnerProgram::start(&[], &["--notebooks", folder.to_str().unwrap()]).err().unwrap().to_string();
        assert!(
            error.contains("exit status: 2") && error.contains(&format!("--notebooks {}", folder.display())),
            "{error}"
        );
        assert!(error.contains(reason) && error.contains("allowed: an existing folder of notebook files"), "{error}");
    }
}
