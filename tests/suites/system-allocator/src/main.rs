//! The suite `allocating` without the suite's allocator: it allocates from the system's allocator directly, so it counts nothing and
//! has no bound. `cargo xtask bench allocator` compares the two. In a package of its own, so that tests do not link it.

#[path = "../../allocating/src/functions.rs"]
mod functions;

/// `#[measured]` refers to it; `suite!` would define it.
#[allow(dead_code)]
pub(crate) const WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT: () = ();

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let identity = benchbook::__private::Identity {
            name: "allocating",
            version: env!("CARGO_PKG_VERSION"),
            crate_name: module_path!(),
        };
        benchbook::__private::native::run(identity, u64::MAX, None);
    }
}
