/**
 * `verify` and `gate` on a folder of protocols with their ledger, as whole processes, against a process that reads
 * and hashes the same files in a plain loop.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestWithout } from '../dist/document/digest.js'
import { chain } from '../dist/protocol/rules/entry.js'
import {
  foreproof,
  inFolder,
  inTurns,
  least,
  promise,
  ROOT,
  sizes,
  spent,
} from './parts/measured.mjs'

const { protocols, runs } = sizes({ protocols: [5000, 20], runs: [5, 1] })
const sample = JSON.parse(readFileSync(join(ROOT, 'protocols', 'btcusd-hourly-1.json'), 'utf8'))

const PLAIN_LOOP = `
const { createHash } = require('node:crypto')
const { readdirSync, readFileSync } = require('node:fs')
for (const name of readdirSync('protocols')) {
  createHash('sha256').update(readFileSync('protocols/' + name)).digest('hex')
}`

function makeRepository(cwd) {
  const who = ['-c', 'user.name=b', '-c', 'user.email=b@example.org']
  const git = (...args) => execFileSync('git', [...who, ...args], { cwd })
  const folder = join(cwd, 'protocols')
  mkdirSync(folder)
  git('init', '-q', '-b', 'main')
  const entries = []
  const freeze = (number) => {
    const protocol = { ...sample, protocol_version: `v${number}`, purpose: `protocol ${number}` }
    protocol.protocol_sha256 = digestWithout(protocol, 'protocol_sha256')
    const { protocol_version, protocol_sha256 } = protocol
    const file = `${protocol_version}.json`
    writeFileSync(join(folder, file), `${JSON.stringify(protocol, null, 2)}\n`)
    const frozen_at = '2026-01-01T00:00:00Z'
    entries.push(chain({ protocol_version, protocol_sha256, file, frozen_at }, entries.at(-1)))
  }
  const commit = (message) => {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
    writeFileSync(join(folder, 'ledger.jsonl'), lines.join(''))
    git('add', '-A')
    git('commit', '-q', '-m', message)
  }
  for (let number = 1; number <= protocols; number++) freeze(number)
  commit('all')
  freeze(protocols + 1)
  commit('one more')
}

await inFolder(async (cwd) => {
  makeRepository(cwd)
  const { loop, ...ours } = await inTurns(runs, {
    loop: () => spent(process.execPath, ['-e', PLAIN_LOOP], { cwd }),
    verify: () => foreproof(['verify', 'protocols'], { cwd }),
    'gate, nothing new': () => foreproof(['gate', '--base', 'HEAD'], { cwd }),
    'gate, one new': () => foreproof(['gate', '--base', 'HEAD~1'], { cwd }),
  })
  for (const [name, taken] of Object.entries(ours)) {
    promise('command / plain loop', least(taken) / least(loop), { most: 8, of: name })
  }
})
