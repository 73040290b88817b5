import { leastImprovement, overallTests } from '../evaluation/result/readings.js'
import type { AnyResult, ResultTest } from '../evaluation/result/types.js'
import { LEAST_MEMORY_BLOCKS, MEMORY_LEVEL } from '../inference/beside.js'
import { counted, decimal, listed, percent, probability, signedPercent } from '../output/figures.js'
import { hasVerdict } from '../registration/family.js'
import { reduction } from './reason-words.js'
import { verdictName } from './sentences.js'
import { nominalIn, relativeInterval } from './view.js'

/** Sentences about a verdict besides its reasons; they do not affect it. */

/**
 * The smallest improvement of a candidate on any comparator. Undefined without verdict hypotheses, and if a test is
 * missing, because its comparator may be the strongest.
 */
export function strongestSaid(result: AnyResult, candidate: string): string | undefined {
  if (!hasVerdict(result.settings)) return undefined
  const found = overallTests(result, candidate).map((test) => {
    return { comparator: test.comparator, ...relativeInterval(test) }
  })
  if (found.length === 0 || found.some(({ lower }) => lower === null)) return undefined
  const { comparator, observed, lower, upper } = found.reduce((most, one) =>
    (one.observed ?? 0) > (most.observed ?? 0) ? one : most,
  )
  return `Against the strongest comparator, ${comparator}: overall loss ${reduction(-(observed ?? 0))} (${nominalIn(result)} bounds of this test alone: ${signedPercent(lower)} to ${signedPercent(upper)}).`
}

/** Whether the slow waves of an overall difference are too strong; undefined if that cannot be computed. */
export function isFlagged({ week_memory: memory }: ResultTest): boolean | undefined {
  if (!memory || memory.ratio === null || memory.limit === null) return undefined
  return memory.ratio > memory.limit
}

/** What was found about week-long dependence in a candidate's overall differences; undefined if it was not tested. */
export function memorySaid(result: AnyResult, candidate: string): string | undefined {
  if (result.result_version === 2) return undefined
  const tests = overallTests(result, candidate).filter(({ week_memory: memory }) => memory)
  if (tests.length === 0) return undefined
  if (tests.every(({ effective_blocks: blocks }) => blocks < LEAST_MEMORY_BLOCKS)) {
    return `Whether its differences remember for weeks cannot be seen: that takes ${LEAST_MEMORY_BLOCKS} effective blocks.`
  }
  const flagged = tests.filter(isFlagged)
  if (flagged.length === 0) {
    return 'No memory of weeks is flagged. No flag is no evidence: of the false verdicts in regimes of 30 days at 60 blocks nine in ten carry none.'
  }
  const each = flagged.map(({ comparator, week_memory: memory }) => {
    const { ratio = null, limit = null, p = null } = memory ?? {}
    return `${comparator} (slow waves ${decimal(ratio, 1)} times as strong as quick ones, ${percent(MEMORY_LEVEL, 0)} point ${decimal(limit, 2)}; with 4 degrees of freedom p = ${probability(p)})`
  })
  return `Memory of weeks is flagged in the differences from ${listed(each)}: errors that last so long make p too small and intervals too narrow.`
}

/** The two readings of forecasts that were committed late or not at all: without them, and with them. */

/** The result that counts for a candidate: the worse of two readings. */
export function asCounts<R extends AnyResult>(result: R, candidate: string): R {
  const { second_reading: second } = result
  return second?.counts_for.includes(candidate) ? { ...result, ...second } : result
}

/** What each reading concludes for a candidate, and which counts; undefined if there is only one reading. */
export function readingsSaid(result: AnyResult, candidate: string): string | undefined {
  const { second_reading: second, dispositions } = result
  if (second === undefined) return undefined
  const [without, by] = [leastImprovement(result, candidate), leastImprovement(second, candidate)]
  const said = (of: AnyResult['dispositions'], improvement: number | null) => {
    const found = of.find((one) => one.candidate === candidate)!
    return `${verdictName(result, found.disposition)}, ${improvementSaid(improvement)}`
  }
  const worse = without === null || by === null ? null : Math.min(without, by)
  const late = counted(second.late, 'forecast')
  return `Without ${late} committed late or not at all: ${said(second.first_dispositions, without)}. With them: ${said(second.dispositions, by)}. The worse counts: ${said(dispositions, worse)}.`
}

const improvementSaid = (share: number | null): string =>
  share === null ? 'no figure for the overall loss' : `overall loss ${reduction(share)}`
