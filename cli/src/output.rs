//! Text on the standard output.

use benchbook_terminal::output::for_standard_output;

/// Prints a text with numbers and styles, without the latter unless a terminal shows them.
pub(crate) fn print(text: &str) {
    anstream::print!("{}", for_standard_output(text));
}
