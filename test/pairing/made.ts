import { parseTimestamp } from '../../src/contract/instant.js'
import { compareText } from '../../src/contract/order.js'
import type { PairingRow } from '../../src/forecast/row.js'

/** The instant of a timestamp that is known to be one. */
export function at(text: string): number {
  const parsed = parseTimestamp(text)
  if (!parsed.ok) throw new Error(text)
  return parsed.instant
}

/** A sound forecast with full provenance; `change` replaces what a case is about. */
export function row(
  originAt: string,
  horizon: number,
  model: string,
  change: Partial<PairingRow> = {},
): PairingRow {
  const origin = new Date(originAt)
  const later = (hours: number) => {
    const time = new Date(origin.getTime() + hours * 3_600_000)
    return Number.isNaN(time.getTime()) ? 'never' : time.toISOString().replace('.000Z', '+00:00')
  }
  return {
    originAt,
    model,
    horizon,
    targetAt: later(horizon),
    generatedAt: originAt,
    sourcePrice: 117_000,
    forecast: 117_100.5,
    q10: 116_000,
    q50: 117_000,
    q90: 118_000,
    level: 0.8,
    attempt: null,
    inputAvailableAt: originAt,
    selectionDataThrough: later(-24),
    vintageId: 'made',
    vintageSha256: 'a'.repeat(64),
    ...change,
  }
}

/** A recorded failure or abstention without a forecast. */
export function recorded(
  originAt: string,
  horizon: number,
  model: string,
  attempt: 'failed' | 'abstained',
  change: Partial<PairingRow> = {},
): PairingRow {
  return row(originAt, horizon, model, {
    attempt,
    targetAt: null,
    generatedAt: null,
    sourcePrice: null,
    forecast: null,
    q10: null,
    q50: null,
    q90: null,
    inputAvailableAt: null,
    selectionDataThrough: null,
    vintageId: null,
    vintageSha256: null,
    ...change,
  })
}

/** Rows as a history gives them: by origin, horizon and model; no timestamp first, no number last. */
export function inOrder(rows: readonly PairingRow[]): PairingRow[] {
  const origin = ({ originAt }: PairingRow) => {
    const parsed = parseTimestamp(originAt)
    return parsed.ok ? parsed.instant : -1
  }
  const horizon = (one: PairingRow) => (Number.isNaN(one.horizon) ? 1e9 : one.horizon)
  return [...rows].sort(
    (a, b) => origin(a) - origin(b) || horizon(a) - horizon(b) || compareText(a.model, b.model),
  )
}
