// Runs a suite: instantiates the module that the page sends first, then passes each message to it and sends back its
// replies. If the page sends the bytes of a module, the worker also compiles it, and sends back the time that both took.
// Output: {reply: text}, {compiled: milliseconds}, {ended: reason} after a trap, {rejected: reason} if the module cannot be
// compiled or instantiated.
// After a trap, messages are dropped until the page sends the module again.
"use strict";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let suite;

function instantiate(module) {
  const instance = new WebAssembly.Instance(module, {
    benchbook: {
      now: () => performance.now(),
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

function handle(text) {
  const message = encoder.encode(text);
  const start = suite.benchbook_receive(message.length);
  new Uint8Array(suite.memory.buffer, start, message.length).set(message);
  suite.benchbook_handle(message.length);
}

onmessage = ({ data }) => {
  if (typeof data !== "string") {
    try {
      if (data.bytes) {
        const compiled = compile(data.bytes);
        initialise();
        postMessage({ compiled });
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
