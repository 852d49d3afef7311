//! Limits on requests.

use std::time::Duration;

use super::values::RawValues;

/// Limits on requests. The runner rejects requests beyond them, and says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Clients that wait at the same time.
    pub clients: u32,
    /// A client's pending requests, in expected seconds of measuring.
    pub queued_seconds: u32,
    /// The maximum for all clients of an address together.
    pub queued_seconds_per_address: u32,
    /// The size of a request's body.
    pub body_bytes: u32,
    /// Points per request: axis values times functions.
    pub points: u32,
    /// The requested seconds per point.
    pub point_seconds: u32,
    /// Open streams.
    pub streams: u32,
    /// Open streams of a client.
    pub streams_per_client: u32,
    /// Open streams of all clients of an address.
    pub streams_per_address: u32,
    /// Seconds that a client may take to send its request, and to read any of the response.
    pub patience_seconds: u32,
    /// Uploaded builds.
    pub uploads: u32,
    /// The size of an uploaded executable.
    pub upload_bytes: u32,
    /// The size of all uploaded executables together. Their copies in memory have the same size.
    pub uploads_bytes: u32,
}

impl Limits {
    pub(super) fn read(values: &mut RawValues) -> Self {
        let default = Self::default();
        let mut limit = |key, least, most, default| {
            let read = values.read(key, |raw| raw.integer_between(least, most));
            read.and_then(|value| u32::try_from(value).ok()).unwrap_or(default)
        };
        Self {
            clients: limit("limits.clients", 1, 100_000, default.clients),
            queued_seconds: limit("limits.queued_seconds", 1, 1_000_000, default.queued_seconds),
            body_bytes: limit("limits.body_bytes", 1_024, 16 << 20, default.body_bytes),
            points: limit("limits.points", 1, 4_100, default.points),
            queued_seconds_per_address: limit(
                "limits.queued_seconds_per_address",
                1,
                10_000_000,
                default.queued_seconds_per_address,
            ),
            point_seconds: limit("limits.point_seconds", 1, 3_600, default.point_seconds),
            streams: limit("limits.streams", 1, 100_000, default.streams),
            streams_per_client: limit("limits.streams_per_client", 1, 100_000, default.streams_per_client),
            streams_per_address: limit("limits.streams_per_address", 1, 100_000, default.streams_per_address),
            patience_seconds: limit("limits.patience_seconds", 1, 3_600, default.patience_seconds),
            uploads: limit("limits.uploads", 1, 1_000, default.uploads),
            upload_bytes: limit("limits.upload_bytes", 1 << 16, u64::from(u32::MAX), default.upload_bytes),
            uploads_bytes: limit("limits.uploads_bytes", 1 << 16, u64::from(u32::MAX), default.uploads_bytes),
        }
    }

    /// How long a client may take to send its request, and to read any of the response.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(u64::from(self.patience_seconds))
    }
}

impl Default for Limits {
    /// For comparison: a curve at the default qualities takes at most a minute and has at most 132 points.
    fn default() -> Self {
        Self {
            clients: 2_000,
            queued_seconds: 3_600,
            body_bytes: 1 << 18,
            points: 4_100,
            queued_seconds_per_address: 36_000,
            point_seconds: 60,
            streams: 4_000,
            streams_per_client: 500,
            streams_per_address: 2_000,
            patience_seconds: 60,
            uploads: 16,
            upload_bytes: 128 << 20,
            uploads_bytes: 512 << 20,
        }
    }
}
