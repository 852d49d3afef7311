//! Measures correctly, but ignores the end of its input and SIGTERM.

fn main() {
    ctrlc::set_handler(|| {}).expect("no other handler is set");
    impostors::converse(|message| vec![impostors::proper(message)]);
    loop {
        std::thread::park();
    }
}
