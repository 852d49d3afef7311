//! The store of all measured results, searched point by point.
//!
//! It is a trait, so that another database can serve a fleet of runners. The crate `benchbook-store-support` checks whether
//! an implementation conforms.

mod error;
mod interface;
mod model;
mod observed;
mod retention;
mod sqlite;

pub use error::StoreError;
pub use interface::Store;
pub use model::{NewResult, PointMatch, PointQuery, ResultFilter, now_ms, satisfies};
pub use observed::ObservedStore;
pub use retention::{PruneMode, PrunedResult, Pruning, Retention};
pub use sqlite::{DatabaseSummary, Restoration, SqliteStore, backup, read_result, restore, verify};
