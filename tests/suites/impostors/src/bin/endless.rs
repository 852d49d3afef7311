//! Writes one endless line.

use std::io::Write;

fn main() {
    while std::io::stdout().write_all(&[b'x'; 4096]).is_ok() {}
}
