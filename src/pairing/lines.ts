import { formatUtc, type Instant } from '../contract/instant.js'
import { objectIn } from '../contract/is-object.js'
import type { Cell } from '../table/types.js'
import { csvCell } from '../table/write.js'
import { FEW, remembering } from '../task/remembering.js'
import type { TaskPlace } from '../task/types.js'
import type { PairedAttempt } from './types.js'

type Check<T> = (value: unknown) => value is T
const isText: Check<string> = (value) => typeof value === 'string'
const isNumber: Check<number> = (value) => typeof value === 'number'
const isBoolean: Check<boolean> = (value) => typeof value === 'boolean'
const orNull =
  <T>(is: Check<T>): Check<T | null> =>
  (value) =>
    value === null || is(value)

const VINTAGE = { vintage_id: orNull(isText), vintage_sha256: orNull(isText) }

/** What a line of NDJSON has, in its order: times are RFC 3339, prices USD. */
const COLUMNS = {
  /** As stored where it could not be read. */
  origin_at: orNull(isText),
  target_at: orNull(isText),
  horizon_hours: orNull(isNumber),
  model: isText,
  expected: isBoolean,
  status: isText,
  reason: isText,
  interval_status: isText,
  origin_close_usd: orNull(isNumber),
  target_close_usd: orNull(isNumber),
  predicted_price_usd: orNull(isNumber),
  q10_usd: orNull(isNumber),
  q50_usd: orNull(isNumber),
  q90_usd: orNull(isNumber),
  ...VINTAGE,
}

/** The same of any series: labels of periods, horizons in steps, values in the unit of the series. */
const SERIES_COLUMNS = {
  series: isText,
  /** As stored where the list of periods does not have it. */
  origin: isText,
  target: orNull(isText),
  horizon: isNumber,
  model: isText,
  expected: isBoolean,
  status: isText,
  reason: isText,
  /** Null unless the status is `scored`. */
  outcome: orNull(isNumber),
  value: orNull(isNumber),
  /** By the levels of the protocol. */
  quantiles: (value: unknown): value is readonly (number | null)[] =>
    Array.isArray(value) && value.every(orNull(isNumber)),
  ...VINTAGE,
}

type Columns = Readonly<Record<string, Check<unknown>>>
type LineOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Check<infer T> ? T : never
}

/** An attempt as a line of NDJSON has it. */
export type PairLine = LineOf<typeof COLUMNS>
export type SeriesPairLine = LineOf<typeof SERIES_COLUMNS>

/** Makes a reader of lines that have these columns; others may be there as well. */
function reader<C extends Columns>(columns: C): (line: string) => LineOf<C> | undefined {
  const checks = Object.entries(columns)
  return (line) => {
    const value = objectIn(line)
    const isLine = value !== undefined && checks.every(([name, is]) => is(value[name]))
    return isLine ? (value as LineOf<C>) : undefined
  }
}

/** Reads a line of NDJSON; undefined where it is none that `ndjsonWriter` can have written. */
export const readPairLine = reader(COLUMNS)
/** The same for `seriesNdjsonWriter`. */
export const readSeriesPairLine = reader(SERIES_COLUMNS)

/** Writes attempts as lines: the same attempt always gives the same bytes. */
export interface LineWriter {
  readonly header: string
  line(attempt: PairedAttempt): string
}

type LineMaker = (attempt: PairedAttempt) => PairLine | SeriesPairLine

/**
 * JSON has no word for NaN and the infinities: they become null, and the reason of the attempt says
 * what they were.
 */
const ndjson = (lineOf: LineMaker): LineWriter => ({
  header: '',
  line: (attempt) => `${JSON.stringify(lineOf(attempt))}\n`,
})

/** RFC 4180, with \n line ends and an empty cell for null. @param levels - of any series, each a column. */
function csv(columns: Columns, lineOf: LineMaker, levels: readonly string[] = []): LineWriter {
  const names = Object.keys(columns)
  const quantiles = levels.map((level) => `q${level}`)
  return {
    header: `${names.flatMap((name) => (name === 'quantiles' ? quantiles : name)).join()}\n`,
    line: (attempt) => {
      const line: Readonly<Record<string, Cell | readonly Cell[]>> = lineOf(attempt)
      const cells = names.flatMap((name) => line[name] ?? null)
      return `${cells.map(csvCell).join()}\n`
    },
  }
}

export const ndjsonWriter = (): LineWriter => ndjson(pairLines())
export const csvWriter = (): LineWriter => csv(COLUMNS, pairLines())

/** @param textOf - the label of a place. */
export const seriesNdjsonWriter = (textOf: TextOf): LineWriter => ndjson(seriesLines(textOf))

/** With a column for each level. */
export const seriesCsvWriter = (textOf: TextOf, levels: readonly string[]): LineWriter =>
  csv(SERIES_COLUMNS, seriesLines(textOf), levels)

type TextOf = (place: TaskPlace) => string

/** Attempts share their times with their neighbours, and with no others. */
function pairLines(): (attempt: PairedAttempt) => PairLine {
  const text = remembering(formatUtc, FEW)
  const time = (at: Instant | null) => (at === null ? null : text(at))
  return (a) => ({
    origin_at: a.originText ?? time(a.origin),
    target_at: time(a.target),
    horizon_hours: a.horizon,
    model: a.model,
    expected: a.expected,
    status: a.status,
    reason: a.reason,
    interval_status: a.intervalStatus,
    origin_close_usd: a.p0,
    target_close_usd: a.p1,
    predicted_price_usd: a.forecast,
    q10_usd: a.quantiles[0] ?? null,
    q50_usd: a.quantiles[1] ?? null,
    q90_usd: a.quantiles[2] ?? null,
    vintage_id: a.vintageId,
    vintage_sha256: a.vintageSha256,
  })
}

function seriesLines(textOf: TextOf): (attempt: PairedAttempt) => SeriesPairLine {
  return (a) => ({
    series: a.series,
    origin: a.originText ?? (a.origin === null ? '' : textOf(a.origin)),
    target: a.target === null ? null : textOf(a.target),
    horizon: a.horizon,
    model: a.model,
    expected: a.expected,
    status: a.status,
    reason: a.reason,
    outcome: a.p1,
    value: a.forecast,
    quantiles: a.quantiles,
    vintage_id: a.vintageId,
    vintage_sha256: a.vintageSha256,
  })
}
