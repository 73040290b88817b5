/**
 * The bootstrap kernel against outside programs that do the same work, one core each, and a whole evaluation by
 * one worker against two: one year of hourly origins, blocks of 24. Needs R with boot, numpy and gcc.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resample } from '../dist/inference/resample.js'
import { runFamily } from '../dist/inference/run-family.js'
import {
  inFolder,
  inTurns,
  least,
  numbers,
  promise,
  sizes,
  spent,
  worked,
} from './parts/measured.mjs'

const { tests, replicates, runs } = sizes({
  ...{ tests: [256, 32], replicates: [10_000, 200], runs: [5, 1] },
})
const ORIGINS = 8760
const peer = (name) => fileURLToPath(new URL(`./peers/${name}`, import.meta.url))

const random = numbers(1)
const series = Array.from({ length: tests }, () =>
  Float64Array.from({ length: ORIGINS }, () => random() - 0.5),
)

const drawn = series.map((values, test) => ({ test, components: [{ values }] }))

/** Draws, and the tests through the replicates, for blocks of some length: seconds. */
async function kernelSeconds(blockLength) {
  const design = {
    origins: ORIGINS,
    blockLength,
    replicates,
    seed: 410,
    ranks: [0, replicates / 40],
  }
  const run = () => {
    for (const _ of resample(design, drawn));
  }
  return least((await inTurns(runs, { run: () => worked(run) })).run)
}

/**
 * A whole evaluation (draws, kernel, p-values, bounds, Holm) of a family as large as real ones, the series over all
 * origins and within seven strata: the least seconds with one worker and with two.
 */
async function familySeconds() {
  const strata = [undefined, 2, 3, 5, 7, 11, 13, 17].map(
    (n) =>
      n && Uint8Array.from({ length: ORIGINS }, (_, i) => (Math.floor(i / 8) % n === 0 ? 0 : 1)),
  )
  const family = series.flatMap((values, i) =>
    strata.map((members, stratum) => ({
      name: `t${i}/${stratum}`,
      components: [members ? { values, members } : { values }],
    })),
  )
  const seconds = async (workers) => {
    const began = performance.now()
    await runFamily({
      ...{ origins: ORIGINS, blockLength: 24, replicates: replicates * 4, seed: 410, alpha: 0.05 },
      ...{ minimumPairs: 1, minimumBlocks: 1, tests: family, workers },
    })
    return performance.now() - began
  }
  const taken = await inTurns(runs, { one: () => seconds(1), two: () => seconds(2) })
  return [taken.one, taken.two].map((times) => Math.min(...times))
}

/** Seconds that a program printed. */
const printed = (command, args) =>
  spent(command, args.map(String)).stdout.trim().split(' ').map(Number)

const inC = () =>
  inFolder((folder) => {
    const program = join(folder, 'blocks')
    execFileSync('gcc', ['-O3', '-march=native', '-o', program, peer('blocks.c')])
    return printed(program, [ORIGINS, tests, replicates])
  })

// Slow peers run a part and are scaled: the cost of each test and replicate is the same.
const R_PART = Math.max(1, replicates / 10)
const PY_TESTS = Math.max(1, tests / 32)
const [tsboot] = printed('Rscript', [peer('tsboot.R'), ORIGINS, R_PART])
const numpy = printed('/usr/bin/python3', [peer('blocks.py'), ORIGINS, PY_TESTS, replicates])
const [indexing, precomputed] = numpy.map((seconds) => (seconds * tests) / PY_TESTS)
const [plainC] = await inC()
const kernel = await kernelSeconds(24)
for (const length of [48, 168, 720]) {
  const longer = await kernelSeconds(length)
  promise('longer blocks / of 24', longer / kernel, { most: 1.1, of: `blocks of ${length}` })
}
const inR = tsboot * tests * (replicates / R_PART)
promise('R boot::tsboot / kernel', inR / kernel, { least: 2000 })
promise('numpy, resampling by index / kernel', indexing / kernel, { least: 30 })
promise('numpy, sums of blocks / kernel', precomputed / kernel, { least: 1.2 })
promise('C, plain loop / kernel', plainC / kernel, { least: 0.3 })
const [one, two] = await familySeconds()
promise('one worker / two, by the clock', one / two, { least: 1.7 })
