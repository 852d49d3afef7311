//! `--empty`: deletes all stored results.

use std::io::{self, BufRead, Write};

/// How all stored results are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClearMode {
    /// After a confirmation at the terminal.
    Confirm,
    /// Without a confirmation.
    Immediate,
}

/// Prompts for a confirmation. Only `yes` confirms; anything else, including the end of the input, does not.
///
/// # Errors
/// If reading or writing fails.
pub fn confirm_clear(results: u64, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<bool> {
    write!(output, "Delete all {results} stored results permanently? Type yes: ")?;
    output.flush()?;
    let mut reply = String::new();
    input.read_line(&mut reply)?;
    Ok(reply.trim().eq_ignore_ascii_case("yes"))
}

#[cfg(test)]
mod tests {
    use super::confirm_clear;

    #[test]
    fn only_yes_confirms() {
        for (reply, expected) in [("yes\n", true), ("YES", true), ("y\n", false), ("\n", false), ("", false)] {
            let mut prompt = Vec::new();
            assert_eq!(confirm_clear(12, &mut reply.as_bytes(), &mut prompt).unwrap(), expected, "{reply:?}");
            assert!(String::from_utf8(prompt).unwrap().contains("all 12 stored results"));
        }
    }
}
