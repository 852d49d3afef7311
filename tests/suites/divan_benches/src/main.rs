//! Benches as authors write them for divan: each option of the attributes, and each method of the bencher.

#![forbid(unsafe_code)]

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use divan::counter::{BytesCount, CharsCount, ItemsCount};
use divan::{AllocProfiler, Bencher, black_box, black_box_drop};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::Divan::from_args().sample_count(50).main();
}

/// Adds two numbers.
#[divan::bench]
fn add() -> i32 {
    black_box(1) + black_box(42)
}

#[divan::bench(name = "copy")]
fn copy_from_slice(bencher: Bencher) {
    let source: Vec<i32> = (0..100).collect();
    let mut target = vec![0; source.len()];
    bencher.bench_local(move || black_box(&mut target).copy_from_slice(black_box(&source)));
}

#[divan::bench]
fn lifetime<'a>() -> &'a str {
    black_box("text")
}

#[divan::bench]
extern "C" fn of_another_abi() {
    "a b".split(' ').for_each(black_box_drop);
}

#[divan::bench]
#[ignore]
fn ignored_as_a_test() {
    unimplemented!();
}

#[divan::bench(ignore = std::env::var_os("A_VARIABLE_THAT_IS_NOT_SET").is_none())]
fn ignored_on_a_condition() {
    unimplemented!();
}

#[divan::bench]
fn panics() {
    assert!(black_box(false), "the data is missing");
}

#[divan::bench]
fn without_a_routine(_: Bencher) {}

mod arguments {
    use super::*;

    const SIZES: &[usize] = &[64, 1_024, 16_384];

    #[divan::bench(args = SIZES, sample_size = 10, max_time = 0.5)]
    fn collect(size: usize) -> Vec<usize> {
        (0..size).collect()
    }

    #[divan::bench(args = [64, 1_024, 16_384])]
    fn sum(bencher: Bencher, size: usize) {
        let numbers: Vec<usize> = (0..size).collect();
        bencher.counter(size).counter(BytesCount::of_slice(&numbers)).bench(|| numbers.iter().sum::<usize>());
    }

    #[divan::bench(args = (0..3).map(|exponent| 10_i32.pow(exponent)))]
    fn from_an_iterator(number: &i32) -> i32 {
        number.pow(2)
    }

    #[derive(Clone, Copy, Debug)]
    enum Order {
        Ascending,
        Descending,
    }

    #[divan::bench(args = [Order::Ascending, Order::Descending])]
    fn sort(bencher: Bencher, order: Order) {
        let numbers = move || match order {
            Order::Ascending => (0..500).collect::<Vec<u32>>(),
            Order::Descending => (0..500).rev().collect(),
        };
        bencher.with_inputs(numbers).bench_refs(|numbers| numbers.sort());
    }

    fn texts() -> impl Iterator<Item = String> {
        ["short", "a longer text"].into_iter().map(str::to_owned)
    }

    #[divan::bench(args = texts())]
    fn uppercase(text: &str) -> String {
        text.to_uppercase()
    }

    #[divan::bench(args = ["a", "b c"])]
    fn words(text: &str) -> usize {
        text.split(' ').count()
    }

    #[divan::bench(args = [8])]
    fn single(size: u8) -> u32 {
        u32::from(size) * 2
    }

    #[divan::bench(args = [] as [u8; 0])]
    fn of_an_empty_list(_size: u8) {}
}

#[divan::bench_group(name = "generic functions", min_time = Duration::from_millis(1), items_count = 3_u8)]
mod generic {
    use super::*;

    #[divan::bench(types = [&str, String])]
    fn from_str<'a, T: From<&'a str>>() -> T {
        black_box("hello world").into()
    }

    #[divan::bench(types = [Vec<i32>, BTreeSet<i32>, HashSet<i32>], args = [0, 2, 256], items_count = 0_u8)]
    fn from_range<T: FromIterator<i32>>(n: i32) -> T {
        (0..n).collect()
    }

    const LENGTH: usize = 4;
    const LENGTHS: [usize; 3] = [1, 5, 10];

    #[divan::bench(consts = [1, LENGTH, LENGTH * 2])]
    fn array<const N: usize>() -> [i32; N] {
        [black_box(7); N]
    }

    #[divan::bench(consts = LENGTHS)]
    fn array_of_a_named_length<const N: usize>(bencher: Bencher) {
        bencher.bench(|| [black_box(7); N]);
    }

    #[divan::bench(consts = [-1, i16::MAX as isize], types = [u8, u64])]
    fn both<const N: isize, T: From<u8>>() -> (isize, T) {
        (black_box(N), T::from(black_box(3)))
    }

    #[divan::bench_group(ignore)]
    mod omitted {
        #[divan::bench]
        fn ignored_by_the_group() {}

        #[divan::bench(ignore = false)]
        fn included() {}
    }
}

mod inputs {
    use super::*;

    fn numbers() -> Vec<u64> {
        (0..500_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    }

    #[divan::bench]
    fn by_value(bencher: Bencher<'_, '_>) {
        bencher
            .with_inputs(numbers)
            .input_counter(|numbers| ItemsCount::new(numbers.len()))
            .input_counter(BytesCount::of_slice::<u64, Vec<u64>>)
            .bench_values(|mut numbers| {
                numbers.sort_unstable();
                numbers
            });
    }

    #[divan::bench]
    fn dropped_by_value(bencher: Bencher) {
        bencher.with_inputs(numbers).bench_values(drop);
    }

    #[divan::bench]
    fn by_value_on_this_thread(bencher: Bencher) {
        let mut count = 0;
        let next = || {
            count += 1;
            count
        };
        bencher.with_inputs(next).count_inputs_as::<CharsCount>().bench_local_values(|number: u64| number + 1);
    }

    #[divan::bench]
    fn by_reference_on_this_thread(bencher: Bencher) {
        let mut total = 0_u64;
        bencher.with_inputs(numbers).bench_local_refs(|numbers| {
            numbers.sort_unstable();
            total = total.wrapping_add(numbers[0]);
        });
    }
}

mod contended {
    use super::*;

    static COUNT: AtomicU64 = AtomicU64::new(0);

    #[divan::bench(threads = [1, 2], counters = [ItemsCount::new(1_u8)])]
    fn increment() -> u64 {
        COUNT.fetch_add(1, Ordering::Relaxed)
    }

    #[divan::bench(threads)]
    fn boxed(bencher: Bencher) {
        bencher.with_inputs(|| 7_u64).bench_values(Box::new);
    }
}

#[divan::bench]
fn outer() {
    #[divan::bench]
    fn embedded() {}
}

/// Everything that divan accepts, although names and values are equal, unprintable or missing.
mod odd {
    #[divan::bench(name = "twice", args = ["", "\u{1b}[2J"])]
    fn one(text: &str) -> usize {
        text.len()
    }

    #[divan::bench(name = "twice")]
    fn other() {}

    #[divan::bench(args = [1, 2, 1])]
    fn repeated(size: u64) -> u64 {
        size
    }

    #[divan::bench(args = lines())]
    fn from_a_file(line: &str) -> usize {
        line.len()
    }

    fn lines() -> Vec<String> {
        let text = std::fs::read_to_string("benches/huge-corpus.txt").expect("download the corpus first");
        text.lines().map(str::to_owned).collect()
    }
}
