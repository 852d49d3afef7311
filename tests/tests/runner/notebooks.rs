//! The notebooks that a runner offers: the list, the files, and that no request reads anything else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use benchbook_host::api::{NotebookList, NotebookTitle, RunnerCatalog};
use benchbook_server::notebooks::NotebookFolder;
use benchbook_server::setup::Setup;
use reqwest::{Method, Response};
use tempfile::TempDir;
use url::form_urlencoded::Serializer;

use crate::routes::Routes;

/// The content of the files outside the folder of notebooks.
const SECRET: &str = "a secret outside the folder";

/// A runner with a folder of notebooks, and a folder next to it with a file of the same kind.
struct Files {
    folder: TempDir,
    routes: Routes,
}

impl Files {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let notebooks = folder.path().join("notebooks");
        let routes = Routes::new(Setup { notebooks: Some(NotebookFolder::new(notebooks)), ..Setup::default() });
        let files = Self { folder, routes };
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

    /// The paths and titles of the list.
    async fn titles(&self) -> Vec<(String, NotebookTitle)> {
        list(&self.routes).await.notebooks.into_iter().map(|card| (card.path, card.title)).collect()
    }

    async fn file(&self, path: &str) -> Response {
        let query = Serializer::new(String::new()).append_pair("path", path).finish();
        self.routes.send(self.routes.get(&format!("notebooks/file?{query}"))).await
    }
}

/// A notebook without cells, not formatted as Benchbook does it.
fn notebook(title: &str) -> String {
    format!("{{ \"cells\" : [ ],\n\t\"title\":\"{title}\", \"benchbook\":1 }}\n")
}

async fn list(routes: &Routes) -> NotebookList {
    routes.send(routes.get("notebooks")).await.error_for_status().unwrap().json().await.unwrap()
}

fn titled(path: &str, title: &str) -> (String, NotebookTitle) {
    (path.to_owned(), NotebookTitle::Title(title.to_owned()))
}

#[tokio::test(flavor = "current_thread")]
async fn returns_files_byte_for_byte() {
    let files = Files::new();
    // Sent in many parts, and no notebooks, which a page may still be able to read.
    let large = notebook(&"x".repeat(300_000));
    for (path, content) in [
        ("größe/a & b+c.benchbook.json", notebook("Maps").as_str()),
        ("large.benchbook.json", &large),
        ("empty.benchbook.json", ""),
        ("damaged.benchbook.json", "{ \"benchbook\": 1, "),
    ] {
        files.write(path, content);
        let response = files.file(path).await;
        let header = |name| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(response.status().as_u16(), 200, "{path}");
        assert_eq!(header("content-type").as_deref(), Some("application/json"), "{path}");
        assert_eq!(header("content-length"), Some(content.len().to_string()), "{path}");
        assert_eq!(header("cache-control").as_deref(), Some("no-store"), "{path}");
        assert_eq!(response.text().await.unwrap(), content, "{path}");
    }
    let listed = files.titles().await;
    let [damaged @ (_, NotebookTitle::Error(error)), empty, maps, large] = &listed[..] else { panic!("{listed:?}") };
    assert!(error.contains("damaged or incomplete"), "{error}");
    assert_eq!(*maps, titled("größe/a & b+c.benchbook.json", "Maps"));
    // Changes are visible at the next request.
    fs::remove_dir_all(files.notebooks().join("größe")).unwrap();
    assert_eq!(files.titles().await, [damaged, empty, large].map(Clone::clone));
}

#[tokio::test(flavor = "current_thread")]
async fn hostile_paths_read_nothing() {
    let files = Files::new();
    files.write("sub/a.benchbook.json", &notebook("Maps"));
    files.write("sub/plain.json", SECRET);
    files.write("plain.txt", SECRET);
    files.write(".git/a.benchbook.json", SECRET);
    let secret = files.outside().join("secret.benchbook.json");
    let secret = secret.to_str().unwrap();
    let get = async |address: &str| {
        let response = files.routes.get_raw(address).await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let found = get("/api/v1/notebooks/file?path=sub%2Fa.benchbook.json").await;
    assert_eq!(found, (200, notebook("Maps")));
    let absolute = [secret, &secret.replace('/', "%2F"), &format!("/{secret}"), &format!("file://{secret}")];
    // `NotebookPath` has tests of the paths themselves.
    let relative = [
        "",
        "sub",
        "../outside/secret.benchbook.json",
        "..%2Foutside%2Fsecret.benchbook.json",
        "%2e%2e/outside/secret.benchbook.json",
        "%2E%2E%2Foutside%2Fsecret.benchbook.json",
        "%252e%252e%252Foutside%252Fsecret.benchbook.json",
        "..%5Coutside%5Csecret.benchbook.json",
        "..\\outside\\secret.benchbook.json",
        "..%c0%afoutside%c0%afsecret.benchbook.json",
        "%ff%fe/a.benchbook.json",
        "sub%252Fa.benchbook.json",
        "sub%5Ca.benchbook.json",
        "sub/a.benchbook.json%00",
        "plain.txt%00.benchbook.json",
        "sub/a.benchbook.json%0a",
        "sub/A.benchbook.json",
        "plain.txt",
        "sub/plain.json",
        ".git/a.benchbook.json",
        "absent.benchbook.json",
    ];
    let long = format!("{}a.benchbook.json", "sub/".repeat(2_000));
    for path in absolute.into_iter().chain(relative).chain([long.as_str()]) {
        let (status, text) = get(&format!("/api/v1/notebooks/file?path={path}")).await;
        assert!(status == 404 && text.contains("no notebook") && !text.contains(SECRET), "{path}: {status} {text}");
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
        let (status, text) = get(address).await;
        assert!(status == 404 && !text.contains(SECRET), "{address}: {status} {text}");
    }
    for query in ["", "?path", "?paths=a", "?path=a&path=b", "?path=a&more=b"] {
        let (status, _) = get(&format!("/api/v1/notebooks/file{query}")).await;
        assert_eq!(status, if query == "?path" { 404 } else { 400 }, "{query}");
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
    let expected = [titled("a.benchbook.json", "Maps"), titled("sub/b.benchbook.json", "Sets")];
    assert_eq!(files.titles().await, expected);
    let absolute = files.outside().join("secret.benchbook.json");
    let through_root = format!("root{}", absolute.to_str().unwrap());
    let linked = ["file.benchbook.json", "relative.benchbook.json", "folder/secret.benchbook.json", &through_root];
    for path in linked.into_iter().chain(["loop/a.benchbook.json", "inside.benchbook.json"]) {
        assert_eq!(files.file(path).await.status().as_u16(), 404, "{path}");
    }

    // A folder is replaced by a link while the runner runs.
    assert_eq!(files.file("sub/b.benchbook.json").await.text().await.unwrap(), notebook("Sets"));
    fs::rename(files.notebooks().join("sub"), files.outside().join("sub")).unwrap();
    link(&files.outside().join("sub"), "sub");
    assert_eq!(files.file("sub/b.benchbook.json").await.status().as_u16(), 404);
    assert_eq!(files.titles().await, expected[..1]);
}

#[tokio::test(flavor = "current_thread")]
async fn no_request_changes_a_notebook() {
    let files = Files::new();
    files.write("a.benchbook.json", &notebook("Maps"));
    for path in ["notebooks", "notebooks/file?path=a.benchbook.json", "notebooks/file?path=new.benchbook.json"] {
        for method in [Method::PUT, Method::POST, Method::PATCH, Method::DELETE] {
            let response = files.routes.send(files.routes.request(method.clone(), path).body("{}")).await;
            assert_eq!(response.status().as_u16(), 405, "{method} {path}");
        }
    }
    assert_eq!(files.titles().await, [titled("a.benchbook.json", "Maps")]);
}

#[tokio::test(flavor = "current_thread")]
async fn without_the_option_there_are_no_notebooks() {
    let without = Routes::new(Setup::default());
    assert_eq!(list(&without).await, NotebookList::default());
    let file = without.send(without.get("notebooks/file?path=a.benchbook.json")).await;
    assert_eq!(file.status().as_u16(), 404);
    for (routes, expected) in [(&without, false), (&Files::new().routes, true)] {
        let catalog: RunnerCatalog = routes.send(routes.get("catalog")).await.json().await.unwrap();
        assert_eq!(catalog.notebooks, expected);
    }
}
