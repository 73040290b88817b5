import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../evaluation/world.js'
import { foreproof, ROOT } from '../process/run.js'

const NAMES = ['result.json', 'report.html', 'report.md', 'pairs.ndjson']

// Built-in models only: SQLite's binding is compiled for the Node that installed it. What could
// differ between versions, logarithms above all, is in every figure all the same.
describe('the same evaluation on other versions of Node', () => {
  let world: World
  const first = new Map<string, string>()
  const args = (out: string) => [
    'score',
    ...['--registration', 'registration.json'],
    ...['--outcomes', 'vintage'],
    ...['--out', out],
  ]
  const forget = () => rmSync(join(world.folder, 'protocols', 'access'), { recursive: true })

  beforeAll(async () => {
    world = await makeWorld({
      candidate: { source: 'built_in', name: 'ar1' },
      comparators: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ema_return_24h'],
      mode: 'retrospective',
    })
    const ran = await foreproof(args('here'), { cwd: world.folder })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    for (const name of NAMES) {
      first.set(name, readFileSync(join(world.folder, 'here', name), 'utf8'))
    }
  })
  afterAll(() => world.remove())

  it.each(['20', '22', '24'])('Node %s gives the same bytes', (version) => {
    forget()
    const out = `node-${version}`
    const ran = spawnSync(
      'npx',
      [
        ...['--yes', '-p', `node@${version}`, 'node'],
        ...[join(ROOT, 'bin', 'foreproof.js'), ...args(out)],
      ],
      { cwd: world.folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    )
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, expect.stringContaining('scored')])
    for (const name of NAMES) {
      const same = readFileSync(join(world.folder, out, name), 'utf8') === first.get(name)
      expect([name, same]).toEqual([name, true])
    }
  })
})
