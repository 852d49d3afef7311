//! TLS, from the files of the configuration.

mod plain;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum_server::tls_rustls::RustlsConfig;
use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;

use crate::config::TlsFiles;

pub use plain::{PlainTold, acceptor};

/// Why there is no TLS.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{path} cannot be read")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {reason}; wanted is {wanted}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// The key is not the certificate's.
    #[error("{key} is not the key of the first certificate in {certificate}: give the two that were made together")]
    Strangers {
        /// The certificates.
        certificate: PathBuf,
        /// The key.
        key: PathBuf,
    },
}

const CERTIFICATES: &str = "the certificate and those that vouch for it, one after the other, each from -----BEGIN \
    CERTIFICATE----- to its end";
const KEY: &str = "a private key that no password protects, from -----BEGIN PRIVATE KEY----- to its end";

/// Reads certificates and key.
///
/// # Errors
/// The file that will not do, and why.
pub fn read(files: &TlsFiles) -> Result<RustlsConfig, TlsError> {
    let unusable = |path: &Path, reason: String, wanted| TlsError::Unusable { path: path.to_owned(), reason, wanted };
    let certificates = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| told(&files.certificate, error, CERTIFICATES))?;
    if certificates.is_empty() {
        return Err(unusable(&files.certificate, "it has no certificate".to_owned(), CERTIFICATES));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| told(&files.key, error, KEY))?;
    // Told by name, so that it does not depend on what other crates link.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key_is_known = provider.key_provider.load_private_key(key.clone_key());
    key_is_known.map_err(|error| unusable(&files.key, error.to_string(), KEY))?;
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&files.certificate, error.to_string(), CERTIFICATES))?;
    let mut config =
        builder.with_no_client_auth().with_single_cert(certificates, key).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::Strangers { certificate: files.certificate.clone(), key: files.key.clone() }
            }
            error => unusable(&files.certificate, error.to_string(), CERTIFICATES),
        })?;
    // A browser opens six connections of HTTP/1.1 to a host, and each tab of the notebook may hold a stream open: over
    // HTTP/2 they share one.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

fn told(path: &Path, error: pem::Error, wanted: &'static str) -> TlsError {
    let path = path.to_owned();
    match error {
        pem::Error::Io(source) => TlsError::Unreadable { path, source },
        pem::Error::NoItemsFound => TlsError::Unusable { path, reason: "there is none in it".to_owned(), wanted },
        error => TlsError::Unusable { path, reason: format!("it is damaged ({error})"), wanted },
    }
}
