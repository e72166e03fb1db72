// node batch.js < requests   verifies many records, and many changes of each, in one process.
//
// Each line of standard input is a JSON object: {"file": path} names the record that the following
// lines change, {"from": n, "to": n, "lines": [...]} is one with lines n up to n replaced (from 0).
// For each line of input one of output: the names of the checks that found a fault.
"use strict";

const fs = require("node:fs");
const talon = require("../../verifier/verify.js");

let lines = [];
const answers = [];
for (const request of fs.readFileSync(0, "utf-8").split("\n")) {
  if (request === "") continue;
  const { file, from, to, lines: changed } = JSON.parse(request);
  if (file !== undefined) lines = fs.readFileSync(file, "utf-8").slice(0, -1).split("\n");
  const all = file === undefined ? [...lines.slice(0, from), ...changed, ...lines.slice(to)] : lines;
  const { faults } = talon.verify(talon.text(all.map((line) => line + "\n").join("")));
  answers.push(JSON.stringify(faults.map((fault) => fault.check)));
}
console.log(answers.join("\n"));
