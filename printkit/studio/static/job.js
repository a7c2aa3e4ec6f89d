// The progress of a job, from a stream of events. The page reloads when the job ends.

const page = document.querySelector("[data-job]");
const bar = document.querySelector("#bar");
const events = new EventSource(`/job/${page.dataset.job}`);

events.addEventListener("message", (event) => {
  const job = JSON.parse(event.data);
  if (["done", "failed", "stopped"].includes(job.state)) {
    events.close();
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
