import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const PROTOCOL = 'protocols/btcusd-hourly-1.json'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  cpSync(join(ROOT, 'protocols'), join(folder, 'protocols'), { recursive: true })
})

const run = (...args: string[]) =>
  foreproof(['register', ...args, '--protocol', PROTOCOL], { cwd: folder })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const ledger = () => read('protocols/ledger.jsonl').trim().split('\n')
/** What was frozen before anything is registered. */
const FROZEN = readFileSync(join(ROOT, 'protocols/ledger.jsonl'), 'utf8').trim().split('\n').length
const registered = () => ledger().slice(FROZEN)

/** The template with every blank filled in, and the method that our first protocol speaks of. */
async function writePlan(): Promise<void> {
  const { code, stdout } = await run('--template')
  expect(code).toBe(0)
  const cuts = ['0.003', '0.006']
  const text = stdout.replace(/"<cut-point[^"]*>"/g, () => cuts.shift()!)
  const plan = JSON.parse(text.replace(/<[^"]*>/g, 'something'))
  expect(plan.inference.method).toBe('ewc-t')
  plan.inference = { method: 'percentile-bootstrap' }
  plan.provenance_required = true
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan, null, 2))
}

describe('register', () => {
  it('refuses the template as it is, naming every blank', async () => {
    const template = await run('--template')
    writeFileSync(join(folder, 'plan.json'), template.stdout)
    const { code, stdout } = await run('plan.json', '--format', 'json')
    expect(code).toBe(1)
    const { findings, written } = JSON.parse(stdout)
    expect(written).toBe(false)
    expect(findings.map((each: { pointer: string }) => each.pointer)).toEqual([
      '/name',
      '/candidates/0/name',
      '/strata/0/levels/0/below',
      '/strata/0/levels/1/below',
      '/outcomes/source',
    ])
    expect(findings.every((each: { line: number }) => each.line > 1)).toBe(true)
    expect(registered()).toHaveLength(0)
  })

  it('goes on where a run was killed before the ledger had its entry', async () => {
    await writePlan()
    const before = read('protocols/ledger.jsonl')
    expect((await run('plan.json')).code).toBe(0)
    writeFileSync(join(folder, 'protocols/ledger.jsonl'), before)
    const left = read('registration.json')
    const again = await run('plan.json')
    expect(again.code, again.stdout).toBe(0)
    expect(registered()).toHaveLength(1)
    const { registration_sha256 } = JSON.parse(read('registration.json'))
    expect(registered()[0]).toContain(registration_sha256)

    // What is of another plan is not the rest of this one.
    writeFileSync(join(folder, 'protocols/ledger.jsonl'), before)
    writeFileSync(join(folder, 'registration.json'), left)
    const plan = JSON.parse(read('plan.json'))
    writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, name: 'another' }))
    expect((await run('plan.json')).code).toBe(1)
    expect(read('registration.json')).toBe(left)
  })

  it('writes the registration once, and enters it in the ledger', async () => {
    await writePlan()
    const dry = await run('plan.json', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(registered()).toHaveLength(0)

    const { code, stdout } = await run('plan.json')
    expect(code, stdout).toBe(0)
    const registration = JSON.parse(read('registration.json'))
    // 1 candidate, 5 comparators, 29 tests, all origins and 8 levels.
    expect(registration.family_size).toBe(1 * 5 * 29 * 9)
    const entry = JSON.parse(registered()[0]!)
    expect(entry).toMatchObject({
      seq: FROZEN + 1,
      registration_sha256: registration.registration_sha256,
      file: '../registration.json',
      registered_at: registration.registered_at,
    })
    const verified = await foreproof(['verify', 'protocols'], { cwd: folder })
    expect(verified.code, verified.stdout).toBe(0)

    const text = read('registration.json')
    const again = await run('plan.json')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('already exists')
    expect(read('registration.json')).toBe(text)
    expect(registered()).toHaveLength(1)
  })

  it('reads a plan from standard input, and refuses what can reach no conclusion', async () => {
    await writePlan()
    const plan = JSON.parse(read('plan.json'))
    const to = new Date(Date.parse(plan.window.from) + 239 * 3_600_000).toISOString()
    const input = JSON.stringify({ ...plan, window: { ...plan.window, to } })
    const args = ['register', '-', '--protocol', PROTOCOL, '--format', 'json']
    const { code, stdout } = await foreproof(args, { cwd: folder, input })
    expect(code).toBe(1)
    const codes = JSON.parse(stdout).findings.map((each: { code: string }) => each.code)
    expect(codes).toEqual(['window-too-short', 'window-too-short'])
    expect(registered()).toHaveLength(0)
  })

  it('writes nothing into the folder of the protocols', async () => {
    await writePlan()
    const { code, stderr } = await run('plan.json', '--out', 'protocols/registration.json')
    expect(code).toBe(1)
    expect(stderr).toContain('folder of the protocols')
    expect(registered()).toHaveLength(0)
  })

  it('tells that a candidate was registered over the same window before', async () => {
    await writePlan()
    expect((await run('plan.json')).code).toBe(0)
    const codes = async (out: string) => {
      const { code, stdout } = await run('plan.json', '--out', out, '--format', 'json')
      expect(code).toBe(0)
      return JSON.parse(stdout).findings.map((each: { code: string }) => each.code)
    }
    expect(await codes('second.json')).toEqual(['candidate-registered-before'])
    rmSync(join(folder, 'registration.json'))
    expect(await codes('third.json')).toEqual([
      'earlier-registration-unreadable',
      'candidate-registered-before',
    ])
  })

  it('leaves no file when the ledger is broken', async () => {
    await writePlan()
    writeFileSync(join(folder, 'protocols/ledger.jsonl'), `${ledger()[0]!.replace(/\d/, '7')}\n`)
    const { code, stdout, stderr } = await run('plan.json')
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('ledger')
    expect(() => read('registration.json')).toThrow(/ENOENT/)
  })

  it('says what is missing on the command line', async () => {
    const none = await run()
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('--template')
    const both = await run('plan.json', '--template')
    expect(both.code).toBe(2)
  })
})
