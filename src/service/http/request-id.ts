import { randomBytes } from 'node:crypto'
import type { Redactor } from '../keys/redact.js'

const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/

/** Gives requests their ids. */
export class RequestIds {
  /** No two runs share it; what follows counts the requests of this one. */
  private readonly run = randomBytes(12).toString('hex')
  private count = 0

  constructor(private readonly redactor: Redactor) {}

  /** The caller's own id where it is well-formed and, being echoed and logged, free of keys; else a new one. */
  of(sent: string | undefined): string {
    if (sent !== undefined && WELL_FORMED.test(sent) && !this.redactor.holdsKey(sent)) return sent
    this.count++
    return `${this.run}-${this.count}`
  }
}
