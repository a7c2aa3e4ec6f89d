// How far a job is: one stream of events; when it is over the page is shown as it then is.

const page = document.querySelector("[data-job]");
const bar = document.querySelector("#bar");
const heard = new EventSource(`/job/${page.dataset.job}`);

heard.addEventListener("message", (event) => {
  const job = JSON.parse(event.data);
  if (["done", "failed", "stopped"].includes(job.state)) {
    heard.close();
    location.reload();
    return;
  }
  if (job.total) {
    bar.max = job.total;
    bar.value = job.done;
  }
  let rows = document.querySelector("#files");
  if (job.files.length && !rows) {
    location.reload();
    return;
  }
  for (const file of job.files) {
    const row = rows?.querySelector(`[data-file="${CSS.escape(file.name)}"] .tick`);
    if (row && file.written) row.textContent = "✓";
  }
});
