// Measures one export of a WebAssembly module once, with tinybench or mitata in their default configurations. Replies with the
// figures in nanoseconds per call, or with the reason of a failure.

const HARNESSES = {
  async tinybench(call) {
    const { Bench } = await import("./tinybench.js");
    const bench = new Bench();
    bench.add("call", () => {
      call();
    });
    await bench.run();
    const { latency, error } = bench.tasks[0].result;
    if (error) throw error;
    // In milliseconds. The margin of error is half the 95% interval of the mean.
    const nanos = (ms) => ms * 1e6;
    const { mean, moe, p50 } = latency;
    return { estimate: nanos(mean), median: nanos(p50), low: nanos(mean - moe), high: nanos(mean + moe) };
  },

  async mitata(call) {
    const { measure } = await import("./mitata.js");
    const { avg, p50 } = await measure(() => call());
    return { estimate: avg, median: p50, low: null, high: null };
  },
};

onmessage = async ({ data: { harness, name } }) => {
  try {
    const { instance } = await WebAssembly.instantiateStreaming(fetch("functions.wasm"));
    const start = performance.now();
    const figures = await HARNESSES[harness](instance.exports[name]);
    postMessage({ figures: { ...figures, wall_seconds: (performance.now() - start) / 1e3 } });
  } catch (error) {
    postMessage({ failed: String(error?.stack ?? error) });
  }
};
