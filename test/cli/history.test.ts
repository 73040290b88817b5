import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { historyOf } from '../history/support.js'
import { LOG, seal, tokenOver } from '../log/sealed.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()
let files = 0
/** A name in a folder of its own. */
const inside = (name: string) => {
  const own = join(folder, String(++files))
  mkdirSync(own)
  return join(own, name)
}
const put = (text: string, name = 'rows.ndjson') => {
  const path = inside(name)
  writeFileSync(path, text)
  return path
}
const ROWS = [0, 1, 2].map((hour) => sample({ hour }))
const lines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

const history = (line: string) => inProcess(`history ${line}`)

describe('foreproof history', () => {
  it('imports, verifies, counts and exports a history; the export imports to the same bytes', async () => {
    const path = inside('history.sqlite')
    const rows = put(lines([...ROWS, sampleAttempt({ hour: 7 })]))
    const first = await history(`import ${rows} --history ${path}`)
    expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('3 new') })
    const verified = await history(`verify --history ${path} --format json`)
    const counts = { ok: true, forecasts: 3, attempts: 1, findings: [] }
    expect(JSON.parse(verified.stdout)).toMatchObject(counts)
    const stats = await history(`stats --history ${path} --format json`)
    expect(JSON.parse(stats.stdout)).toMatchObject({ forecasts: 3, attempts: { failed: 1 } })
    const exported = await history(`export --history ${path}`)
    expect(exported.code).toBe(0)
    const copy = inside('copy.sqlite')
    expect((await history(`import ${put(exported.stdout)} --history ${copy}`)).code).toBe(0)
    expect((await history(`export --history ${copy} --out -`)).stdout).toBe(exported.stdout)
    expect(readdirSync(dirname(path))).toEqual(['history.sqlite'])
  })

  const KEPT = inside('history.sqlite')
  const NONE = put(lines(ROWS))
  it.each([
    ['import /no/such --history @', 2, 'no such file'],
    [`import ${folder} --history @`, 2, 'folder'],
    [`import ${NONE} --history ${folder}`, 2, 'folder'],
    [`import ${NONE} --history ${NONE}`, 1, 'not an SQLite database'],
    [`import ${NONE} --history ${folder}/a/b/c.sqlite`, 2, 'no such file or folder'],
    ['verify --history /no/such', 2, 'Name the history (--history)'],
    [`verify --history ${NONE}`, 1, 'not an SQLite database'],
    [`import ${NONE} --batch 0`, 2, 'positive'],
    ['export --history @ --from noon', 2, 'RFC 3339'],
    ['export --history @ --from 2026-01-02 --to 2026-01-01', 2, '--from is later than --to'],
    ['export --history @ --out /no/such/folder/x', 2, 'no such file'],
    ['export --history @ --out @', 2, 'would replace an input'],
  ])('%s: exits %i, %s', async (line, code, says) => {
    await history(`import ${NONE} --history ${KEPT}`)
    const before = readFileSync(KEPT)
    const ran = await history(line.replaceAll('@', KEPT))
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) })
    expect(readFileSync(KEPT)).toEqual(before)
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  })

  it('says where a machine reads the rest what cannot be judged at all, with its place', async () => {
    const none = await history(`verify --history ${NONE} --format json`)
    expect(none).toMatchObject({ code: 1, stderr: '' })
    const finding = { severity: 'error', file: NONE, message: 'not an SQLite database' }
    expect(JSON.parse(none.stdout)).toMatchObject({ ok: false, findings: [finding] })
    const file = put('[1,2]\n\n  null\n')
    const path = inside('none.sqlite')
    const beyond = await history(`import ${file} --history ${path} --format json`)
    expect(beyond.code).toBe(1)
    expect(JSON.parse(beyond.stdout).findings).toMatchObject([{ file, line: 3, column: 3 }])
    expect(existsSync(path)).toBe(false)
    const gone = await history('verify --history /no/such --format json')
    expect(gone).toMatchObject({ code: 2, stdout: '' })
  })

  it('exits 3 where the history is locked', async () => {
    const path = inside('history.sqlite')
    await history(`import ${NONE} --history ${path}`)
    const other = openSqlite(path)
    other.exec('BEGIN EXCLUSIVE')
    const locked = await history(`stats --history ${path}`)
    expect(locked).toMatchObject({ code: 3, stderr: expect.stringContaining('locked') })
    other.exec('ROLLBACK')
    other.close()
  })
})

/** No line of it is JSON, and every line has the same fault. */
const FAULTS = 12_000
/** So many findings are kept. */
const MOST = 10_000
const WRONG = put('close_at\n'.repeat(FAULTS), 'wrong.csv')

const imported = async (line: string) => {
  const { code, stdout } = await history(`import ${line} --history ${folder}/h.sqlite`)
  expect(code).toBe(1)
  return { stdout, last: stdout.trimEnd().split('\n').at(-1) }
}

// How findings are counted that are not kept is tried in test/contract/findings.test.ts.
describe('a wrong file for history import', () => {
  it('shows twenty findings of a kind, and says how many more there are and where', async () => {
    const { stdout, last } = await imported(WRONG)
    expect(stdout.match(/ error json-form\n/g)).toHaveLength(20)
    const more = stdout.split('\n').filter((line) => line.includes(' more '))
    expect(more).toEqual([
      expect.stringMatching(`${FAULTS - 20} more .*the last in line ${FAULTS} of`),
    ])
    expect(last).toBe(`${WRONG}: ${FAULTS} errors`)
  })

  it('gives a machine ten thousand, and the number of the rest', async () => {
    const { stdout } = await imported(`${WRONG} --format json`)
    const { withheld, findings } = JSON.parse(stdout)
    expect([withheld, findings.length]).toEqual([FAULTS - MOST, MOST + 1])
    expect(findings.at(-1)).toMatchObject({
      ...{ code: 'more-findings', severity: 'error' },
      message: expect.stringMatching(`${FAULTS - MOST} more.*the last in line ${FAULTS} of`),
    })
  })

  it('never hides a kind behind another one', async () => {
    const late = put(`${'x\n'.repeat(MOST)}{"a":1}\n`)
    const { stdout, last } = await imported(late)
    expect(stdout).toContain(`1 more of import-unknown-value in line ${MOST + 1} of ${late}`)
    expect(stdout).toContain(`${MOST - 20} more of json-form, the last in line ${MOST} of ${late}`)
    expect(last).toBe(`${late}: ${MOST + 1} errors`)
  })
})

it('history seal --key prints the verifier key of C2SP signed notes', async () => {
  const [path, key] = [await historyOf([sample()]), join(folder, 'key.pem')]
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const args = ['history', 'seal', '--history', path, '--log', LOG, '--key', key]
  const { stdout } = await inProcess([...args, '--format', 'json'])
  const { text } = toVerifierKey(LOG, publicKey)
  expect(JSON.parse(stdout).verifier_key).toBe(text)
  expect((await inProcess(args)).stdout).toContain(`verifier key: ${text}`)
})

it('history check-proof says whose anchor it was, and that another forecast is possible', async () => {
  const [path, anchors] = [await historyOf([sample()]), temporaryFolder()]
  const one = await createAuthority({
    name: 'one',
    now: () => checkedInstant('2026-01-01T06:00:00Z'),
  })
  await seal(path, [async (body) => ({ authority: 'one', token: await tokenOver(one, body) })])
  writeFileSync(join(anchors, 'one.pem'), one.anchorPem)
  const proof = join(folder, 'proof.json')
  const key = sample().forecast_id
  const asked = ['history', 'prove', key, '--history', path, '--anchors', anchors]
  writeFileSync(proof, (await inProcess(asked)).stdout)
  const check = ['history', 'check-proof', proof]
  const theirs = await inProcess(check)
  expect(theirs.stdout).toMatch(/says one [0-9a-f]{64} \(chosen by the writer\)\n/)
  expect(theirs.stdout).toContain('another forecast under this key is possible')
  const own = await inProcess([...check, '--anchors', anchors])
  expect(own.stdout).toMatch(/says one [0-9a-f]{64} \(your anchor\)\n/)
  const { stdout } = await inProcess([...check, '--anchors', anchors, '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ ok: true, another_possible: true },
    stamps: [{ pinned: true, anchor_chosen_by: 'reader' }],
  })
})
