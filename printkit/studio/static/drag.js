// Edit features by hand: drag them, or move them with keys. The verdicts are updated first, then the drawing.

const { select } = await import(document.querySelector("script[src*='/map.js']").src);

const map = document.querySelector(".map");
const PAUSE = 450;
let pushed = null, waiting = 0, busy = false;

const svgOf = (path) => path.ownerSVGElement;
const place = (path, x, y) => path.setAttribute("transform", x || y ? `translate(${x} ${-y})` : "");

/** Send an edit and show its result: panel and outlines at once, the drawing when it has loaded. */
async function send(form) {
  if (busy) return;
  busy = true;
  document.documentElement.classList.add("waiting");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(form.body) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const complaint = page.querySelector(".complaint");
    document.querySelector(".complaint")?.remove();
    if (complaint) document.querySelector("main").prepend(complaint);
    for (const name of ["panel", "hits", "marks", "steps", "count", "undone-at"]) {
      const [old, next] = [document.getElementById(name), page.getElementById(name)];
      if (old && next) old.replaceWith(document.importNode(next, true));
    }
    if (answer.redirected) history.pushState({}, "", answer.url);
    if (form.body.id && form.body.do !== "delete") {
      select(form.body.id);
      if (form.keys) document.querySelector(`path[data-f="${CSS.escape(form.body.id)}"]`)?.focus();
    }
    redraw(page.querySelector(".drawing"));
  } finally {
    busy = false;
    document.documentElement.classList.remove("waiting");
  }
}

let latest = 0;

/** Replace the drawing when the new one has loaded, unless a later one has been requested. */
async function redraw(shown) {
  if (!shown) return;
  const turn = ++latest, next = new Image();
  next.className = "drawing";
  next.alt = shown.getAttribute("alt");
  next.src = shown.getAttribute("src");
  await next.decode();
  if (turn === latest) map.querySelector(".drawing").replaceWith(next);
}

const action = () => `/field/${document.querySelector("#panel").dataset.field}/gesture`;
const moved = (id, x, y, keys) => send({ action: action(), keys, body: { id, do: "move", right: x.toFixed(1), farther: y.toFixed(1) } });

// Drag with the pointer.
let held = null;
document.addEventListener("pointerdown", (event) => {
  const path = event.target.closest?.("path.grab");
  if (!path || busy || event.button) return;
  held = { path, x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
  path.classList.add("held");
  path.setPointerCapture(event.pointerId);
  event.stopPropagation();
}, true);
document.addEventListener("pointermove", (event) => {
  if (!held) return;
  const scale = Number(map.dataset.wide) / svgOf(held.path).getBoundingClientRect().width;
  held.dx = (event.clientX - held.x) * scale;
  held.dy = -(event.clientY - held.y) * scale;
  place(held.path, held.dx, held.dy);
});
document.addEventListener("pointerup", () => {
  if (!held) return;
  const { path, dx, dy } = held;
  held = null;
  path.classList.remove("held");
  if (Math.hypot(dx, dy) > 2) moved(path.dataset.f, dx, dy);
  else place(path, 0, 0);
});
document.addEventListener("pointercancel", () => { if (held) { place(held.path, 0, 0); held = null; } });

// Keys: arrows move, brackets rotate, Delete deletes.
document.addEventListener("keydown", (event) => {
  const path = event.target.closest?.("path.grab");
  if (!path || event.ctrlKey || event.metaKey || event.altKey) return;
  const id = path.dataset.f, step = event.shiftKey ? 10 : 1;
  const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  const turns = { "[": "left", "]": "right", Delete: "delete" };
  if (turns[event.key]) {
    event.preventDefault();
    send({ action: action(), keys: true, body: { id, do: turns[event.key] } });
  } else if (ways[event.key]) {
    event.preventDefault();
    if (pushed?.id !== id) pushed = { id, x: 0, y: 0 };
    pushed.x += ways[event.key][0];
    pushed.y += ways[event.key][1];
    place(path, pushed.x, pushed.y);
    clearTimeout(waiting);
    waiting = setTimeout(() => { const { x, y } = pushed; pushed = null; moved(id, x, y, true); }, PAUSE);
  }
});

// The buttons of the panel do the same without loading a page.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.gesture");
  if (!form) return;
  event.preventDefault();
  send({ action: form.action, body: Object.fromEntries(new FormData(form, event.submitter)) });
});
addEventListener("popstate", () => location.reload());

if (location.hash) {
  const button = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector("[data-f]");
  if (button) select(button.dataset.f);
}
