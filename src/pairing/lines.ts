import { formatUtc, type Instant } from '../contract/instant.js'
import { objectIn } from '../contract/is-object.js'
import { csvCell } from '../table/write.js'
import type { TaskPlace } from '../task/types.js'
import type { PairedAttempt } from './types.js'

/** The columns of an attempt, in the order in which NDJSON and CSV have them. */
export const COLUMNS = [
  'origin_at',
  'target_at',
  'horizon_hours',
  'model',
  'expected',
  'status',
  'reason',
  'interval_status',
  'origin_close_usd',
  'target_close_usd',
  'predicted_price_usd',
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'vintage_id',
  'vintage_sha256',
] as const satisfies readonly (keyof PairLine)[]

/** An attempt as a line of NDJSON has it. Times are RFC 3339, prices USD. */
export interface PairLine {
  /** As stored where it could not be read. */
  readonly origin_at: string | null
  readonly target_at: string | null
  readonly horizon_hours: number | null
  readonly model: string
  readonly expected: boolean
  readonly status: string
  readonly reason: string
  readonly interval_status: string
  readonly origin_close_usd: number | null
  readonly target_close_usd: number | null
  readonly predicted_price_usd: number | null
  readonly q10_usd: number | null
  readonly q50_usd: number | null
  readonly q90_usd: number | null
  readonly vintage_id: string | null
  readonly vintage_sha256: string | null
}

/** Reads a line of NDJSON; undefined where it is none that `ndjsonWriter` can have written. */
export function readPairLine(line: string): PairLine | undefined {
  const value = objectIn(line)
  const isLine =
    value !== undefined &&
    has(value, 'boolean', ['expected']) &&
    has(value, 'string', ['model', 'status', 'reason', 'interval_status']) &&
    has(value, 'string', ['origin_at', 'target_at', ...VINTAGE_COLUMNS], true) &&
    has(value, 'number', NUMBERS, true)
  return isLine ? (value as unknown as PairLine) : undefined
}

const NUMBERS = COLUMNS.filter((name) => /_(?:usd|hours)$/.test(name))

/** Whether members are of a type. */
function has(
  value: Readonly<Record<string, unknown>>,
  type: 'string' | 'number' | 'boolean',
  names: readonly string[],
  orNull = false,
): boolean {
  return names.every((name) => typeof value[name] === type || (orNull && value[name] === null))
}

/** Writes attempts as lines: the same attempt always gives the same bytes. */
export interface LineWriter {
  readonly header: string
  line(attempt: PairedAttempt): string
}

/**
 * JSON has no word for NaN and the infinities: they become null, and the reason of the attempt says
 * what they were.
 */
export function ndjsonWriter(): LineWriter {
  const lineOf = pairLines()
  return { header: '', line: (attempt) => `${JSON.stringify(lineOf(attempt))}\n` }
}

/** RFC 4180, with \n line ends and an empty cell for null. */
export function csvWriter(): LineWriter {
  const lineOf = pairLines()
  return {
    header: `${COLUMNS.join()}\n`,
    line: (attempt) => {
      const line = lineOf(attempt)
      return `${COLUMNS.map((name) => csvCell(line[name])).join()}\n`
    },
  }
}

function pairLines(): (attempt: PairedAttempt) => PairLine {
  const time = timeTexts()
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

/** An attempt of any series as a line of NDJSON has it: labels of periods, horizons in steps, values in the unit of the series. */
export interface SeriesPairLine {
  readonly series: string
  /** As stored where the list of periods does not have it. */
  readonly origin: string
  readonly target: string | null
  readonly horizon: number
  readonly model: string
  readonly expected: boolean
  readonly status: string
  readonly reason: string
  /** Null unless the status is `scored`. */
  readonly outcome: number | null
  readonly value: number | null
  /** By the levels of the protocol. */
  readonly quantiles: readonly (number | null)[]
  readonly vintage_id: string | null
  readonly vintage_sha256: string | null
}

/** Reads a line of NDJSON; undefined where it is none that `seriesNdjsonWriter` can have written. */
export function readSeriesPairLine(line: string): SeriesPairLine | undefined {
  const value = objectIn(line)
  if (value === undefined) return undefined
  const { quantiles } = value
  const isLine =
    has(value, 'string', ['series', 'origin', 'model', 'status', 'reason']) &&
    has(value, 'boolean', ['expected']) &&
    has(value, 'number', ['horizon']) &&
    has(value, 'string', ['target', ...VINTAGE_COLUMNS], true) &&
    has(value, 'number', ['outcome', 'value'], true) &&
    Array.isArray(quantiles) &&
    quantiles.every((one) => one === null || typeof one === 'number')
  return isLine ? (value as unknown as SeriesPairLine) : undefined
}

/** @param textOf - the label of a place. */
export function seriesNdjsonWriter(textOf: (place: TaskPlace) => string): LineWriter {
  return {
    header: '',
    line: (a) => `${JSON.stringify(seriesLine(a, textOf))}\n`,
  }
}

/** The same as CSV, with a column for each level. */
export function seriesCsvWriter(
  textOf: (place: TaskPlace) => string,
  levels: readonly string[],
): LineWriter {
  const names = [...SERIES_COLUMNS, ...levels.map((level) => `q${level}`), ...VINTAGE_COLUMNS]
  return {
    header: `${names.join()}\n`,
    line: (a) => {
      const line = seriesLine(a, textOf)
      const [first, last] = [SERIES_COLUMNS, VINTAGE_COLUMNS].map((own) => own.map((n) => line[n]))
      return `${[...first!, ...line.quantiles, ...last!].map(csvCell).join()}\n`
    },
  }
}

const SERIES_COLUMNS = [
  'series',
  'origin',
  'target',
  'horizon',
  'model',
  'expected',
  'status',
  'reason',
  'outcome',
  'value',
] as const
const VINTAGE_COLUMNS = ['vintage_id', 'vintage_sha256'] as const

function seriesLine(a: PairedAttempt, textOf: (place: TaskPlace) => string): SeriesPairLine {
  return {
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
  }
}

/** Few: what is remembered for long outlives garbage collections and swells the heap. */
const REMEMBERED = 32

/** Attempts share their times with their neighbours, and with no others. */
function timeTexts(): (instant: Instant | null) => string | null {
  const known = new Map<Instant, string>()
  return (instant) => {
    if (instant === null) return null
    let text = known.get(instant)
    if (text === undefined) {
      text = formatUtc(instant)
      if (known.size >= REMEMBERED) known.clear()
      known.set(instant, text)
    }
    return text
  }
}
