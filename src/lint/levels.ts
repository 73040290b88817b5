import { type Finding, finding } from '../contract/findings/finding.js'
import type { EwcDesign } from '../inference/ewc-judge.js'
import { type Membership, Memberships } from '../pairing/accounting.js'
import type { WindowOrigins } from '../pairing/grid.js'
import type { Stratum } from '../pairing/plan.js'

/** What a test needs. */
export type LevelNeeds = Pick<EwcDesign, 'minimumPairs' | 'minimumBlocks' | 'blockLength'>

/**
 * Levels of a stratum that are too small to test in a window, or of very different size.
 * @param pointerAt - the pointer to a level, by its index.
 */
export function levelSizeFindings(
  stratum: Stratum,
  origins: WindowOrigins,
  needs: LevelNeeds,
  pointerAt: (level: number) => string,
  isMovable: boolean,
): Finding[] {
  const { all } = new Memberships([stratum], origins)
  const levels = all.filter(({ level }) => level !== undefined)
  const placed = levels.reduce((sum, { origins: count }) => sum + count, 0)
  return levels.flatMap((membership, index): Finding[] => {
    const { stratum: name, level = '', origins: count } = membership
    const of = { stratum: name, level, origins: count, isMovable }
    const { minimumPairs, minimumBlocks, blockLength } = needs
    const blocks = fullBlocks(membership, blockLength)
    const pointer = pointerAt(index)
    if (count < minimumPairs || blocks < minimumBlocks) {
      const args = { ...of, blocks, minimumPairs, minimumBlocks }
      return [finding('level-too-small', args, { pointer })]
    }
    const equalPart = placed / levels.length
    if (count >= SMALL * equalPart) return []
    const args = { ...of, equalPart: Math.round(equalPart) }
    return [finding('level-unbalanced', args, { pointer })]
  })
}

/** A level with fewer origins than this share of an equal part is reported as small. */
const SMALL = 0.5

/** Complete blocks of the window with an origin of the level: the maximum for any test. */
function fullBlocks({ mask }: Membership, length: number): number {
  let blocks = 0
  for (let first = 0; first + length <= mask.length; first += length) {
    if (mask.subarray(first, first + length).includes(1)) blocks++
  }
  return blocks
}
