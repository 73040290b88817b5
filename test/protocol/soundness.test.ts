import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import type { Document } from '../../src/document/read.js'
import {
  describePeriods,
  type PeriodList,
  parsePeriods,
  periodsText,
} from '../../src/periods/list.js'
import { checkDraft, freezeProtocol } from '../../src/protocol/freeze.js'
import { loadFile } from '../../src/protocol/load.js'
import { readSeriesProtocol } from '../../src/protocol/read-series-protocol.js'
import { accessPath, appendAccess } from '../../src/protocol/readings.js'
import { chain, type LedgerEntry, withoutPosition } from '../../src/protocol/rules/entry.js'
import { verifyDocument, verifyLedger } from '../../src/protocol/verify.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { changed, changedIn, documentOf, ownValue } from './sample.js'
import { WEEKS, weekly } from './weekly.js'

const NOW = 1_000_000
const bytes = (text: string) => new TextEncoder().encode(text)

/** A protocol with the digest of its content, as a hand can write it. */
function signed(value: object) {
  const { protocol_sha256: _, ...rest } = value as { protocol_sha256?: string }
  return { ...rest, protocol_sha256: digestWithout(rest, 'protocol_sha256') }
}

/** As it can be written: an array has no holes. */
const asJson = (value: object) => JSON.parse(JSON.stringify(value)) as object

const codesOf = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code)

/** A folder with a protocol of version 2, its list and its ledger, all as `freeze` writes them. */
function frozen(list: PeriodList = WEEKS, changes: object = {}) {
  const folder = temporaryFolder()
  const protocol = changedIn(
    { ...weekly(), periods: { ...describePeriods(list), made_by: 'weeks' } },
    {
      ...changes,
    },
  )
  freezeProtocol(documentOf(protocol), { folder, now: NOW, periods: list })
  const at = (name: string) => join(folder, name)
  return {
    folder,
    file: at('admissions-1.json'),
    list: at('admissions-1.periods.csv'),
    ledger: at('ledger.jsonl'),
    verify: async () => await inProcess(['verify', folder]),
  }
}

describe('what freeze refuses for soundness, verify refuses', () => {
  // Whatever is written in the place of a member, or nothing.
  const OTHERS = [0, 1, -1, 3, 10_001, '', 'x', '0.1', '0.9', '1', 'P1D', '-PT5H', 'P9999D', null]
  const pointers = (value: unknown, here = ''): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) => [
          `${here}/${key}`,
          ...pointers(child, `${here}/${key}`),
        ])
      : []
  const base = [
    ['version 1', ownValue(), undefined],
    ['version 2', { ...weekly() }, WEEKS],
  ] as const

  // What only `freeze` asks: the name of a file, and how lax a protocol may be.
  const LAXER = ['version-unsafe', 'series-policy']

  it.each(base)('of %s, with any member changed and the digest right', (_, value, list) => {
    const all = pointers(value).filter((each) => each !== '/protocol_sha256')
    const change = fc.record({
      pointer: fc.constantFrom(...all),
      other: fc.constantFrom(undefined, [], {}, ...OTHERS),
    })
    fc.assert(
      fc.property(change, ({ pointer, other }) => {
        const made = documentOf(signed(asJson(changedIn(value, { [pointer]: other }))))
        const draft = checkDraft(made, list).filter(({ code }) => !LAXER.includes(code))
        const found = verifyDocument(made, list)
        expect(found.length > 0).toBe(draft.length > 0)
      }),
      { numRuns: 400 },
    )
  })

  it('of version 2, with any cell of its list changed and the figures right', () => {
    const columns = ['origin', 'steps', 'due', 'known'] as const
    const weeks = WEEKS.slice(0, 40)
    const change = fc.record({
      at: fc.nat(weeks.length - 1),
      column: fc.constantFrom(...columns),
      hours: fc.integer({ min: -2000, max: 2000 }),
    })
    const protocol = weekly()
    fc.assert(
      fc.property(change, ({ at, column, hours }) => {
        const instant = weeks[at]!.end + hours * 3_600_000_000
        const cell = { origin: hours > 0, steps: [hours % 6], due: instant, known: instant }[column]
        const list = weeks.map((week, index) => ({
          ...week,
          ...(column === 'origin' && { origin: true }),
          ...(index === at && { [column]: cell }),
        }))
        const value = { ...protocol, periods: { ...describePeriods(list), made_by: 'hand' } }
        const made = documentOf(signed(value))
        expect(verifyDocument(made, list)).toEqual(checkDraft(made, list))
      }),
      { numRuns: 200 },
    )
  })

  it('a protocol of version 2 alone, for its list says whether it is sound', () => {
    expect(codesOf(verifyDocument(documentOf(signed(weekly()))))).toEqual(['series-periods'])
  })

  it('and no more: a version that makes no file name verifies', () => {
    const value = signed(changed({ '/protocol_version': 'a/b c' }))
    expect(verifyDocument(documentOf(value))).toEqual([])
    expect(codesOf(checkDraft(documentOf(value)))).toEqual(['version-unsafe'])
  })
})

describe('a list is held against its normal form', () => {
  const text = periodsText(WEEKS)

  it.each([
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['without its last line end', text.trimEnd()],
    ['with a byte order mark', `\uFEFF${text}`],
    ['with instants spelt otherwise', text.replaceAll('Z,', '+00:00,')],
    ['with an empty column', text.replaceAll('\n', ',\n').replace(',\n', ',due\n').slice(0, -1)],
  ])('%s it verifies', async (_, other) => {
    const { list, verify } = frozen()
    writeFileSync(list, other)
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('and a digest of other bytes does not', async () => {
    const spelt = text.replaceAll('\n', '\r\n')
    const value = changedIn(signed(weekly()), { '/periods/sha256': sha256Hex(spelt) })
    expect(codesOf(verifyDocument(documentOf(signed(value)), WEEKS))).toEqual(['series-periods'])
  })

  it.each([
    ['cut', text.slice(0, -200), 'table-row'],
    ['cut at a line', text.split('\n').slice(0, 40).join('\n'), 'series-periods'],
    ['empty', '', 'period-column'],
    ['another file', '{}', 'period-column'],
    ['with a quote in a cell', text.replace('2025-W32', '2025"W32'), 'table-csv'],
    ['with a column twice', text.replaceAll(/,([^,]*)$/gm, ',$1,$1'), 'period-column'],
  ])('%s it does not', async (_, other, code) => {
    const { list, file } = frozen()
    writeFileSync(list, other)
    const { stdout } = await inProcess(['verify', file, '--format', 'json'])
    expect(codesOf(JSON.parse(stdout).findings)).toContain(code)
  })

  it('is read as it was written, with steps, columns and all', () => {
    const list = WEEKS.map((week, at) => ({
      ...week,
      origin: at % 2 === 0,
      ...(at % 2 === 0 && { steps: at % 4 === 0 ? [1, 2, 5] : [-1, 0, 1] }),
      due: week.end,
      known: at === 3 ? undefined : week.end + 1,
    }))
    const read = parsePeriods(bytes(periodsText(list)), 'x.csv')
    expect(read.ok && periodsText(read.periods)).toBe(periodsText(list))
  })

  it.each([
    ['due', '/origins/due'],
    ['known', '/outcome/known'],
  ] as const)('a column %s beside an offset of the document is refused', (column, pointer) => {
    const list = WEEKS.map((week) => ({ ...week, [column]: Date.UTC(2030, 0) * 1000 }))
    const value = { ...weekly(), periods: { ...describePeriods(list), made_by: 'hand' } }
    for (const found of [
      checkDraft(documentOf(value), list),
      verifyDocument(documentOf(signed(value)), list),
    ]) {
      expect(found.map((each) => [each.pointer, formatMessage(each).text])).toEqual([
        [pointer, expect.stringContaining(`has a column ${column}`)],
      ])
    }
  })

  it.each([
    ['first', '2025-W40', 'first 2025-W32'],
    ['last', '2025-W32', 'last 2028-W32'],
  ])('a protocol whose last period lies before its first is refused: %s', (name, label, says) => {
    const value = changedIn(weekly(), { [`/periods/${name}`]: label })
    const [found] = verifyDocument(documentOf(signed(value)), WEEKS)
    expect(found && formatMessage(found).text).toContain(says)
  })
})

describe('sizes are the same for who writes and who reads', () => {
  const many = (count: number, source: string) => ({
    ...weekly(),
    series: Array.from({ length: count }, (_, at) => ({ id: `s${at}`, unit: 'one', source })),
  })

  /** A draft as it is read from a file, closely written. */
  function readDraft(value: object): Document {
    const file = join(temporaryFolder(), 'draft.json')
    writeFileSync(file, JSON.stringify(value))
    const document = loadFile(file)
    if (!document.ok) throw new Error(JSON.stringify(document.findings))
    return document
  }

  it('12,000 series are frozen, verified and read', async () => {
    const value = many(12_000, 'the health department of a state, daily')
    const folder = temporaryFolder()
    const document = readDraft(value)
    expect(checkDraft(document, WEEKS)).toEqual([])
    const { file } = freezeProtocol(document, { folder, now: NOW, periods: WEEKS })
    expect(readFileSync(file).length).toBeGreaterThan(1_048_576)
    const { protocol } = await readSeriesProtocol(file)
    expect(protocol.series).toHaveLength(12_000)
  })

  it('a draft that is closely written, and whose frozen text would be too large, is refused', () => {
    const length = JSON.stringify(changed({ '/purpose': '' })).length
    const document = readDraft(changed({ '/purpose': 'x'.repeat(1_048_576 - length) }))
    expect(checkDraft(document)).toMatchObject([
      { code: 'document-too-large', args: { limit: 1_048_576 }, file: document.file },
    ])
  })

  it('a protocol of version 1 has 1 MiB', () => {
    const file = join(temporaryFolder(), 'p.json')
    writeFileSync(file, JSON.stringify(changed({ '/purpose': 'x'.repeat(1_048_576) })))
    const read = loadFile(file)
    expect(read.ok ? [] : read.findings).toMatchObject([
      { code: 'document-too-large', args: { limit: 1_048_576 } },
    ])
  })
})

describe('a ledger that freeze never writes', () => {
  const fields = (entry: LedgerEntry) =>
    withoutPosition(entry) as ReturnType<typeof withoutPosition> & object

  it.each([
    ['another version', { protocol_version: 'other-1' }, ['ledger-version-differs']],
    [
      'a file that verify and gate do not look at',
      { file: 'admissions-1.txt' },
      ['ledger-entry-form'],
    ],
  ])('names %s', async (_, change, codes) => {
    const { folder, ledger } = frozen()
    const entry = JSON.parse(readFileSync(ledger, 'utf8')) as LedgerEntry
    writeFileSync(
      ledger,
      `${JSON.stringify(chain({ ...fields(entry), ...change } as never, undefined))}\n`,
    )
    const { stdout } = await inProcess(['verify', folder, '--format', 'json'])
    expect(codesOf(JSON.parse(stdout).findings)).toEqual(expect.arrayContaining(codes))
  })

  it('has a record of readings that does not hold, whether an entry names it or not', () => {
    const { folder } = frozen()
    const registration = 'a'.repeat(64)
    const path = accessPath(folder, registration)
    appendAccess(path, registration, () => ({
      ...{ event: 'outcomes_read', at: '2026-01-01T00:00:00Z' },
      registration_sha256: registration,
      ...{ vintage_sha256: registration, history_sha256: registration },
      ...{ code_sha256: registration, exploratory: false, result_sha256: null },
    }))
    expect(verifyLedger(folder, NOW)?.findings).toEqual([])
    writeFileSync(path, readFileSync(path, 'utf8').replace('2026', '2025'))
    expect(codesOf(verifyLedger(folder, NOW)?.findings ?? [])).toEqual(['access-chain-broken'])
  })
})
