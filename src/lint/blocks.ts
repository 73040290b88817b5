import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import type { DesignFigures, LintedProtocol } from './types.js'

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

export function lintBlocks(protocol: LintedProtocol, figures: DesignFigures): Finding[] {
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

/** The known rates at the nearest block counts on both sides. */
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
