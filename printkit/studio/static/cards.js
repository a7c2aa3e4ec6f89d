// Replace drawn cards: choose a drawn card, then a card of the pack to put in its place.

for (const picker of document.querySelectorAll("[data-picks]")) {
  const text = document.getElementById(picker.dataset.picks);
  const slots = [...picker.querySelectorAll("[data-slot]")];
  const packed = new Map([...picker.querySelectorAll("[data-card]")].map((each) => [each.dataset.card, each]));
  const cards = text.value.split(" ");
  let slotIndex = 0;

  const show = () => {
    slots.forEach((slot, place) => {
      slot.replaceChildren(packed.get(cards[place]).firstElementChild.cloneNode(true));
      slot.setAttribute("aria-pressed", String(place === slotIndex));
    });
    text.value = cards.join(" ");
  };
  slots.forEach((slot, place) => slot.addEventListener("click", () => {
    slotIndex = place;
    show();
    picker.querySelector("details").open = true;
  }));
  for (const [card, button] of packed) {
    button.addEventListener("click", () => {
      // A card that has been drawn already changes places with the chosen one.
      const elsewhere = cards.indexOf(card);
      if (elsewhere >= 0) cards[elsewhere] = cards[slotIndex];
      cards[slotIndex] = card;
      slotIndex = Math.min(slotIndex + 1, cards.length - 1);
      show();
    });
  }
}
