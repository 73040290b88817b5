import type { Faults } from './faults.js'

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * The value of a string that holds a backslash, from the source between its quotes. Bad escapes are
 * reported and read as U+FFFD, so that reading can go on.
 */
export function decodeEscapes(text: string, start: number, end: number, faults: Faults): string {
  let value = ''
  let from = start
  let at = text.indexOf('\\', start)
  while (at !== -1 && at < end) {
    value += text.slice(from, at)
    const read = readEscape(text, at, end, faults)
    value += read.value
    from = at + read.length
    at = text.indexOf('\\', from)
  }
  return value + text.slice(from, end)
}

interface Escape {
  readonly value: string
  readonly length: number
}

function readEscape(text: string, at: number, end: number, faults: Faults): Escape {
  const letter = text[at + 1] as string
  if (letter !== 'u') {
    const simple = SIMPLE[letter]
    if (simple !== undefined) return { value: simple, length: 2 }
    const width = (text.codePointAt(at + 1) as number) > 0xffff ? 3 : 2
    faults.add('json-escape', at, at + width, { found: text.slice(at, at + width) })
    return { value: '\uFFFD', length: width }
  }
  const unit = hexUnit(text, at + 2, end)
  if (unit === undefined) {
    const shown = Math.min(at + 6, end)
    faults.add('json-escape', at, shown, { found: text.slice(at, shown) })
    return { value: '\uFFFD', length: 2 }
  }
  return pairOrUnit(text, at, end, unit, faults)
}

function pairOrUnit(text: string, at: number, end: number, unit: number, faults: Faults): Escape {
  if (unit >= 0xd800 && unit <= 0xdbff && text.startsWith('\\u', at + 6)) {
    const low = hexUnit(text, at + 8, end)
    if (low !== undefined && low >= 0xdc00 && low <= 0xdfff) {
      const point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
      if (isNoncharacter(point)) reportNoncharacter(point, at, at + 12, faults)
      return { value: String.fromCodePoint(point), length: 12 }
    }
  }
  if (unit >= 0xd800 && unit <= 0xdfff) {
    faults.add('json-lone-surrogate', at, at + 6, { character: codePoint(unit) })
    return { value: '\uFFFD', length: 6 }
  }
  if (isNoncharacter(unit)) reportNoncharacter(unit, at, at + 6, faults)
  return { value: String.fromCharCode(unit), length: 6 }
}

function hexUnit(text: string, start: number, end: number): number | undefined {
  if (start + 4 > end) return undefined
  const digits = text.slice(start, start + 4)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Code points that Unicode sets aside for no character; RFC 7493 section 2.1 forbids them. */
export function isNoncharacter(point: number): boolean {
  return (point >= 0xfdd0 && point <= 0xfdef) || (point & 0xfffe) === 0xfffe
}

export function reportNoncharacter(
  point: number,
  start: number,
  end: number,
  faults: Faults,
): void {
  faults.add('json-noncharacter', start, end, { character: codePoint(point) })
}

function codePoint(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
