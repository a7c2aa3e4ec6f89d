// Controls of all pages: space for a new battlefield, forms that are sent on a change.

document.documentElement.classList.add("scripted");

const BUSY = "input,select,textarea,button,a,summary,[tabindex]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.matches("input,textarea")) {
      const undo = document.querySelector(event.shiftKey ? "[data-redo]" : "[data-undo]");
      if (undo) { event.preventDefault(); undo.click(); }
    }
    return;
  }
  if (event.key === " " && !event.target.closest?.(BUSY)) {
    const fresh = document.querySelector("#new");
    if (fresh) { event.preventDefault(); fresh.click(); }
  }
});

// Show at once that a button was pressed, and prevent a second press.
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const button = event.submitter;
  if (button && !event.target.matches("[data-stays]")) {
    document.documentElement.classList.add("waiting");
    setTimeout(() => { button.disabled = true; }, 0);
  }
});
addEventListener("pageshow", () => {
  document.documentElement.classList.remove("waiting");
  for (const button of document.querySelectorAll("button[disabled]:not([data-off])")) button.disabled = false;
});

// A note about the last step is there for ten seconds.
for (const note of document.querySelectorAll("[data-brief]")) setTimeout(() => note.remove(), 10_000);

// Each rule system has different settings: load its form when it is chosen.
for (const pick of document.querySelectorAll("#want input[name=rules]")) {
  pick.addEventListener("change", () => {
    const kept = new URLSearchParams();
    for (const name of ["rules", "style", "names"]) {
      const value = new FormData(pick.form).get(name);
      if (value) kept.set(name, value);
    }
    location.assign(`${location.pathname}?${kept}`);
  });
}

// A new style draws the same battlefield again.
for (const pick of document.querySelectorAll("#want input[name=style],#want select[name=style]")) {
  pick.addEventListener("change", () => {
    const there = new URL(location.href);
    there.searchParams.set("style", pick.value);
    location.replace(there);
  });
}

// Forms that are sent on each change.
for (const form of document.querySelectorAll("form[data-sends]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

// Buttons that change a number, and files whose text is put into a text field.
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => {
    const number = document.getElementById(button.dataset.of);
    const next = Number(number.value || 0) + Number(button.dataset.step);
    number.value = Math.min(Number(number.max), Math.max(Number(number.min), next));
  });
}
for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  const field = document.getElementById(input.dataset.into);
  const read = async (file) => {
    if (file) field.value = await file.text();
  };
  input.addEventListener("change", () => read(input.files[0]));
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
}

const current = document.querySelector(".top nav [aria-current]");
if (current) current.parentElement.scrollLeft = current.offsetLeft - current.parentElement.offsetLeft - 60;
