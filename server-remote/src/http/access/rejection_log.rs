//! Logs rejected requests without filling the disk.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::rejection::AccessRejection;

/// After the first rejection of an address, the further ones of this period are only counted.
const PERIOD: Duration = Duration::from_secs(60);

/// The maximum number of addresses with periods of their own. All others share one, since a network may have any number of
/// addresses.
const MAX_ADDRESSES: usize = 1_000;

/// The rejections that were counted instead of logged in the current periods. The address is absent for all addresses that
/// share a period, and if it is unknown.
#[derive(Debug, Default)]
pub(super) struct RejectionLog(Mutex<HashMap<Option<IpAddr>, u64>>);

impl RejectionLog {
    /// Logs the first rejection of an address, and one minute later the number of further ones. Call it in a tokio runtime.
    pub(super) fn record(self: &Arc<Self>, address: Option<IpAddr>, path: &str, rejection: &AccessRejection) {
        let Some(address) = self.begin(address) else { return };
        let AccessRejection { status, body } = rejection;
        tracing::info!(%status, path, address = address.map(tracing::field::display), "rejected: {}", body.error);
        let log = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(PERIOD).await;
            let further = log.end(address);
            if further > 0 {
                let address = address.map(tracing::field::display);
                tracing::info!(address, "rejected {further} further requests within a minute");
            }
        });
    }

    /// Counts a rejection, or begins a period and returns its address.
    fn begin(&self, address: Option<IpAddr>) -> Option<Option<IpAddr>> {
        let mut counts = self.counts();
        let is_separate = counts.len() < MAX_ADDRESSES || counts.contains_key(&address);
        let address = address.filter(|_| is_separate);
        match counts.entry(address) {
            Entry::Occupied(mut count) => {
                *count.get_mut() += 1;
                None
            }
            Entry::Vacant(count) => {
                count.insert(0);
                Some(address)
            }
        }
    }

    /// Ends a period, and returns its count.
    fn end(&self, address: Option<IpAddr>) -> u64 {
        self.counts().remove(&address).unwrap_or(0)
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Option<IpAddr>, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::net::Ipv4Addr;

    use tempfile::NamedTempFile;
    use tracing::subscriber::set_default;

    use super::*;

    fn address(number: u32) -> Option<IpAddr> {
        Some(Ipv4Addr::from_bits(number).into())
    }

    #[tokio::test(start_paused = true)]
    async fn logs_one_line_per_address_and_minute_and_then_a_count() {
        let file = NamedTempFile::new().expect("a temporary file");
        let writer = Mutex::new(File::options().append(true).open(file.path()).expect("the file exists"));
        let subscriber = tracing_subscriber::fmt().with_writer(writer).with_ansi(false).finish();
        let _guard = set_default(subscriber);
        let log = Arc::new(RejectionLog::default());
        let record = |number: u32| log.record(address(number), "/metrics", &AccessRejection::missing_token(false));
        let lines = || {
            let text = std::fs::read_to_string(file.path()).expect("the log is readable");
            [text.matches("rejected: ").count(), text.matches("further requests").count()]
        };
        (0..100).for_each(|_| record(1));
        record(2);
        assert_eq!(lines(), [2, 0]);
        tokio::time::sleep(PERIOD + Duration::from_secs(1)).await;
        // Nothing else of the second address was rejected.
        assert_eq!(lines(), [2, 1]);
        let text = std::fs::read_to_string(file.path()).expect("the log is readable");
        assert!(text.contains("rejected 99 further requests within a minute address=0.0.0.1"), "{text}");
        record(1);
        assert_eq!(lines(), [3, 1]);
    }

    #[test]
    fn many_addresses_share_a_line() {
        let log = RejectionLog::default();
        let begun = (0..10_000).filter(|number| log.begin(address(*number)).is_some()).count();
        assert_eq!((begun, log.counts().len()), (MAX_ADDRESSES + 1, MAX_ADDRESSES + 1));
        assert_eq!(log.end(None), 10_000 - MAX_ADDRESSES as u64 - 1);
        assert_eq!(log.end(address(0)), 0);
    }
}
