import { yieldToEventLoop } from '../../files/waiting.js'
import type { Row } from '../../table/types.js'
import { byLevel, byOrigin, type ExchangedForecast } from '../forecasts.js'
import {
  HUB,
  type HubFormat,
  ORACLE_COLUMNS,
  type ReferenceDates,
  SOURCE_COLUMNS,
  TASK_COLUMNS,
  WEEK,
} from './columns.js'
import { hubConfig } from './config.js'
import { type HubWritten, stagedHub } from './folder.js'
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
 * A point is written as the median: foreproof judges it by the absolute error of the log return, which the median minimises.
 * @param forecasts in the order of origins.
 * @throws {ForeproofError} `refused` when something has the name of `out`; `invalid-input` when there is no
 * forecast; `io`; `interrupted`.
 */
export async function writeHub(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  { out, format, referenceDates, signal }: HubOptions,
): Promise<HubWritten> {
  const isWeekly = referenceDates === 'weekly'
  const task = isWeekly ? [WEEK, ...TASK_COLUMNS] : TASK_COLUMNS
  return await stagedHub({ out, format, task }, async (hub) => {
    const origins: string[] = []
    const horizons = new Set<number>()
    const [sources, outcomes]: [Row[], Row[]] = [[], []]
    for await (const group of byOrigin(forecasts)) {
      await yieldToEventLoop(signal)
      const [{ origin, sourcePrice }] = group
      const id = roundIdOf(origin)
      const round = ROUNDS[referenceDates](origin)
      await hub.beginRound(round)
      origins.push(id)
      sources.push([id, sourcePrice])
      const closes = new Map<number, number>()
      for (const { horizonHours, model, price, quantiles, targetClose } of group) {
        horizons.add(horizonHours)
        if (targetClose !== undefined) closes.set(horizonHours, targetClose)
        const task = isWeekly ? [round, id, horizonHours] : [id, horizonHours]
        hub.add({ model, task, point: price, quantiles: quantiles ? byLevel(quantiles) : [] })
      }
      for (const [horizon, close] of ascending(closes)) outcomes.push([id, horizon, close])
    }
    await hub.put(HUB.sources, SOURCE_COLUMNS, sources)
    if (outcomes.length > 0) await hub.put(HUB.oracle, ORACLE_COLUMNS, outcomes)
    const weeks = isWeekly ? hub.rounds : undefined
    const tasks = { origins, weeks, horizons: [...horizons].sort((a, b) => a - b) }
    return await hub.finish(() => hubConfig(tasks, format))
  })
}

const ascending = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b)

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
