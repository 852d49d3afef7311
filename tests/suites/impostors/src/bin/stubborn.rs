//! Measures as it should, but ends neither with its input nor when it is asked to.

fn main() {
    ctrlc::set_handler(|| {}).expect("it is the first handler");
    impostors::converse(|message| vec![impostors::proper(message)]);
    loop {
        std::thread::park();
    }
}
