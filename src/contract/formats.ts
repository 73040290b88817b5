import { parseTimestamp } from './instant.js'

/** The formats of the contract, by the name JSON Schema gives them; the validators look them up. */
export const formats = {
  'date-time': (text: string): boolean => parseTimestamp(text).ok,
} as const
