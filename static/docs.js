// Shows cells on other pages, each in a frame of its own: in a book whose Markdown contains them, and on pages of rustdoc, into which
// `cargo benchbook doc` has written them. On other hosts of documentation, such as docs.rs, this script finds the cells of a page in docs.json;
// if that is missing, the page remains as it is.
"use strict";

(() => {
  // The folder of the page of Benchbook.
  const base = new URL(".", document.currentScript.src);
  const CELL = ".benchbook-cell[data-link]";

  const frames = [];
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== base.origin) return;
    // In WebKitGTK, the source of a message may differ from the frame's `contentWindow`.
    const frame = frames.find(({ contentWindow }) => contentWindow === source) ?? frames.find(({ name }) => name === data?.benchbookFrame);
    const height = data?.benchbookHeight;
    if (frame && Number.isFinite(height)) frame.style.height = `${height}px`;
  });

  const show = (cell) => {
    const frame = document.createElement("iframe");
    frame.title = `Benchmark of ${cell.dataset.name}`;
    frame.name = `benchbook-${frames.length}`;
    frame.src = new URL(`?embed#${cell.dataset.link}`, base);
    frame.loading = "lazy";
    // `allow-same-origin` keeps the frame's own origin, which it needs to start workers.
    frame.sandbox = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads";
    frame.allow = "clipboard-write; cross-origin-isolated";
    frame.style.cssText = "display: block; width: 100%; height: 20rem; border: 0";
    frames.push(frame);
    cell.append(frame);
  };

  // Browsers load no modules from files: there, the line with the link remains.
  if (location.protocol === "file:") return;
  const written = document.querySelectorAll(CELL);
  if (written.length > 0) {
    written.forEach(show);
    return;
  }
  const rustdoc = document.querySelector("meta[name=rustdoc-vars]");
  if (!rustdoc) return;
  fetch(new URL("docs.json", base))
    .then((response) => (response.ok ? response.json() : { pages: [] }))
    .then(({ pages }) => {
      const place = document.querySelector("#main-content details.top-doc") ?? document.querySelector("#main-content pre.item-decl");
      const rootPath = rustdoc.dataset.rootPath ?? "./";
      const root = new URL(rootPath, location).pathname;
      const address = location.pathname.replace(/\/$/, "/index.html");
      const page = pages.find(({ page }) => address === root + page);
      if (!place || !page) return;
      page.cells.toReversed().forEach(({ name, link, result }) => {
        const cell = document.createElement("div");
        cell.className = "benchbook-cell";
        const line = document.createElement("p");
        const code = document.createElement("code");
        code.textContent = name;
        line.append("Benchmark ", code, result ? `: ${result}.` : ".");
        cell.append(line);
        place.after(cell);
        if (!link) return;
        const whole = document.createElement("a");
        whole.href = new URL(`#${link}`, base);
        whole.textContent = "Measure it in your browser";
        line.append(" ", whole, ".");
        Object.assign(cell.dataset, { name, link });
        show(cell);
      });
    })
    .catch((error) => console.info("The measurements of this page are not available.", error));
})();
