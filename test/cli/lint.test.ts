import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

const own = join(ROOT, 'protocols/btcusd-hourly-1.json')
const folder = temporaryFolder()

const lint = (...args: string[]) => inProcess(['lint', ...args])

function write(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value, null, 2))
  return file
}

function registration(sha256: string, origins: number) {
  const model = { source: 'built_in', name: 'persistence', required_as: ['persistence'] }
  return {
    ...{ registration_version: 1, registration_sha256: '0'.repeat(64), name: 'r' },
    ...{ registered_at: '2026-01-01T00:00:00Z', mode: 'prospective' },
    protocol: { version: 'btcusd-hourly-1', sha256 },
    window: { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z', origins },
    ...{ as_of: '2026-04-01T00:00:00Z', horizons_hours: [2, 4, 8, 16] },
    candidates: [{ source: 'history', name: 'ridge' }],
    ...{ comparators: [model], baseline_pool: [], strata: [] },
    limits: { per_horizon_regression: 0.05, directional_loss: 0.02, direction_epsilon: 1e-6 },
    provenance_required: true,
    outcomes: { source: 'made', vintage_id: null, vintage_sha256: null },
    ...{ family_size: 29, family_sha256: '0'.repeat(64), family: ['one'] },
  }
}

describe('foreproof lint', () => {
  it('says what our own protocol can carry', async () => {
    const { code, stdout } = await lint(own)
    expect(code).toBe(0)
    expect(stdout).toContain('families of up to 5,000 tests')
    expect(stdout).toContain('no findings')
    const json = JSON.parse((await lint(own, '--format', 'json')).stdout)
    expect(json).toMatchObject({ ok: true, design: { largest_family: 5000 }, findings: [] })
  })

  it('answers no for a family that cannot be tested', async () => {
    const { code, stdout } = await lint(own, '--family-size', '5001')
    expect(code).toBe(1)
    expect(stdout).toContain('no test can be significant')
    expect(stdout).toContain('at least 200,039 replicates, or a family of at most 5,000 tests')
  })

  it('reckons with the family and window of a registration', async () => {
    const { protocol_sha256: _, ...rest } = JSON.parse(readFileSync(own, 'utf8'))
    const sha256 = sha256Hex(canonicalize(rest))
    const of = (digest: string, origins: number, ...args: string[]) =>
      lint(own, '--registration', write('r.json', registration(digest, origins)), ...args)
    const good = await of(sha256, 700, '--format', 'json')
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout).design).toMatchObject({ family_size: 29, window_blocks: 29 })
    const short = await of(sha256, 400)
    expect(short.code).toBe(1)
    expect(short.stdout).toContain('16 full blocks of 24, but the protocol requires 20')
    const other = await of('1'.repeat(64), 700)
    expect(other.stdout).toContain('registration-of-other-protocol')
  })

  it.each(['text', 'json', 'sarif', 'junit', 'github'])('speaks %s', async (format) => {
    const weak = JSON.parse(readFileSync(own, 'utf8'))
    weak.design.practical_effect_floor = 0
    const { code, stdout } = await lint(write('weak.json', weak), '--format', format)
    expect(code).toBe(0)
    expect(stdout).toContain('practical-floor-zero')
  })

  it.each([
    [2, '', [own, '--family-size', '0']],
    [2, '', [own, '--family-size', '1.5']],
    [2, '', [own, '--family-size', '5', '--registration', own]],
    [2, '', [join(folder, 'absent.json')]],
    [1, 'btcusd-hourly-1.json', [own, '--registration', own]],
  ])('exits %i, said %j, for %j', async (code, says, args) => {
    expect(await lint(...args)).toMatchObject({ code, stdout: expect.stringContaining(says) })
  })
})
