import { yieldToEventLoop } from '../../files/waiting.js'
import type { Row } from '../../table/types.js'
import { byLevel, byOrigin, type ExchangedForecast } from '../forecasts.js'
import {
  HUB,
  type HubFormat,
  ORACLE_COLUMNS,
  OUTPUT_COLUMNS,
  type ReferenceDates,
  SOURCE_COLUMNS,
  WEEK,
} from './columns.js'
import { hubConfig } from './config.js'
import { type HubFolder, type HubWritten, stagedHub } from './folder.js'
import { roundIdOf, saturdayOf } from './names.js'

interface HubOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** Of the files of model output. */
  readonly format: HubFormat
  readonly referenceDates: ReferenceDates
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes forecasts as a modeling hub of hubverse: whole or not at all. The same forecasts give the same bytes.
 * @param forecasts in the order of origins.
 * @throws {ForeproofError} `refused` when something has the name of `out`; `invalid-input` when there is no
 * forecast; `io`; `interrupted`.
 */
export async function writeHub(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  { out, format, referenceDates, signal }: HubOptions,
): Promise<HubWritten> {
  return await stagedHub(out, format, async (folder) => {
    const hub = new Hub(folder, referenceDates)
    for await (const group of byOrigin(forecasts)) {
      await yieldToEventLoop(signal)
      await hub.addOrigin(group)
    }
    return await hub.finish()
  })
}

/** How many files of model output a hub of these forecasts has: one for each model and round. */
export async function outputFileCount(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  referenceDates: ReferenceDates,
): Promise<number> {
  const files = new Set<string>()
  for await (const batch of forecasts) {
    for (const { origin, model } of batch) files.add(`${ROUNDS[referenceDates](origin)} ${model}`)
  }
  return files.size
}

const ROUNDS = { hourly: roundIdOf, weekly: saturdayOf } as const

/** A hub that grows by origins. */
class Hub {
  readonly #rounds: string[] = []
  readonly #origins: string[] = []
  readonly #horizons = new Set<number>()
  readonly #outcomes: Row[] = []
  readonly #sources: Row[] = []
  #forecasts = 0

  constructor(
    private readonly folder: HubFolder,
    private readonly referenceDates: ReferenceDates,
  ) {}

  /** @param forecasts all of one origin, at least one. */
  async addOrigin(forecasts: readonly ExchangedForecast[]): Promise<void> {
    const [first] = forecasts
    if (first === undefined) return
    const origin = roundIdOf(first.origin)
    const round = ROUNDS[this.referenceDates](first.origin)
    if (round !== this.#rounds.at(-1)) {
      await this.#writeRound()
      this.#rounds.push(round)
    }
    this.#origins.push(origin)
    const task = round === origin ? [origin] : [round, origin]
    this.#sources.push([origin, first.sourcePrice])
    this.#forecasts += forecasts.length
    const outcomes = new Map<number, number>()
    for (const forecast of forecasts) {
      const { horizonHours, model, targetClose } = forecast
      this.#horizons.add(horizonHours)
      if (targetClose !== undefined) outcomes.set(horizonHours, targetClose)
      this.folder.addOutput(model, outputRows(forecast, task, this.folder.format))
    }
    for (const [horizon, close] of ascending(outcomes))
      this.#outcomes.push([origin, horizon, close])
  }

  async #writeRound(): Promise<void> {
    const own = OUTPUT_COLUMNS[this.folder.format]
    const columns = this.referenceDates === 'weekly' ? [WEEK, ...own] : own
    await this.folder.putRound(String(this.#rounds.at(-1)), columns)
  }

  async finish(): Promise<HubWritten> {
    await this.#writeRound()
    const horizons = [...this.#horizons].sort((a, b) => a - b)
    const weeks = this.referenceDates === 'weekly' ? this.#rounds : undefined
    const tasks = { origins: this.#origins, weeks, horizons }
    await this.folder.put(HUB.sources, SOURCE_COLUMNS, this.#sources)
    if (this.#outcomes.length > 0) {
      await this.folder.put(HUB.oracle, ORACLE_COLUMNS, this.#outcomes)
    }
    return this.folder.finish(this.#forecasts, this.#rounds.length, () =>
      hubConfig(tasks, this.folder.format),
    )
  }
}

const ascending = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b)

/**
 * A forecast as rows of model output, which begin with `round`: the origin, before it the week where rounds are weeks. Its point is the median: foreproof judges it by the absolute error of
 * the log return, which the median minimises.
 */
function outputRows(
  { horizonHours, price, quantiles }: ExchangedForecast,
  round: readonly string[],
  format: HubFormat,
): Row[] {
  const task = [...round, horizonHours] as const
  const point: Row = [...task, 'median', format === 'csv' ? 'NA' : null, price]
  if (quantiles === undefined) return [point]
  const levels = byLevel(quantiles).map(([level, usd]): Row => {
    const id = format === 'csv' ? String(level) : level
    return [...task, 'quantile', id, usd]
  })
  return [point, ...levels]
}
