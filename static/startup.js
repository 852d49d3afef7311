// Reports on the page that it cannot start. A page that has started has no such text, so later errors change nothing.
"use strict";

const reportFailedStart = ({ target }) => {
  // The preload of notebook.json fails harmlessly if there is no such file.
  if (target instanceof HTMLLinkElement) return;
  const status = document.getElementById("startup");
  if (status) status.textContent = "Benchbook cannot start. Reload the page, or use a current browser with WebAssembly.";
};
// In the capture phase, since the failed load of a script does not bubble.
addEventListener("error", reportFailedStart, true);
addEventListener("unhandledrejection", reportFailedStart);
