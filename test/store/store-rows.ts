import { expect } from 'vitest'
import type { ForecastOrigin, ForecastRow, SoundAttempt } from '../../src/forecast/row.js'
import type { HistoryReader, RowVersion } from '../../src/store/history-reader.js'
import type { HistoryWriter } from '../../src/store/history-writer.js'
import { EPOCH, HOUR, inTransaction, stamp } from '../history/support.js'

/** A history that does not exist yet, to be opened as often as a test likes; readers close by themselves. */
export interface StoreUnderTest {
  reader(): HistoryReader
  /** @param version - of the rows; 1 where absent. */
  writer(version?: RowVersion): Promise<HistoryWriter>
}

export const instant = (hour: number) => (EPOCH + hour * HOUR) * 1000

export const origin = (hour: number, runId: string | null = 'r1'): ForecastOrigin => ({
  originAt: stamp(EPOCH + hour * HOUR),
  generatedAt: stamp(EPOCH + hour * HOUR + 60_000),
  sourceName: 'made',
  pair: 'BTC/USD',
  sourcePriceUsd: 50_000,
  runId,
  configurationId: 'c-1',
  manifestJson: '{"a":1}',
})

export const forecast = (
  hour: number,
  model: string,
  horizonHours: number,
  more: Partial<ForecastRow> = {},
): ForecastRow => ({
  originAt: stamp(EPOCH + hour * HOUR),
  model,
  horizonHours,
  targetAt: stamp(EPOCH + (hour + horizonHours) * HOUR),
  priceUsd: 50_100.5,
  changePct: 0.2,
  q10Usd: 49_000,
  q50Usd: 50_000,
  q90Usd: 51_000,
  modelAgreement: 0.75,
  provenance: undefined,
  whole: null,
  origin: origin(hour),
  ...more,
})

export const attempt = (
  hour: number,
  model: string,
  more: Partial<SoundAttempt> = {},
): SoundAttempt => ({
  originAt: stamp(EPOCH + hour * HOUR),
  model,
  horizonHours: 2,
  status: 'failed',
  reason: 'no data',
  recordedAt: null,
  provenance: undefined,
  ...more,
})

/** Three origins with two models and two horizons each, of two runs. */
export async function filled(make: () => StoreUnderTest) {
  const store = make()
  await inTransaction(store.writer(), async (writer) => {
    for (const hour of [2, 0, 1]) {
      await writer.addOrigin(origin(hour, hour === 2 ? 'r2' : 'r1'))
      for (const model of ['b', 'a']) {
        for (const horizon of [4, 2]) {
          expect(await writer.addForecast(forecast(hour, model, horizon))).toBe(true)
        }
      }
    }
  })
  return { store, reader: store.reader() }
}
