import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, firstReason } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import { writeFileAtomic } from '../files/atomic.js'
import { withLock } from '../files/lock.js'
import { readRegular } from '../files/regular.js'
import { newReadings } from './readings.js'
import { chain, type EntryFields, type LedgerEntry, placedAt } from './rules/entry.js'
import { CLOCK_TOLERANCE, type Ledger, readLedger } from './rules/ledger.js'

export const LEDGER_NAME = 'ledger.jsonl'

/** About 100,000 entries; a larger file is not a ledger. */
export const MAX_LEDGER_BYTES = 64 * 1_048_576

/** The path of a protocol folder's ledger, whether or not it exists. */
export function ledgerPath(folder: string): string {
  return join(folder, LEDGER_NAME)
}

/**
 * Reads and checks a ledger file; undefined if there is none.
 * @throws {ForeproofError} as `readRegular`, if it exists.
 */
export function readLedgerFile(path: string): Ledger | undefined {
  if (!existsSync(path)) return undefined
  return readLedger(readRegular(path, MAX_LEDGER_BYTES), path)
}

/**
 * What a writer decides while it holds the lock of the ledger: fields to append, or undefined for nothing. It may write
 * other files; the `undo` that it returns is called if the ledger cannot be written.
 */
export type LedgerStep = (
  ledger: Ledger,
) =>
  | { readonly append: EntryFields; readonly undo?: () => void }
  | { readonly append?: undefined; readonly entry?: LedgerEntry | undefined }

/**
 * Appends one entry to a ledger, or none, under a lock. The ledger is replaced atomically, so a crash leaves the old
 * one or the new one.
 * @returns the entry appended, or the one that the step found instead.
 * @throws {ForeproofError} `invalid-input` if the ledger, or a record of readings beside it, does not verify; `refused`
 * if the clock is behind the last entry by more than `CLOCK_TOLERANCE`.
 */
export function appendToLedger(path: string, step: LedgerStep): LedgerEntry | undefined {
  // Resolve a symbolic link, so that the file is replaced and not the link.
  const target = existsSync(path) ? realpathSync(path) : path
  return withLock(target, () => {
    const ledger = readLedgerFile(target) ?? { file: path, lines: [], findings: [] }
    if (ledger.findings.length > 0) {
      throw unverifiedLedger(path, ledger.findings, 'Nothing was written.')
    }
    const outcome = step(ledger)
    if (outcome.append === undefined) return outcome.entry
    try {
      const entry = nextEntry(outcome.append, ledger, dirname(target))
      writeFileAtomic(target, ledgerText([...ledger.lines.map((l) => l.text), entryText(entry)]))
      return entry
    } catch (error) {
      outcome.undo?.()
      throw error
    }
  })
}

/** The error if a ledger does not verify. @param outcome - of the command. */
export function unverifiedLedger(
  file: string,
  findings: readonly Finding[],
  outcome: string,
): ForeproofError {
  return new ForeproofError(
    'invalid-input',
    `${file}: the ledger does not verify${firstReason(findings)}`,
    {
      file,
      findings,
      help: `${outcome} See: foreproof verify ${dirname(file)}`,
    },
  )
}

/**
 * The entry after the last one. If another process wrote while this one waited, or another clock is a little ahead,
 * `moved_at` records it.
 * @throws {ForeproofError} `refused` if the clock is far behind the ledger; as `newReadings`.
 */
function nextEntry(fields: EntryFields, ledger: Ledger, folder: string): LedgerEntry {
  const last = ledger.lines.at(-1)?.entry
  const readings = newReadings(folder, ledger)
  const readingsMember = readings.length === 0 ? {} : { readings }
  const entry = chain(fields, last, readingsMember)
  const [now, before] = [placedAt(entry), last && placedAt(last)]
  const behind = before === undefined ? 0 : instantOrNaN(before) - instantOrNaN(now)
  if (before === undefined || behind <= 0) return entry
  if (behind <= CLOCK_TOLERANCE) return chain(fields, last, { ...readingsMember, moved_at: before })
  const message = `this machine's clock says ${now}, but the ledger is at ${before}`
  throw new ForeproofError('refused', message, {
    file: ledger.file,
    help: 'Correct the clock, or run again where another entry was made just now.',
  })
}

/** One entry as a line of the ledger, without its ending. */
export function entryText(entry: LedgerEntry): string {
  return JSON.stringify(entry)
}

/** The text of a ledger: each line ends in LF, even if a checkout changed the line ends. */
export function ledgerText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
