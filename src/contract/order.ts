import type { Instant } from './instant.js'

/** The logical key of a forecast, unique in a history. */
export interface ReadingKey {
  readonly origin: Instant
  readonly horizon: number
  readonly model: string
}

/**
 * Compares as SQLite does, by code point. This differs from comparing UTF-16 units only if a surrogate meets a unit
 * above the surrogates.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) return aboveSurrogates(x) - aboveSurrogates(y)
  }
  return a.length - b.length
}

function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** The reading order of every history: newest origin first, then horizon, then model name. */
export function compareKeys(a: ReadingKey, b: ReadingKey): number {
  return b.origin - a.origin || a.horizon - b.horizon || compareText(a.model, b.model)
}
