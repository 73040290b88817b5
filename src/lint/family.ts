import { type ArgsOf, type Finding, finding, type Severity } from '../contract/findings/finding.js'
import type { Protocol } from '../contract/types.js'
import { LEAST_DAYS } from '../inference/days.js'
import { HOURS_A_DAY, leastBlocks } from '../inference/ewc.js'
import { canReject } from '../inference/holm.js'
import { MOST_REPLICATES } from '../inference/prepare.js'
import { MEASURES } from '../registration/test-definition.js'
import type { DesignFigures, RegisteredDesign } from './design-figures.js'

const REPLICATES = '/uncertainty/replicates'

/** With fewer replicates, percentile bounds and p-values depend on chance. */
const FEW_REPLICATES = 1000

export function lintFamily(
  protocol: Protocol,
  figures: DesignFigures,
  familySize: number | undefined,
): Finding[] {
  const findings: Finding[] = []
  if (figures.replicates > MOST_REPLICATES) {
    const args = { replicates: figures.replicates, most: MOST_REPLICATES }
    findings.push(finding('too-many-replicates', args, { pointer: REPLICATES }))
  }
  // The cosine test has no smallest p: its replicates are a diagnostic.
  if (figures.method === 'ewc-t') return findings
  if (figures.replicates < FEW_REPLICATES) {
    const args = { replicates: figures.replicates, least: FEW_REPLICATES }
    findings.push(finding('few-replicates', args, { pointer: REPLICATES }))
  }
  // A family of one is the smallest possible: if it cannot reject, no family can.
  const unreachable = unreachableSignificance(figures, familySize ?? 1, REPLICATES)
  if (unreachable !== undefined) return [...findings, unreachable]
  if (familySize !== undefined) return findings
  const usual = usualFamily(protocol)
  if (canReject(figures.replicates, figures.alpha, usual.tests)) return findings
  const { replicates, alpha, smallestP, largestFamily } = figures
  const needed = replicatesFor(usual.tests, alpha)
  const args = { replicates, alpha, smallestP, largestFamily, needed, ...usual }
  return [...findings, finding('family-exceeds-replicates', args, { pointer: REPLICATES })]
}

/** Checks the registered family and window; pointers are into the registration. */
export function lintRegisteredFamily(
  figures: DesignFigures,
  { familySize, windowOrigins, ewc }: RegisteredDesign,
): Finding[] {
  const findings: Finding[] = []
  // The cosine test has no smallest p, and needs blocks for its degrees of freedom.
  const unreachable = ewc ? undefined : unreachableSignificance(figures, familySize, '/family/size')
  if (unreachable !== undefined) findings.push(unreachable)
  const { blockLength } = figures
  const method = ewc ? 'ewc-t' : 'percentile-bootstrap'
  const minimumBlocks = leastBlocks(method, figures.minimumBlocks)
  const blocks = Math.floor(windowOrigins / blockLength)
  if (blocks >= minimumBlocks && blocks < FEW_BLOCKS) {
    const args = { ...blockSizeArgs(blocks), blockLength }
    findings.push(finding('window-few-blocks', args, { pointer: '/window' }))
  }
  const asks = minimumBlocks > figures.minimumBlocks ? 'the cosine test' : 'the protocol'
  const by = { asks, perDay: ewc ? HOURS_A_DAY : 0 } as const
  return [...findings, ...shortWindow(windowOrigins, { ...figures, minimumBlocks }, by)]
}

/** Checks whether a window of this length can be tested at all; the pointer is that of plans and registrations. */
export function shortWindow(
  windowOrigins: number,
  {
    blockLength,
    minimumBlocks,
    minimumPairs,
  }: Pick<DesignFigures, 'blockLength' | 'minimumBlocks' | 'minimumPairs'>,
  by: {
    /** Maximum of origins per day; 0 if no days are required. */
    readonly perDay: number
    readonly asks: ArgsOf<'window-too-short'>['asks']
    readonly severity?: Severity | undefined
  },
): Finding[] {
  const { asks, severity, perDay } = by
  const windowBlocks = Math.floor(windowOrigins / blockLength)
  const minimumDays = LEAST_DAYS
  const args = {
    ...{ windowOrigins, windowBlocks, blockLength, minimumBlocks, minimumPairs, asks },
    ...{ perDay, minimumDays },
    needed: Math.max(minimumBlocks * blockLength, minimumDays * perDay, minimumPairs),
  }
  const faults = [
    ...(windowBlocks < minimumBlocks ? ['fewer_blocks' as const] : []),
    ...(windowOrigins < minimumDays * perDay ? ['fewer_days' as const] : []),
    ...(windowOrigins < minimumPairs ? ['fewer_pairs' as const] : []),
  ]
  return faults.map((fault) =>
    finding('window-too-short', { ...args, fault }, { pointer: '/window', severity }),
  )
}

/** Warns where fewer forecasts may be missing than the limit of availability allows. */
export function tightWindow(
  windowOrigins: number,
  {
    blockLength,
    minimumBlocks,
    minimumPairs,
  }: Pick<DesignFigures, 'blockLength' | 'minimumBlocks' | 'minimumPairs'>,
  availability: number,
): Finding[] {
  const needed = Math.max(minimumPairs, minimumBlocks * blockLength)
  const room = windowOrigins - needed
  if (room < 0 || room >= Math.floor(windowOrigins * availability)) return []
  const least = Math.ceil(needed / (1 - availability))
  return [finding('window-without-room', { windowOrigins, needed, least }, { pointer: '/window' })]
}

function unreachableSignificance(
  figures: DesignFigures,
  familySize: number,
  pointer: string,
): Finding | undefined {
  const { replicates, alpha, smallestP, largestFamily } = figures
  if (canReject(replicates, alpha, familySize)) return undefined
  const needed = replicatesFor(familySize, alpha)
  const args = { familySize, replicates, alpha, smallestP, largestFamily, needed }
  return finding('significance-unreachable', args, { pointer })
}

/** The smallest number of replicates with which a family of this size can reject. */
export function replicatesFor(familySize: number, alpha: number): number {
  let replicates = Math.max(1, Math.ceil((2 * familySize) / alpha) - 2)
  while (!canReject(replicates, alpha, familySize)) replicates++
  return replicates
}

/**
 * The family of one candidate if every required comparator is a separate model and every stratum has one level. A
 * registration can reduce it only by merging comparators or leaving strata out.
 */
export function usualFamily(protocol: Protocol) {
  const comparators = new Set(protocol.estimands.comparisons.required.map(toSense)).size
  const strata = protocol.sampling.strata.length
  const each = 1 + MEASURES.length * protocol.horizons_hours.length
  return { comparators, strata, each, tests: comparators * each * (1 + strata) }
}

/** With fewer effective blocks the block bootstrap rejects true nulls far too often. */
export const FEW_BLOCKS = 10

/**
 * Percent of true nulls that a one-sided test at 5 % rejects, from simulation with blocks of 24:
 * white noise, and a first-order autoregression of 0.9. See docs/statistics.md.
 */
const SIZE = [
  { blocks: 2, whiteNoise: 20, autoregression: 32 },
  { blocks: 5, whiteNoise: 9, autoregression: 17 },
  { blocks: 10, whiteNoise: 7, autoregression: 12 },
] as const

const MINIMUM = '/sampling/minimum_effective_sample'

export function lintBlocks(protocol: Protocol, figures: DesignFigures): Finding[] {
  const { method, blockLength, minimumBlocks, minimumPairs, longestHorizon } = figures
  const findings: Finding[] = []
  // The cosine test asks for more blocks than these by itself.
  if (method === 'percentile-bootstrap' && minimumBlocks < FEW_BLOCKS) {
    findings.push(
      finding('too-few-blocks', blockSizeArgs(minimumBlocks), {
        pointer: `${MINIMUM}/effective_independent_blocks_per_comparison`,
      }),
    )
  }
  const hours = blockLength * protocol.market.bar_interval_hours
  if (hours < longestHorizon) {
    findings.push(
      finding(
        'block-shorter-than-horizon',
        { hours, longestHorizon },
        { pointer: '/uncertainty/block_length_origins' },
      ),
    )
  }
  const product = minimumBlocks * blockLength
  if (minimumPairs < product) {
    findings.push(
      finding(
        'minimum-pairs-below-blocks',
        { minimumPairs, minimumBlocks, blockLength, product },
        { pointer: `${MINIMUM}/paired_origins_per_horizon` },
      ),
    )
  }
  return findings
}

/** The simulated rates at the nearest block counts on both sides. */
export function blockSizeArgs(blocks: number): ArgsOf<'too-few-blocks'> {
  const below = SIZE.findLast((row) => row.blocks <= blocks) ?? SIZE[0]
  const above = SIZE.find((row) => row.blocks >= blocks) ?? SIZE[SIZE.length - 1]!
  const between = (most: number, least: number) =>
    most === least ? `${most}` : `${least} to ${most}`
  return {
    blocks,
    least: FEW_BLOCKS,
    atMost: blocks < below.blocks,
    whiteNoise: between(below.whiteNoise, above.whiteNoise),
    autoregression: between(below.autoregression, above.autoregression),
  }
}

/** A name without case, spaces, hyphens and underscores. */
const toSense = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

/** Reports one baseline in two spellings: within a list it counts twice, across lists it is lost. */
export function lintNames(protocol: Protocol): Finding[] {
  const { required, simple_baseline_pool: pool } = protocol.estimands.comparisons
  const first = new Map<string, string>()
  const named = (names: readonly string[], list: string) =>
    names.flatMap((name, index) => {
      const sense = toSense(name)
      const earliest = first.get(sense) ?? name
      first.set(sense, earliest)
      if (earliest === name) return []
      const pointer = `/estimands/comparisons/${list}/${index}`
      return [finding('baseline-listed-twice', { name, first: earliest }, { pointer })]
    })
  return [...named(required, 'required'), ...named(pool, 'simple_baseline_pool')]
}
