//! Calls each allocating function once under dhat, which writes a file for each: `FOLDER/NAME.json`.

use std::env;
use std::hint::black_box;
use std::path::Path;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    let folder = env::args().nth(1).expect("the folder of the files is the only argument");
    let folder = Path::new(&folder);

    /// Calls each function.
    macro_rules! call {
        ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$({
            let input = peer_functions::allocations::inputs::$name();
            let file = folder.join(concat!(stringify!($name), ".json"));
            let profiler = dhat::Profiler::builder().file_name(file).trim_backtraces(None).build();
            // It lives longer than the profiler.
            let _output = black_box(peer_functions::allocations::$name(black_box(&input)));
            drop(profiler);
        })*};
    }

    peer_functions::each_allocating_function!(call);
}
