//! Dies at once, with a word to standard error.

fn main() {
    eprintln!("the licence has run out");
    std::process::exit(3);
}
