//! Choices: enums as parameters.

use benchbook_contract::parameter::ChoiceOption;

/// An enum of unit variants that can be a parameter; derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "use u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]"
)]
pub trait Choice: Sized {
    /// Names and doc comments of the variants.
    const OPTIONS: &'static [(&'static str, &'static str)];
    /// The variant called `name`.
    fn from_name(name: &str) -> Option<Self>;
    /// The options as the catalog lists them.
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
        if same(C::OPTIONS[index].0.as_bytes(), default.as_bytes()) {
            return;
        }
        index += 1;
    }
    panic!("the default is not a variant of the choice: write the name of one, such as default = \"Random\"");
}

const fn same(one: &[u8], other: &[u8]) -> bool {
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
