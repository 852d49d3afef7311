//! A file in memory, with its compressed forms.

use std::io::{self, Write};
use std::sync::OnceLock;

use axum::body::Bytes;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The quality of Brotli, of at most 11. The last two levels take ten times as long to save a few per cent.
const BROTLI_QUALITY: i32 = 9;

/// A file in memory. A compressed form is absent until [`Self::compress`] has created it, and if it would not be smaller.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl Asset {
    pub(super) fn new(plain: Bytes) -> Self {
        Self { plain, brotli: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// Creates the compressed forms.
    pub(super) fn compress(&self) {
        for (form, compressed) in
            [(&self.brotli, compress_brotli(&self.plain)), (&self.gzip, compress_gzip(&self.plain))]
        {
            let compressed = compressed.expect("writing to memory cannot fail");
            if compressed.len() < self.plain.len() {
                form.get_or_init(|| compressed.into());
            }
        }
    }

    /// The form with this extension, such as `br`.
    pub(super) fn compressed(&self, extension: &str) -> Option<&Bytes> {
        match extension {
            "br" => self.brotli.get(),
            "gz" => self.gzip.get(),
            _ => None,
        }
    }
}

fn compress_brotli(mut plain: &[u8]) -> io::Result<Vec<u8>> {
    let parameters =
        BrotliEncoderParams { quality: BROTLI_QUALITY, size_hint: plain.len(), ..BrotliEncoderParams::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut plain, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn compress_gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    encoder.finish()
}
