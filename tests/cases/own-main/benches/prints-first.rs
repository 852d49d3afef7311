use criterion::{criterion_group, Criterion};
fn bench(c: &mut Criterion) { c.bench_function("after output", |b| b.iter(own_main::one)); }
criterion_group!(benches, bench);
// A program's `main` may print and read before it runs its benchmarks: a banner, a question, a prompt without a line's end.
fn main() {
    println!("{{\"type\":\"banner\"}}");
    print!("Press Enter: ");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    benches();
    Criterion::default().final_summary();
}
