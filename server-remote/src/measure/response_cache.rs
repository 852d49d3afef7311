//! The response cache: responses assembled from stored points, as the bytes to send.

use axum::body::Bytes;
use benchbook_host::request::Request;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

/// The total size of cached requests and responses.
const CAPACITY_BYTES: u64 = 64 << 20;

/// Identifies a response: a request of any client, at one revision of the store, with one build of the suite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey {
    /// [`crate::store::Store::revision`], read before the points were looked up: a response that misses a later write
    /// is cached for the old revision only.
    revision: u64,
    /// The fingerprint of the suite's executable; absent if there is no such suite.
    pub(crate) build: Option<String>,
    /// The request as JSON, without its client.
    request: String,
    is_stream: bool,
}

impl CacheKey {
    /// The key of a request at a revision of the store. `build`: the fingerprint of the suite's executable.
    pub fn new(revision: u64, build: Option<String>, request: &Request, is_stream: bool) -> Self {
        let request = Request { client: String::new(), ..request.clone() };
        let request = serde_json::to_string(&request).expect("a request serializes to JSON");
        Self { revision, build, request, is_stream }
    }
}

/// Cached responses. Those of older revisions are never looked up again, so they are evicted first.
#[derive(Debug)]
pub struct ResponseCache {
    responses: Cache<CacheKey, Bytes>,
}

impl Default for ResponseCache {
    fn default() -> Self {
        Self::new(CAPACITY_BYTES)
    }
}

impl ResponseCache {
    fn new(capacity_bytes: u64) -> Self {
        let bytes =
            |key: &CacheKey, response: &Bytes| u32::try_from(key.request.len() + response.len()).unwrap_or(u32::MAX);
        let responses = Cache::builder()
            .max_capacity(capacity_bytes)
            .weigher(bytes)
            // The default policy rejects new responses in favour of keys that were popular in an older revision.
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self { responses }
    }

    /// The cached response, if there is one.
    pub fn get(&self, key: &CacheKey) -> Option<Bytes> {
        self.responses.get(key)
    }

    /// Caches a response.
    pub fn insert(&self, key: CacheKey, response: Bytes) {
        self.responses.insert(key, response);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(request: &str) -> CacheKey {
        CacheKey { revision: 1, build: None, request: request.to_owned(), is_stream: false }
    }

    #[test]
    fn caches_by_request_and_revision() {
        let cache = ResponseCache::default();
        let response = Bytes::from_static(b"response");
        cache.insert(key("this"), response.clone());
        assert_eq!(cache.get(&key("this")), Some(response));
        assert_eq!(cache.get(&key("that")), None);
        assert_eq!(cache.get(&CacheKey { is_stream: true, ..key("this") }), None);
        assert_eq!(cache.get(&CacheKey { revision: 2, ..key("this") }), None);
        assert_eq!(cache.get(&CacheKey { build: Some("later".to_owned()), ..key("this") }), None);
    }

    #[test]
    fn never_returns_a_response_of_an_older_revision() {
        let cache = ResponseCache::default();
        // Looked up before a write, inserted after it.
        cache.insert(key("this"), Bytes::from_static(b"old"));
        let current = CacheKey { revision: 2, ..key("this") };
        assert_eq!(cache.get(&current), None);
        cache.insert(current.clone(), Bytes::from_static(b"new"));
        assert_eq!(cache.get(&current), Some(Bytes::from_static(b"new")));
    }

    #[test]
    fn evicts_the_least_recently_used_beyond_its_capacity() {
        let cache = ResponseCache::new(80);
        for number in 0..100_u8 {
            let one = key(&format!("{number:04}"));
            for _ in 0..2 {
                cache.insert(one.clone(), vec![number; 6].into());
            }
            cache.responses.run_pending_tasks();
            assert_eq!(cache.get(&one), Some(vec![number; 6].into()));
            let (bytes, entries) = (cache.responses.weighted_size(), cache.responses.entry_count());
            assert_eq!(bytes, 10 * entries);
            assert!(bytes <= 80);
        }
    }

    #[test]
    fn does_not_cache_a_response_larger_than_its_capacity() {
        let cache = ResponseCache::new(80);
        cache.insert(key("large"), vec![0; 80].into());
        cache.responses.run_pending_tasks();
        assert_eq!(cache.get(&key("large")), None);
    }
}
