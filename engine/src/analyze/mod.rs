//! Analysis of samples: outliers are labelled, then the figures computed.

pub mod outliers;
pub mod statistics;
