//! Metrics since startup, in the text format of OpenMetrics.

use std::sync::atomic::{AtomicU64, Ordering};

use benchbook_host::api::QueueLoad;
use benchbook_host::child::ProcessCounts;
use benchbook_host::response::Point;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// The content type of [`Metrics::encode`].
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The metrics, by name in [`Self::default`].
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    measurements_running: Gauge,
    measurements_waiting: Gauge,
    clients: Gauge,
    queue_wait: Gauge<f64, AtomicU64>,
    stored_responses: Counter,
    completed_measurements: Counter,
    failed_measurements: Counter,
    stopped_measurements: Counter,
    turns: Counter,
    failed_points: Counter,
    started_processes: Counter,
    failed_processes: Counter,
    store: StoreMetrics,
    store_bytes: Gauge,
    unreadable_rows: Counter,
}

/// The metrics that a store records. Clones share their values.
#[derive(Clone, Debug)]
pub struct StoreMetrics {
    /// How long it took to store a result, in seconds.
    pub add: Histogram,
    /// How long it took to look up the points of a request, in seconds.
    pub find: Histogram,
    /// The number of results.
    pub results: Gauge,
}

/// The values that are read when the metrics are requested.
#[derive(Clone, Copy, Debug)]
pub struct MetricsReading {
    /// The load of the queue.
    pub load: QueueLoad,
    /// The child processes of all suites.
    pub processes: ProcessCounts,
    /// The size of the database; absent if it is unknown.
    pub store_bytes: Option<u64>,
    /// Stored rows that could not be decoded since startup.
    pub unreadable_rows: u64,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("benchbook"),
            measurements_running: Gauge::default(),
            measurements_waiting: Gauge::default(),
            clients: Gauge::default(),
            queue_wait: Gauge::default(),
            stored_responses: Counter::default(),
            completed_measurements: Counter::default(),
            failed_measurements: Counter::default(),
            stopped_measurements: Counter::default(),
            turns: Counter::default(),
            failed_points: Counter::default(),
            started_processes: Counter::default(),
            failed_processes: Counter::default(),
            store: StoreMetrics { add: durations(), find: durations(), results: Gauge::default() },
            store_bytes: Gauge::default(),
            unreadable_rows: Counter::default(),
        };
        metrics.with_registry()
    }
}

/// A histogram of durations from 0.1 ms to 1.6 s: looking up points takes a tenth of a millisecond, and storing a result waits
/// for the disk.
fn durations() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 4.0, 8))
}

impl Metrics {
    /// Registers all metrics. The library appends the units and, to counters, `_total`.
    fn with_registry(mut self) -> Self {
        let registry = &mut self.registry;
        for (name, help, gauge) in [
            ("measurements_running", "Running measurements", &self.measurements_running),
            ("measurements_waiting", "Waiting measurements", &self.measurements_waiting),
            ("clients", "Clients that wait for a response", &self.clients),
            ("results", "Stored results", &self.store.results),
        ] {
            registry.register(name, help, gauge.clone());
        }
        for (name, help, counter) in [
            ("responses_stored", "Responses from stored points", &self.stored_responses),
            ("measurements_done", "Completed measurements", &self.completed_measurements),
            ("measurements_failed", "Measurements that could not be completed", &self.failed_measurements),
            ("measurements_stopped", "Measurements that no client was waiting for", &self.stopped_measurements),
            ("turns", "Turns of measurements", &self.turns),
            ("points_failed", "Points without figures", &self.failed_points),
            ("processes_started", "Child processes that were started to measure", &self.started_processes),
            ("rows_unreadable", "Stored rows that could not be decoded", &self.unreadable_rows),
            ("processes_failed", "Child processes that ended during a measurement", &self.failed_processes),
        ] {
            registry.register(name, help, counter.clone());
        }
        let wait = "Expected time until the queue is empty";
        registry.register_with_unit("queue_wait", wait, Unit::Seconds, self.queue_wait.clone());
        registry.register_with_unit("store_add", "Time to store a result", Unit::Seconds, self.store.add.clone());
        let find = "Time to look up the points of a request";
        registry.register_with_unit("store_find", find, Unit::Seconds, self.store.find.clone());
        registry.register_with_unit("store", "Size of the database", Unit::Bytes, self.store_bytes.clone());
        self
    }

    /// Counts a response from stored points.
    pub fn count_stored_response(&self) {
        self.stored_responses.inc();
    }

    /// Counts a completed measurement with these points.
    pub fn count_measurement(&self, points: &[Point]) {
        self.completed_measurements.inc();
        let failed = points.iter().filter(|point| point.measured().is_none()).count();
        self.failed_points.inc_by(failed as u64);
    }

    /// Counts a turn of a measurement, whether or not it completes the measurement.
    pub fn count_turn(&self) {
        self.turns.inc();
    }

    /// Counts a measurement that could not be completed.
    pub fn count_failure(&self) {
        self.failed_measurements.inc();
    }

    /// Counts a measurement that was stopped because no client was waiting for it, or because of a shutdown.
    pub fn count_stop(&self) {
        self.stopped_measurements.inc();
    }

    /// The metrics that the store records.
    pub fn store(&self) -> &StoreMetrics {
        &self.store
    }

    /// All metrics as text of the type [`OPEN_METRICS`].
    pub fn encode(&self, reading: &MetricsReading) -> String {
        let MetricsReading { load, processes, store_bytes, unreadable_rows } = reading;
        self.measurements_running.set(load.running.into());
        self.measurements_waiting.set(load.waiting.into());
        self.clients.set(load.clients.into());
        self.queue_wait.set(load.wait_ms as f64 / 1_000.0);
        self.started_processes.inner().store(processes.started, Ordering::Relaxed);
        self.failed_processes.inner().store(processes.failed, Ordering::Relaxed);
        self.unreadable_rows.inner().store(*unreadable_rows, Ordering::Relaxed);
        if let Some(bytes) = store_bytes {
            self.store_bytes.set(i64::try_from(*bytes).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string cannot fail");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_every_metric() {
        let metrics = Metrics::default();
        metrics.count_stored_response();
        metrics.count_measurement(&[]);
        metrics.count_failure();
        metrics.count_stop();
        metrics.store().results.set(7);
        metrics.store().add.observe(0.002);
        let reading = MetricsReading {
            load: QueueLoad { running: 1, waiting: 2, clients: 3, wait_ms: 4_500 },
            processes: ProcessCounts { started: 6, failed: 1 },
            store_bytes: Some(8_192),
            unreadable_rows: 9,
        };
        let text = metrics.encode(&reading);
        for line in [
            "# TYPE benchbook_measurements_running gauge",
            "benchbook_measurements_running 1",
            "benchbook_measurements_waiting 2",
            "benchbook_clients 3",
            "# UNIT benchbook_queue_wait_seconds seconds",
            "benchbook_queue_wait_seconds 4.5",
            "# TYPE benchbook_responses_stored counter",
            "benchbook_responses_stored_total 1",
            "benchbook_measurements_done_total 1",
            "benchbook_measurements_failed_total 1",
            "benchbook_measurements_stopped_total 1",
            "benchbook_points_failed_total 0",
            "benchbook_processes_started_total 6",
            "benchbook_processes_failed_total 1",
            "# TYPE benchbook_store_add_seconds histogram",
            "benchbook_store_add_seconds_count 1",
            "benchbook_store_add_seconds_bucket{le=\"0.0001\"} 0",
            "benchbook_store_add_seconds_bucket{le=\"+Inf\"} 1",
            "benchbook_store_find_seconds_count 0",
            "benchbook_store_bytes 8192",
            "benchbook_results 7",
            "benchbook_rows_unreadable_total 9",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert!(text.ends_with("# EOF\n"), "{text}");
        // Without a new size, the last one remains.
        let later = metrics.encode(&MetricsReading { store_bytes: None, ..reading });
        assert!(later.contains("benchbook_store_bytes 8192\n"), "{later}");
    }
}
