//! Measurements: what a request still needs, the thread that measures it, and the response.

pub mod assembly;
pub mod costs;
mod counting;
pub mod planned_request;
pub mod response_cache;
pub mod runner;
pub mod thread;
pub mod work;
