// The bootstrap kernel against outside programs, in one run on one machine:
//   node bench/kernel.mjs [--tests 256] [--replicates 10000]
// One year of hourly origins, blocks of 24. Exits 1 when a ratio falls below its promise; a program
// that is not installed is left out and named. Needs `npm run build`.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawReplicates } from '../dist/inference/draws.js'
import { Engine } from '../dist/inference/engine.js'
import { instantiate, kernelMemory, LANES } from '../dist/inference/kernel.js'
import { layoutOf } from '../dist/inference/layout.js'
import { runFamily } from '../dist/inference/run-family.js'
import { seedState } from '../dist/inference/seed.js'

const { values } = parseArgs({
  options: {
    tests: { type: 'string', default: '256' },
    replicates: { type: 'string', default: '10000' },
  },
})
const TESTS = Number(values.tests)
const REPLICATES = Number(values.replicates)
const ORIGINS = 8760
const peer = (name) => fileURLToPath(new URL(`./peers/${name}`, import.meta.url))

let state = 1
const random = () => {
  state = (state * 1103515245 + 12345) % 2147483648
  return state / 2147483648 - 0.5
}
const series = Array.from({ length: TESTS }, () =>
  Float64Array.from({ length: ORIGINS }, () => random()),
)

function best(repeats, run) {
  let least = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    const began = performance.now()
    run()
    least = Math.min(least, (performance.now() - began) / 1000)
  }
  return least
}

/** The tests through the replicates, given draws, for blocks of some length: seconds. */
function kernelSeconds(blockLength) {
  const layout = layoutOf({ origins: ORIGINS, blockLength, replicates: REPLICATES, workers: 1 })
  const memory = kernelMemory(layout.bytes)
  const kernel = instantiate(memory)
  seedState(memory, 0, 410)
  drawReplicates(kernel, layout, 0, layout.draws, REPLICATES)
  const tiles = Array.from({ length: TESTS / LANES }, (_, tile) => ({
    series: series.slice(tile * LANES, (tile + 1) * LANES).map((values) => ({ values })),
    tests: [],
  }))
  const engine = new Engine(kernel, memory, layout, 0, new Int32Array(1))
  return best(5, () => {
    for (const tile of tiles) {
      const open = engine.open(tile)
      engine.advance(open, layout.draws, REPLICATES)
      engine.close(open)
    }
  })
}

/**
 * A whole evaluation (draws, kernel, p-values, bounds, Holm) of a family as large as real ones: the
 * series over all origins and within seven strata. One worker and two take turns, so that a machine
 * that is slower for a while is so for both.
 */
async function familySeconds(replicates, repeats) {
  const strata = [undefined, 2, 3, 5, 7, 11, 13, 17].map(
    (n) =>
      n && Uint8Array.from({ length: ORIGINS }, (_, i) => (Math.floor(i / 8) % n === 0 ? 0 : 1)),
  )
  const tests = series.flatMap((values, i) =>
    strata.map((members, stratum) => ({
      name: `t${i}/${stratum}`,
      components: [members ? { values, members } : { values }],
    })),
  )
  const seconds = { 1: Number.POSITIVE_INFINITY, 2: Number.POSITIVE_INFINITY }
  for (let run = 0; run < 2 * repeats; run++) {
    const workers = (run % 2) + 1
    const began = performance.now()
    await runFamily({
      ...{ origins: ORIGINS, blockLength: 24, replicates, seed: 410, alpha: 0.05 },
      ...{ minimumPairs: 1, minimumBlocks: 1, tests, workers },
    })
    seconds[workers] = Math.min(seconds[workers], (performance.now() - began) / 1000)
  }
  return seconds
}

function outside(name, command, args) {
  const { status, stdout, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error || status !== 0) {
    console.log(`${name}: not run (${command} is missing or failed)`)
    return undefined
  }
  return stdout.trim().split(' ').map(Number)
}

function compileC() {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-bench-'))
  try {
    const program = join(folder, 'blocks')
    execFileSync('gcc', ['-O3', '-march=native', '-o', program, peer('blocks.c')])
    return outside('C', program, [ORIGINS, TESTS, REPLICATES].map(String))
  } catch {
    console.log('C: not run (gcc is missing or failed)')
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// Slow peers run a part and are scaled: the cost of each test and replicate is the same.
const R_PART = Math.max(1, REPLICATES / 10)
const PY_TESTS = Math.max(1, TESTS / 32)
const tsboot = outside('R boot::tsboot', 'Rscript', [peer('tsboot.R'), ORIGINS, R_PART].map(String))
const numpy = outside(
  'numpy',
  process.env.PYTHON ?? '/usr/bin/python3',
  [peer('blocks.py'), ORIGINS, PY_TESTS, REPLICATES].map(String),
)
const c = compileC()
const kernel = kernelSeconds(24)
const { 1: family1, 2: family2 } = await familySeconds(REPLICATES * 4, 5)

const rows = [
  ['R boot::tsboot (scaled)', tsboot?.[0] * TESTS * (REPLICATES / R_PART), 10_000],
  ['numpy, index resampling (scaled)', (numpy?.[0] * TESTS) / PY_TESTS, 80],
  ['numpy, sums of precomputed blocks (scaled)', (numpy?.[1] * TESTS) / PY_TESTS, 3],
  ['C, plain loop over precomputed blocks', c?.[0], 1.6],
  ['C, tests side by side (for information)', c?.[1], 0],
]
console.log(`${ORIGINS} origins, blocks of 24, ${REPLICATES} replicates, ${TESTS} tests, one core`)
console.log(`kernel with block sums and division: ${kernel.toFixed(3)} s`)
let short = false
for (const length of [6, 12, 48, 168, 720]) {
  const ratio = kernelSeconds(length) / kernel
  short ||= length > 24 && ratio > 1.1
  console.log(`  with blocks of ${length}: ${ratio.toFixed(2)} of that`)
}
for (const [name, seconds, promise] of rows) {
  if (!(seconds > 0)) continue
  const ratio = seconds / kernel
  short ||= ratio < promise
  console.log(`${name}: ${seconds.toFixed(3)} s = ${ratio.toFixed(1)} x (at least ${promise})`)
}
const speedup = family1 / family2
short ||= speedup < 1.8
console.log(
  `whole evaluation of ${TESTS * 8} tests, ${REPLICATES * 4} replicates: 1 worker ${family1.toFixed(2)} s, ` +
    `2 workers ${family2.toFixed(2)} s = ${speedup.toFixed(2)} x (at least 1.8)`,
)
process.exitCode = short ? 1 : 0
