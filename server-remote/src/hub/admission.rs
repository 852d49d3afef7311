//! The admission of a client whose request is not submitted yet, since the store is searched first.

use std::sync::Arc;

use super::rejection::HubRejection;
use super::shared::{AdmissionId, HubShared};
use super::subscription::Subscription;
use crate::queue::JobRequest;

/// Entitles a client to submit one request. The client can already cancel the request before it is submitted.
#[derive(Debug)]
pub struct Admission<W> {
    shared: Arc<HubShared<W>>,
    id: AdmissionId,
}

impl<W> Admission<W> {
    pub(super) fn new(shared: Arc<HubShared<W>>, id: AdmissionId) -> Self {
        Self { shared, id }
    }

    /// Submits the request. If there is already a job with the same key, the client reads that job's log from its beginning,
    /// and `work` is dropped.
    ///
    /// # Errors
    /// If the request exceeds the bounds, its client cancelled it, or the hub is closed.
    pub fn submit(self, request: JobRequest, work: W) -> Result<Subscription<W>, HubRejection> {
        let enrolled = self.shared.submit(self.id, request, work)?;
        Ok(Subscription::new(Arc::clone(&self.shared), enrolled))
    }
}

impl<W> Drop for Admission<W> {
    fn drop(&mut self) {
        self.shared.lock().admitted.remove(&self.id);
    }
}
