import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { fileError } from '../../contract/error.js'
import {
  type ArgsOf,
  type Code,
  type Finding,
  finding,
  type Severity,
} from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { sha256Hex } from '../../document/digest.js'
import { assertEndingInput } from '../../files/input.js'
import { STDIN } from '../../files/stdin.js'
import { decodeText } from '../../table/csv.js'
import { openInput } from '../../table/input.js'
import { TableFault } from '../../table/table.js'
import { type OutcomeRow, type ReadFacts, readBarRows, withFacts } from './bar-rows.js'
import type { TimeUnit } from './bar-time.js'
import { Bars, otherPair, otherPairAround, otherPairIn, quotedCell, sourceIn } from './bars.js'
import { closesText, createCloseSeries } from './close-series.js'
import type { Stamp } from './layout.js'
import { detect, FORMAT_RULES, type OutcomeLayout, SAMPLE_ROWS } from './layout.js'
import type { VintageManifest } from './vintage.js'
import { createManifest } from './vintage.js'

export interface OutcomesImportOptions {
  /** The exchange of the closes; default: from the format or the file's name. */
  readonly source?: string | undefined
  /** Overrides the format's meaning of the time of a bar. */
  readonly stamp?: Stamp | undefined
  /** The present: a bar that closes later is an error. Without it, this is not checked. */
  readonly now?: Instant
  /** Read instead of the file, which then only provides its name. */
  readonly input?: AsyncIterable<Uint8Array | string> | undefined
  /** Ends the import, even while it waits for more input. */
  readonly signal?: AbortSignal
}

export type OutcomesImportResult =
  | {
      readonly ok: true
      readonly manifest: VintageManifest
      /** closes.csv, the series in its normal form. */
      readonly closes: string
      readonly units: readonly TimeUnit[]
      /** Warnings and notes. */
      readonly findings: readonly Finding[]
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Converts an exchange's export of hourly bars into the normal form of a vintage. One run counts every fault of the
 * file and keeps the first ten thousand; a file with a fault gives no vintage.
 * @throws {ForeproofError} `not-found` or `io` if the file cannot be read; `interrupted`.
 */
export async function importOutcomes(
  file: string,
  options: OutcomesImportOptions = {},
): Promise<OutcomesImportResult> {
  const facts: ReadFacts = { bytes: 0, sha256: '', endsWithLineBreak: true }
  try {
    const { input, signal } = options
    if (input === undefined) assertEndingInput(file)
    // A wrapped stream would keep waiting after it is asked to stop.
    const stdin = input instanceof Readable ? input : input && Readable.from(input)
    const { kind, chunks } = await openInput(stdin ? STDIN : file, { stdin, signal })
    const text = decodeText(withFacts(chunks, facts), file)
    const rows = readBarRows(kind === 'json' ? 'json' : 'csv', text, file, facts)
    return await read(file, rows, facts, options)
  } catch (error) {
    if (error instanceof TableFault) return { ok: false, findings: [error.finding] }
    throw fileError(error, file)
  }
}

async function read(
  file: string,
  rows: AsyncGenerator<OutcomeRow>,
  facts: ReadFacts,
  options: OutcomesImportOptions,
): Promise<OutcomesImportResult> {
  const sample = await take(rows, SAMPLE_ROWS)
  const detected = detect(sample)
  if (!detected.ok) {
    // Reads on, because later bytes may not be text at all, which tells more than the first lines do.
    for await (const _ of rows);
    const { fault, line, found } = detected
    const args = { fault, found: quotedCell(found) }
    const position = fault === 'no-rows' ? undefined : { line, column: 1 }
    return { ok: false, findings: [finding('outcome-format', args, { file, position })] }
  }
  const { layout } = detected
  const { format } = layout
  const rule = FORMAT_RULES[format]
  const stamp = options.stamp ?? rule.stamp
  const bars = new Bars({ layout, stamp, file, now: options.now })
  for (const row of sample.slice(detected.rowsBefore)) bars.add(row)
  for await (const row of rows) bars.add(row)
  bars.finish()
  const findings = [...bars.findings.all(), ...wholeFile(file, layout, bars, facts)]
  if (findings.some((finding) => finding.severity === 'error')) return { ok: false, findings }
  const series = createCloseSeries(bars.closes)
  const closes = closesText(series)
  const { bytes, sha256 } = facts
  const { duplicates } = bars
  const manifest = createManifest({
    series,
    sha256: sha256Hex(closes),
    source: options.source ?? rule.source ?? sourceIn(basename(file)) ?? 'unspecified',
    input: { file: basename(file), bytes, sha256, format, stamp, duplicates },
  })
  return { ok: true, manifest, closes, units: [...bars.units], findings }
}

function wholeFile(file: string, layout: OutcomeLayout, bars: Bars, facts: ReadFacts): Finding[] {
  const findings: Finding[] = []
  const add = <C extends Code>(code: C, args: ArgsOf<C>, severity?: Severity) => {
    findings.push(finding(code, args, { file, severity }))
  }
  if (bars.rows === 0) {
    add('outcome-format', { fault: 'no-rows', found: '' })
  }
  if (!facts.endsWithLineBreak) {
    // If the close is the last cell, a file truncated inside it would still look like a price.
    const certain = bars.lastRowCut || layout.close === layout.width - 1
    add('outcome-cut', { fault: certain ? 'certain' : 'maybe' }, certain ? 'error' : 'warning')
  }
  const around = otherPairAround(facts.around ?? '')
  if (around !== undefined) add('outcome-symbol', otherPair(around))
  const pair = otherPairIn(basename(file))
  if (pair !== undefined) add('outcome-symbol', { fault: 'file', found: pair })
  return findings
}

async function take(rows: AsyncGenerator<OutcomeRow>, count: number): Promise<OutcomeRow[]> {
  const first: OutcomeRow[] = []
  while (first.length < count) {
    const next = await rows.next()
    if (next.done) break
    first.push(next.value)
  }
  return first
}
