/** A number as a text has it. */
export interface TextNumber {
  readonly text: string
  /** What it may mean, each a list: `0,05` is one number or two. */
  readonly readings: readonly (readonly number[])[]
  /** Whether a percent sign or word follows. */
  readonly percent: boolean
}

/** What looks like a number and is a name: standards, sections, dates, times, years of papers. */
const NAMES =
  /\b(?:RFC|ISO|IEEE|SHA|UTF|type|version|sections?|step|issue|page|figure|table)[\s-]*\d+(?:\.\d+)*|§\s*[\d.]+|\b\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?|\b\d{1,2}:\d\d\b|\((?:19|20)\d\d\)|\[\d+\]/gi

/** `10^-6` and `10⁻⁶`, to be read as 1e-6. */
const POWER = /\b10\s*(?:(?:\^|\*\*)\s*\(?([-−+]?\d+)\)?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))/g
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * A run of digits with what may stand within a number. Digits within a word (q10, drift_24h, P0) are
 * no number, nor are those that a word follows at once (7d, 2nd); an h for hours may follow.
 */
const RUN =
  /(?<![\p{L}\p{N}_.])(?:\d(?:[.,'’\u00a0\u202f]?\d| (?=\d{3}(?!\d)))*|\.\d+)(?:e[-−+]?\d+)?(?!\d)(?!h?[\p{L}_])h?(\s*(?:%|per\s?cent\b|percentage\s+points?\b))?/giu

/** Every number in a free text, in its order. */
export function numbersIn(text: string): TextNumber[] {
  const plain = text.replace(NAMES, ' ').replace(POWER, (_, after, raised) => {
    return `1e${(after ?? fromRaised(raised)).replace('−', '-')}`
  })
  return [...plain.matchAll(RUN)].flatMap((match) => {
    const [all, percent] = match
    const digits = all.slice(0, all.length - (percent?.length ?? 0)).replace(/h$/i, '')
    const readings = readingsOf(digits.replace('−', '-'))
    return readings.length === 0
      ? []
      : [{ text: all.trim(), readings, percent: percent !== undefined }]
  })
}

function readingsOf(digits: string): number[][] {
  const readings: number[][] = []
  const add = (...parts: string[]) => {
    // 00 and 07 are hours of a clock.
    if (parts.every((part) => /^(?!0\d)\d*\.?\d+(?:e[-+]?\d+)?$/i.test(part))) {
      readings.push(parts.map(Number))
    }
  }
  add(digits)
  if (/^\d{1,3}(?:([,'’\u00a0\u202f ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/.test(digits)) {
    add(digits.replace(/[,'’\u00a0\u202f ]/g, ''))
  } else if (/^\d+,\d+$/.test(digits)) add(digits.replace(',', '.'))
  if (/[, ]/.test(digits)) add(...digits.split(/[, ]/))
  return readings
}

function fromRaised(text: string): string {
  return [...text]
    .map((sign) => (sign === '⁻' ? '-' : sign === '⁺' ? '' : RAISED.indexOf(sign)))
    .join('')
}
