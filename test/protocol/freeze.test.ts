import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDraft, freezeProtocol } from '../../src/protocol/freeze.js'
import { loadFile } from '../../src/protocol/load.js'
import { Verifier } from '../../src/protocol/verify.js'
import { temporaryFolder } from '../support/folder.js'
import { documentOf, draftText, ownValue } from './sample.js'

let root: string
let folder: string
beforeEach(() => {
  root = temporaryFolder()
  folder = join(root, 'protocols')
})

const draft = (version: string, change: object = {}) => documentOf(draftText(version, change))

const freeze = (document: ReturnType<typeof draft>, more: object = {}) =>
  freezeProtocol(document, { folder, now: 0, ...more })

const files = () => readdirSync(folder).sort()

function verify(): string[] {
  const verifier = new Verifier()
  for (const name of files().filter((each) => each.endsWith('.json'))) {
    verifier.add(loadFile(join(folder, name)))
  }
  return verifier.findings.map((finding) => finding.code)
}

describe('freezeProtocol', () => {
  it('writes the protocol and its ledger line, which verify', () => {
    const first = freeze(draft('v1'))
    const second = freeze(draft('v2', { purpose: 'another' }), { supersedes: 'v1' })
    expect(files()).toEqual(['ledger.jsonl', 'v1.json', 'v2.json'])
    expect(first).toMatchObject({ created: true, entry: { seq: 1, file: 'v1.json' } })
    expect(second.entry).toMatchObject({ seq: 2, supersedes: 'v1' })
    expect(second.entry?.previous).toBe(first.entry?.entry_sha256)
    expect(verify()).toEqual([])
  })

  it('does nothing the second time', () => {
    freeze(draft('v1'))
    const before = files().map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(freeze(draft('v1'))).toMatchObject({ created: false, entry: { seq: 1 } })
    expect(files().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before)
  })

  it('refuses another content under a frozen version', () => {
    freeze(draft('v1'))
    expect(() => freeze(draft('v1', { purpose: 'x' }))).toThrow(/frozen with different content/)
    expect(verify()).toEqual([])
  })

  it('refuses a file in the way, also when its name differs in case alone', () => {
    freeze(draft('v1'))
    writeFileSync(join(folder, 'V2.json'), '{}')
    writeFileSync(join(folder, 'v3.json'), 'no JSON')
    expect(() => freeze(draft('v2'))).toThrow(/case/)
    expect(() => freeze(draft('v3'))).toThrow(/different content/)
    expect(files()).toEqual(['V2.json', 'ledger.jsonl', 'v1.json', 'v3.json'])
  })

  it('refuses to supersede what was not frozen, or itself', () => {
    freeze(draft('v1'))
    expect(() => freeze(draft('v2'), { supersedes: 'v0' })).toThrow(/no version v0/)
    expect(() => freeze(draft('v2'), { supersedes: 'v2' })).toThrow(/itself/)
    expect(files()).toEqual(['ledger.jsonl', 'v1.json'])
  })

  it('writes nothing beside a ledger that does not verify', () => {
    freeze(draft('v1'))
    const ledger = join(folder, 'ledger.jsonl')
    writeFileSync(ledger, readFileSync(ledger, 'utf8').replace('"seq":1', '"seq":2'))
    expect(() => freeze(draft('v2'))).toThrow(/does not verify/)
    expect(files()).toEqual(['ledger.jsonl', 'v1.json'])
  })

  it('completes what a crash between file and ledger left undone', () => {
    freeze(draft('v1'))
    rmSync(join(folder, 'ledger.jsonl'))
    expect(freeze(draft('v1'))).toMatchObject({ created: false, entry: { seq: 1 } })
    expect(verify()).toEqual([])
  })

  it('writes nothing in a dry run', () => {
    expect(freeze(draft('v1'), { dryRun: true })).toMatchObject({ created: true })
    expect(readdirSync(root)).toEqual([])
  })
})

describe('checkDraft', () => {
  it('takes a draft without a digest, or with any', () => {
    expect(checkDraft(draft('v1'))).toEqual([])
    expect(checkDraft(documentOf({ ...ownValue(), protocol_sha256: 'to come' }))).toEqual([])
  })

  it.each(['../x', 'a/b', '.hidden', 'con', 'NUL.1', 'x.', 'ä', ' v', 'x'.repeat(101)])(
    'refuses the version %s',
    (version) => {
      expect(checkDraft(draft(version)).map((finding) => finding.code)).toEqual(['version-unsafe'])
    },
  )

  it('reports every other fault', () => {
    const faults = checkDraft(draft('v1', { issue: 1, purpose: '', extra: true }))
    expect(faults.map((finding) => finding.pointer).sort()).toEqual([
      '/extra',
      '/issue',
      '/purpose',
    ])
  })
})

describe('Verifier', () => {
  it('compares with the ledger only what is sound in itself', () => {
    freeze(draft('v1'))
    const file = join(folder, 'v1.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('0.03', '0.02'))
    expect(verify()).toEqual(['digest-mismatch'])
    const other = freezeProtocol(draft('v1', { purpose: 'other' }), {
      folder: join(root, 'elsewhere'),
      now: 0,
    })
    writeFileSync(file, readFileSync(other.file))
    expect(verify()).toEqual(['ledger-digest-differs'])
    writeFileSync(join(folder, 'v9.json'), text)
    expect(verify()).toEqual(['ledger-digest-differs', 'ledger-entry-missing'])
    rmSync(file)
    expect(verify()).toEqual(['ledger-file-missing', 'ledger-entry-missing'])
  })
})
