import seedrandom from 'seedrandom'
import type { InferenceDesign, Series } from './family-input.js'
import { type BootstrapSummary, summarise } from './summary.js'

/** A test to resample: its position among the tests and its component series. */
export interface DrawnTest {
  readonly test: number
  readonly components: readonly Series[]
}

/** The settings shared by all tests of a run. */
export interface Resampling
  extends Pick<InferenceDesign, 'origins' | 'blockLength' | 'replicates' | 'seed'> {
  /** The order statistics to keep of each test. */
  readonly ranks: readonly number[]
}

/** The result of a chunk of replicates. */
export interface BootstrapStep {
  /** Tests times replicates. */
  readonly completed: number
  /** Of all tests, after the last chunk. */
  readonly summaries: readonly BootstrapSummary[]
}

/** How many draws to make at once: many, because every series must be loaded into the processor's cache for them. */
const CHUNK = 2 ** 19

/**
 * Replicates summed in parallel: an addition waits only for the previous one of its own replicate, so eight take hardly
 * longer than one.
 */
const ABREAST = 8

/**
 * Takes tests through all replicates together, chunk by chunk. A replicate draws K = floor(N / L) block starts, the
 * same for every test. The statistic of a series is the sum of its differences in the drawn blocks, added in the order
 * of drawing, divided by the number of pairs in them.
 */
export function* resample(
  design: Resampling,
  tests: readonly DrawnTest[],
): Generator<BootstrapStep> {
  const { origins, blockLength, replicates, ranks } = design
  const blocks = Math.floor(origins / blockLength)
  const [random, starts] = [seedrandom(String(design.seed)), origins - blockLength + 1]
  const { patterns, getStatistics } = prepareSeries(tests, design)
  const size = ABREAST * Math.ceil(Math.min(CHUNK / blocks, replicates) / ABREAST)
  const draws = new Uint32Array(size * blocks)
  const [sums, counts] = [new Float64Array(size), new Float64Array(size)]
  for (let done = 0; done < replicates; done += size) {
    fillDraws(draws, blocks, () => Math.floor(random() * starts))
    const count = Math.min(size, replicates - done)
    for (const { pairs, series } of patterns) {
      addBlocks(pairs, draws, blocks, counts)
      for (const { table, statistics } of series) {
        addBlocks(table, draws, blocks, sums)
        for (let i = 0; i < count; i++) statistics[done + i] = sums[i]! / counts[i]!
      }
    }
    yield { completed: count * tests.length, summaries: [] }
  }
  const summaries = tests.map(({ test, components }) =>
    summarise(test, meanOverComponents(components.map(getStatistics)), ranks),
  )
  yield { completed: 0, summaries }
}

/** Draws replicate by replicate, and interleaves the draws that are summed in parallel. */
function fillDraws(draws: Uint32Array, blocks: number, draw: () => number): void {
  const replicates = draws.length / blocks
  for (let replicate = 0; replicate < replicates; replicate++) {
    const lane = replicate % ABREAST
    let at = (replicate - lane) * blocks + lane
    for (let block = 0; block < blocks; block++, at += ABREAST) draws[at] = draw()
  }
}

/** For each replicate, the sum of a table over its block starts, in the order of drawing. */
function addBlocks(
  table: Float64Array,
  draws: Uint32Array,
  blocks: number,
  into: Float64Array,
): void {
  for (let replicate = 0, at = 0; replicate < into.length; replicate += ABREAST) {
    let first = 0
    let second = 0
    let third = 0
    let fourth = 0
    let fifth = 0
    let sixth = 0
    let seventh = 0
    let eighth = 0
    for (const end = at + ABREAST * blocks; at < end; at += ABREAST) {
      first += table[draws[at]!]!
      second += table[draws[at + 1]!]!
      third += table[draws[at + 2]!]!
      fourth += table[draws[at + 3]!]!
      fifth += table[draws[at + 4]!]!
      sixth += table[draws[at + 5]!]!
      seventh += table[draws[at + 6]!]!
      eighth += table[draws[at + 7]!]!
    }
    into[replicate] = first
    into[replicate + 1] = second
    into[replicate + 2] = third
    into[replicate + 3] = fourth
    into[replicate + 4] = fifth
    into[replicate + 5] = sixth
    into[replicate + 6] = seventh
    into[replicate + 7] = eighth
  }
}

interface DrawnSeries {
  readonly members: Uint8Array | undefined
  /** By block start: the sum of the differences. */
  readonly table: Float64Array
  /** One per replicate; NaN if it drew no pair. */
  readonly statistics: Float64Array
}

/** Series with pairs at the same origins: a replicate draws the same number from each. */
interface Pattern {
  /** By block start: the number of pairs. */
  readonly pairs: Float64Array
  readonly series: DrawnSeries[]
}

/** Each series once, although several tests may share it, such as a horizon's own test and the overall one. */
function prepareSeries(tests: readonly DrawnTest[], { blockLength, replicates }: Resampling) {
  const patterns = new Map<string, Pattern>()
  const prepared = new Map<Float64Array, DrawnSeries[]>()
  const find = ({ values, members }: Series) =>
    prepared.get(values)?.find((one) => one.members === members)
  for (const one of tests.flatMap(({ components }) => components)) {
    if (find(one) !== undefined) continue
    const paired = pairedOrigins(one)
    const key = Buffer.from(paired).toString('latin1')
    const pattern = patterns.get(key) ?? { pairs: blockSums(paired, blockLength), series: [] }
    patterns.set(key, pattern)
    const series = {
      members: one.members,
      table: blockSums(
        one.values.map((value, i) => (paired[i] === 1 ? value : 0)),
        blockLength,
      ),
      statistics: new Float64Array(replicates),
    }
    pattern.series.push(series)
    prepared.set(one.values, [...(prepared.get(one.values) ?? []), series])
  }
  return {
    patterns: [...patterns.values()],
    getStatistics: (series: Series) => find(series)!.statistics,
  }
}

/** 1 at origins where a series has a pair, else 0. */
function pairedOrigins({ values, members }: Series): Float64Array {
  return values.map((value, i) =>
    Number.isNaN(value) || (members !== undefined && members[i] !== 1) ? 0 : 1,
  )
}

/**
 * The sum over every block of `length` consecutive origins, by doubling: sums over 1, 2, 4, ... origins, combined from
 * the smallest power upwards according to the binary digits of the length. The cost grows with the logarithm of the
 * length. A block's sum depends only on the block; with differences of a running total, blocks with equal content would
 * differ in the last bits.
 */
export function blockSums(values: Float64Array, length: number): Float64Array {
  const sums = new Float64Array(values.length - length + 1)
  const powers = values.slice()
  let joined = 0
  for (let size = 1; ; size *= 2) {
    if ((length & size) !== 0) {
      if (joined === 0) sums.set(powers.subarray(0, sums.length))
      else for (let i = 0; i < sums.length; i++) sums[i] = sums[i]! + powers[i + joined]!
      joined += size
    }
    if (joined === length) return sums
    const end = values.length - 2 * size + 1
    for (let i = 0; i < end; i++) powers[i] = powers[i]! + powers[i + size]!
  }
}

/** A test's statistic in every replicate: that of its series, or the mean over its series. */
function meanOverComponents(each: readonly Float64Array[]): Float64Array {
  const [first, ...others] = each as [Float64Array, ...Float64Array[]]
  if (others.length === 0) return first
  const mean = first.slice()
  for (const other of others) for (let i = 0; i < mean.length; i++) mean[i] = mean[i]! + other[i]!
  for (let i = 0; i < mean.length; i++) mean[i] = mean[i]! / each.length
  return mean
}
