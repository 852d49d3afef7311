//! The runner with TLS and a token, with a self-signed certificate.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use benchbook_host::api::RunnerCatalog;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;
use futures_util::future::join_all;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::TOKEN;

/// A runner with a certificate for `localhost` and a token, and the certificate that clients must trust.
struct SecureRunner {
    runner: RunnerProgram,
    certificate: CertificateDer<'static>,
    _folder: TempDir,
}

impl SecureRunner {
    fn start() -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = TempDir::new().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let key = write("key.pem", &signing_key.serialize_pem());
        write("chain.pem", &cert.pem());
        // Paths are relative to the configuration file.
        let config = write(
            "benchbook.toml",
            &format!(
                "token = {TOKEN:?}\ntls = {{ certificate = \"chain.pem\", key = {key:?} }}\n\
                 [limits]\npatience_seconds = 2\n"
            ),
        );
        let suite = native("ladder").unwrap();
        let runner = RunnerProgram::start(&[&suite], &["--config", &config]).unwrap();
        Self { runner, certificate: cert.der().clone(), _folder: folder }
    }

    fn address(&self) -> SocketAddr {
        self.runner.url().strip_prefix("https://").unwrap().parse().unwrap()
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address()).await.unwrap()
    }

    /// Connects a client that trusts these certificates and offers these versions of HTTP.
    async fn connect_trusting(&self, roots: RootCertStore, versions: &[&str]) -> io::Result<TlsStream<TcpStream>> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = versions.iter().map(|version| version.as_bytes().to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, self.connect().await).await
    }

    /// Sends a request from a client that trusts these certificates.
    async fn request_trusting(&self, roots: RootCertStore, head: &str) -> io::Result<String> {
        request(self.connect_trusting(roots, &[]).await?, head).await
    }

    async fn request(&self, head: &str) -> String {
        self.request_trusting(self.roots(), head).await.unwrap()
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        roots
    }
}

/// Sends the head of a request and reads until the connection is closed.
async fn request(mut stream: impl AsyncRead + AsyncWrite + Unpin, head: &str) -> io::Result<String> {
    stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response)
}

fn get(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{more}")
}

/// The JSON of a response, chunked or not.
fn body(response: &str) -> &str {
    let (start, end) = (response.find('{').unwrap(), response.rfind('}').unwrap());
    &response[start..=end]
}

/// One runner for all of them, since each stalled client waits for two seconds.
#[tokio::test(flavor = "current_thread")]
async fn trusting_clients_are_served_and_others_are_rejected_or_disconnected() {
    let secure = SecureRunner::start();
    tokio::join!(assert_stalled_clients_are_disconnected(&secure), assert_clients_are_served(&secure));
}

async fn assert_clients_are_served(secure: &SecureRunner) {
    let bearer = format!("authorization: Bearer {TOKEN}\r\n");
    let response = secure.request(&get("/api/v1/catalog", &bearer)).await;
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    let catalog: RunnerCatalog = serde_json::from_str(body(&response)).unwrap();
    assert_eq!(catalog.suites[0].suite.name, "ladder");
    let connection = secure.connect_trusting(secure.roots(), &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"h2"[..]), "tabs can share a connection");
    let error = secure.request_trusting(RootCertStore::empty(), &get("/healthz", "")).await.unwrap_err();
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");

    let response = secure.request(&get("/api/v1/catalog", "")).await;
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    assert!(response.to_ascii_lowercase().contains("www-authenticate: bearer"), "{response}");
    // The certificate's name is the only permitted host.
    let foreign = get("/api/v1/catalog", &bearer).replace("localhost", "rebound.example.org");
    assert!(secure.request(&foreign).await.starts_with("HTTP/1.1 403 "));

    let plain = request(secure.connect().await, &get("/api/v1/catalog", "")).await.unwrap();
    assert!(plain.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{plain:?}");
    assert!(plain.contains(&format!("https://{}/", secure.address())), "{plain}");
    // Garbage and silent connections don't affect other clients.
    let silent = secure.connect().await;
    let mut strange = secure.connect().await;
    strange.write_all(b"\0\0\0\0").await.unwrap();
    strange.shutdown().await.unwrap();
    assert!(secure.request(&get("/healthz", "")).await.starts_with("HTTP/1.1 200 "), "health checks need no token");
    drop((silent, strange));
}

/// The time limit for the runner to enforce its own limit of two seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The preface of an HTTP/2 connection, and empty settings (RFC 9113, sections 3.4 and 6.5).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// The setting that a stream may receive no data, and stream 1: `GET /healthz` with the table indices of RFC 7541.
const STALLED_STREAM: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0\
    \0\0\x16\x01\x05\0\0\0\x01\x82\x87\x04\x08/healthz\x01\x09localhost";

/// Reads until the runner closes the connection, and responds to its pings.
async fn respond_to_pings(mut stream: TlsStream<TcpStream>) {
    const PING: u8 = 6;
    const ACKNOWLEDGED: u8 = 1;
    let mut head = [0; 9];
    while stream.read_exact(&mut head).await.is_ok() {
        let length = usize::from(head[1]) << 8 | usize::from(head[2]);
        let mut payload = vec![0; length];
        if stream.read_exact(&mut payload).await.is_err() {
            return;
        }
        if head[3] == PING && head[4] != ACKNOWLEDGED {
            head[4] = ACKNOWLEDGED;
            let _ = stream.write_all(&[&head[..], &payload].concat()).await;
        }
    }
}

/// Clients that send or accept nothing after the handshake.
async fn assert_stalled_clients_are_disconnected(secure: &SecureRunner) {
    let stalled = [PREFACE, STALLED_STREAM].concat();
    let clients = [
        ("nothing", "h2", &b""[..]),
        ("nothing over HTTP/1.1", "http/1.1", b""),
        ("one byte", "h2", b"P"),
        ("half a preface", "h2", &PREFACE[..12]),
        ("half a head", "http/1.1", b"GET /healthz HTTP/1.1\r\n"),
        ("no request", "h2", PREFACE),
        ("a request whose response it does not accept", "h2", &stalled),
    ];
    let disconnections = clients.map(|(what, version, sent)| async move {
        let mut stream = secure.connect_trusting(secure.roots(), &[version]).await.unwrap();
        stream.write_all(sent).await.unwrap();
        let ended = timeout(TIMEOUT, respond_to_pings(stream)).await;
        assert!(ended.is_ok(), "the connection of a client that sends {what} remains open");
    });
    join_all(disconnections).await;
}
