//! Closes standard output, but does not exit.

fn main() {
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).expect("standard error is open");
    loop {
        std::thread::park();
    }
}
