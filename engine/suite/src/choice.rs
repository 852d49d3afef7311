//! Enums as parameters.

use benchbook_contract::parameter::ChoiceOption;

/// An enum that can be the type of a generator's parameter. Derive it for enums whose variants have no fields.
///
/// The page offers the variants as options, with their doc comments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "use u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]"
)]
pub trait Choice: Sized {
    /// The names and doc comments of the variants.
    const OPTIONS: &'static [(&'static str, &'static str)];
    /// Returns the variant with this name.
    fn from_name(name: &str) -> Option<Self>;
    /// Returns the options for the catalog.
    fn options() -> Vec<ChoiceOption> {
        let option = |&(name, description): &(&str, &str)| ChoiceOption {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        Self::OPTIONS.iter().map(option).collect()
    }
}

impl Choice for bool {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[("false", "No."), ("true", "Yes.")];

    fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// Stops the compilation if a choice's default is not one of its options.
#[track_caller]
pub const fn check_choice_default<C: Choice>(default: &str) {
    let mut index = 0;
    while index < C::OPTIONS.len() {
        if is_equal(C::OPTIONS[index].0.as_bytes(), default.as_bytes()) {
            return;
        }
        index += 1;
    }
    panic!("the default is not a variant of the choice: write a variant's name, such as default = \"Random\"");
}

/// Compares in constants, where `==` is not available.
const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    if one.len() != other.len() {
        return false;
    }
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}
