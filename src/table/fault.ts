import type { Finding } from '../contract/findings/finding.js'

/** Thrown where a table cannot be read, or read on: what is wrong with its file. */
export class TableFault extends Error {
  constructor(readonly finding: Finding) {
    super(finding.code)
  }
}
