// If the page is a frame that shows one cell, reports its height to the page around it, so that the frame needs no scroll bar.
"use strict";

if (location.search === "?embed") {
  // Hides the header and the list of functions until the program has started.
  document.documentElement.classList.add("embedded");
  addEventListener("DOMContentLoaded", () => {
    const height = () => Math.ceil(document.body.getBoundingClientRect().height);
    // The name identifies the frame, because in WebKitGTK `event.source` may differ from the frame's `contentWindow`.
    const report = () => parent.postMessage({ benchbookFrame: self.name, benchbookHeight: height() }, "*");
    new ResizeObserver(report).observe(document.body);
    report();
  });
}
