//! Questions to a user at a terminal.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;

/// Asks a user at a terminal; Enter means yes. False without a terminal.
///
/// # Errors
/// If the terminal cannot be read.
pub(crate) fn confirms(question: &str) -> Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    anstream::eprint!("{question} [Y/n] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(is_yes(&answer))
}

fn is_yes(answer: &str) -> bool {
    // The end of the input is no answer.
    answer.ends_with('\n') && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_means_yes_and_the_end_of_the_input_no() {
        for (answer, expected) in
            [("\n", true), ("y\n", true), ("Yes\r\n", true), ("n\n", false), ("", false), ("y", false)]
        {
            assert_eq!(is_yes(answer), expected, "{answer:?}");
        }
    }
}
