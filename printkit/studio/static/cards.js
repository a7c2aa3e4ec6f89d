// Cards laid over those that fell: choose one of them, then the card of the pack that takes its place.

for (const picker of document.querySelectorAll("[data-picks]")) {
  const text = document.getElementById(picker.dataset.picks);
  const slots = [...picker.querySelectorAll("[data-slot]")];
  const packed = new Map([...picker.querySelectorAll("[data-card]")].map((each) => [each.dataset.card, each]));
  const cards = text.value.split(" ");
  let at = 0;

  const show = () => {
    slots.forEach((slot, place) => {
      slot.replaceChildren(packed.get(cards[place]).firstElementChild.cloneNode(true));
      slot.setAttribute("aria-pressed", String(place === at));
    });
    text.value = cards.join(" ");
  };
  slots.forEach((slot, place) => slot.addEventListener("click", () => {
    at = place;
    show();
    picker.querySelector("details").open = true;
  }));
  for (const [card, button] of packed) {
    button.addEventListener("click", () => {
      // One that lies elsewhere already changes places with it.
      const elsewhere = cards.indexOf(card);
      if (elsewhere >= 0) cards[elsewhere] = cards[at];
      cards[at] = card;
      at = Math.min(at + 1, cards.length - 1);
      show();
    });
  }
}
