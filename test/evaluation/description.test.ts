import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { Forger } from './forger.js'
import { audited, scoredCopies } from './score-into.js'
import { editText, makeWorld } from './world.js'

const folder = scoredCopies(() => makeWorld({ replicates: 100 }), 'first')

const inFolder = (name: string) => join(folder(), 'first', name)
const read = (name: string) => readFileSync(inFolder(name), 'utf8')
const audit = (acceptCode?: string) => audited(join(folder(), 'first'), { acceptCode })

// biome-ignore lint/suspicious/noExplicitAny: documents of others' formats, changed member by member.
type Json = any

describe('the in-toto statement', () => {
  it('is a Statement v1 in canonical form over every file and input', () => {
    const text = read(FILES.statement)
    const statement = JSON.parse(text)
    expect(text).toBe(`${canonicalize(statement)}\n`)
    expect(Object.keys(statement)).toEqual(['_type', 'predicate', 'predicateType', 'subject'])
    expect(statement._type).toBe('https://in-toto.io/Statement/v1')
    expect(statement.predicateType).toBe('urn:foreproof:predicate:evaluation:v1')
    const files = readdirSync(join(folder(), 'first')).filter(
      (name) => name !== FILES.inputs && name !== FILES.statement,
    )
    const result = JSON.parse(read(FILES.result))
    const { history, protocol, registration } = result.inputs
    const closes = readFileSync(join(folder(), 'vintage', 'closes.csv'))
    expect(statement.subject).toEqual([
      ...files.sort().map((name) => ({ name, digest: { sha256: sha256Hex(read(name)) } })),
      { name: 'input:history', digest: { foreproofRowsV1: history.sha256 } },
      { name: 'input:outcomes', digest: { sha256: sha256Hex(closes) } },
      { name: 'input:protocol', digest: { foreproofDocumentV1: protocol.sha256 } },
      { name: 'input:registration', digest: { foreproofDocumentV1: registration.sha256 } },
    ])
    expect(statement.predicate).toMatchObject({
      registration: { name: registration.name, sha256: registration.sha256 },
      protocol: { version: protocol.version, sha256: protocol.sha256 },
      result: { sha256: result.result_sha256, mode: result.mode, exploratory: false },
      verdict: [{ candidate: 'seer', disposition: result.dispositions[0].disposition }],
      code: result.code,
    })
  })
})

describe('the RO-Crate', () => {
  it('has what RO-Crate 1.2 asks of every crate, and describes every file', () => {
    const crate = JSON.parse(read(FILES.crate))
    expect(crate['@context']).toBe('https://w3id.org/ro/crate/1.2/context')
    const byId = new Map<string, Json>(crate['@graph'].map((of: Json) => [of['@id'], of]))
    expect(byId.size).toBe(crate['@graph'].length)
    expect(byId.get('ro-crate-metadata.json')).toEqual({
      '@id': 'ro-crate-metadata.json',
      '@type': 'CreativeWork',
      about: { '@id': './' },
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
    })
    const root = byId.get('./')
    expect(root['@type']).toBe('Dataset')
    for (const member of ['name', 'description', 'license']) expect(root[member]).toMatch(/\S/)
    const last = JSON.parse(read(FILES.access).trimEnd().split('\n').at(-1) ?? '')
    expect(root.datePublished).toBe(last.at)
    const parts = root.hasPart.map((part: Json) => part['@id'])
    const files = readdirSync(join(folder(), 'first'))
    expect([...parts, 'ro-crate-metadata.json'].sort()).toEqual(files.sort())
    for (const part of parts) {
      const { '@type': type, name, encodingFormat, contentSize, sha256 } = byId.get(part)
      expect([type, name, encodingFormat]).toEqual([
        'File',
        expect.stringMatching(/\S/),
        expect.stringMatching(/^\w+\/[\w.+-]+$/),
      ])
      if (sha256 === undefined) continue
      expect([part, contentSize, sha256]).toEqual([
        part,
        String(Buffer.byteLength(read(part))),
        sha256Hex(read(part)),
      ])
    }
    // Nothing is referred to that is not described, but for the specification itself.
    const refs = [...canonicalize(crate).matchAll(/\{"@id":"([^"]+)"\}/g)].map(([, id]) => id ?? '')
    expect(refs.filter((id) => !byId.has(id))).toEqual(['https://w3id.org/ro/crate/1.2'])
  })
})

type Case = readonly [spoil: () => unknown, says: RegExp, code?: string]

const changed = (name: string, change: (document: Json) => unknown) => () =>
  editText(inFolder(name), (text) => {
    const document = JSON.parse(text)
    change(document)
    return `${canonicalize(document)}\n`
  })
const stated = (change: (statement: Json) => unknown) => changed(FILES.statement, change)
const without = (name: string) => rmSync(inFolder(name))

const CASES: Readonly<Record<string, Case>> = {
  'another digest of a file': [
    stated(({ subject }) => (subject[0].digest.sha256 = 'a'.repeat(64))),
    /statement\.intoto\.json says "a+\S* at "\/subject\/access\.jsonl/,
  ],
  'another digest of an input': [
    stated(({ subject }) => (subject.at(-1).digest.foreproofDocumentV1 = 'a'.repeat(64))),
    /at "\/subject\/input:registration/,
  ],
  'a subject too many': [
    stated(({ subject }) =>
      subject.push({ name: 'model.bin', digest: { sha256: 'b'.repeat(64) } }),
    ),
    /at "\/subject\/model\.bin", but the folder gives nothing/,
  ],
  'a subject twice': [stated(({ subject }) => subject.push(subject[0])), /not in the form/],
  'a subject too few': [
    stated(({ subject }) => subject.splice(2, 1)),
    /says nothing at "\/subject\/report\.html"/,
  ],
  'subjects that are no list': [
    stated((statement) => (statement.subject = { '0': null })),
    /says nothing at/,
  ],
  'another verdict': [
    stated(({ predicate }) => (predicate.verdict[0].disposition = 'eligible_for_human_review')),
    /says "eligible_for_human_review" at "\/predicate\/verdict/,
  ],
  'another type of statement': [
    stated((statement) => (statement.predicateType = 'https://slsa.dev/provenance/v1')),
    /slsa/,
  ],
  'another spelling of the same statement': [
    () => editText(inFolder(FILES.statement), (text) => JSON.stringify(JSON.parse(text), null, 2)),
    /not in the form/,
  ],
  'a statement that is no JSON': [
    () => writeFileSync(inFolder(FILES.statement), '{"_type":'),
    /./,
    'json-truncated',
  ],
  'no statement': [() => without(FILES.statement), /statement/, 'evidence-unreadable'],
  'no description': [() => without(FILES.crate), /ro-crate/, 'evidence-unreadable'],
  'neither, where this very code has scored': [
    () => [without(FILES.statement), without(FILES.crate)],
    /statement/,
    'evidence-unreadable',
  ],
}

describe('an audit of the two', () => {
  it.each(Object.entries(CASES))(
    'finds %s',
    async (_, [spoil, says, code = 'description-differs']) => {
      spoil()
      const found = await audit()
      const link = found.links.find(({ state }) => state === 'broken')?.link
      expect([found.ok, link, found.findings[0]?.code]).toEqual([false, 'description', code])
      const [first] = found.findings
      expect(first && messageOf(first).text).toMatch(says)
    },
  )

  it('finds a description of another file, though the statement covers it', async () => {
    changed(FILES.crate, (crate) => {
      const file = crate['@graph'].find((of: Json) => of['@id'] === 'pairs.ndjson')
      file['@id'] = 'other.ndjson'
    })()
    const digest = sha256Hex(readFileSync(inFolder(FILES.crate)))
    changed(FILES.statement, ({ subject }) => {
      const of = subject.find(({ name }: Json) => name === FILES.crate)
      of.digest.sha256 = digest
    })()
    const found = await audit()
    expect([found.ok, found.findings[0]?.code]).toEqual([false, 'description-differs'])
  })

  it('audits a folder of an earlier version, which has neither, as before', async () => {
    rmSync(inFolder(FILES.statement))
    rmSync(inFolder(FILES.crate))
    new Forger(folder()).result((result) => {
      result.code = { ...result.code, sha256: 'c'.repeat(64) }
    })
    const found = await audit('c'.repeat(64))
    expect(found.ok).toBe(true)
    expect(found.links.map(({ link }) => link)).not.toContain('description')
  })
})
