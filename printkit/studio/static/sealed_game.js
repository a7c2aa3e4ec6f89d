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
