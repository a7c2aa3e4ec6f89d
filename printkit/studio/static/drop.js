// Check a record that is dropped on the page or chosen as a file.

async function sendRecord(file) {
  if (!file) return;
  document.documentElement.classList.add("waiting");
  const answer = await fetch("/check", { method: "POST", headers: { "Content-Type": "application/geo+json" }, body: file });
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const message = page.querySelector(".complaint") ?? Object.assign(document.createElement("p"), { className: "complaint", textContent: `${answer.status}` });
  document.documentElement.classList.remove("waiting");
  document.querySelector(".complaint")?.remove();
  document.querySelector("main").prepend(message);
}

document.querySelector("#file")?.addEventListener("change", (event) => sendRecord(event.target.files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  sendRecord(event.dataTransfer.files[0]);
});
