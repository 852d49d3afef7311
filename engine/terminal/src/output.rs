//! Text on the standard output.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};

use benchbook_host::units::SPACE;

/// A text with numbers, as it is printed on the standard output. Only a terminal gets the narrow spaces in them: what a program or a file
/// receives can be searched with ordinary ones.
#[must_use]
pub fn for_standard_output(text: &str) -> Cow<'_, str> {
    if io::stdout().is_terminal() { Cow::Borrowed(text) } else { Cow::Owned(with_ordinary_spaces(text)) }
}

/// The text with ordinary spaces in numbers.
#[must_use]
pub fn with_ordinary_spaces(text: &str) -> String {
    text.replace(SPACE, " ")
}

#[cfg(test)]
mod tests {
    use benchbook_host::units::count;

    use super::*;

    #[test]
    fn numbers_for_programs_have_ordinary_spaces() {
        assert_eq!(with_ordinary_spaces(&format!("+36%, {}", count(15_554))), "+36%, 15 554");
    }
}
