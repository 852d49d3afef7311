//! Files with certificates and keys. `tests/tests/runner/tls.rs` tests connections.

use std::fs;
use std::path::PathBuf;

use benchbook_server::config::TlsFiles;
use benchbook_server::http::tls;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use tempfile::TempDir;

/// A folder with a certificate for `localhost` and its key.
struct CertificateFixture {
    folder: TempDir,
}

impl CertificateFixture {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a generated certificate");
        let fixture = Self { folder: TempDir::new().expect("a temporary folder") };
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
