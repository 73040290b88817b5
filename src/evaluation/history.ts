import { createHash } from 'node:crypto'
import { type Finding, finding } from '../contract/findings/finding.js'
import { checkedInstant, type Instant } from '../contract/instant.js'
import { isImplausible } from '../contract/rules.js'
import type { ImplausibleCandidate, Registration } from '../contract/types.js'
import { yieldToEventLoop } from '../files/waiting.js'
import type { AttemptRow, HistoryRow, PairingRow } from '../forecast/row.js'
import { createEntryReader } from '../history/leaf.js'
import type { Stratum } from '../pairing/plan.js'
import type { Period, PeriodList } from '../periods/list.js'
import type { Rules } from '../protocol/rules/compile.js'
import { compileStrata } from '../registration/strata.js'
import type { HistoryExtent, OnStored, PairingWindow, StoredRow } from '../store/history-reader.js'
import { toPairingRow } from '../store/hourly-rows.js'
import { readHistory, streamRows } from '../store/open.js'
import { versionError } from '../store/series-rows.js'
import { historyName } from '../store/shown.js'
import type { Vintage } from '../truth/closes/vintage.js'
import { type Documents, isOfSeries } from './load.js'
import { registeredModels } from './plan.js'
import { isAsKept } from './proof/committed-rows.js'

/** The regime that the history recorded with an origin. */
export type Regimes = ReadonlyMap<Instant, string>

/** The parts of a history that an evaluation reads: the rows of its window, and regimes if strata need them. */
export interface WindowRows {
  /** Reads the rows again, computing their digest on the way. */
  rows(): DigestedRows
  readonly regimes: Regimes
}

/** Whether its strata need data that only a history has. */
export const byRegime = ({ rules }: Registration) => rules.strata.some(({ by }) => by === 'regime')

/**
 * The content of a history for the window of a registration.
 * @throws {ForeproofError} if it cannot be read; at the first row at the latest.
 */
export async function openWindowRows(path: string, documents: Documents): Promise<WindowRows> {
  if (isOfSeries(documents)) {
    const { periods, origins } = documents
    const batches = (onStored: OnStored) => readSeriesRows(path, periods, origins, onStored)
    return { rows: () => new DigestedRows(batches), regimes: new Map() }
  }
  const { registration } = documents
  const batches = (onStored: OnStored) => readRows(path, windowRange(registration), onStored)
  const regimes = await windowRegimes(path, registration)
  return { rows: () => new DigestedRows(batches), regimes }
}

/** The rows of a window, in batches, over a separate connection. */
export const readRows = (
  path: string,
  window: PairingWindow,
  onStored?: OnStored,
): AsyncIterable<readonly PairingRow[]> =>
  streamRows(path, (reader) => reader.pairingRows(window, onStored))

/** The same of any series. @param origins - positions in the list. */
export const readSeriesRows = (
  path: string,
  periods: PeriodList,
  origins: readonly number[],
  onStored?: OnStored,
): AsyncIterable<readonly PairingRow[]> => {
  const labels = origins.map((at) => (periods[at] as Period).label)
  return streamRows(path, (reader) => reader.seriesRows(labels, onStored))
}

/** The models of a history, and its first and last origin. */
export interface HistoryFacts {
  readonly models: readonly string[]
  /** Undefined for an empty history, and for other series, whose origins are labels. */
  readonly extent: HistoryExtent | undefined
}

/** @param isHourly - whether its origins are instants. */
export async function readHistoryFacts(path: string, isHourly: boolean): Promise<HistoryFacts> {
  return await readHistory(path, async (reader) => {
    const [models, version] = [await reader.models(), await reader.rowVersion()]
    // An empty history may still become one of version 2.
    if (isHourly ? version === 2 : version === 1 && models.length > 0) {
      const help = 'Take a history of the version that the protocol has.'
      throw versionError(version, historyName(path), help)
    }
    return { models, extent: isHourly ? await reader.extent() : undefined }
  })
}

/** The regimes of the window, if a stratum of the registration uses them. */
export async function windowRegimes(path: string, registration: Registration): Promise<Regimes> {
  if (!byRegime(registration)) return new Map()
  return await readHistory(path, (reader) => reader.regimes(windowRange(registration)))
}

/** The registered strata, which assign origins by the vintage and the regimes. */
export function createStrata(
  { strata }: Pick<Rules, 'strata'>,
  { closeAt }: Vintage,
  regimes: Regimes,
): readonly Stratum[] {
  return compileStrata(strata, { closeAt, regimeAt: (origin) => regimes.get(origin) })
}

/** The first and last origin of a registration. */
export function windowRange({ window }: Registration) {
  return { from: checkedInstant(window.from), to: checkedInstant(window.to) }
}

/** Used if no rows are read. */
export async function* noRows(): AsyncGenerator<never> {}

interface Asked {
  readonly history: string
  readonly implausible?: boolean | undefined
}

/**
 * Problems of a history that should be known before a reading is spent. A history without any row of a registered model
 * is most likely the wrong file. A single model without rows is not refused, because it may have made no forecasts.
 */
export function historyFindings(
  registration: Registration,
  read: RowsRead,
  implausible: readonly ImplausibleCandidate[],
  asked: Asked,
): Finding[] {
  const wanted = registeredModels(registration, 'history')
  if (wanted.length === 0 || wanted.some((name) => read.models.has(name))) {
    return implausibleFindings(registration, read, implausible, asked)
  }
  const args = { models: wanted, found: [...read.models.keys()].sort() }
  return [finding('history-without-models', args, { file: historyName(asked.history) })]
}

/** The largest share of a candidate's forecasts that may be implausible as prices. */
const MOST_IMPLAUSIBLE = 0.01

/**
 * Forecasts in another unit, or of returns, would be scored as nonsense and waste the only confirmatory reading: an
 * error, or a warning if the user forces it.
 */
function implausibleFindings(
  { candidates }: Registration,
  { models }: RowsRead,
  implausible: readonly ImplausibleCandidate[],
  { history, implausible: isAsked }: Asked,
): Finding[] {
  const severity = isAsked ? ('warning' as const) : ('error' as const)
  const at = { file: historyName(history), severity }
  const NO_SERIES = { series: '', comparator: '', ratio: 1, count: 0, all: 0 }
  const ofPrices = candidates.flatMap(({ name: model }) => {
    const { forecasts: of = 0, implausible: rows = 0 } = models.get(model) ?? {}
    if (rows <= of * MOST_IMPLAUSIBLE) return []
    const args = { fault: 'price', model, rows, of, ...NO_SERIES } as const
    return [finding('candidate-implausible', args, at)]
  })
  return [...ofPrices, ...magnitudeFindings(implausible, at)]
}

/** Reports candidates in another unit than their comparators. */
export function magnitudeFindings(
  implausible: readonly ImplausibleCandidate[] = [],
  at: Pick<Finding, 'file' | 'severity'>,
): Finding[] {
  return implausible.map(({ candidate: model, series: count, of: all, first }) => {
    const { beyond: rows, keys: of, ...nearest } = first
    const args = { fault: 'magnitude', model, rows, of, count, all, ...nearest } as const
    return finding('candidate-implausible', args, at)
  })
}

/** A substitute for a row that no export can contain: the digest then matches no export. */
function textOfFaulty(row: HistoryRow | AttemptRow): string {
  const [forecast, attempt] = 'status' in row ? [undefined, row] : [row, undefined]
  // JSON has no NaN and infinities, but they must differ from null.
  return JSON.stringify(Object.values(toPairingRow({ forecast, attempt })), (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  )
}

/** A row as a line of an export. */
function lineReader(): (row: StoredRow) => string {
  const entryIn = createEntryReader()
  return (row) => {
    // Pairing reads the columns of a row: an export with other content is not an export of it.
    const isSaid = 'entry' in row || 'status' in row || isAsKept(row)
    const entry = isSaid ? entryIn(row)?.entry : undefined
    return `${entry ?? textOfFaulty(row as HistoryRow | AttemptRow)}\n`
  }
}

/** The digest of the rows as `history export` writes them, without their freshness; docs/evidence.md defines it. */
export interface RowsDigest {
  readonly sha256: string
  readonly rows: number
}

export interface RowsRead extends RowsDigest {
  /** The models that have rows, by name. */
  readonly models: ReadonlyMap<string, ModelRows>
}

/** For one model: the number of forecasts, and how many of them are implausible as prices. */
export interface ModelRows {
  readonly forecasts: number
  readonly implausible: number
}

/** Passes batches of rows through and computes their digest. */
export class DigestedRows implements AsyncIterable<readonly PairingRow[]> {
  readonly #batches: AsyncIterable<readonly PairingRow[]>
  readonly #hash = createHash('sha256')
  readonly #models = new Map<string, ModelRows>()
  #count = 0

  /**
   * @param batches - created so that the callback also receives the rows as stored.
   */
  constructor(batches: (onStored: OnStored) => AsyncIterable<readonly PairingRow[]>) {
    const toLine = lineReader()
    this.#batches = batches((rows) => {
      this.#count += rows.length
      this.#hash.update(rows.map(toLine).join(''))
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly PairingRow[]> {
    for await (const rows of this.#batches) {
      for (const row of rows) this.#add(row)
      yield rows
    }
  }

  #add({ model, forecast, sourcePrice }: PairingRow): void {
    const { forecasts, implausible } = this.#models.get(model) ?? { forecasts: 0, implausible: 0 }
    const isOff = forecast !== null && sourcePrice !== null && isImplausible(forecast, sourcePrice)
    this.#models.set(model, {
      forecasts: forecasts + (forecast === null ? 0 : 1),
      implausible: implausible + (isOff ? 1 : 0),
    })
  }

  /** Call this once, after the last row. */
  digest(): RowsRead {
    return { sha256: this.#hash.digest('hex'), rows: this.#count, models: this.#models }
  }
}

/**
 * The digest and the models of all rows, reading them only for this.
 * @throws {ForeproofError} `interrupted` on the signal.
 */
export async function digestOfRows<Digest>(
  rows: AsyncIterable<unknown> & { digest(): Digest },
  signal?: AbortSignal,
): Promise<Digest> {
  for await (const _ of rows) await yieldToEventLoop(signal)
  return rows.digest()
}
