import { parseTimestamp } from './instant.js'

/** The formats of the contract, by their JSON Schema name; the validators look them up here. */
export const formats = {
  'date-time': (text: string): boolean => parseTimestamp(text).ok,
} as const
