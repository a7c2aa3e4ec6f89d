// A record that is dropped anywhere on the page, or chosen: sent as it is, and judged.

async function bring(file) {
  if (!file) return;
  document.documentElement.classList.add("waiting");
  const answer = await fetch("/check", { method: "POST", headers: { "Content-Type": "application/geo+json" }, body: file });
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = page.querySelector(".complaint") ?? Object.assign(document.createElement("p"), { className: "complaint", textContent: `${answer.status}` });
  document.documentElement.classList.remove("waiting");
  document.querySelector(".complaint")?.remove();
  document.querySelector("main").prepend(told);
}

document.querySelector("#file")?.addEventListener("change", (event) => bring(event.target.files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  bring(event.dataTransfer.files[0]);
});
