//! The open streams of all clients, and their limits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

/// The maximum numbers of open streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamLimits {
    /// Of all clients.
    pub total: u32,
    /// Of each client.
    pub client: u32,
    /// Of all clients of an address.
    pub address: u32,
}

/// Why another stream cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StreamRejection {
    /// All clients together have too many.
    #[error("The runner is serving as many clients as its limit allows (`streams`). Try again later.")]
    Total,
    /// The client has too many.
    #[error(
        "Your client has as many pending requests as this runner's limit allows (`streams_per_client`). Wait until some finish."
    )]
    Client,
    /// The clients of the address have too many.
    #[error(
        "The clients of your address have as many pending requests as this runner's limit allows \
         (`streams_per_address`). Try again later."
    )]
    Address,
}

/// The open streams.
#[derive(Debug)]
pub struct Streams {
    limits: StreamLimits,
    counts: Mutex<StreamCounts>,
}

#[derive(Debug, Default)]
struct StreamCounts {
    total: u32,
    clients: HashMap<String, u32>,
    addresses: HashMap<IpAddr, u32>,
}

/// One open stream. Dropping it closes the stream.
#[derive(Debug)]
pub struct StreamPermit {
    streams: Arc<Streams>,
    client: String,
    address: IpAddr,
}

impl Streams {
    /// No open streams.
    pub fn new(limits: StreamLimits) -> Self {
        Self { limits, counts: Mutex::default() }
    }

    /// Opens a stream.
    ///
    /// # Errors
    /// If that exceeds a limit.
    pub fn open(self: &Arc<Self>, client: &str, address: IpAddr) -> Result<StreamPermit, StreamRejection> {
        let mut counts = self.lock();
        let StreamLimits { total, client: of_client, address: of_address } = self.limits;
        if counts.clients.get(client).is_some_and(|count| *count >= of_client) {
            return Err(StreamRejection::Client);
        }
        if counts.addresses.get(&address).is_some_and(|count| *count >= of_address) {
            return Err(StreamRejection::Address);
        }
        if counts.total >= total {
            return Err(StreamRejection::Total);
        }
        counts.total += 1;
        *counts.clients.entry(client.to_owned()).or_default() += 1;
        *counts.addresses.entry(address).or_default() += 1;
        drop(counts);
        Ok(StreamPermit { streams: Arc::clone(self), client: client.to_owned(), address })
    }

    fn lock(&self) -> MutexGuard<'_, StreamCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut counts = self.streams.lock();
        counts.total -= 1;
        decrement(&mut counts.clients, &self.client);
        decrement(&mut counts.addresses, &self.address);
    }
}

/// Decrements a count, and removes it at 0.
fn decrement<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, u32>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use super::{StreamLimits, StreamRejection, Streams};

    #[test]
    fn each_limit_applies_until_a_stream_is_closed() {
        let address = |number| IpAddr::V4(Ipv4Addr::new(127, 0, 0, number));
        let streams = Arc::new(Streams::new(StreamLimits { total: 4, client: 2, address: 3 }));
        let first = streams.open("a", address(1)).unwrap();
        let _second = streams.open("a", address(1)).unwrap();
        assert_eq!(streams.open("a", address(1)).unwrap_err(), StreamRejection::Client);
        let _third = streams.open("b", address(1)).unwrap();
        assert_eq!(streams.open("c", address(1)).unwrap_err(), StreamRejection::Address);
        let fourth = streams.open("c", address(2)).unwrap();
        assert_eq!(streams.open("d", address(3)).unwrap_err(), StreamRejection::Total);
        drop(first);
        let fifth = streams.open("c", address(1)).unwrap();
        drop((fourth, fifth));
        let counts = streams.lock();
        assert_eq!((counts.total, counts.clients.len(), counts.addresses.len()), (2, 2, 1));
    }
}
