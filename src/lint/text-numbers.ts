/** A number as a text has it. */
export interface TextNumber {
  readonly text: string
  /** What it may mean, each a list: `0,05` is one number or two. */
  readonly readings: readonly (readonly number[])[]
}

/** Words for numbers; they count where a unit follows at once, as in `ten thousand`. */
const WORDS = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
} as const
const IN_WORDS = new RegExp(
  `\\b(?:${Object.keys(WORDS).join('|')})(?=\\s(?:thousand|million))`,
  'gi',
)

/** What a number is multiplied by for what follows it. */
const UNITS: readonly (readonly [unit: RegExp, factor: number])[] = [
  [/^(?:%|per\s?cent)$/i, 1 / 100],
  [/^(?:k|thousand)$/i, 1000],
  [/^million$/i, 1_000_000],
]

/**
 * A run of digits with what may stand within a number, and its unit. Digits within a word (q10,
 * drift_24h, P0) are no number, nor are those that a word follows at once (7d, 2nd).
 */
const RUN =
  /(?<![\p{L}\p{N}_.])(?:\d(?:[.,'’_\u00a0\u202f]?\d| (?=\d{3}(?!\d)))*|\.\d+)(?:e\d+)?(?!\d)(?:\s*(%)|(?:h|\s*(k|thousand|million|per\s?cent))?(?![\p{L}\p{N}_]))/giu

/** The numbers in a phrase that `namedNumbers` finds, in their order. */
export function numbersIn(phrase: string): TextNumber[] {
  const plain = phrase.replace(
    IN_WORDS,
    (word) => `${WORDS[word.toLowerCase() as keyof typeof WORDS]}`,
  )
  return [...plain.matchAll(RUN)].flatMap(([all, sign, word]) => {
    const unit = sign ?? word ?? ''
    const digits = all.slice(0, all.length - unit.length).replace(/[-\sh]+$/i, '')
    const factor = UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1
    const readings = readingsOf(digits)
    if (readings.length === 0) return []
    return [
      {
        text: all.trim(),
        readings: readings.map((values) => values.map((value) => value * factor)),
      },
    ]
  })
}

/** Whether a number in one of its readings is among those that are known. */
export function isAmong({ readings }: TextNumber, known: readonly number[]): boolean {
  const is = (value: number) =>
    known.some((one) => Math.abs(one - value) <= 1e-9 * Math.max(one, value))
  return readings.some((values) => values.every(is))
}

function readingsOf(digits: string): number[][] {
  const readings: number[][] = []
  const add = (...parts: string[]) => {
    // 00 and 07 are hours of a clock.
    if (parts.every((part) => /^(?!0\d)\d*\.?\d+(?:e\d+)?$/i.test(part))) {
      readings.push(parts.map(Number))
    }
  }
  add(digits)
  if (/^\d{1,3}(?:([,'’_\u00a0\u202f ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/.test(digits)) {
    add(digits.replace(/[,'’_\u00a0\u202f ]/g, ''))
  } else if (/^\d+,\d+$/.test(digits)) add(digits.replace(',', '.'))
  if (/[, ]/.test(digits)) add(...digits.split(/[, ]/))
  return readings
}
