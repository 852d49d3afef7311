// Reports on the page that it cannot start. A page that has started has no such text, so later errors change nothing.
"use strict";

const reportFailedStart = ({ target }) => {
  // Separate files, such as the preloaded notebook.json, are optional. The page's own module is loaded by an inline script.
  if (target.href || target.src) return;
  const status = document.getElementById("startup");
  if (status) status.textContent = "Benchbook cannot start. Reload the page, or use a current browser with WebAssembly.";
};
// In the capture phase, since the failed load of a script does not bubble.
addEventListener("error", reportFailedStart, true);
addEventListener("unhandledrejection", reportFailedStart);
