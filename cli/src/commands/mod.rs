//! The commands of `cargo benchbook`.

pub(crate) mod accept;
pub(crate) mod assembly;
pub(crate) mod backfill;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod describe;
pub(crate) mod doc;
pub(crate) mod history;
pub(crate) mod import_criterion;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod measure;
pub(crate) mod pinpoint;
pub(crate) mod profile;
pub(crate) mod publish;
pub(crate) mod self_test;
pub(crate) mod serve;
pub(crate) mod served;
pub(crate) mod site;
