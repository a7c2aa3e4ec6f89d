// What a map takes of ink, and which of its sheets are bare, is known when it is drawn: it comes after the page.

const form = document.querySelector("form[data-stays]");
const asked = new URLSearchParams(location.search);
asked.set("takes", "on");

const answer = await fetch(`${form.getAttribute("action")}?${asked}`);
if (answer.ok) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of ["ink", "bare", "sheets"]) {
    const next = page.getElementById(name);
    if (next) document.getElementById(name)?.replaceWith(document.importNode(next, true));
  }
}
