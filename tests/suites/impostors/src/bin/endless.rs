//! Writes one line without end.

use std::io::Write;

fn main() {
    while std::io::stdout().write_all(&[b'x'; 4096]).is_ok() {}
}
