import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { sha256Hex } from '../../src/document/digest.js'
import {
  chain,
  checkEntry,
  type EntryFields,
  entryDigests,
  type LedgerEntry,
} from '../../src/protocol/rules/entry.js'
import { checkEnds, checkTimes, readLedger } from '../../src/protocol/rules/ledger.js'
import { codeOf } from '../contract/args-of.js'

const digest = (letter: string) => letter.repeat(64)

function frozen(version: string, more: object = {}): EntryFields {
  return {
    protocol_version: version,
    protocol_sha256: digest('a'),
    file: `${version}.json`,
    frozen_at: '2026-01-01T00:00:00Z',
    ...more,
  }
}

const registered = (version: string): EntryFields => ({
  registration_sha256: digest('b'),
  protocol_version: version,
  protocol_sha256: digest('a'),
  file: '../registration.json',
  mode: 'prospective',
  first_inputs: '2026-02-01T00:00:00Z',
  last_settled: null,
  registered_at: '2026-01-02T00:00:00Z',
})

const about = {
  registration_sha256: digest('b'),
  protocol_version: '1',
  protocol_sha256: digest('a'),
}
const scored = (result_sha256 = digest('c')): EntryFields => ({
  ...{ ...about, result_sha256, result_at: '2026-03-01T00:00:00Z' },
})
const closed = (more: object = {}): EntryFields => ({
  ...{ ...about, as: 'abandoned', reason: 'The model was retired.' },
  ...{ closed_at: '2026-03-01T00:00:00Z', ...more },
})
const corrected = (replaces = digest('c')): EntryFields => ({
  ...{ ...about, replaces, result_sha256: digest('d'), reason: 'A column was read twice.' },
  corrected_at: '2026-03-02T00:00:00Z',
})
const BEGUN = [frozen('1'), registered('1')]
/** A kind of entry that does not exist yet, in a sound place of the chain. */
const newer = () => {
  const before = ledger(BEGUN)
  return [...before, chain({ ...about, judged_at: '2026-03-01T00:00:00Z' } as never, before[1])]
}

function ledger(fields: readonly EntryFields[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const each of fields) entries.push(chain(each, entries.at(-1)))
  return entries
}

const FOUR = ledger([frozen('1'), frozen('2', { supersedes: '1' }), registered('2'), frozen('3')])

function codes(entries: readonly object[], end = '\n') {
  const text = entries.map((entry) => `${JSON.stringify(entry)}${end}`).join('')
  return readLedger(new TextEncoder().encode(text), 'ledger.jsonl').findings.map((each) =>
    `${each.position?.line} ${codeOf(each)} ${each.pointer}`.trim(),
  )
}

const edited = (index: number, change: object) =>
  FOUR.map((entry, i) => (i === index ? { ...entry, ...change } : entry))

/** Edited, with the digest made again: as one would do who knows the format. */
function forged(index: number, change: object) {
  return FOUR.map((entry, i) => {
    if (i !== index) return entry
    const { seq: _s, previous: _p, entry_sha256: _e, ...fields } = { ...entry, ...change }
    return chain(fields as EntryFields, FOUR[i - 1])
  })
}

const outOfPlace = (line: number) =>
  ['sequence /seq', 'link /previous'].map((fault) => `${line} ledger-chain ${fault}`)
const LATER = { frozen_at: '2026-01-01T00:00:01Z' }

const CASES: readonly (readonly [string, readonly object[], readonly string[]])[] = [
  ['as it was written', FOUR, []],
  ['a result and its correction', ledger([...BEGUN, scored(), corrected()]), []],
  ['a closing', ledger([...BEGUN, closed()]), []],
  [
    'a result of what was never registered',
    ledger([frozen('1'), scored()]),
    ['2 ledger-chain no-registration /registration_sha256'],
  ],
  [
    'a closing under another protocol',
    ledger([...BEGUN, closed({ protocol_sha256: digest('e') })]),
    ['3 ledger-chain no-registration /registration_sha256'],
  ],
  [
    'a closing under another version',
    ledger([...BEGUN, closed({ protocol_version: '9' })]),
    ['3 ledger-chain no-registration /registration_sha256'],
  ],
  ...['', ' ', 'x'.repeat(501), 'turned \u202e round', 'two\nlines'].map(
    (reason) =>
      [
        `a reason ${JSON.stringify(reason).slice(0, 12)}`,
        ledger([...BEGUN, closed({ reason })]),
        ['3 ledger-entry-form form /reason'],
      ] as const,
  ),
  [
    'closed as something else',
    ledger([...BEGUN, closed({ as: 'lost' })]),
    ['3 ledger-entry-form form /as'],
  ],
  ['an entry of a newer kind', newer(), ['3 ledger-entry-newer']],
  [
    'an entry of a newer kind, edited',
    newer().map((entry, at) => (at === 2 ? { ...entry, judged_at: '' } : entry)),
    ['3 missing-key', '3 unknown-key /judged_at'],
  ],
  ['nothing', [], []],
  ['an entry edited', edited(1, LATER), ['2 ledger-chain digest /entry_sha256']],
  ['an entry forged', forged(1, LATER), ['3 ledger-chain link /previous']],
  ['the last entry forged', forged(3, { frozen_at: '2027-01-01T00:00:00Z' }), []],
  ['an entry removed', FOUR.filter((_, i) => i !== 2), outOfPlace(3)],
  ['the first removed', FOUR.slice(1), [...outOfPlace(1), '1 ledger-chain supersedes /supersedes']],
  ['the last removed', FOUR.slice(0, 3), []],
  [
    'two swapped',
    [FOUR[0], FOUR[1], FOUR[3], FOUR[2]] as object[],
    [...outOfPlace(3), ...outOfPlace(4)],
  ],
  [
    'an entry twice',
    [...FOUR, FOUR[3]] as object[],
    [...outOfPlace(5), '5 ledger-chain version-twice /protocol_version'],
  ],
  [
    'a version frozen twice',
    ledger([frozen('1'), frozen('1', { protocol_sha256: digest('c') })]),
    ['2 ledger-chain version-twice /protocol_version'],
  ],
  [
    'a registration of what was not frozen',
    ledger([registered('9')]),
    ['1 ledger-chain registration /protocol_sha256'],
  ],
  [
    'a registration entered twice',
    ledger([frozen('1'), registered('1'), { ...registered('1'), file: '../other.json' }]),
    ['3 ledger-chain registration-twice /registration_sha256'],
  ],
  ...[
    '/etc/passwd',
    '/other/registration.json',
    'C:/other/registration.json',
    '../../etc/passwd',
  ].map(
    (file) =>
      [
        `a registration at ${file}`,
        ledger([frozen('1'), { ...registered('1'), file }]),
        ['2 ledger-entry-form form /file'],
      ] satisfies (typeof CASES)[number],
  ),
  [
    'superseding itself',
    ledger([frozen('1', { supersedes: '1' })]),
    ['1 ledger-chain supersedes /supersedes'],
  ],
  [
    'a file outside the folder',
    ledger([frozen('1', { file: '../1.json' })]),
    ['1 ledger-entry-form form /file'],
  ],
  [
    'unknown and missing keys',
    [{ ...FOUR[0], supercedes: '0', seq: undefined }],
    ['1 missing-key', '1 unknown-key /supercedes'],
  ],
  ['no object', [[1]], ['1 ledger-entry-form form']],
]

describe('readLedger', () => {
  it.each(CASES)('%s', (_name, entries, expected) => {
    expect(codes(entries)).toEqual(expected)
  })

  it('reads CRLF and a last line without an end', () => {
    expect(codes(FOUR, '\r\n')).toEqual([])
    const text = FOUR.map((entry) => JSON.stringify(entry)).join('\n')
    expect(readLedger(new TextEncoder().encode(text), 'l').findings).toEqual([])
  })

  const faultsOf = (...lines: readonly string[]) =>
    readLedger(new TextEncoder().encode(lines.join('\n')), 'l').findings.map(
      (each) => `${each.position?.line} ${codeOf(each)}`,
    )

  it('counts hundreds of thousands of lines that are none', () => {
    const { findings } = readLedger(Buffer.from('x\n'.repeat(200_000)), 'l')
    expect(findings).toHaveLength(10_001)
    expect(findings.at(-1)).toMatchObject({ code: 'more-findings', args: { count: 190_000 } })
  })

  it('names lines that are no JSON or empty', () => {
    const lines = [JSON.stringify(FOUR[0]), '', '<<<', '{"seq":1,"seq":2}']
    expect(faultsOf(...lines)).toEqual([
      '2 ledger-entry-form empty',
      '3 json-syntax',
      '4 json-duplicate-name',
    ])
  })

  it.each(['<<<<<<< ours', '||||||| base', '=======', '>>>>>>> theirs'])(
    'reports a merge conflict alone: %s',
    (marker) => {
      expect(faultsOf(JSON.stringify(FOUR[0]), '', marker, '{"seq":1,"seq":2}')).toEqual([
        '3 ledger-conflict',
      ])
    },
  )
})

describe('the times of a ledger', () => {
  const [MADE, FIVE_MINUTES] = [checkedInstant('2026-01-02T00:00:00Z'), 5 * 60 * 1e6]
  const of = (times: readonly string[], now: number, moved_at?: string) => {
    const entries: LedgerEntry[] = []
    for (const [at, frozen_at] of times.entries()) {
      const place = moved_at !== undefined && at === times.length - 1 ? { moved_at } : {}
      entries.push(chain(frozen(String(at), { frozen_at }), entries.at(-1), place))
    }
    const text = entries.map((entry) => JSON.stringify(entry)).join('\n')
    return checkTimes(readLedger(Buffer.from(text), 'l'), now).map((each) => codeOf(each))
  }
  const [EARLY, LATE] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']

  it('lie no more than five minutes ahead', () => {
    expect(of([LATE], MADE - FIVE_MINUTES)).toEqual([])
    expect(of([LATE], MADE - FIVE_MINUTES - 1)).toEqual(['ledger-time-future made'])
  })

  it('do not go backwards, but where an entry says that it was moved', () => {
    expect(of([EARLY, LATE, LATE], MADE)).toEqual([])
    expect(of([LATE, EARLY], MADE)).toEqual(['ledger-time-backwards made'])
    expect(of([LATE, EARLY], MADE, LATE)).toEqual(['ledger-entry-moved'])
    expect(of([LATE, EARLY], MADE, EARLY)).toEqual(['ledger-time-backwards moved'])
  })
})

describe('the former places of an entry', () => {
  const kinds = [frozen('1'), registered('1'), scored(), closed(), corrected()]
  const place = fc.record({ seq: fc.integer({ min: 1, max: 99 }), previous: fc.string() })

  it('give its digests there back, however often it was moved', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(place, { minLength: 1, maxLength: 5 }),
        fc.option(fc.constant('2026-05-01T00:00:00Z'), { nil: undefined }),
        (fields, places, moved_at) => {
          const digests: string[] = []
          let entry: LedgerEntry | undefined
          for (const { seq, previous } of places) {
            const before = { seq, entry_sha256: sha256Hex(previous) } as LedgerEntry
            const from = entry && { seq: entry.seq, previous: entry.previous }
            const since = entry?.moved_at === undefined ? {} : { moved_at: entry.moved_at }
            const moved_from = from ? [...(entry?.moved_from ?? []), { ...from, ...since }] : []
            entry = chain(fields, before, {
              ...(moved_at !== undefined && { moved_at }),
              ...(moved_from.length > 0 && { moved_from }),
            }) as LedgerEntry
            expect(checkEntry(entry)).toEqual([])
            digests.push(entry.entry_sha256)
          }
          expect(entryDigests(entry!)).toEqual(digests)
        },
      ),
    )
  })

  it.each([
    [[]],
    [[{ seq: 0, previous: digest('a') }]],
    [[{ seq: 1, previous: 'a' }]],
    [[{ seq: 1, previous: digest('a'), more: 1 }]],
    [[{ seq: 1, previous: digest('a'), moved_at: 'May' }]],
    [Array(101).fill({ seq: 1, previous: digest('a') })],
  ])('are places: %#', (moved_from) => {
    const entry = chain(frozen('1'), undefined, { moved_from } as never)
    expect(codes([entry])).toEqual(['1 ledger-entry-form form /moved_from'])
  })
})

describe('checkEnds', () => {
  const faults = (...later: EntryFields[]) => {
    const text = ledger([...BEGUN, ...later]).map((entry) => `${JSON.stringify(entry)}\n`)
    const read = readLedger(new TextEncoder().encode(text.join('')), 'ledger.jsonl')
    expect(read.findings).toEqual([])
    return checkEnds(read).map(
      ({ args, position }) => `${position?.line} ${(args as { fault: string }).fault}`,
    )
  }

  it.each([
    [[closed()], []],
    [[scored(), scored(digest('d')), corrected()], []],
    // What a merge of two branches makes: the first by its place holds.
    [[closed(), closed({ as: 'void' })], ['4 closed-twice']],
    [[scored(), closed()], ['4 closed-scored']],
    [[closed(), scored()], ['4 closed-before']],
    [[closed(), corrected()], ['4 closed-before']],
    [[corrected()], ['3 replaces']],
    [[scored(), corrected(digest('d'))], ['4 replaces']],
  ])('names what counts for nothing: %#', (later, expected) => {
    expect(faults(...later)).toEqual(expected)
  })
})
