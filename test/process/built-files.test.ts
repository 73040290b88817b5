import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { sha256Hex } from '../../src/document/digest.js'
import { OUTPUT_FORMATS } from '../../src/output/print.js'
import { GIT_ENVIRONMENT, HistoryScript } from '../gate/history-script.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'
import { putToken, trustedAuthority } from '../time/stamped-folder.js'

const folder = temporaryFolder()
const repository = join(folder, 'repository')
const bundle = join(folder, 'foreproof-gate.mjs')
const script = new HistoryScript(repository)

/** Runs the bundled file, far from every node_modules. */
function run(...args: string[]) {
  const env = { ...GIT_ENVIRONMENT, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_PATH: '' }
  const options = { cwd: repository, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], options)
  return { code: status, stdout, stderr }
}

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, '.ci/bundle.mjs'), folder])
  new HistoryScript(folder).git('init', '-q', '-b', 'main', repository)
  for (const line of ['freeze v1', 'commit', 'base', 'freeze v2 q v1', 'commit']) script.run(line)
})

describe('the bundled file of a release', () => {
  it('is one file of little more than a megabyte', () => {
    expect(readdirSync(folder).sort()).toEqual(['foreproof-gate.mjs', 'repository'])
    expect(statSync(bundle).size).toBeLessThan(1_150_000)
  })

  it('lets a history pass in which nothing frozen changed', () => {
    expect(run('gate', '--base', 'base')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 frozen, 1 new: no problems found'),
      stderr: '',
    })
    expect(run('verify', 'protocols')).toMatchObject({ code: 0, stderr: '' })
  })

  it('verifies stamps, and refuses a token that is none', async () => {
    const protocols = join(repository, 'protocols')
    const clock = { now: checkedInstant('2026-11-22T10:00:00Z') }
    const authority = await trustedAuthority(protocols, 'alpha', clock)
    const file = await putToken(protocols, 2, 'alpha', authority)
    const says =
      /entries 1 to 2 {2}stamped by 1 of 1 \(alpha [0-9a-f]{32}…\), 2026-11-22T10:00:00Z ± 1 s; anchors chosen by the writer/
    const stamped = { code: 0, stdout: expect.stringMatching(says) }
    expect(run('gate', '--base', 'base')).toMatchObject(stamped)
    expect(run('verify', 'protocols')).toMatchObject(stamped)
    writeFileSync(file, 'none')
    const refused = { code: 1, stdout: expect.stringContaining('stamp-not-counted') }
    expect(run('gate', '--base', 'base')).toMatchObject(refused)
    for (const name of ['anchors', 'stamps']) rmSync(join(protocols, name), { recursive: true })
  })

  it('knows no other commands, and helps with these', () => {
    const help = { code: 0, stdout: expect.stringContaining('--strict-bytes') }
    expect(run('gate', '--help')).toMatchObject(help)
    expect(run('score')).toMatchObject({ code: 2 })
    expect(run('gate', '--bsae')).toMatchObject({ code: 2 })
  })

  it('refuses a changed protocol, in every format', () => {
    script.run('edit v1 purpose "other"')
    for (const format of OUTPUT_FORMATS) {
      const { code, stdout } = run('gate', '--base', 'base', '--format', format)
      expect([code, stdout]).toEqual([1, expect.stringContaining('protocols/v1.json')])
    }
  })
})

const page = readFileSync(join(ROOT, 'dist/verify.html'))

it('verify.html has the same bytes from a second build, in another place', () => {
  const place = temporaryFolder()
  for (const name of ['src', '.ci', 'package.json', 'tsconfig.json', 'LICENSE']) {
    cpSync(join(ROOT, name), join(place, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  // As `npm run build` does, but that types are not checked once more.
  const tsc = 'node_modules/typescript/bin/tsc -p tsconfig.json --noCheck'
  for (const step of ['.ci/generate.mjs', tsc, '.ci/verify-page.mjs']) {
    const built = spawnSync('node', step.split(' '), { cwd: place, encoding: 'utf8' })
    expect(built.status, built.stderr).toBe(0)
  }
  expect(sha256Hex(readFileSync(join(place, 'dist/verify.html')))).toBe(sha256Hex(page))
})

it('verify.html is written by verify-page, and its digest said', async () => {
  const out = join(temporaryFolder(), 'page.html')
  const ran = await foreproof(['verify-page', '--out', out])
  expect(ran).toMatchObject({ code: 0, stdout: `${sha256Hex(page)}  ${out}\n` })
  expect(readFileSync(out).equals(page)).toBe(true)
  expect((await foreproof('--version --verbose')).stdout).toContain(
    `verify.html  ${sha256Hex(page)}`,
  )
})
