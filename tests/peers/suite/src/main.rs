//! The functions of `peer-functions` as a suite of Benchbook.
//!
//! All calls share one input, as in the other harnesses: the generators ignore their random numbers, and every workload
//! holds the same memory.

use std::rc::Rc;

use benchbook::prelude::*;

/// Declares the generator of an input.
macro_rules! declare_generator {
    ($generator:ident, $input:ty, $make:expr) => {
        /// The input that all harnesses share.
        #[generator(name = "Input")]
        pub(super) fn $generator(_service: &Service) -> Shared<Rc<$input>> {
            let input = Rc::new($make);
            Shared::new(move |_| Rc::clone(&input))
        }
    };
}

/// Declares a module per function: the measured function `call` and the generator of its input.
macro_rules! declare {
    ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
        mod $name {
            use super::*;

            declare_generator!(input, $input, peer_functions::inputs::$name());

            #[doc = $summary]
            #[measured(generators(input))]
            fn call(input: &$input) -> $output {
                peer_functions::$name(input)
            }
        }
    )*};
}

peer_functions::each_function!(declare);

/// The functions whose memory use is counted.
mod allocations {
    use super::*;

    /// Like the macro of the same name above, for these functions.
    macro_rules! declare {
        ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
            mod $name {
                use super::*;

                declare_generator!(input, $input, peer_functions::allocations::inputs::$name());

                #[doc = $summary]
                #[measured(generators(input))]
                fn call(input: &$input) -> $output {
                    peer_functions::allocations::$name(input)
                }
            }
        )*};
    }

    peer_functions::each_allocating_function!(declare);
}

/// Two functions on the same inputs, for comparisons.
mod pair {
    use super::*;

    declare_generator!(input, peer_functions::Walk, peer_functions::inputs::walk_100());

    /// The baseline.
    #[measured(generators(input))]
    fn baseline(walk: &peer_functions::Walk) -> u64 {
        peer_functions::walk_100(walk)
    }

    /// The same function again.
    #[measured(generators(input))]
    fn same(walk: &peer_functions::Walk) -> u64 {
        peer_functions::walk_100(walk)
    }

    /// Takes 1% longer.
    #[measured(generators(input))]
    fn longer(walk: &peer_functions::Walk) -> u64 {
        peer_functions::walk_101(walk)
    }
}

benchbook::suite!("peers");
