import { type Finding, finding } from '../contract/findings/finding.js'
import { pointerTo } from '../contract/pointer.js'
import type { Protocol, Registration } from '../contract/types.js'
import { LEAST_EWC_BLOCKS } from '../inference/ewc.js'
import { DIRECTION_PAIRS_FACTOR, statedDoubts } from '../registration/limits.js'
import { describesVerdict } from '../registration/plan-rules.js'
import { plain } from '../registration/scorer/basis.js'
import { AR1_RETURNS } from '../scoring/baselines/ar1.js'
import { lintedMethod } from './family.js'

/**
 * Numbers in the texts of a protocol that the scorer does not use. Texts are free and are not executed, so a
 * number that differs from the one in use would freeze a promise that is not kept. Only a number with a
 * name, such as `500 pairs`, is compared: a rule cannot know what any other is about.
 *
 * @param registration under the protocol, where there is one: it has the method and the window.
 */
export function lintTexts(protocol: Protocol, registration?: Registration): Finding[] {
  const cosine = lintedMethod(protocol, registration) === 'ewc-t'
  const named = namedNumbers(protocol, registration, cosine)
  const differing = textsOf(protocol, '').flatMap(([pointer, text]) =>
    named
      .filter(({ within }) => within === undefined || within.test(pointer))
      .flatMap((one) => namedFindings(one, pointer, text)),
  )
  // Elsewhere no limit of a protocol binds.
  return describesVerdict(protocol) ? [...differing, ...statedDoubts(protocol)] : differing
}

/** Every text of a document with its place. */
function textsOf(value: unknown, pointer: string): [pointer: string, text: string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => textsOf(child, pointerTo(pointer, key)))
}

function namedFindings({ name, phrase, values }: NamedNumber, pointer: string, text: string) {
  const found = [...text.matchAll(phrase)].flatMap(([words]) => numbersIn(words))
  const wrong = new Set(found.filter((one) => !isAmong(one, values)).map((one) => one.text))
  const args = { values: [`${name} ${values.join(', ')}`] }
  return [...wrong].map((one) =>
    finding('text-number-differs', { found: one, ...args }, { pointer }),
  )
}

/** Said once wherever a protocol is linted or frozen. */
export const TEXTS_ARE_NOT_EXECUTED =
  'The texts of a protocol are not executed: what the scorer computes is in registration.json, under "scorer".'

/** A number with a name of its own, such as `500 pairs`: it means the same in every text. */
export interface NamedNumber {
  readonly name: string
  /** The number with its name. */
  readonly phrase: RegExp
  readonly values: readonly number[]
  /** Where the words mean this; everywhere when it is absent. */
  readonly within?: RegExp
}

/** Digits and what may be among them, of a bounded length: texts may be long. */
const DIGITS = String.raw`(?<![\p{L}\p{N}_.])\.?\d(?:[.,'’_\u00a0\u202f]?\d| (?=\d{3}(?!\d))){0,20}`
const UNIT = String.raw`\s*(?:k|h|thousand|million|%|per\s?cent)(?![\p{L}\p{N}])`
const NUMBER = `${DIGITS}(?:${UNIT})?`

/** A phrase in which `#` means a number, and a space any space. */
const phrase = (...forms: readonly string[]) =>
  new RegExp(
    forms.map((form) => form.replaceAll(' ', '\\s+').replaceAll('#', NUMBER)).join('|'),
    'giu',
  )

const PHRASES = {
  replicates: phrase(
    String.raw`#\s*(?:\w{1,12}\s)?replicates\b`,
    String.raw`\breplicates\s*(?::|=|is|are|of)\s*#`,
  ),
  block: phrase(
    String.raw`\bblocks?(?: length)?\s*(?:of|length|=|is|are)\s*#`,
    String.raw`#(?:\s|-)?(?:hour|origin|hourly origin)s?(?:\s|-)blocks?\b`,
  ),
  seed: phrase(String.raw`\bseed\s*(?:[:=]|is|of)?\s*#`),
  pairs: phrase(String.raw`#\s*(?:paired origins|pairs)\b`),
  blocks: phrase(String.raw`#\s*(?:effective|independent|effective independent) blocks\b`),
  alpha: phrase(
    String.raw`\bp\s*(?:<=?|≤|below|under|at most|of at most)\s*#`,
    String.raw`\balpha\s*(?:=|is|of)\s*#`,
    String.raw`\bsignificance level\s*(?:=|is|of)?\s*#`,
  ),
  percent: new RegExp(String.raw`${DIGITS}\s*(?:%|per\s?cent\b)`, 'giu'),
  /** The factor 2 / alpha of the interval score is spelled out, too. */
  intervalAlpha: phrase(
    String.raw`\balpha\s*(?:=|is|of)\s*#`,
    String.raw`(?<=\b2\s*\/\s*)(?=0?[.,]\d)#`,
  ),
  confidence: phrase(
    String.raw`#\s*(?:(?:upper|lower|adjusted|simultaneous|confidence|one-sided|two-sided) ){0,4}(?:bounds?|interval|level)\b`,
  ),
}

/** The numbers that have one meaning in every text of a protocol, and what the scorer uses. */
export function namedNumbers(
  { uncertainty, sampling, estimands }: Protocol,
  registration: Registration | undefined,
  cosine: boolean,
): NamedNumber[] {
  const { replicates, block_length_origins: block, seed, multiplicity } = uncertainty
  const { alpha } = multiplicity
  const minimum = sampling.minimum_effective_sample
  const pairs = minimum.paired_origins_per_horizon
  const blocks = minimum.effective_independent_blocks_per_comparison
  const [low, , high] = estimands.interval.quantiles
  const level = Number(plain(high - low))
  const window = registration === undefined ? [] : [Math.floor(registration.window.origins / block)]
  return [
    { name: 'replicates', phrase: PHRASES.replicates, values: [replicates, replicates + 1] },
    { name: 'block_length_origins', phrase: PHRASES.block, values: [block] },
    { name: 'seed', phrase: PHRASES.seed, values: [seed] },
    {
      name: 'pairs of the smallest sample',
      phrase: PHRASES.pairs,
      values: [pairs, Number(plain(pairs * DIRECTION_PAIRS_FACTOR)), AR1_RETURNS - 1],
    },
    {
      name: 'blocks of the smallest sample',
      phrase: PHRASES.blocks,
      values: [blocks, ...window, ...(cosine ? [LEAST_EWC_BLOCKS] : [])],
    },
    {
      name: 'alpha',
      phrase: PHRASES.alpha,
      values: [alpha],
      // The interval has an alpha of its own.
      within: /^(?!\/estimands\/interval\/)/,
    },
    // `bootstrap` speaks of another interval than the other texts there.
    {
      name: 'level of the interval',
      phrase: PHRASES.percent,
      values: [level],
      within: /^\/estimands\/interval\/(?!bootstrap$)/,
    },
    {
      name: 'alpha of the interval',
      phrase: PHRASES.intervalAlpha,
      values: [Number(plain(1 - level))],
      within: /^\/estimands\/interval\/(?:bounds|primary_interval_score)$/,
    },
    {
      name: 'level of the bounds, 1 - alpha,',
      phrase: PHRASES.percent,
      values: [1 - alpha],
      within: /^\/uncertainty\/interval$/,
    },
    {
      name: 'alpha, or 1 - alpha,',
      phrase: PHRASES.confidence,
      values: [alpha, 1 - alpha, alpha / 2, 1 - alpha / 2],
      within: /^\/design\/limits\//,
    },
  ]
}

/** A number as a text has it. */
export interface TextNumber {
  readonly text: string
  /** What it may mean, each a list: `0,05` is one number or two. */
  readonly readings: readonly (readonly number[])[]
}

/** What a number is multiplied by for what follows it. */
const UNITS: readonly (readonly [unit: RegExp, factor: number])[] = [
  [/^(?:%|per\s?cent)$/i, 1 / 100],
  [/^(?:k|thousand)$/i, 1000],
  [/^million$/i, 1_000_000],
]

/**
 * A run of digits with what may be within a number, and its unit. Digits within a word (q10,
 * drift_24h, P0) are no number, nor are those that a word follows at once (7d, 2nd).
 */
const RUN =
  /(?<![\p{L}\p{N}_.])(?:\d(?:[.,'’_\u00a0\u202f]?\d| (?=\d{3}(?!\d)))*|\.\d+)(?:e\d+)?(?!\d)(?:\s*(%)|(?:h|\s*(k|thousand|million|per\s?cent))?(?![\p{L}\p{N}_]))/giu

/** The numbers in a phrase that `namedNumbers` finds, in their order. */
export function numbersIn(phrase: string): TextNumber[] {
  return [...phrase.matchAll(RUN)].flatMap(([all, sign, word]) => {
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
  const add = (parts: readonly string[]) => {
    // 00 and 07 are hours of a clock.
    if (parts.every((part) => /^(?!0\d)\d*\.?\d+(?:e\d+)?$/i.test(part))) {
      readings.push(parts.map(Number))
    }
  }
  add([digits])
  if (/^\d{1,3}(?:([,'’_\u00a0\u202f ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/.test(digits)) {
    add([digits.replace(/[,'’_\u00a0\u202f ]/g, '')])
  } else if (/^\d+,\d+$/.test(digits)) add([digits.replace(',', '.')])
  if (/[, ]/.test(digits)) add(digits.split(/[, ]/))
  return readings
}
