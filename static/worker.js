// Runs a suite: makes an instance of the module that the page sends first, then hands it each message and sends back
// what it answers. Out: {answer: text}, {ended: reason} after a trap, {refused: reason} where there can be no instance.
// After a trap messages on their way are dropped, until the page, which knows of it by then, sends the module again.
"use strict";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let suite;

function instantiate(module) {
  const instance = new WebAssembly.Instance(module, {
    benchbook: {
      now: () => performance.now(),
      send: (start, length) => {
        postMessage({ answer: decoder.decode(new Uint8Array(suite.memory.buffer, start, length)) });
      },
    },
  });
  suite = instance.exports;
  // Sets the suite up; which version it speaks, it says again when it is greeted.
  suite.benchbook_protocol();
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
      instantiate(data.module);
    } catch (error) {
      postMessage({ refused: String(error) });
    }
  } else if (suite) {
    try {
      handle(data);
    } catch (error) {
      // Whatever it was, nothing of this instance is to be trusted any more.
      suite = undefined;
      postMessage({ ended: String(error) });
    }
  }
};
