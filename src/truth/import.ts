import { createHash } from 'node:crypto'
import { type ArgsOf, type Code, type Finding, finding } from '../contract/findings/finding.js'
import { stoppedError } from '../files/waiting.js'
import { endInstant } from '../periods/named.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { compileRules } from '../protocol/rules/compile.js'
import { TableFault } from '../table/table.js'
import { checkTruth } from './check.js'
import type { GatherTask } from './gathered.js'
import { type ReadTableOptions, readTruthTable, type TruthTable } from './read-table.js'
import { createTruthManifest, releasePieces, type TruthManifest } from './releases-vintage.js'
import { watchTruth } from './watch.js'

export interface TruthImportOptions extends ReadTableOptions {
  /** A date or an instant; default: the latest `as_of`. */
  readonly completeTo?: string | undefined
  /** The publisher of the outcomes. */
  readonly source?: string | undefined
  /** How to treat values that the protocol cannot score; default: errors. */
  readonly outOfDomain?: 'absent' | undefined
}

export type TruthImportResult =
  | {
      readonly ok: true
      readonly manifest: TruthManifest
      /** releases.csv, the rows in their normal form, in pieces. */
      readonly releases: Iterable<string>
      /** How the first row was interpreted. */
      readonly firstRow: string
      /** Warnings and notes. */
      readonly findings: readonly Finding[]
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Converts a table of outcomes of any series, with their releases, into the normal form of a vintage: a file, or a
 * folder with files. A table with any error gives no vintage.
 * @throws {ForeproofError} `not-found` or `io` if the file cannot be read; `interrupted`.
 */
export async function importTruth(
  file: string,
  options: TruthImportOptions,
): Promise<TruthImportResult> {
  const { signal } = options
  try {
    const { protocol, periods, outOfDomain, now } = options
    const task = { rules: compileRules(protocol, periods), periods, outOfDomain, now }
    return finished(await readTruthTable(file, options, task), options, task)
  } catch (error) {
    if (signal?.aborted) throw stoppedError()
    if (error instanceof TableFault) return { ok: false, findings: [error.finding] }
    throw error
  }
}

function finished(
  { table, latest, firstRow, findings: list, input }: TruthTable,
  options: TruthImportOptions,
  task: GatherTask,
): TruthImportResult {
  const { protocol, periods, completeTo: given, now } = options
  const add = <C extends Code>(code: C, args: ArgsOf<C>) => list.add(finding(code, args))
  const isSound = !list.all().some(({ severity }) => severity === 'error')
  if (isSound && [...table.keys()].length === 0)
    add('truth-column', { fault: 'no-rows', column: '', found: [] })
  const outcomes = {
    releases: (series: string, period: string) => table.get(series)?.get(period) ?? [],
  }
  for (const each of checkTruth(task.rules, periods, outcomes, 'warning')) {
    list.add(each)
  }
  const zone = zoneNamed(protocol.zone) as Zone
  const completeTo = given === undefined ? latest : endInstant(given, zone)
  const found = given ?? ''
  if (completeTo === undefined && isSound) {
    add('truth-complete', { fault: given === undefined ? 'needed' : 'form', found })
  } else if (completeTo !== undefined && completeTo > now) {
    add('truth-complete', { fault: 'future', found })
  }
  const refused = list.all()
  if (refused.some(({ severity }) => severity === 'error')) return { ok: false, findings: refused }
  // `completeTo` is defined here: otherwise there was an error above.
  for (const each of watchTruth(task, table, completeTo ?? now)) list.add(each)
  const findings = list.all()
  const releases = { [Symbol.iterator]: () => releasePieces(table) }
  const { source = 'unspecified' } = options
  const hash = createHash('sha256')
  for (const piece of releases) hash.update(piece)
  const sha256 = hash.digest('hex')
  const manifest = createTruthManifest({ table, sha256, source, input, completeTo })
  return { ok: true, manifest, releases, firstRow, findings }
}
