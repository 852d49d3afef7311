//! HTTP: connections, access control, the routes of the API, and the page.

pub mod access;
pub mod assets;
pub mod connections;
pub mod routes;
pub mod tls;
