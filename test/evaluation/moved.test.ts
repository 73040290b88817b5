import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_SECOND,
} from '../../src/contract/instant.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { countsFrom } from '../../src/evaluation/proof/registration-time.js'
import { entryText, ledgerOf, ledgerText, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { chain, fieldsOf } from '../../src/protocol/rules/entry.js'
import { audited, scoreCodes, scoreInto } from './score-into.js'
import { copyOf, makeWorld, type World } from './world.js'

/** Puts the registration of a world into its ledger as `ledger rebase` does, from this time on. */
function moved(world: World, moved_at: string): World {
  const other = copyOf(world)
  const file = ledgerOf(join(other.folder, 'protocols'))
  const entries = readLedgerFile(file)!.lines.map(({ entry }) => entry)
  const own = entries.pop()!
  const entry = chain(fieldsOf(own), entries.at(-1), { moved_at })
  writeFileSync(file, ledgerText([...entries, entry].map((each) => entryText(each as never))))
  return other
}

describe('a registration that its ledger has behind later entries', () => {
  it('counts from then on, whatever time it says of itself', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    const { window } = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    const { from, to } = window
    const late = moved(world, to)
    expect(await scoreCodes(late, 'late')).toEqual(['registration-unentered moved'])
    expect(await pairHistory(late.paths)).toMatchObject({ ok: true })
    const before = moved(world, from)
    const { result } = await scoreInto(before, 'before')
    expect(result.inputs.registration.registered_at).toBe(from)
    expect(await audited(join(before.folder, 'before'))).toMatchObject({ ok: true })
  })

  it('is refused by register where the ledger is at a time after the first forecasts were due', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    const registration = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    const made = instantOrNaN(registration.registered_at)
    const after = (minutes: number) => made + minutes * 60 * MICROS_PER_SECOND
    const other = moved(world, formatUtc(after(4)))
    // A registration stands in a ledger once.
    let nth = 1
    const enter = (of: object, firstDue: Instant) => () =>
      enterRegistration(
        { ...registration, ...of, registration_sha256: String(nth++).repeat(64) },
        join(other.folder, 'again.json'),
        ledgerOf(join(other.folder, 'protocols')),
        firstDue,
      )
    expect(enter({}, after(3))).toThrow(/from \S+ on \(moved_at\)/)
    expect(existsSync(join(other.folder, 'again.json'))).toBe(false)
    // A stamp may show it earlier, and a backtest has nothing to come before.
    const [time, mode] = [{ at_least: 1, authorities: [] }, 'backtest']
    for (const [of, firstDue] of [
      [{}, after(4)],
      [{ time }, after(3)],
      [{ mode }, after(3)],
    ] as const) {
      expect(enter(of, firstDue)()).toMatchObject({ moved_at: formatUtc(after(4)) })
      unlinkSync(join(other.folder, 'again.json'))
    }
  })

  it('counts earlier where a stamp shows it, and never before it was made', () => {
    const [made, stamp, place] = [
      '2025-01-01T00:00:00Z',
      '2025-01-01T01:00:00Z',
      '2025-02-01T00:00:00Z',
    ]
    const of = (moved_at?: string, stamped_at: string | null = null) =>
      countsFrom({ registered_at: made as string }, moved_at ? { moved_at } : {}, { stamped_at })
    expect(of()).toBe(made)
    expect(of(place)).toBe(place)
    expect(of(place, stamp as string)).toBe(stamp)
    expect(of(stamp, place as string)).toBe(stamp)
    expect(of(place, '2024-12-31T00:00:00Z')).toBe(made)
  })
})
