import { type Finding, finding } from '../contract/findings/finding.js'
import { pointerTo } from '../contract/pointer.js'
import type { Protocol, Registration } from '../contract/types.js'
import { LEAST_EWC_BLOCKS } from '../inference/ewc.js'
import { compileHourly } from '../protocol/rules/compile-hourly.js'
import { describesVerdict, methodNamed, unreadLimits } from '../protocol/rules/hourly-texts.js'
import { laxFindings } from '../protocol/rules/lax.js'
import { DIRECTION_PAIRS_FACTOR } from '../registration/limits.js'
import { AR1_RETURNS } from '../scoring/baselines/ar1.js'
import { plain } from '../scoring/plain.js'

/**
 * Reports numbers in the texts of a protocol that the scorer does not use. Texts are free and not executed, so such a
 * number would freeze a promise that is not kept. Only named numbers, such as `500 pairs`, are compared, because a rule
 * cannot know the meaning of others.
 * @param registration under the protocol, if there is one: it has the window.
 */
export function lintTexts(protocol: Protocol, registration?: Registration): Finding[] {
  const cosine = methodNamed(protocol) === 'ewc-t'
  const named = namedNumbers(protocol, registration, cosine)
  const differing = listTexts(protocol, '').flatMap(([pointer, text]) =>
    named
      .filter(({ pointers: within }) => within === undefined || within.test(pointer))
      .flatMap((one) => namedFindings(one, pointer, text)),
  )
  // Limits of a protocol apply only if it describes a verdict.
  return describesVerdict(protocol)
    ? [...differing, ...unreadLimits(protocol), ...laxFindings(compileHourly(protocol))]
    : differing
}

/** Every text of a document with its pointer. */
function listTexts(value: unknown, pointer: string): [pointer: string, text: string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => listTexts(child, pointerTo(pointer, key)))
}

function namedFindings({ name, phrase, values }: NamedNumber, pointer: string, text: string) {
  const stated = [...text.matchAll(phrase)].flatMap(([, ...numbers]) =>
    numbers.filter((number) => number !== undefined),
  )
  const wrong = new Set(stated.filter((number) => !isAmong(meantBy(number), values)))
  const args = { values: [`${name} ${values.join(', ')}`] }
  return [...wrong].map((number) =>
    finding('text-number-differs', { found: number, ...args }, { pointer }),
  )
}

/** Shown once whenever a protocol is linted or frozen. */
export const TEXTS_ARE_NOT_EXECUTED =
  'foreproof does not interpret the texts of a protocol. The rules it applies are in registration.json, and the report lists what it computed.'

/** A number with a name, such as `500 pairs`, which means the same in every text. */
interface NamedNumber {
  readonly name: string
  /** Matches the number with its name, and captures the number. */
  readonly phrase: RegExp
  readonly values: readonly number[]
  /** Where the words have this meaning; default everywhere. */
  readonly pointers?: RegExp
}

/**
 * Digits and their separators, of limited length, because texts may be long. Digits within a word (q10, drift_24h, P0)
 * are not numbers, nor are those directly before a word (7d, 2nd).
 */
const DIGITS = String.raw`(?<![\p{L}\p{N}_.])(?:\.\d+|\d(?:[.,'’_\u00a0\u202f]?\d| (?=\d{3}(?!\d))){0,20}(?:e\d+)?)(?!\d)`
const UNIT = String.raw`\s*(?:%|(?:h|k|thousand|million|per\s?cent)(?![\p{L}\p{N}_]))`
const NUMBER = `(${DIGITS}(?:${UNIT}|(?![\\p{L}\\p{N}_])))`

/** A phrase in which `#` matches a number, and a space any white space. */
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
  percent: new RegExp(String.raw`(${DIGITS}\s*(?:%|per\s?cent\b))`, 'giu'),
  /** The factor 2 / alpha of the interval score may also be written out. */
  intervalAlpha: phrase(
    String.raw`\balpha\s*(?:=|is|of)\s*#`,
    String.raw`(?<=\b2\s*\/\s*)(?=0?[.,]\d)#`,
  ),
  confidence: phrase(
    String.raw`#\s*(?:(?:upper|lower|adjusted|simultaneous|confidence|one-sided|two-sided) ){0,4}(?:bounds?|interval|level)\b`,
  ),
}

/** The numbers with one meaning in every text of a protocol, and the values that the scorer uses. */
function namedNumbers(
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
      // The interval has its own alpha.
      pointers: /^(?!\/estimands\/interval\/)/,
    },
    // `bootstrap` describes another interval than the other texts.
    {
      name: 'level of the interval',
      phrase: PHRASES.percent,
      values: [level],
      pointers: /^\/estimands\/interval\/(?!bootstrap$)/,
    },
    {
      name: 'alpha of the interval',
      phrase: PHRASES.intervalAlpha,
      values: [Number(plain(1 - level))],
      pointers: /^\/estimands\/interval\/(?:bounds|primary_interval_score)$/,
    },
    {
      name: 'level of the bounds, 1 - alpha,',
      phrase: PHRASES.percent,
      values: [1 - alpha],
      pointers: /^\/uncertainty\/interval$/,
    },
    {
      name: 'alpha, or 1 - alpha,',
      phrase: PHRASES.confidence,
      values: [alpha, 1 - alpha, alpha / 2, 1 - alpha / 2],
      pointers: /^\/design\/limits\//,
    },
  ]
}

/** Factors for the unit after a number. */
const UNITS: readonly (readonly [unit: RegExp, factor: number])[] = [
  [/(?:%|per\s?cent)$/i, 1 / 100],
  [/(?:k|thousand)$/i, 1000],
  [/million$/i, 1_000_000],
]

/**
 * The value of a number in a text. A comma before three digits separates thousands, otherwise it is a decimal comma.
 */
function meantBy(number: string): number {
  const factor = UNITS.find(([unit]) => unit.test(number))?.[1] ?? 1
  const digits = number.replace(/[^\de]*(?:h|k|thousand|million|%|per\s?cent)$/i, '')
  const plain = digits.replace(/[,'’_\s](?=\d{3}(?!\d))/g, '').replace(',', '.')
  return Number(plain) * factor
}

/** Texts such as 1.2.3 are not numbers and are not compared. */
const isAmong = (value: number, values: readonly number[]): boolean =>
  Number.isNaN(value) || values.some((one) => Math.abs(one - value) <= 1e-9 * Math.max(one, value))
