import { dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { isObject } from '../contract/is-object.js'
import { digestWithout } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { readRegular } from '../files/regular.js'
import { isFrozen } from '../protocol/rules/entry.js'
import type { Ledger } from '../protocol/rules/ledger.js'

/** A registration that asks for witnesses. */
export interface WitnessedRegistration {
  readonly file: string
  /** Verifier key of the log. */
  readonly log: string
  /** Verifier keys of the witnesses. */
  readonly keys: readonly string[]
}

/** As `score` reads it. */
const MAX_BYTES = 32 * 1_048_576

/** Those of a ledger whose files are there as they were entered; what else is wrong with them, `score` says. */
export function witnessedIn({ lines, file: ledger }: Ledger): WitnessedRegistration[] {
  return lines.flatMap(({ entry }) => {
    if (isFrozen(entry)) return []
    const file = join(dirname(ledger), entry.file)
    const value = readValue(file)
    const isIt =
      isObject(value) && digestWithout(value, 'registration_sha256') === entry.registration_sha256
    const rule = isIt && isObject(value.time) ? value.time.witnesses : undefined
    if (!isObject(rule) || !Array.isArray(rule.witnesses)) return []
    const keys = rule.witnesses.map((one) => (isObject(one) ? String(one.vkey) : ''))
    return [{ file, log: String(rule.log), keys }]
  })
}

function readValue(file: string): unknown {
  try {
    const read = readDocument(readRegular(file, MAX_BYTES), file, { maxBytes: MAX_BYTES })
    return read.ok ? read.value : undefined
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
}
