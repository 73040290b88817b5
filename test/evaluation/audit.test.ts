import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { readCodeVersion } from '../../src/evaluation/code-version.js'
import { type AuditOptions, isWithoutInput } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { temporaryFolder } from '../support/folder.js'
import { readText } from '../support/text-file.js'
import { Forger } from './forger.js'
import { madeRows, madeVintage } from './made.js'
import { audited, scoredCopies, scoreInto } from './score-into.js'
import { sql } from './stamped-world.js'
import { editText, importRows, makeWorld, NOW, pathsIn } from './world.js'

const folder = scoredCopies(() => makeWorld({ replicates: 100 }), 'first', 'second')

const audit = (out = 'first', options: Partial<AuditOptions> = {}) =>
  audited(join(folder(), out), options)

const inFolder = (name: string) => join(folder(), 'first', name)

describe('audit of what was not touched', () => {
  it.each(['first', 'second'])('holds for the %s run', async (out) => {
    const found = await audit(out)
    expect(found).toMatchObject({ ok: true, findings: [] })
    expect(found.links.filter((link) => link.state !== 'holds')).toEqual([])
  })

  // Its loss is lower by -0, which JSON writes as 0.
  it('holds for a candidate that copies a comparator', async () => {
    const world = await makeWorld({ replicates: 100, sight: 0 })
    await scoreInto(world, 'copy')
    expect(await audited(join(world.folder, 'copy'))).toMatchObject({ ok: true, findings: [] })
  })

  it('is not called edited where a checkout changed line ends, and holds where git is told to leave them', async () => {
    const checkedOut = async (attributes: string) => {
      const copy = join(temporaryFolder(), 'clone')
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', folder(), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
      writeFileSync(join(folder(), '.gitattributes'), attributes)
      git('init', '-q')
      git('add', '-A')
      git('commit', '-qm', 'evidence')
      git('-c', 'core.autocrlf=true', 'clone', '-q', folder(), copy)
      return await audited(join(copy, 'first'))
    }
    const { ok, findings } = await checkedOut('')
    expect(ok).toBe(false)
    expect(findings).toMatchObject([{ code: 'evidence-edited', args: { fault: 'line-ends' } }])
    expect(formatMessage(findings[0]!).help).toContain('.gitattributes')
    const told = await checkedOut('first/** -text\n')
    expect(told).toMatchObject({ ok: true, findings: [] })
  })

  it('has nothing that witnesses of a reader could have seen', async () => {
    const witnesses = join(folder(), 'witnesses.policy')
    const vkey = toVerifierKey('w', generateKeyPairSync('ed25519').privateKey, KEY_TYPE.cosignature)
    writeFileSync(witnesses, `witness w ${vkey.text}\nquorum w\n`)
    const { ok, findings } = await audit('first', { witnesses })
    const said = findings.map(({ code, args }) => ({ code, args }))
    expect([ok, said]).toEqual([false, [{ code: 'trusted-unused', args: { fault: 'witnesses' } }]])
  })

  it('has no stamp of a certificate that a reader trusts', async () => {
    const anchors = join(folder(), 'own-anchors')
    const { anchorPem } = await createAuthority({ name: 'own', now: () => 0 })
    mkdirSync(anchors)
    writeFileSync(join(anchors, 'own.pem'), anchorPem)
    const { ok, findings, links } = await audit('first', { anchors })
    expect(findings.map(({ code, args }) => ({ code, args }))).toEqual([
      { code: 'trusted-unused', args: { fault: 'anchors' } },
    ])
    expect([ok, links.find(({ state }) => state === 'broken')?.link]).toEqual([false, 'time'])
  })

  it('finds inputs that were moved where they are named', async () => {
    const lone = 'raw/handed-over'
    cpSync(join(folder(), 'first'), join(folder(), lone), { recursive: true })
    const { ok, links } = await audit(lone)
    expect([ok, links.filter(isWithoutInput).length]).toEqual([true, 8])
    expect((await audit(lone, { paths: pathsIn(folder()) })).ok).toBe(true)
  })

  it('allows a history that has grown since', async () => {
    const [row] = madeRows(1, madeVintage(1), [{ name: 'seer', sight: 0 }], false)
    const origin = '2025-12-01T00:00:00+00:00'
    const later = { ...row!, originAt: origin, targetAt: origin.replace('T00', 'T02') }
    await importRows({ folder: folder() }, [later], NOW)
    expect((await audit()).ok).toBe(true)
  })
})

// Which link does not hold after which change is in forgeries/.
describe('an audit', () => {
  it.each([
    [
      'an origin in another form',
      "origin_at = replace(origin_at, '+00:00', 'Z')",
      ['evidence-unreadable', 'evidence-unreadable'],
    ],
    // The row alone is at fault: all others are read and compared.
    [
      'a horizon that no number holds',
      'horizon_hours = 9007199254740993',
      ['history-differs', 'history-changed'],
    ],
  ])(
    'breaks at a history that was spoilt, with and without pairs: %s',
    async (_, change, codes) => {
      const update = `UPDATE forecast_predictions SET ${change} WHERE rowid = 50`
      sql(join(folder(), 'history.sqlite'), 'PRAGMA foreign_keys = OFF', update)
      for (const [at, code] of codes.entries()) {
        if (at === 1) rmSync(inFolder(FILES.pairs))
        const { links, findings } = await audit()
        expect(links.find(({ state }) => state === 'broken')?.link).toBe('history')
        expect(findings).toMatchObject([{ code, severity: 'error' }])
      }
    },
  )

  it('takes a result of other code only when that code is accepted by its digest', async () => {
    const own = readCodeVersion().sha256
    const by = async (acceptCode?: string) => {
      const code = { ...readCodeVersion(), sha256: 'f'.repeat(64) }
      const found = await audit('first', { code, acceptCode })
      expect(found.links.filter((one) => one.state === 'broken')).toEqual([])
      return {
        ok: found.ok,
        open: found.links.filter((one) => one.because === 'other-code').map((one) => one.link),
        findings: found.findings.map((one) => [one.code, one.severity]),
      }
    }
    const refused = { ok: false, open: ['code'], findings: [['code-differs', 'error']] }
    expect(await by()).toEqual(refused)
    expect(await by('e'.repeat(64))).toEqual(refused)
    const accepted = { ok: true, open: ['code'], findings: [['code-differs', 'note']] }
    expect(await by(own)).toEqual(accepted)
    editText(inFolder(FILES.html), (text) => text.replace('Not decided', 'Eligible'))
    await new Forger(folder()).seal()
    const open = ['code', 'report']
    const drawn = ['report-not-comparable', 'warning']
    expect(await by()).toEqual({ ok: false, open, findings: [['code-differs', 'error'], drawn] })
    expect(await by(own)).toEqual({ ok: true, open, findings: [['code-differs', 'note'], drawn] })
  })

  it('ends on a signal before it has read everything, though rows come without a pause', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const ended = audit('first', { signal: stop.signal })
    await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
  })

  it('says of the links behind a broken one that they were not checked, and why', async () => {
    type Audited = Awaited<ReturnType<typeof audit>>
    const open = (found: Audited) => found.links.filter((one) => one.state !== 'holds')
    rmSync(inFolder(FILES.html))
    expect(open(await audit()).slice(-2)).toEqual([
      { link: 'report', state: 'broken' },
      { link: 'description', state: 'not_checked', because: 'earlier-link' },
    ])
    rmSync(join(folder(), 'protocols', 'ledger.jsonl'))
    const after = open(await audit())
    expect(after[0]).toEqual({ link: 'ledger', state: 'broken' })
    expect(new Set(after.slice(1).map((one) => one.because))).toEqual(new Set(['earlier-link']))
  })
})

const read = (name: string) => readText(inFolder(name))

// biome-ignore lint/suspicious/noExplicitAny: documents of others' formats, changed member by member.
type Json = any

it('the in-toto statement is a Statement v1 in canonical form over every file and input', () => {
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
    // The pairs are there by their lines.
    ...files.sort().map((name) => {
      const of = { name: name.replace('.gz', ''), digest: { sha256: sha256Hex(read(name)) } }
      return of
    }),
    { name: 'input:history', digest: { foreproofRowsV1: history.sha256 } },
    { name: 'input:outcomes', digest: { sha256: sha256Hex(closes) } },
    { name: 'input:protocol', digest: { foreproofDocumentV1: protocol.sha256 } },
    { name: 'input:registration', digest: { foreproofDocumentV1: registration.sha256 } },
  ])
  expect(statement.predicate).toMatchObject({
    registration: { name: registration.name, sha256: registration.sha256 },
    protocol: { version: protocol.version, sha256: protocol.sha256 },
    result: {
      ...{ sha256: result.result_sha256, kind: result.kind, exploratory: false },
      cellsSha256: result.cells.sha256,
    },
    verdict: [],
    code: result.code,
  })
})

it('the RO-Crate has what RO-Crate 1.2 asks of every crate, and describes every file', () => {
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

const changed = (name: string, change: (document: Json) => unknown) => () =>
  editText(inFolder(name), (text) => {
    const document = JSON.parse(text)
    change(document)
    return `${canonicalize(document)}\n`
  })
const stated = (change: (statement: Json) => unknown) => changed(FILES.statement, change)
const without = (name: string) => rmSync(inFolder(name))
const DIGEST = 'a'.repeat(64)

describe('an audit of the two', () => {
  it.each<[string, spoil: () => unknown, says: RegExp, code?: string]>([
    [
      'another digest of a file',
      stated(({ subject }) => (subject[0].digest.sha256 = DIGEST)),
      /statement\.intoto\.json says "a+\S* at "\/subject\/access\.jsonl/,
    ],
    [
      'another digest of an input',
      stated(({ subject }) => (subject.at(-1).digest.foreproofDocumentV1 = DIGEST)),
      /at "\/subject\/input:registration/,
    ],
    [
      'a subject too many',
      stated(({ subject }) => subject.push({ name: 'model.bin', digest: { sha256: DIGEST } })),
      /at "\/subject\/model\.bin", but the folder gives nothing/,
    ],
    ['a subject twice', stated(({ subject }) => subject.push(subject[0])), /not in the form/],
    [
      'a subject too few',
      stated(({ subject }) => subject.splice(3, 1)),
      /says nothing at "\/subject\/report\.html"/,
    ],
    ['subjects that are no list', stated((of) => (of.subject = { '0': null })), /says nothing at/],
    [
      'another verdict',
      stated(({ predicate }) =>
        predicate.verdict.push({ candidate: 'seer', disposition: 'lower' }),
      ),
      /at "\/predicate\/verdict/,
    ],
    ['another type', stated((of) => (of.predicateType = 'https://slsa.dev/provenance')), /slsa/],
    [
      'another spelling of the same statement',
      () =>
        editText(inFolder(FILES.statement), (text) => JSON.stringify(JSON.parse(text), null, 2)),
      /not in the form/,
    ],
    [
      'a statement that is no JSON',
      () => writeFileSync(inFolder(FILES.statement), '{"_type":'),
      ...([/./, 'json-truncated'] as const),
    ],
    ['no statement', () => without(FILES.statement), /statement/, 'evidence-unreadable'],
    ['no description', () => without(FILES.crate), /ro-crate/, 'evidence-unreadable'],
    [
      'neither, where this very code has scored',
      () => [without(FILES.statement), without(FILES.crate)],
      ...([/statement/, 'evidence-unreadable'] as const),
    ],
  ])('finds %s', async (_, spoil, says, code = 'description-differs') => {
    spoil()
    const found = await audit()
    const link = found.links.find(({ state }) => state === 'broken')?.link
    const [first] = found.findings
    expect([found.ok, link, first?.code]).toEqual([false, 'description', code])
    expect(first && formatMessage(first).text).toMatch(says)
  })

  it('finds a description of another file, though the statement covers it', async () => {
    changed(FILES.crate, (crate) => {
      const file = crate['@graph'].find((of: Json) => of['@id'] === FILES.pairs)
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

  it('audits a folder of other code that has neither statement nor crate', async () => {
    rmSync(inFolder(FILES.statement))
    rmSync(inFolder(FILES.crate))
    new Forger(folder()).result((result) => {
      result.code = { ...result.code, sha256: 'c'.repeat(64) }
    })
    const found = await audit('first', { acceptCode: 'c'.repeat(64) })
    expect(found.ok).toBe(true)
    expect(found.links.map(({ link }) => link)).not.toContain('description')
  })
})
