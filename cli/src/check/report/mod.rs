//! The last stage of a check, the report: text, Markdown, JSON, JUnit XML and HTML.

mod answer;
mod benchmark;
mod change;
mod check_report;
mod details;
mod files;
mod finding;
mod html;
mod junit;
mod markdown;
mod point;
mod series;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use self::change::signed;
#[cfg(test)]
pub(crate) use self::check_report::REGRESSION;
pub(crate) use self::check_report::{CheckReport, FAILED, Strictness};
pub(crate) use self::details::details;
pub(crate) use self::files::ReportFiles;
