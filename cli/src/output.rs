//! Text on the standard output.

use std::io::{self, IsTerminal as _};

use benchbook_host::units::SPACE;

/// Prints a text with numbers. Only a terminal gets the narrow spaces in them: what a program or a file receives can be searched with ordinary ones.
pub(crate) fn print(text: &str) {
    if io::stdout().is_terminal() {
        anstream::print!("{text}");
    } else {
        anstream::print!("{}", with_ordinary_spaces(text));
    }
}

/// The text with ordinary spaces in numbers.
pub(crate) fn with_ordinary_spaces(text: &str) -> String {
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
