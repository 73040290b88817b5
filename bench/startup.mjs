/**
 * `validate` of one protocol, as a whole process, against `node -e 0`: at most 3 times. The two take
 * turns, so that a busy machine slows both; the least of each counts.
 *
 * node bench/startup.mjs [runs]
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUNS = Number(process.argv[2] ?? 20)
const PROMISED = 3
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const COMMANDS = {
  node: ['-e', '0'],
  validate: [path('bin/foreproof.js'), 'validate', path('protocols/btcusd-hourly-1.json')],
  help: [path('bin/foreproof.js'), 'validate', '--help'],
}

const best = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, Infinity]))
for (let run = 0; run < RUNS; run++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const start = performance.now()
    const { status } = spawnSync(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } })
    if (status !== 0) throw new Error(`${name} ended with ${status}`)
    best[name] = Math.min(best[name], performance.now() - start)
  }
}

const ratio = best.validate / best.node
for (const [name, milliseconds] of Object.entries(best)) {
  console.log(`${name.padEnd(10)} ${milliseconds.toFixed(0).padStart(5)} ms`)
}
console.log(`validate / node = ${ratio.toFixed(2)} (at most ${PROMISED})`)
process.exitCode = ratio <= PROMISED ? 0 : 1
