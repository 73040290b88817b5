import type { Finding } from '../../src/contract/findings/finding.js'
import type { Instant } from '../../src/contract/instant.js'
import type { RowKey } from '../../src/forecast/row.js'
import type { LogKey } from '../../src/log/log-entry.js'
import type {
  AttemptMark,
  HistoryReader,
  PageFilters,
  RowMark,
} from '../../src/store/history-reader.js'
import { allOf, inBatches } from '../history/support.js'

/** What a reader is asked about beside what it has. */
export interface Asked {
  readonly keys: readonly RowKey[]
  readonly filters: readonly PageFilters[]
  readonly logKeys: readonly LogKey[]
  readonly windows: readonly { readonly from?: Instant; readonly to?: Instant }[]
}

/** Marks from before the last change. */
export interface Marks {
  readonly row: RowMark | undefined
  readonly attempt: AttemptMark | undefined
}

export async function marksOf(reader: HistoryReader): Promise<Marks> {
  return { row: await reader.mark(), attempt: await reader.attemptMark() }
}

/** Everything a reader says that does not depend on what its store is made of. */
export async function answersOf(reader: HistoryReader, asked: Asked, marks: Marks) {
  const count = await reader.count()
  const now = await marksOf(reader)
  return {
    count,
    latest: await reader.latest(),
    extent: await reader.extent(),
    models: await reader.models(),
    mark: now.row && { ...now.row, row: 0 },
    attempts: now.attempt?.count,
    since: marks.row && (await reader.rowsSince(marks.row)),
    months: await reader.attemptMonths(),
    monthsSince: marks.attempt && (await reader.attemptMonths(marks.attempt)),
    pages: await pages(reader, asked),
    windows: await windows(reader, asked),
    counted: await counted(reader),
    logs: await logOf(reader, asked),
  }
}

async function pages(reader: HistoryReader, { keys, filters }: Asked) {
  const all = []
  for (const each of [{}, ...filters]) {
    all.push(await reader.newestOrigin(each), await reader.page({ filters: each, limit: 1000 }))
    for (const after of keys) {
      for (const withAfter of [false, true]) {
        all.push(await reader.page({ filters: each, after, withAfter, limit: 3 }))
      }
    }
  }
  for (const key of keys) all.push((await reader.find(key)) ?? null)
  return all
}

async function windows(reader: HistoryReader, asked: Asked) {
  const all = []
  for (const window of [{}, ...asked.windows]) {
    all.push(await inBatches(reader.pairingRows(window)), [...(await reader.regimes(window))])
    for (const only of [undefined, 'forecasts', 'attempts'] as const) {
      all.push(await inBatches(reader.entries({ ...window, only })))
    }
  }
  return all
}

async function counted(reader: HistoryReader) {
  const { bytes, journal_mode, ordering_index, ...stats } = await reader.stats()
  const findings: Finding[] = []
  const { ordering_index: _, ...verified } = await reader.verify((finding) =>
    findings.push(finding),
  )
  const said = findings.filter(({ code }) => !code.includes('ordering-index'))
  // In which order the tables are looked through is the store's own affair.
  return { stats, verified, findings: said.map((each) => JSON.stringify(each)).sort() }
}

async function logOf(reader: HistoryReader, { logKeys }: Asked) {
  const size = await reader.logSize()
  const all: unknown[] = [await reader.log(), size]
  all.push(await inBatches(reader.logEntries(0, size + 1)))
  all.push(await reader.newestCheckpoint(), await allOf(reader.checkpoints()))
  all.push(await allOf(reader.checkpoints(2)))
  for (const key of logKeys) all.push((await reader.logEntry(key)) ?? null)
  for (let level = 0; 2 ** level <= size; level++) {
    all.push(await reader.logHashes(level, 0, Math.floor(size / 2 ** level)))
  }
  return all
}
