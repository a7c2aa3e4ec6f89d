// A sealed game: the page is shown anew when somebody has laid a card; a hand is hidden while somebody looks.

const place = document.querySelector("[data-turns]");

if (place) {
  const heard = new EventSource(place.dataset.turns);
  heard.addEventListener("message", () => { heard.close(); location.reload(); });
  // What is sent from here comes back as a page of its own.
  document.addEventListener("submit", () => heard.close());
}

const hide = document.querySelector("[data-hide]");
hide?.addEventListener("click", () => {
  const hidden = document.body.classList.toggle("hidden-hand");
  hide.setAttribute("aria-pressed", String(hidden));
});
