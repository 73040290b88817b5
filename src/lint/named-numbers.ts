import type { Protocol, Registration } from '../contract/types.js'
import { LEAST_EWC_BLOCKS } from '../inference/ewc.js'
import { DIRECTION_PAIRS_FACTOR } from '../registration/plan-rules.js'
import { plain } from '../registration/scorer/basis.js'
import { AR1_RETURNS } from '../scoring/baselines/ar1.js'

/** A number with a name of its own, such as `500 pairs`: it means the same in whatever text it stands. */
export interface NamedNumber {
  readonly name: string
  /** The number with its name. */
  readonly phrase: RegExp
  readonly values: readonly number[]
  /** Where the words mean this; everywhere when it is absent. */
  readonly within?: RegExp
}

/** Digits and what may stand among them, of a bounded length: texts may be long. */
const DIGITS = String.raw`(?<![\p{L}\p{N}_.])\.?\d(?:[.,'’_\u00a0\u202f]?\d| (?=\d{3}(?!\d))){0,20}`
const UNIT = String.raw`\s*(?:k|h|thousand|million|%|per\s?cent)(?![\p{L}\p{N}])`
const NUMBER = `(?:${DIGITS}|\\b[a-z]{3,8}\\s(?=thousand|million))(?:${UNIT})?`

/** A phrase in which `#` stands for a number and a space for any space. */
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
  confidence: phrase(
    String.raw`#\s*(?:(?:upper|lower|adjusted|simultaneous|confidence|one-sided|two-sided) ){0,4}(?:bounds?|interval|level)\b`,
  ),
}

/** The numbers that have one meaning in every text of a protocol, and what the scorer uses. */
export function namedNumbers(
  { uncertainty, sampling }: Protocol,
  registration: Registration | undefined,
  cosine: boolean,
): NamedNumber[] {
  const { replicates, block_length_origins: block, seed, multiplicity } = uncertainty
  const { alpha } = multiplicity
  const minimum = sampling.minimum_effective_sample
  const pairs = minimum.paired_origins_per_horizon
  const blocks = minimum.effective_independent_blocks_per_comparison
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
      // The interval has an alpha of its own, which is compared with its quantiles.
      within: /^(?!\/estimands\/interval\/)/,
    },
    {
      name: 'alpha, or 1 - alpha,',
      phrase: PHRASES.confidence,
      values: [alpha, 1 - alpha, alpha / 2, 1 - alpha / 2],
      within: /^\/design\/limits\//,
    },
  ]
}
