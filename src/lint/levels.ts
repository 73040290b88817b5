import { type Finding, finding } from '../contract/findings/finding.js'
import type { LintedProtocol } from './types.js'

/** Texts about the forecast interval itself; `bootstrap` speaks of another interval. */
const INTERVAL_TEXTS = [
  'bounds',
  'primary_interval_score',
  'coverage',
  'width',
  'interpretation',
] as const

/** Those in which alpha is the interval's, not that of the tests. */
const ALPHA_TEXTS: readonly string[] = ['bounds', 'primary_interval_score']

const PERCENT = /(\d+(?:[.,]\d+)?)\s*(?:%|per\s?cent\b)/gi
/** The alpha of the interval score, and the factor 2 / alpha spelled out. */
const ALPHA = /\balpha\s*(?:=|is|of)\s*(\d*[.,]?\d+)|\b2\s*\/\s*(0?[.,]\d+)/gi

/**
 * The level of the interval follows from the outer quantiles (0.1 and 0.9: 80 percent). The texts
 * are free, but a level that they name has to be that one; and a level named for the bootstrap
 * interval has to be 1 - alpha.
 */
export function lintLevels(protocol: LintedProtocol): Finding[] {
  const { interval } = protocol.estimands
  const [low, , high] = interval.quantiles
  const level = rounded(high - low)
  const findings = INTERVAL_TEXTS.flatMap((name) => {
    const pointer = `/estimands/interval/${name}`
    const text = interval[name]
    return [
      ...differing(text, PERCENT, 100 * level).map((found) => `${found} %`),
      ...(ALPHA_TEXTS.includes(name) ? differing(text, ALPHA, 1 - level) : []).map(
        (found) => `alpha ${found}`,
      ),
    ].map((found) => finding('interval-level-differs', { found, level: 100 * level }, { pointer }))
  })
  const { alpha } = protocol.uncertainty.multiplicity
  const confidence = rounded(100 * (1 - alpha))
  const bootstrap = differing(protocol.uncertainty.interval, PERCENT, confidence)
  return [
    ...findings,
    ...bootstrap.map((found) =>
      finding(
        'confidence-level-differs',
        { found: `${found} %`, level: confidence },
        { pointer: '/uncertainty/interval' },
      ),
    ),
  ]
}

/** Numbers that a pattern finds in a text and that are not the expected one. */
function differing(text: string, pattern: RegExp, expected: number): string[] {
  const found = [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '')
  return found.filter((number) => Math.abs(Number(number.replace(',', '.')) - expected) > 1e-9)
}

function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}
