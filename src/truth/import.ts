import { basename } from 'node:path'
import { type ArgsOf, type Code, type Finding, finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { digestOfFile, statRegular } from '../files/regular.js'
import { stoppedError } from '../files/waiting.js'
import { endInstant } from '../periods/named.js'
import { seriesTimes } from '../periods/series-times.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { openTable } from '../table/read.js'
import { TableFault, type TableSource } from '../table/types.js'
import { checkTruth } from './check.js'
import { GatheredReleases, type GatherTask } from './gathered.js'
import { ALWAYS } from './releases.js'
import { TruthReader, type TruthTableOptions } from './rows.js'
import { type ReleaseTable, releasesText, type TruthManifest, truthManifest } from './vintage.js'
import { watchTruth } from './watch.js'

/** Every release of thousands of series. */
const MAX_BYTES = 16 * 1_073_741_824

export interface TruthImportOptions extends TruthTableOptions {
  /** A date or an instant; default: the latest `as_of`. */
  readonly completeTo?: string | undefined
  /** Who published the outcomes. */
  readonly source?: string | undefined
  /** What becomes of values that the protocol cannot score; default: they are errors. */
  readonly outOfDomain?: 'absent' | undefined
  /** Separator of the cells of CSV; a comma if absent. */
  readonly separator?: string | undefined
  /** Ends the import, also while it waits for more of the input. */
  readonly signal?: AbortSignal | undefined
}

export type TruthImportResult =
  | {
      readonly ok: true
      readonly manifest: TruthManifest
      /** releases.csv, the rows in their normal form. */
      readonly releases: string
      /** How the first row was read. */
      readonly firstRow: string
      /** Warnings and notes. */
      readonly findings: readonly Finding[]
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a table of outcomes of any series, with their releases, into the normal form of a vintage. A file with any
 * error gives no vintage.
 * @throws {ForeproofError} `not-found` or `io` when the file cannot be read; `interrupted`.
 */
export async function importTruth(
  file: string,
  options: TruthImportOptions,
): Promise<TruthImportResult> {
  const { signal, separator } = options
  try {
    const { size: bytes } = statRegular(file)
    const sha256 = await digestOfFile(file, MAX_BYTES, async () => signal?.throwIfAborted(), {})
    const source = await openTable(file, { signal, separator })
    const { protocol, periods, outOfDomain } = options
    const task = { protocol, periods, outOfDomain, times: seriesTimes(protocol, periods) }
    const read = await readTable(source, options, task)
    const input = { file: basename(file), bytes, sha256, format: source.format }
    return finished(read, input, options, task)
  } catch (error) {
    if (signal?.aborted) throw stoppedError()
    if (error instanceof TableFault) return { ok: false, findings: [error.finding] }
    throw error
  }
}

/** A table as it was read. */
interface ReadReleases {
  readonly table: ReleaseTable
  readonly firstRow: string
  readonly findings: FindingList
}

async function readTable(
  source: TableSource,
  options: TruthImportOptions,
  task: GatherTask,
): Promise<ReadReleases> {
  const findings = new FindingList()
  const gathered = new GatheredReleases(task, source.file, findings)
  const reader = new TruthReader(source, options, findings, gathered)
  if (findings.all().length > 0) await source.close()
  else for await (const batch of source.batches) for (const row of batch) reader.add(row)
  reader.finish()
  return { findings, table: gathered.finish(), firstRow: reader.first ?? '' }
}

function finished(
  { table, firstRow, findings: list }: ReadReleases,
  input: NonNullable<TruthManifest['input']>,
  options: TruthImportOptions,
  task: GatherTask,
): TruthImportResult {
  const { protocol, periods, completeTo: given, now } = options
  const add = <C extends Code>(code: C, args: ArgsOf<C>) => list.add(finding(code, args))
  const isSound = !list.all().some(({ severity }) => severity === 'error')
  if (isSound && table.size === 0) add('truth-column', { fault: 'no-rows', column: '', found: [] })
  const releases = (series: string, period: string) => table.get(series)?.get(period) ?? []
  for (const each of checkTruth(protocol, periods, task.times, { releases }, 'warning')) {
    list.add(each)
  }
  const zone = zoneNamed(protocol.zone) as Zone
  const completeTo = given === undefined ? latestOf(table, now) : endInstant(given, zone)
  const found = given ?? ''
  if (completeTo === undefined && isSound) {
    add('truth-complete', { fault: given === undefined ? 'needed' : 'form', found })
  } else if (completeTo !== undefined && completeTo > now) {
    add('truth-complete', { fault: 'future', found })
  }
  const refused = list.all()
  if (refused.some(({ severity }) => severity === 'error')) return { ok: false, findings: refused }
  // With an error above it is not there.
  for (const each of watchTruth(task, table, completeTo ?? now)) list.add(each)
  const findings = list.all()
  const text = releasesText(table)
  const { source = 'unspecified' } = options
  const sha256 = sha256Hex(text)
  const manifest = truthManifest({ table, sha256, source, input, completeTo })
  return { ok: true, manifest, releases: text, firstRow, findings }
}

/** The latest instant of a release until now; undefined where no row has any. */
function latestOf(table: ReleaseTable, now: Instant): Instant | undefined {
  let latest = ALWAYS
  for (const periods of table.values()) {
    for (const releases of periods.values()) {
      for (const { asOf } of releases) if (asOf <= now) latest = Math.max(latest, asOf)
    }
  }
  return latest === ALWAYS ? undefined : latest
}
