//! TLS with generated certificates.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use axum_server::Handle;
use benchbook_server::config::TlsFiles;
use benchbook_server::tls;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A folder with a certificate for `localhost` and its key.
struct CertificateFixture {
    folder: TempDir,
    certificate: CertificateDer<'static>,
}

impl CertificateFixture {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a generated certificate");
        let fixture = Self { folder: TempDir::new().expect("a temporary folder"), certificate: cert.der().clone() };
        fixture.write("chain.pem", &cert.pem());
        fixture.write("key.pem", &signing_key.serialize_pem());
        fixture
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a writable file");
    }

    fn files(&self, certificate: &str, key: &str) -> TlsFiles {
        TlsFiles { certificate: self.path(certificate), key: self.path(key) }
    }
}

#[tokio::test]
async fn serves_clients_that_trust_the_certificate() {
    let fixture = CertificateFixture::new();
    let config = tls::read(&fixture.files("chain.pem", "key.pem")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/", get(|| async { "the page" }));
    let handle = Handle::new();
    let server = axum_server::from_tcp_rustls(listener, config).unwrap().handle(handle.clone());
    let served = tokio::spawn(server.serve(app.into_make_service()));

    let mut roots = RootCertStore::empty();
    roots.add(fixture.certificate.clone()).unwrap();
    let response = request(address, roots.clone()).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200") && response.ends_with("the page"), "{response}");
    let connection = connect(address, roots, &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"h2"[..]), "tabs can share a connection");
    drop(connection);
    assert!(request(address, RootCertStore::empty()).await.is_err(), "the certificate is not trusted");

    handle.graceful_shutdown(None);
    served.await.unwrap().unwrap();
}

async fn connect(address: SocketAddr, roots: RootCertStore, protocols: &[&str]) -> io::Result<TlsStream<TcpStream>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = config.expect("supported protocol versions").with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("a valid name");
    TlsConnector::from(Arc::new(config)).connect(name, TcpStream::connect(address).await?).await
}

async fn request(address: SocketAddr, roots: RootCertStore) -> io::Result<String> {
    let mut stream = connect(address, roots, &[]).await?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response)
}

#[test]
fn reports_invalid_files() {
    let fixture = CertificateFixture::new();
    let chain = fs::read_to_string(fixture.path("chain.pem")).unwrap();
    fixture.write("other.pem", &KeyPair::generate().unwrap().serialize_pem());
    fixture.write("half.pem", &chain[..chain.len() / 2]);
    fixture.write("none.pem", "no certificate\n");
    fixture.write("garbage.pem", "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n");
    for (certificate, key, expected) in [
        ("chain.pem", "other.pem", "other.pem is not the key of the first certificate in"),
        ("nowhere.pem", "key.pem", "nowhere.pem: No such file or directory (os error 2)"),
        ("half.pem", "key.pem", "half.pem: it is damaged"),
        ("none.pem", "key.pem", "none.pem: it contains no certificate"),
        ("key.pem", "key.pem", "key.pem: it contains no certificate"),
        ("chain.pem", "chain.pem", "chain.pem: it contains no private key; expected an unencrypted private key"),
        ("chain.pem", "garbage.pem", "garbage.pem: "),
    ] {
        // As the program prints it, with the causes.
        let error = format!("{:#}", anyhow::Error::from(tls::read(&fixture.files(certificate, key)).unwrap_err()));
        assert!(error.contains(expected), "{certificate} {key}: {error}");
    }
}
