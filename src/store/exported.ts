import { checkPayload } from '../contract/check-payload.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import { NO_INSTANT, parseInstant } from '../contract/instant.js'
import { objectIn } from '../contract/is-object.js'
import { compareText } from '../contract/order.js'
import type { Attempt } from '../contract/types.js'
import { invalidLineError, readLines } from '../files/lines.js'
import { type StoredResource, toForecastRow, toSoundAttempt } from '../forecast/resource.js'
import { checkSeriesRow, type SeriesRow } from '../forecast/series-row.js'
import type { LogKey } from '../log/log-entry.js'
import { seriesValues, type Value } from './dialect.js'
import type {
  EntryWindow,
  HistoryEntry,
  HistoryReader,
  SeriesEntry,
  SeriesRange,
} from './history-reader.js'
import { toPairingRows, toStoredKey } from './hourly-rows.js'
import { type ReadRange, scanSeriesRows, seriesKey } from './series-rows.js'

/** The part of a history that an export has: its rows, but not its log, notes or regimes. */
export type RowsReader = Pick<
  HistoryReader,
  'rowVersion' | 'pairingRows' | 'entries' | 'seriesEntries' | 'seriesRows'
>

/** Whether a path names an export (`history export --out NAME.ndjson`) and not a database. */
export const isExported = (path: string): boolean => path.endsWith('.ndjson')

/** The limit for one line; the same as for one value of an import. */
const MAX_LINE_CHARACTERS = 67_108_864

const openLines = (path: string) => readLines(path, MAX_LINE_CHARACTERS, { links: 'follow' })

/**
 * Reads the rows of a history from a complete export. Each line is checked against the contract. Only a digest of the
 * rows shows whether a line is missing or changed.
 */
export function readExportedRows(path: string): RowsReader {
  return {
    async rowVersion() {
      for (const [line = ''] of openLines(path)) return 'series' in (objectIn(line) ?? {}) ? 2 : 1
      return 1
    },
    entries: (window) => entriesIn(path, window),
    pairingRows: (window, onStored) => toPairingRows(entriesIn(path, window), onStored),
    seriesEntries: (among) => seriesIn(path, among),
    seriesRows: (origins, onStored) => scanSeriesRows(eachSeriesIn(path), origins, path, onStored),
  }
}

async function* entriesIn(
  path: string,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, only }: EntryWindow = {},
): AsyncGenerator<readonly HistoryEntry[]> {
  const check = createOrderCheck(path)
  let last: HistoryEntry | undefined
  for (const lines of openLines(path)) {
    const entries: HistoryEntry[] = []
    for (const line of lines) {
      const row = rowIn(line)
      const { forecast, attempt } = row ?? {}
      const key = forecast ?? attempt
      const isBeside = check(key && [...seriesValues(toStoredKey(key)), attempt ? 1 : 0])
      const at = parseInstant(key?.originAt) ?? NO_INSTANT
      if (at < from || at > to || only === (attempt ? 'forecasts' : 'attempts')) continue
      // If a row is skipped, the one before may have another key.
      if (isBeside && only === undefined) last = { forecast: last?.forecast, attempt }
      else {
        if (last !== undefined) entries.push(last)
        last = { forecast, attempt }
      }
    }
    yield entries
  }
  if (last !== undefined) yield [last]
}

/**
 * Checks that lines are in the order of an export, with each key once per kind.
 * @returns a function that takes the key of the next line (undefined if the line has no row) and says whether it
 * equals the key before.
 */
function createOrderCheck(path: string): (key: readonly Value[] | undefined) => boolean {
  let last: readonly Value[] = []
  let line = 0
  return (key) => {
    line++
    if (key === undefined) {
      throw invalidLineError(path, line, 'is no row as foreproof history export writes it')
    }
    const at = key.findIndex((part, index) => part !== last[index])
    const isLater = last.length === 0 || (at >= 0 && compareParts(key[at], last[at]) > 0)
    if (!isLater)
      throw invalidLineError(path, line, 'is not where foreproof history export writes it')
    last = key
    return at === key.length - 1
  }
}

const compareParts = (a: Value | undefined, b: Value | undefined): number =>
  typeof a === 'number' ? a - Number(b) : compareText(String(a), String(b))

/** Parses a line; undefined if it is not a row. */
function rowIn(line: string): HistoryEntry | undefined {
  const value = objectIn(line)
  if (value !== undefined && 'status' in value) {
    if (!hasNoErrors(checkPayload('attempt', value))) return undefined
    return { forecast: undefined, attempt: toSoundAttempt(value as unknown as Attempt) }
  }
  if (!hasNoErrors(checkPayload('forecast', value))) return undefined
  // Kept as it is, so that members without a column are not lost.
  const forecast = { ...toForecastRow(value as unknown as StoredResource), whole: line }
  return { forecast, attempt: undefined }
}

async function* seriesIn(
  path: string,
  among?: SeriesRange,
): AsyncGenerator<readonly SeriesEntry[]> {
  const check = createOrderCheck(path)
  for (const lines of openLines(path)) {
    yield lines.flatMap((entry): SeriesEntry[] => {
      const value = objectIn(entry)
      const isRow = value !== undefined && hasNoErrors(checkSeriesRow(value))
      const key = isRow ? seriesKey(value as unknown as SeriesRow) : undefined
      check(key && [...seriesValues(key), key.kind])
      return key === undefined || (among && !isAmong(key, among)) ? [] : [{ key, entry }]
    })
  }
}

const isAmong = ({ series, originAt }: LogKey, among: SeriesRange): boolean =>
  series === among.series &&
  compareText(originAt, among.from) >= 0 &&
  compareText(originAt, among.to) <= 0

/** Each series with its rows. They are buffered, because they are in text order and needed in time order. */
async function* eachSeriesIn(path: string): AsyncGenerator<ReadRange> {
  let held: SeriesEntry[] = []
  const among = (series = '', entries = held): ReadRange =>
    async function* (from, to) {
      yield entries.filter(({ key }) => isAmong(key, { series, from, to }))
    }
  for await (const entries of seriesIn(path)) {
    for (const entry of entries) {
      const series = held[0]?.key.series
      if (series !== undefined && series !== entry.key.series) {
        yield among(series)
        held = []
      }
      held.push(entry)
    }
  }
  if (held.length > 0) yield among(held[0]?.key.series)
}
