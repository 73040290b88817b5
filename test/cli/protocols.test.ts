import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeWorld } from '../evaluation/world.js'
import { draftText, ownText, ownValue } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess, withInput } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

let folder: string
const inside = (name: string) => join(folder, name)
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(inside('good.json'), ownText())
  writeFileSync(inside('bad.json'), '{"a":1,}')
})

/** A line in which @ is the folder. */
const words = (line: string) => line.split(' ').map((word) => word.replace('@', folder))
const run = (line: string) => inProcess(words(line))
const given = (line: string, input: string | Uint8Array) => withInput(words(line), input)
const freeze = (text: string, more = '') => given(`freeze - --dir @/protocols${more}`, text)

it.each([
  [0, 'validate @/good.json'],
  [1, 'validate @/good.json @/bad.json'],
  [1, 'validate @/good.json --format json @/bad.json'],
  [2, 'validate @/absent.json'],
  [2, 'validate @/*.yaml'],
  [2, 'freeze @'],
  [2, 'freeze @/good.json --dir @/good.json'],
  [0, 'digest @/good.json'],
  [1, 'digest @/bad.json'],
  [0, 'compare @/good.json @/good.json'],
  [1, 'compare @/good.json @/bad.json'],
] as const)('exit code %i: foreproof %s', async (code, line) => {
  const { stdout, stderr, ...ran } = await run(line)
  expect(ran.code, stdout + stderr).toBe(code)
  expect(stdout + stderr).not.toMatch(/\bat .*\.js:\d+|internal error/)
})

describe('standard input', () => {
  it('is one document', async () => {
    expect((await given('validate -', ownText())).code).toBe(0)
    const changed = await given('verify -', ownText().replace('0.03', '0.02'))
    const draft = await given(
      'verify -',
      ownText().replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`),
    )
    expect(draft.stdout).toContain('It is a draft. Freeze it')
    expect((await given('validate -', '{"plan_version":1}')).stdout).toContain('Is it a scoring')
    expect(changed.stdout).toContain('<stdin>:3')
    const canonical = await given('canonicalize -', '{"b":1.0,"a":"\\u00e9"}')
    expect(canonical.stdout).toBe('{"a":"é","b":1}')
    const digest = await given('digest -', ownText())
    expect(digest.stdout).toBe(`${ownValue().protocol_sha256}  <stdin>\n`)
  })

  it.each(['', '[', Buffer.from([0xff, 0xfe, 0]), Buffer.alloc(3_000_000, 0x20)])(
    'may be anything',
    async (input) => {
      expect(await given('validate -', input)).toMatchObject({ code: 1, stderr: '' })
    },
  )
})

it('colour is off where output is no terminal, and on when it is asked for', async () => {
  expect((await run('validate @/bad.json')).stdout).not.toContain('\x1b[')
  const coloured = await inProcess(words('validate @/bad.json --color'), { NO_COLOR: undefined })
  expect(coloured.stdout).toContain('\x1b[31m')
})

describe('freeze', () => {
  it('freezes, verifies, and reports in JSON', async () => {
    const { code, stdout } = await freeze(draftText('v1'), ' --format json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      frozen: { created: true, ledger: { seq: 1 } },
    })
    for (const what of ['@/protocols', '@/protocols/ledger.jsonl']) {
      expect((await run(`verify ${what}`)).code).toBe(0)
    }
    expect((await freeze(draftText('v1'))).stdout).toContain('was frozen before')
    expect(await freeze(draftText('v1', { purpose: 'other' }))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('different content'),
    })
  })

  it('says what lint has against the design, and freezes it all the same', async () => {
    const uncertainty = { ...ownValue().uncertainty, replicates: 10 }
    const { code, stdout } = await freeze(draftText('v1', { uncertainty }), ' --format json')
    const { findings, frozen } = JSON.parse(stdout)
    expect([code, frozen.created]).toEqual([0, true])
    expect(findings.map((each: { severity: string }) => each.severity)).toContain('warning')
  })

  it('writes nothing when the draft has faults', async () => {
    expect((await freeze(draftText('v1', { issue: 411 }))).code).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['bad.json', 'good.json'])
  })
})

describe('folders', () => {
  beforeEach(() => rmSync(inside('bad.json')))

  it('reads every document below a folder, once', async () => {
    mkdirSync(inside('deep/er'), { recursive: true })
    cpSync(inside('good.json'), inside('deep/er/x.json'))
    const { stdout } = await run('validate @ @/good.json @/deep/er/x.json --format json')
    const files = JSON.parse(stdout).documents.map((each: { file: string }) => each.file)
    expect(files).toEqual([inside('deep/er/x.json'), inside('good.json')])
  })

  it('leaves named pipes alone that lie in a folder', async () => {
    spawnSync('mkfifo', [inside('pipe.json')])
    expect((await run('validate @')).stdout).toContain('1 document validated')
  })
})

const own = join(ROOT, 'protocols/btcusd-hourly-1.json')
const lint = (...args: string[]) => inProcess(['lint', ...args])

describe('foreproof lint', () => {
  it('says what our own protocol can carry', async () => {
    const { code, stdout } = await lint(own)
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing will be decided under this protocol')
    expect(stdout).toContain('families of up to 5,000 tests')
    expect(stdout).toContain('no problems found')
    const json = JSON.parse((await lint(own, '--format', 'json')).stdout)
    expect(json).toMatchObject({ ok: true, design: { largest_family: 5000 }, findings: [] })
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
    [2, '', ['/no/such.json']],
    [1, 'btcusd-hourly-1.json', [own, '--registration', own]],
  ])('exits %i, said %j, for %j', async (code, says, args) => {
    expect(await lint(...args)).toMatchObject({ code, stdout: expect.stringContaining(says) })
  })
})
