import { randomUUID } from 'node:crypto'
import type { Redactor } from './redact.js'

const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/

/** The caller's own request id where it is well-formed and, being echoed and logged, free of keys; else a new one. */
export function requestIdOf(sent: string | undefined, redactor: Redactor): string {
  if (sent !== undefined && WELL_FORMED.test(sent) && !redactor.holdsKey(sent)) return sent
  return randomUUID()
}
