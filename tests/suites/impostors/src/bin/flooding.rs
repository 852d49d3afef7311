//! Writes endless lines.

use std::io::Write;

fn main() {
    while std::io::stdout().write_all(b"more, and more, and more\n").is_ok() {}
}
