// Passes the offer of a new version from isolation.js, which may load before or after the page's code, to the page.
"use strict";

let benchbookOfferUpdate;
const offeredUpdate = new Promise((resolve) => { benchbookOfferUpdate = resolve; });

// Resolves once a new version is available, to a function that loads it.
function benchbookUpdate() {
  return offeredUpdate;
}
