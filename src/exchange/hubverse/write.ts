import { yieldToEventLoop } from '../../files/waiting.js'
import type { Row } from '../../table/types.js'
import { byLevel, byOrigin, type ExchangedForecast } from '../forecasts.js'
import {
  HUB,
  type HubFormat,
  ORACLE_COLUMNS,
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
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes forecasts as a modeling hub of hubverse, whose rounds are weeks: whole or not at all. The same forecasts give
 * the same bytes. A point is written as the median: foreproof judges it by the absolute error of the log return, which
 * the median minimises.
 * @param forecasts in the order of origins.
 * @throws {ForeproofError} `refused` when something has the name of `out`; `invalid-input` when there is no
 * forecast; `io`; `interrupted`.
 */
export async function writeHub(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  { out, format, signal }: HubOptions,
): Promise<HubWritten> {
  return await stagedHub({ out, format, task: [WEEK, ...TASK_COLUMNS] }, async (hub) => {
    const origins: string[] = []
    const horizons = new Set<number>()
    const [sources, outcomes]: [Row[], Row[]] = [[], []]
    for await (const group of byOrigin(forecasts)) {
      await yieldToEventLoop(signal)
      const [{ origin, sourcePrice }] = group
      const id = roundIdOf(origin)
      const week = saturdayOf(origin)
      await hub.beginRound(week)
      origins.push(id)
      sources.push([id, sourcePrice])
      const closes = new Map<number, number>()
      for (const forecast of group) {
        const { horizonHours, model, price, targetClose } = forecast
        horizons.add(horizonHours)
        if (targetClose !== undefined) closes.set(horizonHours, targetClose)
        const task = [week, id, horizonHours]
        hub.add({ model, task, point: price, quantiles: byLevel(forecast) })
      }
      for (const [horizon, close] of [...closes].sort(([a], [b]) => a - b)) {
        outcomes.push([id, horizon, close])
      }
    }
    await hub.put(HUB.sources, SOURCE_COLUMNS, sources)
    if (outcomes.length > 0) await hub.put(HUB.oracle, ORACLE_COLUMNS, outcomes)
    const tasks = { origins, weeks: hub.rounds, horizons: [...horizons].sort((a, b) => a - b) }
    return await hub.finish(() => hubConfig(tasks, format))
  })
}
