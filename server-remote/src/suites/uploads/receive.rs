//! Receives an executable from a client.

use std::time::Duration;

use axum::body::Body;
use futures_util::StreamExt;
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::error::UploadError;
use super::folder::UploadFolder;

/// The longest time for an upload: a client that sends a few bytes now and then must not occupy the runner.
const LONGEST: Duration = Duration::from_mins(10);

/// Receives a body of at most `max_bytes` in a temporary file. `patience`: how long the client may send nothing.
pub(super) async fn receive(
    folder: &UploadFolder,
    body: Body,
    max_bytes: u64,
    patience: Duration,
) -> Result<NamedTempFile, UploadError> {
    let temporary = folder.create()?;
    let mut file = File::from_std(temporary.reopen()?);
    timeout(LONGEST, copy(body, &mut file, max_bytes, patience)).await.map_err(|_| UploadError::Slow)??;
    // The name of the file says that its content is complete, so a power failure must not lose a part.
    file.sync_all().await?;
    Ok(temporary)
}

async fn copy(body: Body, file: &mut File, max_bytes: u64, patience: Duration) -> Result<(), UploadError> {
    let mut parts = body.into_data_stream();
    let mut bytes = 0;
    while let Some(part) = timeout(patience, parts.next()).await.map_err(|_| UploadError::Slow)? {
        let part = part.map_err(|error| UploadError::Incomplete(error.to_string()))?;
        bytes += part.len() as u64;
        if bytes > max_bytes {
            return Err(UploadError::TooLarge(max_bytes));
        }
        file.write_all(&part).await?;
    }
    // Reports the errors of the last write.
    Ok(file.flush().await?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use axum::body::Bytes;
    use futures_util::stream;

    use super::*;

    async fn received(
        parts: Vec<Result<&'static [u8], &'static str>>,
        max_bytes: u64,
    ) -> (Result<Vec<u8>, UploadError>, usize) {
        let temporary = tempfile::tempdir().expect("a folder");
        let (folder, _) = UploadFolder::open(temporary.path()).expect("it is readable");
        let parts = parts.into_iter().map(|part| part.map(Bytes::from_static));
        let received =
            receive(&folder, Body::from_stream(stream::iter(parts)), max_bytes, Duration::from_secs(60)).await;
        let content = received.map(|file| fs::read(file.path()).expect("it is readable"));
        (content, fs::read_dir(temporary.path()).expect("it is readable").count())
    }

    #[tokio::test]
    async fn nothing_remains_of_incomplete_and_too_large_bodies() {
        let (content, files) = received(vec![Ok(b"abc"), Ok(b"de")], 5).await;
        assert_eq!((content.expect("it fits").as_slice(), files), (b"abcde".as_slice(), 0));
        let (content, files) = received(vec![Ok(b"abc"), Ok(b"def")], 5).await;
        assert!(matches!(content, Err(UploadError::TooLarge(5))) && files == 0, "{content:?}");
        let (content, files) = received(vec![Ok(b"abc"), Err("broken")], 5).await;
        assert!(matches!(content, Err(UploadError::Incomplete(_))) && files == 0, "{content:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn slow_clients_are_rejected() {
        let temporary = tempfile::tempdir().expect("a folder");
        let (folder, _) = UploadFolder::open(temporary.path()).expect("it is readable");
        let patience = Duration::from_secs(60);
        let silent = Body::from_stream(stream::pending::<Result<Bytes, &str>>());
        assert!(matches!(receive(&folder, silent, 5, patience).await, Err(UploadError::Slow)));
        // A byte every 50 seconds.
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(50)).await;
            Some((Ok::<_, &str>(Bytes::from_static(b"a")), ()))
        });
        assert!(matches!(receive(&folder, Body::from_stream(drops), 5_000, patience).await, Err(UploadError::Slow)));
        assert_eq!(fs::read_dir(temporary.path()).expect("it is readable").count(), 0);
    }
}
