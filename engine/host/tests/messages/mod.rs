//! Messages, requests and responses as JSON.

mod golden;
mod request;
