// Passes the offer of a new version from isolation.js, which may load before or after the page's code, to the page.
"use strict";

let benchbookOfferUpdate;
const offeredUpdate = new Promise((resolve) => { benchbookOfferUpdate = resolve; });

// Resolves once a new version is available, to a function that loads it.
function benchbookUpdate() {
  return offeredUpdate;
}

// Resolves once it is certain that the page does not reload itself to become isolated, so that it can download its code. isolation.js decides.
globalThis.benchbookStays = new Promise((resolve) => (globalThis.benchbookStay = resolve));
addEventListener("error", (event) => event.target.src?.endsWith("/isolation.js") && benchbookStay(), true);
