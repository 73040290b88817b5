import type { Instant } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import type { HistoryExtent, PairingWindow } from '../types.js'
import type { Ask } from './pool.js'
import { quotedName } from './tables.js'

/** What a history holds on the whole. */
export function createFacts(ask: Ask, schema: string) {
  const table = (name: string) => `${quotedName(schema)}.${name}`
  return {
    async extent(): Promise<HistoryExtent | undefined> {
      const of = (name: string) =>
        `(SELECT min(origin_at) FROM ${table(name)}), (SELECT max(origin_at) FROM ${table(name)})`
      const [row = []] = await ask(`SELECT ${of('forecasts')}, ${of('attempts')}`)
      const ends = row.filter((end) => typeof end === 'number')
      if (ends.length === 0) return undefined
      return { firstOrigin: Math.min(...ends), lastOrigin: Math.max(...ends) }
    },
    async models(): Promise<string[]> {
      const rows = await ask(
        `SELECT model FROM ${table('forecasts')} UNION SELECT model FROM ${table('attempts')}`,
      )
      return rows.map(([model]) => String(model)).sort(compareText)
    },
    /** See `HistoryReader.regimes`. */
    async regimes({ from, to }: PairingWindow): Promise<ReadonlyMap<Instant, string>> {
      const rows = await ask(
        `SELECT origin_at, regime FROM ${table('origins')}
         WHERE regime IS NOT NULL AND origin_at >= coalesce($1::bigint, origin_at)
           AND origin_at <= coalesce($2::bigint, origin_at) ORDER BY origin_at`,
        [from, to],
      )
      return new Map(rows.map(([origin, regime]) => [Number(origin), String(regime)]))
    },
  }
}
