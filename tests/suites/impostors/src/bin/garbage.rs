//! Responds to each message with text that is not JSON.

fn main() {
    let mut line = String::new();
    while std::io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
        println!("Usage: garbage [OPTIONS]");
    }
}
