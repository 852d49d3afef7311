//! Elements that know nothing of notebooks: menus, fields, buttons, charts.

pub(crate) mod breakable;
pub(crate) mod choice;
pub(crate) mod code;
pub(crate) mod copy;
pub(crate) mod date;
pub(crate) mod deferred;
pub(crate) mod docs;
pub(crate) mod file_picker;
pub(crate) mod help;
pub(crate) mod interactive_chart;
pub(crate) mod menu;
pub(crate) mod outcome;
pub(crate) mod select_value;
pub(crate) mod series_mark;
pub(crate) mod slider;
pub(crate) mod theme;
pub(crate) mod unique_id;
