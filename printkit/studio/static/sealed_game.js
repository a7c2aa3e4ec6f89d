// A sealed game: reload the page when a player has placed a card, and hide the hand on request.

const place = document.querySelector("[data-turns]");

if (place) {
  const events = new EventSource(place.dataset.turns);
  events.addEventListener("message", () => { events.close(); location.reload(); });
  // A form sent from this page loads a new page anyway.
  document.addEventListener("submit", () => events.close());
}

const hide = document.querySelector("[data-hide]");
hide?.addEventListener("click", () => {
  const hidden = document.body.classList.toggle("hidden-hand");
  hide.setAttribute("aria-pressed", String(hidden));
});

// A player's page keeps the commitment, the code of each line and the number in this browser, so that they can prove
// the game later, and hear at once if one of them is changed.
const game = document.querySelector("[data-game]");

if (game) {
  const key = `printkit game ${game.dataset.game}`;
  const kept = read(key);
  const wrong = [];
  const keep = (name, value) => {
    if (kept[name] && kept[name] !== value) wrong.push(`${name}: ${kept[name]} → ${value}`);
    kept[name] ??= value;
  };
  keep("commitment", game.dataset.commitment);
  if (game.dataset.number) keep("number", game.dataset.number);
  for (const line of game.querySelectorAll("[data-line]")) {
    const code = line.querySelector("code").textContent;
    keep(line.dataset.line, code);
    if ("card" in line.dataset) kept.code = `${line.dataset.line}=${kept[line.dataset.line]}`;
  }
  try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* This browser keeps nothing. */ }
  for (const field of game.querySelectorAll("[data-kept]")) field.value = kept[field.dataset.kept] ?? "";
  const note = game.querySelector("[data-changed]");
  note.hidden = wrong.length === 0;
  note.querySelector("span").textContent = wrong.join("; ");
  const random = game.querySelector("[data-random]");
  if (random && !random.value) random.value = String(100000 + crypto.getRandomValues(new Uint32Array(1))[0]);
}

function read(key) {
  try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; }
}
