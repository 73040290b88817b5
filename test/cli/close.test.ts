import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyOf, makeWorld, type World } from '../evaluation/world.js'
import { inProcess } from '../support/in-process.js'

let made: World
beforeAll(async () => {
  made = await makeWorld({ hours: 60, replicates: 100 })
})

let world: World
beforeEach(() => {
  world = copyOf(made)
})

const close = (...more: string[]) =>
  inProcess(['close', world.paths.registration, '--as', 'abandoned', ...more])
const BECAUSE = ['--reason', 'The model was retired in May.']
const score = () => {
  const { registration, history, outcomes } = world.paths
  const inputs = ['--registration', registration, '--history', history, '--outcomes', outcomes]
  return inProcess(['score', ...inputs, '--out', join(world.folder, 'evidence')])
}
const lines = () =>
  readFileSync(join(world.paths.protocol, 'ledger.jsonl'), 'utf8').trim().split('\n')

describe('close', () => {
  it('enters why a registration will not be scored, once, and score refuses it then', async () => {
    const before = lines()
    const { code, stdout } = await close(...BECAUSE, '--format', 'json')
    expect(code).toBe(0)
    const { entry } = JSON.parse(stdout)
    expect(lines()).toEqual([...before, JSON.stringify(entry)])
    const { registration_sha256 } = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    expect(entry).toMatchObject({
      ...{ seq: 3, registration_sha256, as: 'abandoned', protocol_version: 'made-1' },
      reason: 'The model was retired in May.',
    })

    const again = await close(...BECAUSE)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('by entry 3') })
    const scored = await score()
    expect(scored.code).toBe(1)
    expect(scored.stdout).toContain('closed as abandoned by entry 3')
    expect(scored.stdout).toContain('The model was retired in May.')
    // The rest of the ledger goes on.
    expect((await inProcess(['verify', world.paths.protocol])).code).toBe(0)
  })

  it.each([
    [['--reason', ''], '--reason is empty'],
    [['--reason', 'two\nlines'], 'not 1 to 500 printable characters'],
    [['--reason', 'x'.repeat(501)], 'not 1 to 500 printable characters'],
    [[], '--reason is missing'],
    [[...BECAUSE, '--as', 'lost'], '--as'],
  ])('asks for a reason that can be shown: %j', async (more, says) => {
    const before = lines()
    const { code, stderr } = await close(...more)
    expect([code, lines()]).toEqual([2, before])
    expect(stderr).toContain(says)
  })

  it('says in one line that a file is no registration', async () => {
    const { protocol } = world.paths
    const [file, line] = [join(protocol, 'made-1.json'), ['--as', 'void', '--protocol', protocol]]
    const { code, stderr } = await inProcess(['close', file, ...line, ...BECAUSE])
    expect([code, stderr]).toEqual([
      1,
      `foreproof: ${file}: is not a registration\n  Name the file that foreproof register wrote.\n`,
    ])
  })

  it('names a registration that its ledger does not have, and one whose file is gone', async () => {
    const other = copyOf(made)
    rmSync(join(other.paths.protocol, 'ledger.jsonl'))
    const { code, stderr } = await close(...BECAUSE, '--protocol', other.paths.protocol)
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not in the ledger')])
    rmSync(world.paths.registration)
    const verified = await inProcess(['verify', world.paths.protocol])
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain('../registration.json is missing: entry 2 registered it')
  })
})
