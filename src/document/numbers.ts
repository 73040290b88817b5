import type { Faults } from './faults.js'

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
/** What a person may have meant as a number: everything up to the next delimiter. */
const NUMBER_LIKE = /[-+.\w]+/y

interface NumberToken {
  readonly value: number
  readonly end: number
}

/**
 * Reads the number at `start`. A malformed one is reported and read as 0; one that a double cannot
 * stand for is reported too: an integer beyond ±(2^53−1) would lose digits, `1e999` has no value,
 * and `1e-999` would silently become zero.
 */
export function readNumber(text: string, start: number, faults: Faults): NumberToken {
  NUMBER_LIKE.lastIndex = start
  const end = NUMBER_LIKE.test(text) ? NUMBER_LIKE.lastIndex : start + 1
  NUMBER.lastIndex = start
  const match = NUMBER.exec(text)
  if (!match || NUMBER.lastIndex !== end) {
    faults.add('json-form', start, end, { fault: 'number', found: text.slice(start, end) })
    return { value: 0, end }
  }
  const value = Number(match[0])
  const found = shorten(match[0])
  const whole = match[1] === undefined && match[2] === undefined
  if (whole && !Number.isSafeInteger(value)) {
    faults.add('json-number-range', start, end, { fault: 'integer', found })
  } else if (!Number.isFinite(value)) {
    faults.add('json-number-range', start, end, { fault: 'infinite', found })
  } else if (value === 0 && /[1-9]/.test(match[0].split(/[eE]/)[0] as string)) {
    faults.add('json-number-range', start, end, { fault: 'zero', found })
  }
  return { value, end }
}

/** Long digits are cut in messages; the place says where the rest is. */
function shorten(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 36)}…`
}
