import { leastImprovement, overallTests } from '../evaluation/result/readings.js'
import type { CandidateDisposition, Result, ResultTest } from '../evaluation/result/result.js'
import { LEAST_MEMORY_BLOCKS, MEMORY_LEVEL } from '../inference/diagnostics.js'
import { counted, decimal, listed, percent, probability } from '../output/figures.js'
import { changeSaid, verdictName } from './sentences.js'
import { isHours } from './view.js'

/** Sentences about a verdict besides its reasons; they do not affect it. */

/** Whether the slow waves of an overall difference are too strong; undefined if that cannot be computed. */
export function isFlagged({ memory }: ResultTest): boolean | undefined {
  if (!memory || memory.ratio === null || memory.limit === null) return undefined
  return memory.ratio > memory.limit
}

/** What was found about week-long dependence in a candidate's overall differences; undefined if it was not tested. */
export function memorySaid(result: Result, candidate: string): string | undefined {
  // The thresholds were measured on hourly closes.
  if (!isHours(result)) return undefined
  const tests = overallTests(result.reading, candidate).filter(({ memory }) => memory !== null)
  if (tests.length === 0) return undefined
  if (tests.every(({ effective_blocks: blocks }) => blocks < LEAST_MEMORY_BLOCKS)) {
    return `Week-long dependence of its differences cannot be checked: that takes ${LEAST_MEMORY_BLOCKS} effective blocks.`
  }
  const flagged = tests.filter(isFlagged)
  if (flagged.length === 0) {
    return 'No week-long dependence was found. The check is weak: in simulated 30-day regimes it missed nine of ten false verdicts.'
  }
  const each = flagged.map(({ comparator, memory }) => {
    const { ratio = null, limit = null, p = null } = memory ?? {}
    return `${comparator} (slow waves ${decimal(ratio, 1)} times as strong as quick ones, ${percent(MEMORY_LEVEL, 0)} point ${decimal(limit, 2)}; with 4 degrees of freedom p = ${probability(p)})`
  })
  return `Week-long dependence was found in the differences from ${listed(each)}. Errors that last so long make p too small and intervals too narrow.`
}

/** What each reading concludes for a candidate, and which counts; undefined if there is only one reading. */
export function readingsSaid(result: Result, candidate: string): string | undefined {
  const { second_reading: second, reading } = result
  if (second === null) return undefined
  const readingText = (all: readonly CandidateDisposition[] | null, improvement: number | null) => {
    const judged = all?.find((one) => one.candidate === candidate)
    return `${verdictName(result, judged?.disposition ?? 'not_decided')}, ${improvementSaid(improvement)}`
  }
  const [without, by] = [reading, second.reading].map((of) => leastImprovement(of, candidate))
  const counts = second.counts_for.includes(candidate) ? 'second' : 'first'
  const late = counted(second.late, 'forecast')
  return `Without ${late} committed late or not at all: ${readingText(reading.dispositions, without ?? null)}; with them: ${readingText(second.reading.dispositions, by ?? null)}. The worse counts, here the ${counts} reading.`
}

const improvementSaid = (share: number | null): string =>
  share === null ? 'no figure for the overall loss' : `overall loss ${changeSaid(-share)}`
