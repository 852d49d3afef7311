//! The two faces of a suite, wasm and native, what they share, and the allocator.
//!
//! `unsafe` is allowed here, and each block says why it is sound.

#![allow(unsafe_code)]

pub(crate) mod allocator;
pub(crate) mod bits;
pub(crate) mod peer;
pub(crate) mod stage;

#[cfg(not(target_arch = "wasm32"))]
pub mod native;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

/// Who a suite is; `suite!` fills it in.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The suite's name.
    pub name: &'static str,
    /// The version of its crate.
    pub version: &'static str,
    /// The crate's own name, as `module_path!()` begins.
    pub crate_name: &'static str,
}

impl Identity {
    /// A path as the catalog has it: the suite's own crate is left out, other crates stay named.
    pub(crate) fn shorten(&self, path: &str) -> String {
        let own = path.strip_prefix(self.crate_name).and_then(|rest| rest.strip_prefix("::"));
        own.unwrap_or(path).to_owned()
    }
}

/// Makes this crate a suite: the exports of its wasm, the allocator, and `main` of its native executable.
///
/// Stands once in the root of a binary crate, or of an example or a bench target without a harness:
/// `benchbook::suite!("name");`. All that the suite holds at once is bounded by 1 GiB, or by what is said:
/// `benchbook::suite!("name", memory_bound = 64 << 20);`, in bytes.
#[macro_export]
macro_rules! suite {
    ($name:literal) => {
        $crate::suite!($name, memory_bound = 1 << 30);
    };
    ($name:literal, memory_bound = $bound:expr) => {
        #[global_allocator]
        static BENCHBOOK_ALLOCATOR: $crate::__private::Bounded = $crate::__private::Bounded;

        const BENCHBOOK_IDENTITY: $crate::__private::Identity = $crate::__private::Identity {
            name: $name,
            version: ::core::env!("CARGO_PKG_VERSION"),
            crate_name: ::core::module_path!(),
        };

        // `#[measured]` refers to it, so that a crate without `suite!` does not compile.
        #[allow(dead_code)]
        pub(crate) const WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT: () = ();

        #[cfg(target_arch = "wasm32")]
        mod benchbook_exports {
            #[unsafe(no_mangle)]
            extern "C" fn benchbook_protocol() -> u32 {
                $crate::__private::wasm::start(super::BENCHBOOK_IDENTITY, $bound)
            }

            #[unsafe(no_mangle)]
            extern "C" fn benchbook_receive(len: usize) -> *mut u8 {
                $crate::__private::wasm::receive(len)
            }

            #[unsafe(no_mangle)]
            extern "C" fn benchbook_handle(len: usize) {
                $crate::__private::wasm::handle(len)
            }
        }

        /// The native executable; a browser never calls it.
        fn main() {
            #[cfg(not(target_arch = "wasm32"))]
            $crate::__private::native::run(BENCHBOOK_IDENTITY, $bound);
        }
    };
}
