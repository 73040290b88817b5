import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess, withInput } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { serveHttp } from '../support/servers.js'
import { filesIn, ledgerIn, trustedAuthority } from '../time/stamped-folder.js'

let folder: string
const inside = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(inside(name), 'utf8')
const change = (name: string, text: string) => writeFileSync(inside(name), text)
const protocol = (name = 'btcusd-hourly-4') => ['--protocol', inside(`protocols/${name}.json`)]

const ledger = () => read('protocols/ledger.jsonl').trim().split('\n')
/** What was frozen before anything is registered. */
const FROZEN = readFileSync(join(ROOT, 'protocols/ledger.jsonl'), 'utf8').trim().split('\n').length
const registered = () => ledger().slice(FROZEN)

const template = () => inProcess(['register', '--template', ...protocol()])
/** Registers the plan as a file of this name. */
const register = (out = 'registration.json', ...args: string[]) =>
  inProcess(['register', inside('plan.json'), ...protocol(), '--out', inside(out), ...args])
const codesOf = (stdout: string) =>
  JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)

/** A folder with our protocols and the template with every blank filled in, for the method of the first one. */
beforeEach(async () => {
  folder = temporaryFolder()
  cpSync(join(ROOT, 'protocols'), inside('protocols'), { recursive: true })
  const { code, stdout } = await template()
  expect(code).toBe(0)
  const cuts = ['0.003', '0.006']
  const text = stdout.replace(/"<cut-point[^"]*>"/g, () => cuts.shift() as string)
  const plan = JSON.parse(text.replace(/<[^"]*>/g, 'something'))
  plan.provenance_required = true
  change('plan.json', JSON.stringify(plan, null, 2))
})

describe('register', () => {
  it('goes on where a run was killed before the ledger had its entry', async () => {
    const before = read('protocols/ledger.jsonl')
    expect((await register()).code).toBe(0)
    change('protocols/ledger.jsonl', before)
    const left = read('registration.json')
    const again = await register()
    expect(again.code, again.stdout).toBe(0)
    expect(registered()).toHaveLength(1)
    expect(registered()[0]).toContain(JSON.parse(read('registration.json')).registration_sha256)

    // What is of another plan is not the rest of this one.
    change('protocols/ledger.jsonl', before)
    change('registration.json', left)
    change('plan.json', JSON.stringify({ ...JSON.parse(read('plan.json')), name: 'another' }))
    expect((await register()).code).toBe(1)
    expect(read('registration.json')).toBe(left)
  })

  it('writes the registration once, and enters it in the ledger', async () => {
    expect(await register(undefined, '--dry-run')).toMatchObject({ code: 0, stderr: '' })
    expect(registered()).toHaveLength(0)

    const { code, stdout } = await register()
    expect(code, stdout).toBe(0)
    const registration = JSON.parse(read('registration.json'))
    // 1 candidate, 5 comparators, 29 tests, all origins and 8 levels.
    expect(registration.family.size).toBe(1 * 5 * 29 * 9)
    const { registration_sha256, registered_at } = registration
    expect(JSON.parse(registered()[0]!)).toMatchObject({
      ...{ seq: FROZEN + 1, registration_sha256, registered_at, file: '../registration.json' },
    })
    const verified = await inProcess(['verify', inside('protocols')])
    expect(verified.code, verified.stdout).toBe(0)

    const text = read('registration.json')
    const stderr = expect.stringContaining('already exists')
    expect(await register()).toMatchObject({ code: 1, stderr })
    expect(read('registration.json')).toBe(text)
    expect(registered()).toHaveLength(1)
  })

  it('reads a plan from standard input, and refuses what can reach no conclusion', async () => {
    const plan = JSON.parse(read('plan.json'))
    const to = new Date(Date.parse(plan.window.from) + 239 * 3_600_000).toISOString()
    const input = JSON.stringify({ ...plan, window: { ...plan.window, to } })
    const args = ['register', '-', ...protocol(), '--out', inside('r.json'), '--format', 'json']
    const { code, stdout } = await withInput(args, input)
    // Too few pairs, blocks and days.
    expect([code, codesOf(stdout)]).toEqual([1, Array(3).fill('window-too-short')])
    expect(registered()).toHaveLength(0)
  })

  it('writes nothing into the folder of the protocols', async () => {
    const { code, stderr } = await register('protocols/registration.json')
    expect(code).toBe(1)
    expect(stderr).toContain('folder of the protocols')
    expect(registered()).toHaveLength(0)
  })

  it('says that a candidate was registered over the same window before, and what is left of alpha', async () => {
    const under = (out: string, ...args: string[]) => {
      const named = [...protocol('btcusd-hourly-4'), '--out', inside(out)]
      return inProcess(['register', inside('plan.json'), ...named, ...args])
    }
    const first = await under('first.json')
    expect(first.stdout).toMatch(/^ *alpha +5.0\u202f%, as the protocol says$/m)
    const { code, stdout } = await under('second.json', '--format', 'json')
    const codes = ['candidate-registered-before']
    expect([code, codesOf(stdout)]).toEqual([0, codes])
    const second = { protocol_alpha: 0.05, repetition: 2, divisor: 6 }
    expect(JSON.parse(stdout).alpha).toEqual(second)
    const third = await under('third.json')
    expect(third.stdout).toMatch(
      /^ *alpha +0.42\u202f%, the protocol’s 5.0\u202f% divided by 12: /m,
    )
  })

  it('leaves no file when the ledger is broken', async () => {
    change('protocols/ledger.jsonl', `${ledger()[0]!.replace(/\d/, '7')}\n`)
    const { code, stdout, stderr } = await register()
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('ledger')
    expect(existsSync(inside('registration.json'))).toBe(false)
  })

  it.each(['btcusd-hourly-1', 'btcusd-hourly-2'])(
    'refuses %s, which has a successor',
    async (name) => {
      const named = ['register', inside('plan.json'), ...protocol(name), '--format', 'json']
      const { code, stdout } = await inProcess([...named, '--out', inside('r.json')])
      expect([code, codesOf(stdout)]).toEqual([1, ['protocol-superseded']])
      expect(registered()).toHaveLength(0)
      // A copy in a ledger of its own has none.
      const lines = ledger().slice(0, name.endsWith('1') ? 1 : 2)
      change('protocols/ledger.jsonl', `${lines.join('\n')}\n`)
      const alone = await inProcess([...named, '--out', inside('r.json'), '--dry-run'])
      expect(codesOf(alone.stdout)).not.toContain('protocol-superseded')
    },
  )

  it('says what is missing on the command line', async () => {
    const none = await inProcess(['register', ...protocol()])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--template') })
    const both = await register(undefined, '--template')
    expect([both.code, both.stderr]).toEqual([2, expect.stringMatching('PLAN cannot be used')])
  })
})

describe('register --stamp', () => {
  /** The address of an authority that the folder trusts. */
  async function authority(): Promise<string> {
    const clock = { now: Date.now() * 1000 }
    const alpha = await trustedAuthority(inside('protocols'), 'alpha', clock)
    return await serveHttp(async (request, response) => {
      const query = await buffer(request)
      const type = request.url === '/page' ? 'text/html' : 'application/timestamp-reply'
      response.writeHead(200, { 'content-type': type }).end(await alpha.reply(query))
    })
  }

  it('registers and has it stamped in one go', async () => {
    const ran = await register('a.json', '--stamp', await authority())
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^alpha {2}\d{4}-\S+ ± 1 s, written to \S+alpha\.tsr$/m)
    expect(ran.stdout).toMatch(/^time {9}stamped by 1 of 1 \(alpha [0-9a-f]{32}…\), \d{4}-/m)
    const entry = ledgerIn(inside('protocols')).lines.at(-1)?.entry
    expect(existsSync(inside(`protocols/stamps/${entry?.entry_sha256}/alpha.tsr`))).toBe(true)
  })

  it('keeps the registration when an authority fails, and says how to stamp it then', async () => {
    const url = await authority()
    const page = `${url}/page`
    const ran = await register('b.json', '--stamp', page, '--stamp', page, '--format', 'json')
    expect(ran.code).toBe(3)
    const report = JSON.parse(ran.stdout)
    expect(report).toMatchObject({ written: true, stamps: [], ledger: { seq: FROZEN + 1 } })
    const failed = codesOf(ran.stdout).filter((code: string) => code === 'stamp-failed')
    expect(failed).toHaveLength(2)
    expect(read('b.json')).toContain(report.registration.name)
    const text = await register('c.json', '--stamp', page)
    expect(text.code).toBe(3)
    expect(text.stdout).toMatch(/^time {9}self-declared$/m)
    const stamp = `stamp --dir ${inside('protocols')} --entry ${FROZEN + 2} --tsa `
    expect(text.stdout).toContain(`foreproof ${stamp}URL`)
    expect((await inProcess(`${stamp}${url}`)).code).toBe(0)
  })

  it.each([
    [3, 'no anchor', 'http://127.0.0.1:1', 'anchors', []],
    [2, 'not the address', 'freetsa', '', []],
    // No authority is asked in a dry run.
    [0, '', 'http://127.0.0.1:1', '', ['--dry-run']],
  ])('writes nothing, and exits %i, where there is %s', async (code, says, url, hidden, more) => {
    await authority()
    if (hidden !== '') renameSync(inside(`protocols/${hidden}`), inside('aside'))
    const before = filesIn(folder)
    const ran = await register('d.json', '--stamp', url, ...more)
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(says) })
    expect(filesIn(folder)).toEqual(before)
  })
})
