//! Loads the certificate and the key for TLS.

mod plain_http;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum_server::tls_rustls::RustlsConfig;
use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;

use crate::config::TlsFiles;

pub use plain_http::{PlainHttpDetector, acceptor};

/// Why TLS cannot be configured.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file has the wrong contents.
    #[error("{path}: {reason}; expected {expected}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
        /// The expected contents.
        expected: &'static str,
    },
    /// The key is not the certificate's.
    #[error("{key} is not the key of the first certificate in {certificate}; use the key that belongs to it")]
    KeyMismatch {
        /// The certificates.
        certificate: PathBuf,
        /// The key.
        key: PathBuf,
    },
}

const CERTIFICATES: &str = "the certificate and its intermediate certificates, each with its -----BEGIN CERTIFICATE----- and \
    -----END CERTIFICATE----- lines";
const KEY: &str =
    "an unencrypted private key, with its -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- lines";

/// Reads the certificates and the key.
///
/// # Errors
/// Names the invalid file and the problem.
pub fn read(files: &TlsFiles) -> Result<RustlsConfig, TlsError> {
    let invalid = |path: &Path, reason: String, expected| TlsError::Invalid { path: path.to_owned(), reason, expected };
    let certificates = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| pem_error(&files.certificate, error, CERTIFICATES))?;
    if certificates.is_empty() {
        return Err(invalid(&files.certificate, "it contains no certificate".to_owned(), CERTIFICATES));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| pem_error(&files.key, error, KEY))?;
    // Explicit, since the default provider depends on the features that other crates enable.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let parsed_key = provider.key_provider.load_private_key(key.clone_key());
    parsed_key.map_err(|error| invalid(&files.key, error.to_string(), KEY))?;
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(&files.certificate, error.to_string(), CERTIFICATES))?;
    let mut config =
        builder.with_no_client_auth().with_single_cert(certificates, key).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::KeyMismatch { certificate: files.certificate.clone(), key: files.key.clone() }
            }
            error => invalid(&files.certificate, error.to_string(), CERTIFICATES),
        })?;
    // A browser opens at most six HTTP/1.1 connections per host, and each tab may need one for a stream. Over HTTP/2 all tabs
    // share a connection.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

fn pem_error(path: &Path, error: pem::Error, expected: &'static str) -> TlsError {
    let path = path.to_owned();
    match error {
        pem::Error::Io(source) => TlsError::Unreadable { path, source },
        pem::Error::NoItemsFound => {
            TlsError::Invalid { path, reason: "it contains no private key".to_owned(), expected }
        }
        error => TlsError::Invalid { path, reason: format!("it is damaged ({error})"), expected },
    }
}
