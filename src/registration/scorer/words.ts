import { joined } from '../../contract/findings/row.js'

/** `2 h, 4 h and 8 h`. */
export function hoursListed(hours: readonly number[]): string {
  return joined(
    hours.map((each) => `${each} h`),
    'and',
  )
}

/** A number without the last digits that only binary arithmetic put there. */
export const plain = (value: number): string => String(Number(value.toPrecision(12)))
