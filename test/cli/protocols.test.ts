import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownText, ownValue } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'

const executable = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder, 'good.json'), ownText())
  writeFileSync(join(folder, 'bad.json'), '{"a":1,}')
})

function run(args: readonly string[], input: string | Buffer = '') {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const options = { cwd: folder, input, env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], options)
  return { status, stdout: stdout.toString(), stderr: stderr.toString() }
}

function draft(version: string, change: object = {}): string {
  const { protocol_sha256: _, ...rest } = ownValue()
  return JSON.stringify({ ...rest, ...change, protocol_version: version })
}

describe('exit codes', () => {
  it.each([
    [0, ['validate', 'good.json']],
    [1, ['validate', 'good.json', 'bad.json']],
    [1, ['validate', 'good.json', '--format', 'json', 'bad.json']],
    [2, ['validate', 'absent.json']],
    [2, ['validate', '*.yaml']],
    [2, ['validate']],
    [2, ['validate', 'good.json', '--what']],
    [2, ['validate', 'good.json', '--format', 'xml']],
    [2, ['freeze', '.']],
    [3, ['gate']],
    [0, ['digest', 'good.json']],
    [1, ['digest', 'bad.json']],
    [1, ['canonicalize', 'bad.json']],
    [0, ['compare', 'good.json', 'good.json']],
    [1, ['compare', 'good.json', 'bad.json']],
  ] as const)('%i: foreproof %j', (status, args) => {
    const result = run(args)
    expect(result.status, result.stdout + result.stderr).toBe(status)
    expect(result.stdout + result.stderr).not.toMatch(/\bat .*\.js:\d+|internal error/)
  })
})

describe('standard input', () => {
  it('is one document', () => {
    expect(run(['validate', '-'], ownText()).status).toBe(0)
    expect(run(['verify', '-'], ownText().replace('0.03', '0.02')).stdout).toContain('<stdin>:3')
    expect(run(['canonicalize', '-'], '{"b":1.0,"a":"\\u00e9"}').stdout).toBe('{"a":"é","b":1}')
    expect(run(['digest', '-'], ownText()).stdout).toBe(`${ownValue().protocol_sha256}  <stdin>\n`)
  })

  it('may be anything', () => {
    for (const input of ['', '[', Buffer.from([0xff, 0xfe, 0]), Buffer.alloc(3_000_000, 0x20)]) {
      const { status, stderr } = run(['validate', '-'], input)
      expect([status, stderr]).toEqual([1, ''])
    }
  })
})

describe('colour', () => {
  it('is off in a pipe, and on when it is asked for', () => {
    expect(run(['validate', 'bad.json']).stdout).not.toContain('\x1b[')
    expect(run(['validate', 'bad.json', '--color']).stdout).toContain('\x1b[31m')
  })
})

describe('freeze', () => {
  it('freezes, verifies, and reports in JSON', () => {
    const { status, stdout } = run(['freeze', '-', '--format', 'json'], draft('v1'))
    const json = JSON.parse(stdout)
    expect(status).toBe(0)
    expect(json).toMatchObject({ ok: true, frozen: { created: true, ledger: { seq: 1 } } })
    expect(run(['verify', 'protocols']).status).toBe(0)
    expect(run(['verify', 'protocols/ledger.jsonl']).status).toBe(0)
    expect(run(['freeze', '-'], draft('v1')).stdout).toContain('was frozen before')
    const refused = run(['freeze', '-'], draft('v1', { purpose: 'other' }))
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('different content')
  })

  it('says what lint has against the design, and freezes it all the same', () => {
    const { uncertainty } = ownValue()
    const input = draft('v1', { uncertainty: { ...uncertainty, replicates: 10 } })
    const { status, stdout } = run(['freeze', '-', '--format', 'json'], input)
    const { findings, frozen } = JSON.parse(stdout)
    expect([status, frozen.created]).toEqual([0, true])
    expect(findings.map((each: { severity: string }) => each.severity)).toContain('warning')
  })

  it('leaves named pipes alone that lie in a folder', () => {
    spawnSync('mkfifo', [join(folder, 'pipe.json')])
    rmSync(join(folder, 'bad.json'))
    expect(run(['validate', '.']).stdout).toContain('1 document validated')
  })

  it('writes nothing when the draft has faults', () => {
    expect(run(['freeze', '-'], draft('v1', { issue: 411 })).status).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['bad.json', 'good.json'])
  })

  it('gives every one of many that freeze at once a place in the chain', async () => {
    const versions = Array.from({ length: 8 }, (_, i) => `v${i}`)
    const exits = versions.map((version) => {
      const child = spawn(process.execPath, [executable, 'freeze', '-'], { cwd: folder })
      child.stdin.end(draft(version))
      return new Promise((resolve) => child.on('close', resolve))
    })
    expect(await Promise.all(exits)).toEqual(versions.map(() => 0))
    const { status, stdout } = run(['verify', 'protocols', '--format', 'json'])
    expect([status, JSON.parse(stdout).ledgers[0].entries]).toEqual([0, 8])
    expect(readdirSync(join(folder, 'protocols'))).toHaveLength(9)
  }, 60_000)

  it('leaves a folder that can be completed, wherever it is killed', async () => {
    for (const delay of [60, 75, 90, 105, 120, 140]) {
      const child = spawn(process.execPath, [executable, 'freeze', '-'], { cwd: folder })
      // Listened for from the start: a run that is done before the kill closes only once.
      const closed = new Promise((resolve) => child.on('close', resolve))
      child.stdin.on('error', () => undefined)
      child.stdin.end(draft('v1'))
      await new Promise((resolve) => setTimeout(resolve, delay))
      child.kill('SIGKILL')
      await closed
    }
    const { status, stdout, stderr } = run(['freeze', '-'], draft('v1'))
    expect([status, stderr], stdout).toEqual([0, ''])
    expect(run(['verify', 'protocols']).status).toBe(0)
  }, 60_000)
})

describe('folders and patterns', () => {
  it('reads every document below a folder, once', () => {
    mkdirSync(join(folder, 'deep/er'), { recursive: true })
    cpSync(join(folder, 'good.json'), join(folder, 'deep/er/x.json'))
    rmSync(join(folder, 'bad.json'))
    const { stdout } = run(['validate', '.', 'good.json', '**/*.json', '--format', 'json'])
    const files = JSON.parse(stdout).documents.map((each: { file: string }) => each.file)
    expect(files).toEqual(['deep/er/x.json', 'good.json'])
  })
})

it('prints canonical bytes exactly', () => {
  const canonical = readFileSync(join(folder, 'good.json'), 'utf8')
  expect(run(['canonicalize', 'good.json']).stdout).toBe(
    run(['canonicalize', '-'], JSON.stringify(JSON.parse(canonical))).stdout,
  )
})
