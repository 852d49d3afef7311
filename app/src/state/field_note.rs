//! Notes next to the fields of the controls.

/// A note next to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The value was rounded to the grid.
    Snapped(String),
    /// The text is not a valid value.
    Invalid(String),
}
