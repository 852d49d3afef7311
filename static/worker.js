// Runs a suite: instantiates the module that the page sends first, then passes each message to it and sends back its
// replies. If the page sends the bytes of a module, the worker also compiles it, and sends back the time that both took.
// Output: {reply: text}, {compiled: milliseconds}, {ended: reason} after a trap, {rejected: reason} if the module cannot be
// compiled or instantiated. While it counts, also {counters: numbers}, or {globals, bytes} if it counts by context, each time that the page chose.
// A module that times ranges gets the values of its globals in {set}, and answers {list} with {executed, calls}.
// After a trap, messages are dropped until the page sends the module again.
"use strict";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let suite;

function instantiate(module, now = () => performance.now()) {
  const instance = new WebAssembly.Instance(module, {
    benchbook: {
      now,
      send: (start, length) => {
        postMessage({ reply: decoder.decode(new Uint8Array(suite.memory.buffer, start, length)) });
      },
    },
  });
  suite = instance.exports;
}

// Initialises the suite. The returned version is ignored, since the greeting contains it again.
function initialise() {
  suite.benchbook_protocol();
}

function compile(bytes) {
  const start = performance.now();
  instantiate(new WebAssembly.Module(bytes));
  return performance.now() - start;
}

// The clock of a counting module until the next message: it returns a different value at each reading, or always 0 if the counters are read at
// two of them.
let clock = { readings: 0 };

// Sends what the module has counted.
let sendCounters;

// Instantiates a counting module. `counters`: the exports that return the counters. `globals`: those of a module that counts by context: where the part of its
// memory with the counters begins, and where it ends, which comes last. `pages`, `stackBytes`: by how much the memory grows and the
// stack moves before anything is called. `lastReading`: the number of the reading from which on all are equal.
function instantiateToCount({ module, counters, globals, pages, stackPointer, stackBytes, lastReading }) {
  instantiate(module, () => {
    const reading = clock.readings++;
    if (!clock.counted) return 2 ** Math.min(reading, lastReading);
    if (clock.counted.includes(reading)) sendCounters();
    return 0;
  });
  sendCounters = () => {
    if (globals.length) {
      const values = Uint32Array.from(globals, (name) => suite[name].value);
      const bytes = suite.memory.buffer.slice(values[0], values[values.length - 1]);
      postMessage({ globals: values, bytes }, [bytes]);
    } else {
      // A function with one result returns a number, one with several an array.
      postMessage({ counters: BigUint64Array.from(counters.flatMap((name) => suite[name]())) });
    }
  };
  suite.memory.grow(pages);
  if (suite[stackPointer]) suite[stackPointer].value -= stackBytes;
}

// Sends the calls that a module has listed: two numbers for each. `list`: the exported globals with their number and their address. `most`: how many the list has
// room for.
function sendCalls({ list, most }) {
  const [executed, start] = list.map((name) => suite[name].value);
  const calls = new Uint32Array(suite.memory.buffer.slice(start, start + 8 * Math.min(executed, most)));
  postMessage({ executed, calls }, [calls.buffer]);
}

function handle(text) {
  const message = encoder.encode(text);
  const start = suite.benchbook_receive(message.length);
  new Uint8Array(suite.memory.buffer, start, message.length).set(message);
  suite.benchbook_handle(message.length);
  if (clock.atEnd) sendCounters();
}

onmessage = ({ data }) => {
  if (typeof data !== "string") {
    try {
      if (data.bytes) {
        const compiled = compile(data.bytes);
        initialise();
        postMessage({ compiled });
      } else if (data.counters) {
        instantiateToCount(data);
        initialise();
      } else if ("counted" in data) {
        clock = { readings: 0, counted: data.counted, atEnd: data.atEnd };
      } else if (data.set) {
        for (const [name, value] of Object.entries(data.set)) suite[name].value = value;
      } else if (data.list) {
        sendCalls(data);
      } else {
        instantiate(data.module);
        initialise();
      }
    } catch (error) {
      postMessage({ rejected: String(error) });
    }
  } else if (suite) {
    try {
      handle(data);
    } catch (error) {
      // The state of this instance is unknown.
      suite = undefined;
      postMessage({ ended: String(error) });
    }
  }
};
