import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkTrackRecord } from '../../src/contract/generated/check-record.js'
import type { EntryFields } from '../../src/protocol/rules/entry.js'
import type { End } from '../../src/record/track-record.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { readText, writeText } from '../support/text-file.js'
import { build, makeOrigin, type Origin, recordIn, saveLedger } from './disk.js'
import { everyEnd } from './every-end.js'
import { day, MadeLedger } from './made-ledger.js'

let origin: Origin
let keeper: string
let digests: ReturnType<typeof everyEnd>
beforeAll(async () => {
  origin = await makeOrigin()
  const ledger = new MadeLedger(origin.templates)
  digests = everyEnd(ledger)
  keeper = temporaryFolder()
  await saveLedger(keeper, ledger, origin)
  expect((await build(keeper)).code).toBe(0)
}, 60_000)

const pathIn = (...parts: string[]) => join(keeper, 'record', ...parts)

describe('foreproof record', () => {
  it('has a schema, and every registration with its end', () => {
    const record = recordIn(pathIn())
    expect(checkTrackRecord(record)).toEqual([])
    const ends = new Map(record.registrations.map((row) => [row.registration_sha256, row]))
    const endOf = (name: keyof typeof digests) => ends.get(digests[name])?.end
    const expected = {
      ...{ eligible: 'scored', negative: 'scored', withheld: 'result_withheld' },
      ...{ brokenOff: 'broken_off', cancelled: 'cancelled', inWindow: 'closed', late: 'closed' },
      ...{ missing: 'file_missing', overdue: 'overdue', awaiting: 'awaiting_outcomes' },
      ...{ running: 'running', announced: 'announced', ownWord: 'scored', unproved: 'scored' },
      backtest: 'scored',
    } satisfies Partial<Record<keyof typeof digests, End>>
    const names = Object.keys(expected) as (keyof typeof expected)[]
    expect(Object.fromEntries(names.map((name) => [name, endOf(name)]))).toEqual(expected)
    expect(record.registrations).toHaveLength(names.length)
    expect(ends.get(digests.inWindow)?.closing).toMatchObject({
      ...{ phase: 'in_window', after_origins: 72, proved_at: day(13).replace('00Z', '01Z') },
    })
  })

  it('shows of evidence the results alone, and with --whole all that score wrote', async () => {
    const files = readdirSync(pathIn('evidence', digests.first))
    expect(files).toEqual(['result.json'])
    const { folder, paths } = origin.world
    const out = join(temporaryFolder(), 'record')
    const more = ['--evidence', join(folder, 'evidence'), '--whole', '--out', out]
    const built = await inProcess(['record', '--protocols', paths.protocol, ...more])
    expect(built).toMatchObject({ code: 0, stderr: '' })
    const [digest = ''] = readdirSync(join(out, 'evidence'))
    expect(readdirSync(join(out, 'evidence', digest)).sort()).toEqual(
      readdirSync(join(folder, 'evidence')).sort(),
    )
    // Its registration lies where the ledger says.
    expect(recordIn(out).registrations).toMatchObject([{ end: 'scored', name: 'made evaluation' }])
    expect((await inProcess(['record', 'check', out])).code).toBe(0)
  })

  it('gives the same bytes again', async () => {
    const out = join(temporaryFolder(), 'again')
    expect((await build(keeper, '--out', out)).code).toBe(2)
    const built = await inProcess([
      ...['record', '--protocols', join(keeper, 'protocols'), '--out', out, '--now', day(60)],
      ...['--registrations', join(keeper, 'registrations')],
      ...['--evidence', join(keeper, 'evidence', '*')],
    ])
    expect(built.code).toBe(0)
    for (const name of ['record.json', 'index.html']) {
      expect(readText(join(out, name))).toBe(readText(pathIn(name)))
    }
  })

  it('refuses evidence of another ledger by name, and of another entry', async () => {
    const other = new MadeLedger(origin.templates)
    const digest = other.register({ candidates: ['other'] })
    other.score(digest, 'inconclusive')
    const folder = temporaryFolder()
    await saveLedger(folder, other, origin)
    const [name = ''] = readdirSync(join(folder, 'evidence'))
    const foreign = join(folder, 'evidence', name)
    const out = join(temporaryFolder(), 'record')
    const built = await build(keeper, '--evidence', foreign)
    expect([built.code, built.stderr]).toEqual([1, expect.stringContaining('already exists')])
    const line = ['record', '--protocols', join(keeper, 'protocols'), '--out', out]
    const refused = await inProcess([...line, '--evidence', foreign])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('this ledger does not have its registration'),
    ])
    // The same registration, entered in another ledger.
    const twin = new MadeLedger(origin.templates)
    twin.stamp(1)
    twin.register({ candidates: ['before'] })
    const registration = other.registrations.get(digest)!
    const [, entry] = other.entries
    const {
      seq: _,
      previous: __,
      entry_sha256: ___,
      ...fields
    } = entry as unknown as Record<string, unknown>
    twin.append(fields as unknown as EntryFields)
    twin.registrations.set(digest, registration)
    const second = temporaryFolder()
    await saveLedger(second, twin, origin)
    const moved = await inProcess([
      ...['record', '--protocols', join(second, 'protocols'), '--out', out],
      ...['--evidence', foreign],
    ])
    expect([moved.code, moved.stderr]).toEqual([
      1,
      expect.stringContaining('it names another entry than entry 3 of this ledger'),
    ])
  })

  it('leaves out and names files that are no registration of the ledger', async () => {
    const folder = temporaryFolder()
    const draft = join(folder, 'draft.json')
    writeText(draft, '{}')
    const out = join(folder, 'record')
    const built = await inProcess([
      ...['record', '--protocols', join(keeper, 'protocols'), '--out', out],
      ...['--registrations', draft],
    ])
    expect(built.code).toBe(0)
    expect(built.stdout).toContain('was left out: it is not a registration, or was edited')
  })

  it('says the counts and what chance would give, in text and as JSON', async () => {
    const out = join(temporaryFolder(), 'record')
    const line = [
      ...['record', '--protocols', join(keeper, 'protocols'), '--out', out, '--now', day(60)],
      ...['--evidence', join(keeper, 'evidence', '*'), '--format', 'json'],
    ]
    const { counts, chance } = JSON.parse((await inProcess(line)).stdout)
    const record = recordIn(pathIn())
    expect({ counts, chance }).toEqual({ counts: record.counts, chance: record.chance })
    // Nine of the first table: the second registration of a candidate has a sixth of alpha.
    expect(chance).toMatchObject({ evaluations: 9, eligible: 1, waiting_given_away: 0 })
    expect(chance.expected_at_most).toBeCloseTo(8 * 0.025 + 0.025 / 6, 12)
  })
})

describe('the page', () => {
  const page = () => readText(pathIn('index.html'))

  it('answers what a reader asks first', () => {
    const text = page()
      .replace(/<style>.*?<\/style>/s, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    for (const says of [
      'Record of 15 registrations',
      'begun on 2026-01-01 00:00 UTC by its keeper’s clock',
      'first seen by others (tsa) on 2026-01-03',
      'whole up to entry 27 of 27 by tsa on 2026-02-10',
      'other ledgers, other names for a model, or a newer list',
      'closed after 72 of 241 origins',
      'closed after 241 of 241 origins, when outcomes could be known',
      'Of 9 evaluations shown by others whose outcomes could be read (2 scored, 1 result withheld, 1 broken off, 2 closed, 1 file missing, 1 overdue and 1 awaiting outcomes), 1 ended with an eligible candidate.',
      'at most 0.2 eligible results, half the alpha of each (8 · 0.025 + 1 · 0.0042). At most 20.4 % of such records have 1 or more.',
      'No error rate holds: that forecasts came before outcomes is the keeper’s word.',
      'What only the keeper says When',
      'When outcomes were read (8 readings of 7 registrations): by the keeper’s clock.',
      'Other outcomes were used. So says entry 27',
    ]) {
      expect(text.replaceAll('\u202f', ' ')).toContain(says)
    }
  })

  it('needs no script and fetches nothing', () => {
    expect(page()).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page()).not.toMatch(/<script|<link|<img|src=/)
    expect(statSync(pathIn('index.html')).size).toBeLessThan(60_000)
  })

  it('shows foreign text as text', async () => {
    const folder = temporaryFolder()
    const ledger = new MadeLedger(origin.templates)
    const digest = ledger.register({ candidates: ['<b>x</b>'] })
    ledger.close(digest)
    await saveLedger(folder, ledger, origin)
    expect((await build(folder, '--evidence-url', 'https://e.example/a?b="c')).code).toBe(0)
    expect(readText(join(folder, 'record', 'index.html'))).not.toContain('<b>x')
  })
})
