//! A row of the table of settings.

/// A setting of the runner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The key of the file, with its table: `limits.clients`.
    pub(super) key: &'static str,
    /// What it is, and its default unless that is in the example.
    pub(super) about: &'static str,
    pub(super) example: Example,
    /// The option of the command line, such as `--page`, and the name of its value, if there is one.
    pub(super) option: Option<(&'static str, &'static str)>,
    /// Whether it has several values. In a variable, commas separate them.
    pub(super) is_list: bool,
}

/// The value in the example of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Example {
    Text(&'static str),
    Number(u64),
}

impl Setting {
    /// A number with its default.
    pub(super) const fn number(key: &'static str, about: &'static str, default: u64) -> Self {
        Self { key, about, example: Example::Number(default), option: None, is_list: false }
    }

    pub(super) const fn text(key: &'static str, about: &'static str, example: &'static str) -> Self {
        Self { key, about, example: Example::Text(example), option: None, is_list: false }
    }

    pub(super) const fn list(key: &'static str, about: &'static str, example: &'static str) -> Self {
        Self { is_list: true, ..Self::text(key, about, example) }
    }

    pub(super) const fn with_option(self, option: &'static str, value: &'static str) -> Self {
        Self { option: Some((option, value)), ..self }
    }
}
