"use strict";

// Measures in a new worker. Rejects with the reason of a failure.
function measure(harness, name) {
  if (!crossOriginIsolated) throw new Error("the page is not isolated, so its clock is coarse");
  return new Promise((resolve, reject) => {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data: { figures, failed } }) => {
      worker.terminate();
      failed === undefined ? resolve(figures) : reject(new Error(failed));
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ harness, name });
  });
}
