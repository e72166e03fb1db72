#!/usr/bin/env node
// node cli.js [--key KEY]... [--json] FILE...   verifies records; exit code 0, 1 (a fault) or 2.
"use strict";

const fs = require("node:fs");
const talon = require("./verify.js");

const HEX = /^[0-9a-f]{64}$/;
const USAGE = "usage: node cli.js [--key KEY]... [--json] FILE...";

// Foreign text on a terminal: what would move the cursor or turn the line around is escaped.
const shown = (words) => words.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) =>
  [...found].flatMap((char) => char.split(""))
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""));

function misused(words) {
  console.error(shown(words));
  process.exit(2);
}

// A key is 64 hex digits, or a file with one, or with what GET /v1/log/keys answered.
function keysIn(given) {
  if (given === undefined) misused(USAGE);
  if (HEX.test(given)) return [given];
  let content;
  try {
    content = fs.readFileSync(given, "utf8").trim();
  } catch (error) {
    misused(`--key ${given}: neither 64 hex digits nor a file: ${error.message}`);
  }
  if (HEX.test(content)) return [content];
  let found = [];
  try {
    found = JSON.parse(content).keys.map((line) => line.public_key);
  } catch {
    // it is no list of keys
  }
  const areKeys = found.length > 0 && found.every((key) => typeof key === "string" && HEX.test(key));
  return areKeys ? found : misused(`--key ${given}: holds no public key`);
}

const files = [];
const keys = [];
let json = false;
for (let at = 2; at < process.argv.length; at++) {
  const word = process.argv[at];
  if (word === "--key") keys.push(...keysIn(process.argv[++at]));
  else if (word === "--json") json = true;
  else files.push(word);
}
if (files.length === 0) misused(USAGE);

let records = 0;
let bad = 0;
let events = 0;
for (const file of files) {
  let content;
  try {
    content = fs.readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    console.error(shown(`${file}: ${error.message}`));
    process.exitCode = 2;
    continue;
  }
  for (const [at, record] of talon.split(content).entries()) {
    const name = at === 0 ? file : `${file}#${at + 1}`;
    const report = talon.verify(record, { keys: keys.length > 0 ? keys : null });
    records += 1;
    events += report.events;
    bad += report.faults.length > 0 ? 1 : 0;
    if (json) {
      const faults = report.faults.map(({ check, words, version, type, line }) =>
        ({ check, words, version, type, line }));
      console.log(shown(JSON.stringify({ file: name, ...report, faults })));
      continue;
    }
    for (const fault of report.faults) console.log(shown(`BAD ${name}: ${fault}`));
    if (report.faults.length === 0 && files.length <= 3) {
      const { match, sealedFrom, status } = report;
      const end = sealedFrom === null ? "" : `, sealed from version ${sealedFrom}`;
      console.log(shown(`ok  ${name}: match ${match}, ${report.events} events, ${status}${end}`));
    }
  }
}
if (!json) {
  console.log(`${records} records of ${events} events: ${records - bad} hold, ${bad} do not`);
  console.log(keys.length > 0 ? "signatures held against the keys given"
    : "signatures by the keys that the records name themselves: give --key for one you trust");
}
if (process.exitCode === undefined) process.exitCode = bad > 0 ? 1 : 0;
