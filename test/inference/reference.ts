import seedrandom from 'seedrandom'
import type { FamilyTest, InferenceDesign } from '../../src/inference/types.js'

/**
 * The bootstrap written as plainly as it is defined: no chunks, nothing side by side. It gives the same
 * bits because it adds in the same order, block by block; within a block, it adds as the definition
 * of `blockSums` says, halves of a power of two at a time.
 */
export function referenceReplicates(design: InferenceDesign, test: FamilyTest): number[] {
  const { origins, blockLength, replicates, seed } = design
  const random = seedrandom(String(seed))
  const starts = origins - blockLength + 1
  const blocks = Math.floor(origins / blockLength)
  const series = test.components.map(({ values, members }) =>
    Array.from(values, (value, i) => (members && members[i] !== 1 ? Number.NaN : value)),
  )
  const statistics: number[] = []
  for (let replicate = 0; replicate < replicates; replicate++) {
    const drawn = Array.from({ length: blocks }, () => Math.floor(random() * starts))
    let total: number | undefined
    for (const values of series) {
      let sum = 0
      let count = 0
      for (const start of drawn) {
        const block = values.slice(start, start + blockLength)
        sum += blockSum(block)
        count += block.filter((value) => !Number.isNaN(value)).length
      }
      total = total === undefined ? sum / count : total + sum / count
    }
    statistics.push(series.length === 1 ? total! : total! / series.length)
  }
  return statistics
}

/** Cuts a block along the binary digits of its length, smallest first, and adds the pieces. */
export function blockSum(block: readonly number[]): number {
  let sum: number | undefined
  let from = 0
  for (let size = 1; size <= block.length; size *= 2) {
    if ((block.length & size) === 0) continue
    const piece = halved(block.slice(from, from + size))
    sum = sum === undefined ? piece : sum + piece
    from += size
  }
  return sum ?? 0
}

function halved(values: readonly number[]): number {
  if (values.length === 1) return Number.isNaN(values[0]) ? 0 : values[0]!
  const middle = values.length / 2
  return halved(values.slice(0, middle)) + halved(values.slice(middle))
}

/** Type-7 quantile of a sample by its textbook definition. */
export function quantile7(sample: readonly number[], q: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!)
}
