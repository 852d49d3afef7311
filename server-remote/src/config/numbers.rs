//! Settings that are numbers. Each is written once, with its range and its default: the fields, the reader and the rows of the table follow.

use std::time::Duration;

use benchbook_isolate::Guard;

use super::setting::Setting;
use super::values::RawValues;

/// Declares a struct of numbers in a table of the file, with a constant `SETTINGS`, a reader, and `Default`.
macro_rules! numbers {
    (
        $(#[$about:meta])*
        pub struct $name:ident in $table:literal {
            $($(#[doc = $doc:literal])+ $field:ident: $number:ty = $default:expr, from $least:expr, to $most:expr;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $number,)*
        }

        impl $name {
            pub(super) const SETTINGS: &[Setting] = &[$(Setting::number(
                concat!($table, ".", stringify!($field)),
                concat!($($doc),+).trim_ascii_start(),
                {
                    let default: $number = $default;
                    default as u64
                },
            ),)*];

            pub(super) fn read(values: &mut RawValues) -> Self {
                Self {
                    $($field: values
                        .read(concat!($table, ".", stringify!($field)), |raw| raw.integer_between($least, $most))
                        .and_then(|value| value.try_into().ok())
                        .unwrap_or($default),)*
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}

numbers! {
    /// Limits on requests. The runner rejects requests beyond them, and says what to do. For comparison: a curve at the default qualities takes at
    /// most a minute and has at most 132 points.
    pub struct Limits in "limits" {
        /// Clients that wait at the same time.
        clients: u32 = 2_000, from 1, to 100_000;
        /// A client's pending requests, in expected seconds of measuring.
        queued_seconds: u32 = 3_600, from 1, to 1_000_000;
        /// The pending requests of all clients of an address together, in expected seconds of measuring.
        queued_seconds_per_address: u32 = 36_000, from 1, to 10_000_000;
        /// The size of a request's body.
        body_bytes: u32 = 1 << 18, from 1_024, to 16 << 20;
        /// Points per request: axis values times functions.
        points: u32 = 4_100, from 1, to 4_100;
        /// The requested seconds per point.
        point_seconds: u32 = 60, from 1, to 3_600;
        /// Open streams.
        streams: u32 = 4_000, from 1, to 100_000;
        /// Open streams of a client.
        streams_per_client: u32 = 500, from 1, to 100_000;
        /// Open streams of all clients of an address.
        streams_per_address: u32 = 2_000, from 1, to 100_000;
        /// Seconds that a client may take to send its request, and to read any of the response.
        patience_seconds: u32 = 60, from 1, to 3_600;
        /// Uploaded builds.
        uploads: u32 = 16, from 1, to 1_000;
        /// The size of an uploaded executable.
        upload_bytes: u32 = 128 << 20, from 1 << 16, to u64::from(u32::MAX);
        /// The size of all uploaded executables together. Their copies in memory have the same size.
        uploads_bytes: u32 = 512 << 20, from 1 << 16, to u64::from(u32::MAX);
    }
}

impl Limits {
    /// How long a client may take to send its request, and to read any of the response.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(u64::from(self.patience_seconds))
    }
}

numbers! {
    /// Limits on each child process.
    pub struct ChildLimits in "children" {
        /// Address space: more than the suite's allocator may use, since that one reports the failed allocation.
        memory_bytes: u64 = 4 << 30, from 64 << 20, to 1 << 50;
        /// CPU time.
        cpu_seconds: u64 = 3_600, from 1, to 1_000_000;
        /// Open files.
        open_files: u64 = 256, from 16, to 1 << 20;
        /// The size of each file that the process writes.
        file_bytes: u64 = 1 << 30, from 0, to 1 << 50;
        /// Processes and threads of the runner's user, including those outside the runner.
        processes: u64 = 4_096, from 1, to 1 << 22;
    }
}

/// The niceness of child processes: on a shared core, other processes go first.
const NICE: i32 = 5;

impl ChildLimits {
    /// The guard for child processes, which run on `core`.
    pub fn guard(&self, core: Option<u32>) -> Guard {
        Guard {
            core,
            all_cores: false,
            nice: Some(NICE),
            memory: Some(self.memory_bytes),
            cpu_seconds: Some(self.cpu_seconds),
            open_files: Some(self.open_files),
            file_bytes: Some(self.file_bytes),
            processes: Some(self.processes),
        }
    }
}
