import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorld } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

const own = join(ROOT, 'protocols/btcusd-hourly-1.json')
const folder = temporaryFolder()

const lint = (...args: string[]) => inProcess(['lint', ...args])

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
    const world = await makeWorld()
    const [protocol, registration] = ['protocols/made-1.json', 'registration.json'].map((name) =>
      join(world.folder, name),
    ) as [string, string]
    const linted = (...args: string[]) => lint(protocol, '--registration', registration, ...args)
    const good = await linted('--format', 'json')
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout).design).toMatchObject({ family_size: 116, window_blocks: 12 })
    const other = await lint(own, '--registration', registration)
    expect(other.stdout).toContain('registration-of-other-protocol')
  })

  it.each([
    [2, '', [own, '--family-size', '0']],
    [2, '', [own, '--family-size', '5', '--registration', own]],
    [2, '', [join(folder, 'absent.json')]],
    [1, 'btcusd-hourly-1.json', [own, '--registration', own]],
  ])('exits %i, said %j, for %j', async (code, says, args) => {
    expect(await lint(...args)).toMatchObject({ code, stdout: expect.stringContaining(says) })
  })
})
