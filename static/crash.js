// Reports on the page that its program has stopped: after a panic, or if a browser executes it incorrectly, nothing on the page
// reacts any longer.
"use strict";

const reportCrash = ({ error, reason }) => {
  const isCrash = (error ?? reason) instanceof WebAssembly.RuntimeError;
  // A page that has not started has a report of its own; the first crash has all that others would state.
  if (!isCrash || document.getElementById("startup") || document.getElementById("crashed")) return;
  const notice = document.createElement("p");
  notice.id = "crashed";
  notice.setAttribute("role", "alert");
  notice.textContent = "Benchbook has stopped because of an internal error. Reload the page to continue with what was saved.";
  document.body.prepend(notice);
};
addEventListener("error", reportCrash);
addEventListener("unhandledrejection", reportCrash);
