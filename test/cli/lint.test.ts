import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { temporaryFolder } from '../support/folder.js'

const bin = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))
const own = fileURLToPath(new URL('../../protocols/btcusd-hourly-1.json', import.meta.url))

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
})

function lint(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, 'lint', ...args], (error, out, err) => {
      resolve({ code: (error?.code as number | undefined) ?? 0, out, err })
    })
  })
}

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

const digest = (value: Record<string, unknown>) => {
  const { protocol_sha256: _, ...rest } = value
  return sha256Hex(canonicalize(rest))
}

describe('foreproof lint', () => {
  it('says what our own protocol can carry', async () => {
    const { code, out } = await lint(own)
    expect(code).toBe(0)
    expect(out).toContain('families of up to 5,000 tests')
    expect(out).toContain('no findings')
    const json = JSON.parse((await lint(own, '--format', 'json')).out)
    expect(json).toMatchObject({ ok: true, design: { largest_family: 5000 }, findings: [] })
  })

  it('answers no for a family that cannot be tested', async () => {
    const { code, out } = await lint(own, '--family-size', '5001')
    expect(code).toBe(1)
    expect(out).toContain('no test can be significant')
    expect(out).toContain('at least 200,039 replicates, or a family of at most 5,000 tests')
  })

  it('reckons with the family and window of a registration', async () => {
    const sha256 = digest(JSON.parse(readFileSync(own, 'utf8')))
    const good = write('good.json', registration(sha256, 700))
    const found = await lint(own, '--registration', good, '--format', 'json')
    expect(found.code).toBe(0)
    expect(JSON.parse(found.out).design).toMatchObject({ family_size: 29, window_blocks: 29 })
    const short = write('short.json', registration(sha256, 400))
    const { code, out } = await lint(own, '--registration', short)
    expect(code).toBe(1)
    expect(out).toContain('16 full blocks of 24, but the protocol requires 20')
    const other = write('other.json', registration('1'.repeat(64), 700))
    expect((await lint(own, '--registration', other)).out).toContain(
      'registration-of-other-protocol',
    )
  })

  it.each(['text', 'json', 'sarif', 'junit', 'github'])('speaks %s', async (format) => {
    const weak = JSON.parse(readFileSync(own, 'utf8'))
    weak.design.practical_effect_floor = 0
    const { code, out } = await lint(write('weak.json', weak), '--format', format)
    expect(code).toBe(0)
    expect(out).toContain('practical-floor-zero')
  })

  it('tells wrong usage and missing files', async () => {
    expect((await lint(own, '--family-size', '0')).code).toBe(2)
    expect((await lint(own, '--family-size', '1.5')).code).toBe(2)
    expect((await lint(own, '--family-size', '5', '--registration', own)).code).toBe(2)
    expect((await lint(join(folder, 'absent.json'))).code).toBe(2)
    const { code, out } = await lint(own, '--registration', own)
    expect(code).toBe(1)
    expect(out).toContain('btcusd-hourly-1.json')
  })
})
