//! The report of a check: text, Markdown and JSON.

mod answer;
mod change;
mod check_report;
mod finding;
mod markdown;
mod point;
mod text;

#[cfg(test)]
mod tests;

pub(super) use self::change::signed;
pub(super) use self::check_report::CheckReport;
