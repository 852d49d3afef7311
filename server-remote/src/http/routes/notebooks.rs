//! `GET notebooks…`: the notebook files of the runner's folder.

use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use benchbook_host::api::NotebookList;
use futures_util::stream::try_unfold;
use serde::Deserialize;
use tokio::io::AsyncReadExt;

#[cfg(test)]
use super::document::{Document, Method, json};
use super::input::ApiInput;
use crate::error::ApiError;
use crate::measure::runner::Runner;
use crate::notebooks::NotebookFile;

/// The size of the parts in which a file is sent: a client that reads slowly occupies no more memory than this.
const PART_BYTES: usize = 64 << 10;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/notebooks", get(notebooks)).route("/notebooks/file", get(file))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::GET, "/notebooks", "The notebooks of the runner's folder")
        .returns::<NotebookList>("All notebook files, ordered by path. Empty if the runner has no folder of notebooks.")
        .shared(503, "UnreadableNotebooks");
    document
        .operation(Method::GET, "/notebooks/file", "A notebook file")
        .query::<NotebookQuery>()
        .success_content(
            "application/json",
            json!({}),
            "The file, byte for byte. The list states whether it is a readable notebook.",
        )
        .error(404, "There is no notebook at this path, or it exceeds the maximum size of 64 MiB.")
        .shared(503, "UnreadableNotebooks");
}

async fn notebooks(State(runner): State<Arc<Runner>>) -> Result<Json<NotebookList>, ApiError> {
    Ok(Json(match &runner.setup.notebooks {
        Some(folder) => folder.list().await?,
        None => NotebookList::default(),
    }))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NotebookQuery {
    /// The path of the list.
    path: String,
}

async fn file(
    State(runner): State<Arc<Runner>>,
    ApiInput(Query(NotebookQuery { path })): ApiInput<Query<NotebookQuery>>,
) -> Result<impl IntoResponse, ApiError> {
    let opened = match &runner.setup.notebooks {
        Some(folder) => folder.open(&path).await?,
        None => None,
    };
    let NotebookFile { file, bytes } = opened.ok_or_else(|| {
        let error = "There is no notebook of at most 64 MiB at this path. The route notebooks lists all of them.";
        ApiError::NotFound(error.to_owned())
    })?;
    let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_LENGTH, bytes.to_string())];
    Ok((headers, body(file, bytes)))
}

/// The first `bytes` of a file: it may grow while it is sent.
fn body(file: std::fs::File, bytes: u64) -> Body {
    let file = tokio::fs::File::from_std(file).take(bytes);
    Body::from_stream(try_unfold(file, |mut file| async move {
        let mut part = Vec::with_capacity(PART_BYTES);
        let count = file.read_buf(&mut part).await?;
        Ok::<_, io::Error>((count > 0).then(|| (Bytes::from(part), file)))
    }))
}
