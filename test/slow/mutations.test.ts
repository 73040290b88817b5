import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

/** A rule taken out or moved: the file of `src`, its text, what is put there, and tests of its room that have to fail. */
type Mutation = readonly [file: string, text: string, put: string, tests: string]

const [JUDGE, HOURLY] = ['pairing/judge.ts', 'pairing/hourly.ts']
const [BY_HAND, COMMITMENT] = ['pairing/by-hand', 'pairing/commitment']
const [MERKLE, HOLM, CHAIN] = ['log/merkle.ts', 'inference/holm.ts', 'protocol/rules/ledger.ts']
const [DISPOSITION, LEDGER] = ['inference/disposition.ts', 'protocol/ledger']

/** One rule a row. */
const MUTATIONS: readonly Mutation[] = [
  [JUDGE, 'if (target.outcome === undefined) return', 'if (false) return', COMMITMENT],
  [JUDGE, 'if (!target.matured) return', 'if (false) return', COMMITMENT],
  [JUDGE, "plan.mode === 'prospective'", 'true', COMMITMENT],
  [
    JUDGE,
    'rules.due(origin) < plan.registeredAt',
    'rules.due(origin) <= plan.registeredAt',
    COMMITMENT,
  ],
  [JUDGE, 'rules.due(origin) < plan.registeredAt', 'false', COMMITMENT],
  [JUDGE, '!(made > latest)', '!(made >= latest)', COMMITMENT],
  [JUDGE, '!(made > latest)', 'true', COMMITMENT],
  [JUDGE, "!builtIn?.has(row.model) ? 'published_late'", "true ? 'published_late'", COMMITMENT],
  [JUDGE, "if (committed === 'withdrawn') return 'withdrawn'", '', COMMITMENT],
  [JUDGE, "return 'not_committed'", 'return undefined', COMMITMENT],
  [JUDGE, 'committed > target.latest', 'committed >= target.latest', COMMITMENT],
  [JUDGE, 'committed > target.latest', 'false', COMMITMENT],
  [JUDGE, 'if (lateCounts ||', 'if (', COMMITMENT],
  [
    JUDGE,
    'commitment === undefined || builtIn?.has(model)',
    'commitment === undefined',
    COMMITMENT,
  ],
  [JUDGE, 'row.attempt !== null && !isKept', 'row.attempt !== null', COMMITMENT],
  [JUDGE, 'if (unknown) return rules.absent', '', BY_HAND],
  [JUDGE, 'clock.read(inputAvailableAt) > due', 'false', BY_HAND],
  [JUDGE, 'clock.read(selectionDataThrough) > due', 'false', BY_HAND],
  [JUDGE, "needed.includes(null) ? 'provenance_missing'", "false ? 'provenance_missing'", BY_HAND],
  [JUDGE, 'instant === target.place ? undefined', 'true ? undefined', BY_HAND],
  [HOURLY, 'matured: place <= asOf', 'matured: place < asOf', COMMITMENT],
  [HOURLY, 'q10! <= q50! && q50! <= q90!', 'q10! < q50! && q50! < q90!', BY_HAND],
  [HOURLY, 'q10! <= q50! && q50! <= q90!', 'true', BY_HAND],
  [HOURLY, 'level === INTERVAL_LEVEL ? point', 'true ? point', BY_HAND],
  [MERKLE, 'if (last === 0) return undefined', '', 'log/merkle'],
  [
    MERKLE,
    'return last === 0 ? { earlier, later } : undefined',
    'return { earlier, later }',
    'log/merkle',
  ],
  [MERKLE, 'if (!areSizes(index, size) || index >= size) return false', '', 'log/merkle'],
  [
    MERKLE,
    'if (from === 0) return proof.length === 0',
    'if (from === 0) return true',
    'log/merkle',
  ],
  [
    HOLM,
    'const rejected = atOrBelow(adjustedP, alpha)',
    'const rejected = atOrBelow(p, alpha)',
    'inference/holm',
  ],
  [
    HOLM,
    'Math.max(adjustedP, Math.min(1, multiplier * p))',
    'Math.min(1, multiplier * p)',
    'inference/holm',
  ],
  [DISPOSITION, "if (input.mode === 'retrospective') {", 'if (false) {', 'inference/disposition'],
  [DISPOSITION, 'reasons.sort((a, b) => weigh(a) - weigh(b))', '', 'inference/disposition'],
  [
    DISPOSITION,
    "if (test.status === 'tested' && !unknown) return []",
    'return []',
    'inference/disposition',
  ],
  [CHAIN, "[['seq', 'sequence'], entry.seq, next],", '', LEDGER],
  [CHAIN, "[['previous', 'link'], entry.previous, previous],", '', LEDGER],
  [CHAIN, "[['entry_sha256', 'digest'], entry.entry_sha256, computed],", '', LEDGER],
  [CHAIN, 'earlier?.protocol_sha256 !== entry.protocol_sha256', 'false', LEDGER],
]

/** In the copy of a mutant, which has sources, tests and modules as the root has. */
const testIn = (folder: string, name: string) => `${folder}/test/${name}.test.ts`

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

it('every rule that is taken out is missed by a test of its own room', () => {
  const all = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(all, 'node_modules'))
  cpSync(join(ROOT, 'package.json'), join(all, 'package.json'))
  const config = { test: { root: all, include: ['m*/test/**/*.test.ts'], isolate: false } }
  writeFileSync(join(all, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  const files = MUTATIONS.map(([file, text, put, tests], at) => {
    const folder = `m${at}`
    cpSync(join(ROOT, 'src'), join(all, folder, 'src'), { recursive: true })
    for (const room of [tests.split('/')[0] as string, 'support', 'contract', 'golden']) {
      const path = join('test', room)
      cpSync(join(ROOT, path), join(all, folder, path), { recursive: true })
    }
    const path = join(all, folder, 'src', file)
    const before = readFileSync(path, 'utf8')
    // A row whose rule is written in another way by now has to be written anew.
    expect(before.split(text), `${file}: ${text}`).toHaveLength(2)
    writeFileSync(
      path,
      before.replace(text, () => put),
    )
    return testIn(folder, tests)
  })
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const report = join(all, 'report.json')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['--config', join(all, 'vitest.config.mjs'), '--reporter=json']
  spawnSync(process.execPath, [vitest, 'run', ...args, `--outputFile=${report}`, ...files], {
    cwd: all,
    env: { ...Object.fromEntries(kept), NODE_ENV: undefined },
  })
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const alive = MUTATIONS.filter((_, at) => {
    const own = testResults.find(({ name }) => name.endsWith(`/${files[at]}`))
    return !own?.assertionResults.some(({ status }) => status === 'failed')
  })
  expect(alive.map(([file, text, put]) => `${file}: ${text} -> ${put}`)).toEqual([])
})
