// Ink use and bare sheets are known only when the map is drawn. Load them after the page.

const form = document.querySelector("form[data-stays]");
const query = new URLSearchParams(location.search);
query.set("takes", "on");

const answer = await fetch(`${form.getAttribute("action")}?${query}`);
if (answer.ok) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of ["ink", "bare", "sheets"]) {
    const next = page.getElementById(name);
    if (next) document.getElementById(name)?.replaceWith(document.importNode(next, true));
  }
}
