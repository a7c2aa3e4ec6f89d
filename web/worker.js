// Run printkit in the browser. The page sends {id, what, ...} and gets {id, answer}, {id, pdf} or {state}.
// The only address outside this folder is PYODIDE. The wheels named in wheels.json are in this folder.
"use strict";
const PYODIDE = "{{pyodide}}";
const BUILT = ["numpy", "shapely", "msgspec", "Pillow", "contourpy", "micropip"];

const ready = (async () => {
  importScripts(PYODIDE + "pyodide.js");
  const python = await loadPyodide({ indexURL: PYODIDE });
  await python.loadPackage(BUILT);
  const wheels = await (await fetch("wheels.json")).json();
  const micropip = python.pyimport("micropip");
  for (const wheel of wheels) await micropip.install.callKwargs(new URL(wheel, self.location).href, { deps: false });
  const answering = python.pyimport("printkit.studio.answering");
  self.postMessage({ state: "ready" });
  return answering;
})();

ready.catch((error) => self.postMessage({ state: "failed", why: String(error) }));

self.onmessage = async ({ data }) => {
  const { id, what, question } = data;
  try {
    const answering = await ready;
    if (what === "pdf") {
      const held = answering.sheets(JSON.stringify(question));
      const pdf = held.toJs();
      held.destroy();
      self.postMessage({ id, pdf }, [pdf.buffer]);
    } else {
      self.postMessage({ id, answer: JSON.parse(answering.answered(JSON.stringify(question))) });
    }
  } catch (error) {
    self.postMessage({ id, answer: { error: String(error).trim().split("\n").pop() } });
  }
};
