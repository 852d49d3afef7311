//! Compiles the crate again after the page was built.

fn main() {
    println!("cargo::rerun-if-changed=files");
}
