/**
 * `verify` and `gate` on a folder of 5,000 protocols with their ledger, as whole processes, against
 * a process that reads and hashes the same files in a plain loop: at most 5 times each.
 *
 * node bench/folder.mjs [protocols]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestWithout } from '../dist/document/digest.js'
import { chain } from '../dist/protocol/rules/entry.js'

const COUNT = Number(process.argv[2] ?? 5_000)
const RUNS = 5
const PROMISED = 5
const EXECUTABLE = fileURLToPath(new URL('../bin/foreproof.js', import.meta.url))
const sample = JSON.parse(
  readFileSync(new URL('../protocols/btcusd-hourly-1.json', import.meta.url)),
)

const PLAIN_LOOP = `
const { createHash } = require('node:crypto')
const { readdirSync, readFileSync } = require('node:fs')
for (const name of readdirSync('protocols')) {
  createHash('sha256').update(readFileSync('protocols/' + name)).digest('hex')
}`

const root = mkdtempSync(join(tmpdir(), 'bench-folder-'))
const folder = join(root, 'protocols')
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.org', ...args], {
    cwd: root,
  })
mkdirSync(folder)
git('init', '-q', '-b', 'main')
const entries = []

function freeze(number) {
  const protocol = { ...sample, protocol_version: `v${number}`, purpose: `protocol ${number}` }
  protocol.protocol_sha256 = digestWithout(protocol, 'protocol_sha256')
  const { protocol_version, protocol_sha256 } = protocol
  const file = `${protocol_version}.json`
  writeFileSync(join(folder, file), `${JSON.stringify(protocol, null, 2)}\n`)
  const frozen_at = '2026-01-01T00:00:00Z'
  entries.push(chain({ protocol_version, protocol_sha256, file, frozen_at }, entries.at(-1)))
}

function commit(message) {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
  writeFileSync(join(folder, 'ledger.jsonl'), lines.join(''))
  git('add', '-A')
  git('commit', '-q', '-m', message)
}

for (let number = 1; number <= COUNT; number++) freeze(number)
commit('all')
freeze(COUNT + 1)
commit('one more')

const COMMANDS = {
  'plain loop': ['-e', PLAIN_LOOP],
  verify: [EXECUTABLE, 'verify', 'protocols'],
  'gate, nothing new': [EXECUTABLE, 'gate', '--base', 'HEAD'],
  'gate, one new': [EXECUTABLE, 'gate', '--base', 'HEAD~1'],
}
const best = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, Infinity]))
for (let run = 0; run < RUNS; run++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const start = performance.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root })
    if (status !== 0) throw new Error(`${name}: ${stdout}${stderr}`)
    best[name] = Math.min(best[name], performance.now() - start)
  }
}
rmSync(root, { recursive: true })

let worst = 0
for (const [name, milliseconds] of Object.entries(best)) {
  const ratio = milliseconds / best['plain loop']
  worst = Math.max(worst, ratio)
  console.log(`${name.padEnd(18)} ${milliseconds.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2)}`)
}
console.log(`the most is ${worst.toFixed(2)} times the plain loop (at most ${PROMISED})`)
process.exitCode = worst <= PROMISED ? 0 : 1
