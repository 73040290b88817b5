import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { objectIn } from '../contract/is-object.js'
import { digestWithout } from '../document/digest.js'
import { readRegular } from '../files/regular.js'
import type { Ledger } from './rules/ledger.js'

const RECORD = /^([0-9a-f]{64})\.jsonl$/
const LARGEST_RECORD = 64 * 1_048_576

/** Where the records of readings lie beside a ledger, each named by the digest of its registration. */
export const readingsFolder = (folder: string): string => join(folder, 'access')

/** Of each record of readings beside a ledger the digests of its lines, as far as they are chained. */
function recordsIn(folder: string): { file: string; whole: boolean; digests: string[] }[] {
  const access = readingsFolder(folder)
  const names = existsSync(access) ? readdirSync(access).sort() : []
  return names.flatMap((name) => {
    const [, registration] = RECORD.exec(name) ?? []
    if (registration === undefined) return []
    const file = join(access, name)
    const lines = readRegular(file, LARGEST_RECORD).toString('utf8').split('\n')
    const digests: string[] = []
    for (const line of lines) {
      const entry = objectIn(line)
      const { previous, entry_sha256: digest } = entry ?? {}
      if (entry === undefined || previous !== (digests.at(-1) ?? registration)) break
      if (digest !== digestWithout(entry, 'entry_sha256')) break
      digests.push(digest)
    }
    return [{ file, whole: digests.length === lines.length - 1, digests }]
  })
}

/**
 * The last line of each record of readings beside a ledger, by its digest, where no entry names it yet: what the next
 * entry names. From then on no line up to it can be taken out unseen.
 * @throws {ForeproofError} `invalid-input` where a record does not hold.
 */
export function newReadings(folder: string, ledger: Ledger): string[] {
  const named = new Set(ledger.lines.flatMap(({ entry }) => entry.readings ?? []))
  return recordsIn(folder).flatMap(({ file, whole, digests }) => {
    const last = digests.at(-1)
    if (!whole) {
      throw new ForeproofError('invalid-input', `${file}: the record of readings is broken`, {
        file,
        help: 'It was edited or cut. Restore it from version control; nothing was written.',
      })
    }
    return last === undefined || named.has(last) ? [] : [last]
  })
}

/** Readings that entries of a ledger name and no record beside it has any more. */
export function checkReadings(folder: string, { file, lines }: Ledger): Finding[] {
  const naming = lines.filter(({ entry }) => entry.readings !== undefined)
  if (naming.length === 0) return []
  const there = new Set(recordsIn(folder).flatMap(({ digests }) => digests))
  return naming.flatMap(({ entry, line }) => {
    const [digest, ...others] = (entry.readings ?? []).filter((each) => !there.has(each))
    if (digest === undefined) return []
    const args = { entry: entry.seq, digest, count: others.length + 1 }
    const at = { file, pointer: '/readings', position: { line, column: 1 } }
    return [finding('ledger-readings-gone', args, at)]
  })
}
