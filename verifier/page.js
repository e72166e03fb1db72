// The page verify.html: takes files, verifies each record in them, says what came of it.
(function (talon) {
  "use strict";

  const element = (id) => document.getElementById(id);

  function say(tag, words, kind = "") {
    const line = document.createElement(tag);
    line.textContent = words;
    line.className = kind;
    element("reports").append(line);
  }

  function tell(name, report) {
    const holds = report.faults.length === 0;
    say("h2", `${name}: ${holds ? "holds" : "does not hold"}`, holds ? "holds" : "bad");
    for (const fault of report.faults) say("pre", String(fault), "bad");
    if (report.match === null) return;
    const key = report.keyIsGiven ? "held against the key given" : "as the record itself names it";
    say("p", `Match ${report.match}, ${report.events} events, ${report.status ?? "not finished"}.`);
    say("p", `Signed by key ${report.keyId}, ${key}.`);
    if (report.sealedFrom !== null) {
      say("p", `From version ${report.sealedFrom} on hands are sealed until the match is over.`);
    }
  }

  async function take(files) {
    element("reports").replaceChildren();
    const key = element("key").value.trim().toLowerCase();
    for (const file of files) {
      const content = new Uint8Array(await file.arrayBuffer());
      for (const [at, record] of talon.split(content).entries()) {
        const name = at === 0 ? file.name : `${file.name}, record ${at + 1}`;
        tell(name, talon.verify(record, { keys: key === "" ? null : [key] }));
      }
    }
  }

  const drop = element("drop");
  element("files").addEventListener("change", (event) => take(event.target.files));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files);
    });
  }
})(globalThis.TalonVerifier);
