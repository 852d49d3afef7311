//! Exits at once, with a message on standard error.

fn main() {
    eprintln!("the licence has run out");
    std::process::exit(3);
}
