/**
 * A rule taken out or moved: the file of `src`, its text, what is put there, tests of its room that have to fail, and the
 * reason or refusal whose rule it is.
 */
export type Mutation = readonly [
  file: string,
  text: string,
  put: string,
  tests: string,
  of?: string,
]
