//! TLS with certificates that are made here.

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

/// A folder with the certificate of `localhost` and its key.
struct Place {
    folder: TempDir,
    certificate: CertificateDer<'static>,
}

impl Place {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("it can be made");
        let place = Self { folder: TempDir::new().expect("there is room"), certificate: cert.der().clone() };
        place.write("chain.pem", &cert.pem());
        place.write("key.pem", &signing_key.serialize_pem());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    fn files(&self, certificate: &str, key: &str) -> TlsFiles {
        TlsFiles { certificate: self.path(certificate), key: self.path(key) }
    }
}

#[tokio::test]
async fn a_client_that_trusts_the_certificate_is_served() {
    let place = Place::new();
    let config = tls::read(&place.files("chain.pem", "key.pem")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/", get(|| async { "the page" }));
    let handle = Handle::new();
    let server = axum_server::from_tcp_rustls(listener, config).unwrap().handle(handle.clone());
    let served = tokio::spawn(server.serve(app.into_make_service()));

    let mut roots = RootCertStore::empty();
    roots.add(place.certificate.clone()).unwrap();
    let answer = ask(address, roots.clone()).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("the page"), "{answer}");
    let connection = connect(address, roots, &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"h2"[..]), "tabs share a connection");
    drop(connection);
    assert!(ask(address, RootCertStore::empty()).await.is_err(), "nobody vouches for it");

    handle.graceful_shutdown(None);
    served.await.unwrap().unwrap();
}

async fn connect(address: SocketAddr, roots: RootCertStore, protocols: &[&str]) -> io::Result<TlsStream<TcpStream>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = config.expect("it knows some").with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("it is a name");
    TlsConnector::from(Arc::new(config)).connect(name, TcpStream::connect(address).await?).await
}

async fn ask(address: SocketAddr, roots: RootCertStore) -> io::Result<String> {
    let mut stream = connect(address, roots, &[]).await?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[test]
fn a_file_that_will_not_do_is_told() {
    let place = Place::new();
    let chain = fs::read_to_string(place.path("chain.pem")).unwrap();
    place.write("other.pem", &KeyPair::generate().unwrap().serialize_pem());
    place.write("half.pem", &chain[..chain.len() / 2]);
    place.write("none.pem", "no certificate\n");
    place.write("garbage.pem", "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n");
    for (certificate, key, expected) in [
        ("chain.pem", "other.pem", "other.pem is not the key of the first certificate in"),
        ("nowhere.pem", "key.pem", "nowhere.pem cannot be read: No such file or directory (os error 2)"),
        ("half.pem", "key.pem", "half.pem: it is damaged"),
        ("none.pem", "key.pem", "none.pem: it has no certificate"),
        ("key.pem", "key.pem", "key.pem: it has no certificate"),
        ("chain.pem", "chain.pem", "chain.pem: there is none in it; wanted is a private key"),
        ("chain.pem", "garbage.pem", "garbage.pem: "),
    ] {
        // As the program tells it, with what it comes from.
        let told = format!("{:#}", anyhow::Error::from(tls::read(&place.files(certificate, key)).unwrap_err()));
        assert!(told.contains(expected), "{certificate} {key}: {told}");
    }
}
