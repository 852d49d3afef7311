//! The report of a check: text, Markdown, JSON, JUnit XML and HTML.

mod answer;
mod benchmark;
mod change;
mod check_report;
mod files;
mod finding;
mod html;
mod junit;
mod markdown;
mod point;
mod text;

#[cfg(test)]
mod tests;

pub(super) use self::change::signed;
pub(super) use self::check_report::CheckReport;
pub(super) use self::files::ReportFiles;
