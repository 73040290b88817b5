import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { documentOf } from '../protocol/sample.js'
import { audited, scoreWorld } from './score-into.js'
import { at, editText, makeWorld, type World } from './world.js'

/** A world whose ledger has a second protocol, frozen after the one of the registration. */
let world: World
let [own, other] = ['', '']

beforeEach(async () => {
  world = await makeWorld({ replicates: 200 })
  const folder = join(world.folder, 'protocols')
  const draft = { ...world.protocol, protocol_version: 'made-2', purpose: 'Another one.' }
  freezeProtocol(documentOf(draft), { folder, now: at('2024-12-20T00:00:00Z') })
  own = join(folder, 'made-1.json')
  other = join(folder, 'made-2.json')
})

const score = (protocol: string, out = 'evidence') => scoreWorld(world, out, { protocol })
const audit = (protocol: string) => audited(join(world.folder, 'evidence'), { paths: { protocol } })
const pair = (protocol: string) => pairHistory({ ...world.paths, protocol })

it('score, audit and pair take the file that is named, and refuse another of the same folder', async () => {
  expect((await score(own)).ok).toBe(true)
  const refused = {
    ok: false,
    link: 'registration',
    findings: [{ code: 'registration-of-other-protocol' }],
  }
  expect(await score(other, 'never')).toMatchObject(refused)
  expect(await pair(other)).toMatchObject(refused)
  expect((await audit(other)).findings[0]?.code).toBe('registration-of-other-protocol')
  expect((await audit(own)).paths?.protocol).toBe(own)
  expect((await audit(join(world.folder, 'protocols'))).paths?.protocol).toBe(own)
})

it('a file that is no protocol, or lies beside no ledger, is refused too', async () => {
  const notes = join(world.folder, 'protocols', 'notes.json')
  writeFileSync(notes, '{}')
  expect(await score(notes)).toMatchObject({ ok: false, link: 'protocol' })
  expect(await pair(notes)).toMatchObject({ ok: false, link: 'protocol' })
  mkdirSync(join(world.folder, 'elsewhere'))
  const copy = join(world.folder, 'elsewhere', 'made-1.json')
  copyFileSync(own, copy)
  for (const run of [score, pair]) {
    expect(await run(copy)).toMatchObject({ link: 'ledger', findings: [{ code: 'ledger-absent' }] })
  }
})

it('pair looks a registration up in the ledger, as score and audit do', async () => {
  const ledger = join(world.folder, 'protocols', 'ledger.jsonl')
  const lines = readFileSync(ledger, 'utf8').split('\n')
  const registered = lines.findIndex((line) => line.includes('registration_sha256'))
  expect(registered).toBe(1)
  expect((await pair(own)).ok).toBe(true)
  expect((await pair(join(world.folder, 'protocols'))).ok).toBe(true)
  // The entries after it rest on it: they go as well.
  writeFileSync(ledger, `${lines[0]}\n`)
  const found = { ok: false, findings: [{ code: 'registration-unentered' }] }
  expect(await score(own)).toMatchObject(found)
  expect(await pair(own)).toMatchObject(found)
  editText(ledger, (text) => text.replace('2024-12-01', '2024-12-02'))
  expect(await score(own)).toMatchObject({ ok: false, link: 'ledger' })
  expect(await pair(own)).toMatchObject({ ok: false, link: 'ledger' })
})

it('pair wants the protocol of a registration as a file, for a ledger lies beside none of standard input', async () => {
  await expect(pair('-')).rejects.toMatchObject({ code: 'usage' })
})
