//! The report as a standalone HTML page: no scripts, and nothing from other addresses.

mod build_curves;
mod colours;
mod figure;
mod history_plot;
mod page;
mod plot;
mod section;
mod tables;
