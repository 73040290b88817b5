import { instantOf } from '../contract/instant.js'

/** A timestamp as a cell of a column of instants; null where it is none. */
export function instantCell(text: string | null): string | null {
  return instantOf(text) === undefined ? null : text
}

/** A number as a cell of a column of whole numbers; null where it is none. */
export function integerCell(value: number | null): number | null {
  return Number.isSafeInteger(value) ? value : null
}
