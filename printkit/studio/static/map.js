// The map of the studio: pan and zoom by wheel, touch, keys and buttons; layers; selection in map and lists.

const NEAREST = 12;

/** Make a map pan and zoom. Returns `perPixel`, the board width in mm of one screen pixel. */
export function movable(box) {
  const inner = box.querySelector(".in");
  const fingers = new Map();
  let scale = 1, x = 0, y = 0, resting = 0;

  const put = (glides) => {
    x = Math.min(0, Math.max(box.clientWidth * (1 - scale), x));
    y = Math.min(0, Math.max(box.clientHeight * (1 - scale), y));
    inner.classList.toggle("glide", Boolean(glides));
    // A layer of its own only while it moves: the browser then draws it again, sharp.
    inner.style.willChange = "transform";
    clearTimeout(resting);
    resting = setTimeout(() => { inner.style.willChange = ""; }, 220);
    inner.style.transform = scale === 1 ? "" : `translate(${x}px,${y}px) scale(${scale})`;
  };
  const zoom = (factor, atX, atY, glides) => {
    const next = Math.min(NEAREST, Math.max(1, scale * factor));
    x = atX - (atX - x) * next / scale;
    y = atY - (atY - y) * next / scale;
    scale = next;
    put(glides);
  };
  const whole = () => { scale = 1; x = 0; y = 0; put(true); };
  const middle = () => [box.clientWidth / 2, box.clientHeight / 2];
  const spot = (event) => {
    const edge = box.getBoundingClientRect();
    return [event.clientX - edge.left, event.clientY - edge.top];
  };

  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), ...spot(event));
  }, { passive: false });
  box.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".held")) fingers.set(event.pointerId, event);
  });
  box.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((each) => each.pointerId !== event.pointerId);
      const apart = (each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY);
      const edge = box.getBoundingClientRect();
      const between = [(event.clientX + other.clientX) / 2 - edge.left, (event.clientY + other.clientY) / 2 - edge.top];
      zoom(apart(event) / Math.max(1, apart(before)), ...between);
    } else if (scale > 1) {
      x += event.clientX - before.clientX;
      y += event.clientY - before.clientY;
      put();
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    box.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  box.addEventListener("keydown", (event) => {
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60;
    const keys = {
      "+": () => zoom(1.4, ...middle(), true), "=": () => zoom(1.4, ...middle(), true),
      "-": () => zoom(1 / 1.4, ...middle(), true), "0": whole,
      ArrowLeft: () => { x += step; put(true); }, ArrowRight: () => { x -= step; put(true); },
      ArrowUp: () => { y += step; put(true); }, ArrowDown: () => { y -= step; put(true); },
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });
  for (const button of box.closest(".mapw").querySelectorAll("[data-zoom]")) {
    const factor = Number(button.dataset.zoom);
    button.addEventListener("click", () => (factor ? zoom(factor, ...middle(), true) : whole()));
  }
  return { perPixel: () => Number(box.dataset.wide) / box.clientWidth / scale };
}

/** Select a feature in the map and in all lists, and deselect all others. */
export function select(id, { toggles = false } = {}) {
  const open = document.querySelector(`[data-f="${CSS.escape(id)}"].on`);
  const wanted = toggles && open ? "" : id;
  for (const each of document.querySelectorAll("[data-f]")) {
    const on = each.dataset.f === wanted;
    each.classList.toggle("on", on);
    if (each.matches("button")) each.setAttribute("aria-expanded", String(on));
  }
  document.dispatchEvent(new CustomEvent("marked", { detail: wanted }));
}

// The drawing is an image until the user switches a layer; then it is replaced by its SVG, which has the layers.
async function switchable(image) {
  const text = await (await fetch(image.currentSrc || image.src)).text();
  const drawing = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  drawing.classList.add("drawing");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", image.alt);
  image.replaceWith(drawing);
  return drawing;
}

/** Show the state of a map: rolling, drawing, ready (nothing) or failed, with the reason that the studio gives. */
function watchDrawing(map) {
  const note = map.closest(".mapw").querySelector(".progress"), image = map.querySelector("img.drawing");
  const show = (text, busy) => { note.textContent = text; map.setAttribute("aria-busy", String(busy)); };
  for (const form of document.querySelectorAll("#want,.tags")) {
    form.addEventListener("submit", () => show(note.dataset.rolling, true));
  }
  addEventListener("pageshow", (event) => { if (event.persisted) show("", false); });
  if (!image || (image.complete && image.naturalWidth)) return;
  map.setAttribute("aria-busy", "true");
  const waits = [setTimeout(show, 1000, note.dataset.drawing, true), setTimeout(show, 3000, note.dataset.long ?? note.dataset.drawing, true)];
  const end = (text) => { waits.forEach(clearTimeout); show(text, false); };
  const fail = async () => {
    const page = new DOMParser().parseFromString(await (await fetch(image.src)).text(), "text/html");
    end(note.dataset.failed.replace("%", page.querySelector(".complaint")?.lastChild.textContent.trim() ?? "?"));
  };
  if (image.complete) fail();
  image.addEventListener("load", () => end(""));
  image.addEventListener("error", fail);
}

async function switchLayers(map) {
  const shown = map.querySelector(".drawing");
  const drawing = shown.tagName === "IMG" ? await switchable(shown) : shown;
  for (const box of document.querySelectorAll("input[data-layer]")) {
    for (const layer of drawing.querySelectorAll(`[data-layer="${box.dataset.layer}"]`)) {
      layer.setAttribute("display", box.checked ? "inline" : "none");
    }
  }
}

for (const map of document.querySelectorAll(".map")) {
  map.movable = movable(map);
  watchDrawing(map);
  for (const box of document.querySelectorAll("input[data-layer]")) {
    box.addEventListener("change", () => switchLayers(map));
  }
}
document.addEventListener("click", (event) => {
  const one = event.target.closest("[data-f]");
  if (!one) return;
  select(one.dataset.f, { toggles: one.matches("button") });
  if (!one.matches("button")) {
    document.querySelector(`button[data-f="${CSS.escape(one.dataset.f)}"]`)?.scrollIntoView({ block: "nearest" });
  }
});
document.addEventListener("keydown", (event) => {
  const one = event.target.closest?.("path[data-f]");
  if (one && (event.key === "Enter" || event.key === " ")) {
    select(one.dataset.f);
    event.preventDefault();
  }
});
