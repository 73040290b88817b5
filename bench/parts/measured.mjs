/** What the benches share: sizes, a folder, what a command takes, taking turns, and promises. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const EXECUTABLE = join(ROOT, 'bin', 'foreproof.js')

let smoke = false

/**
 * The sizes of a bench. Each is a flag; --smoke takes the second figure of each, just enough to go the whole
 * way in seconds. What is measured then means nothing, so no promise is missed.
 * @param named - [size, size for --smoke], by name.
 */
export function sizes(named) {
  const flags = Object.keys(named).map((name) => [name, { type: 'string' }])
  const options = { ...Object.fromEntries(flags), smoke: { type: 'boolean', default: false } }
  const { values } = parseArgs({ options })
  smoke = values.smoke
  const size = ([name, [whole, small]]) => [name, Number(values[name] ?? (smoke ? small : whole))]
  return Object.fromEntries(Object.entries(named).map(size))
}

/**
 * Prints a figure beside what is promised of it; one that misses it ends the bench with 1.
 * @param what - as bench/README.md has it.
 * @param of - which one of several that promise the same.
 */
export function promise(what, figure, { least = -Infinity, most = Infinity, of }) {
  const bounds = [
    ...(least === -Infinity ? [] : [`at least ${least}`]),
    ...(most === Infinity ? [] : [`at most ${most}`]),
  ]
  const held = figure >= least && figure <= most
  const verdict = smoke ? 'smoke' : held ? 'ok   ' : 'MISS '
  const which = of === undefined ? '' : ` ${of}`
  console.log(`${verdict} ${what}: ${figure.toFixed(2)} (${bounds.join(', ')})${which}`)
  if (!held && !smoke) process.exitCode = 1
}

/** The URL of a scratch database of PostgreSQL. */
export function scratchDatabase() {
  const url = process.env.BENCH_DATABASE
  if (url === undefined) throw new Error('set BENCH_DATABASE: postgres://user@host/database')
  return url
}

/** @param work - given a folder that is gone afterwards. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a command with what it starts, by GNU time.
 * @returns seconds by the clock and of processor time (which other work on the machine disturbs less), the most
 * memory in MB, and what it wrote.
 */
export function spent(command, args, options = {}) {
  const began = performance.now()
  const timing = ['-q', '-f', '%U %S %M', command, ...args]
  const ran = spawnSync('time', timing, { encoding: 'utf8', ...options })
  const seconds = (performance.now() - began) / 1000
  if (ran.error !== undefined) throw ran.error
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${ran.stderr}${ran.stdout}`)
  const figures = ran.stderr.trim().split('\n').at(-1).split(' ').map(Number)
  const [user, system, kilobytes] = figures
  return { seconds, cpu: user + system, megabytes: kilobytes / 1000, stdout: ran.stdout }
}

/** `spent` of a command of foreproof. */
export const foreproof = (args, options) => spent(process.execPath, [EXECUTABLE, ...args], options)

/** Seconds of processor time of a function in this process. */
export function worked(work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1e6 }
}

/**
 * Calls each function in turn, so many times: what slows the machine for a while slows all.
 * @returns what each gave, by name.
 */
export async function inTurns(rounds, works) {
  const gave = Object.fromEntries(Object.keys(works).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) gave[name].push(await work(round))
  }
  return gave
}

/** The least processor time: other work only ever adds to it. */
export const least = (runs) => Math.min(...runs.map(({ cpu }) => cpu))

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Numbers from 0 to 1, the same in every run. */
export function numbers(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
