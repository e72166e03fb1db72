/** Problems as exceptions. */

import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** The service answered a problem: `code` is what programs look at. */
export class Refused extends Error {
  readonly code: string;
  readonly status: number;

  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
  }
}

/** A stream is over although the match is not: `reason` says why. */
export class StreamEnded extends Error {
  constructor(readonly reason: string, detail: string) {
    super(`${reason}: ${detail}`);
  }
}

/** What an operation answered; throws `Refused` if that is a problem. */
export function ok<T>(answer: { data?: T; error?: unknown }): NonNullable<T> {
  if (answer.error !== undefined) throw new Refused(answer.error as Problem);
  if (answer.data === undefined || answer.data === null) throw new Error("an answer without a body");
  return answer.data;
}
