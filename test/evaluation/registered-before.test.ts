import { rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import { instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { closeRegistration } from '../../src/evaluation/close-registration.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import type { Result } from '../../src/evaluation/result/result.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { ledgerPath } from '../../src/protocol/ledger-file.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { draftPlan } from '../../src/registration/template.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { documentOf } from '../protocol/sample.js'
import { BY_VERDICT } from '../registration/made.js'
import { temporaryFolder } from '../support/folder.js'
import { writeText } from '../support/text-file.js'
import { hourAt, LEAD_IN, madeRows } from './made.js'
import { audited, scoreInto } from './score-into.js'
import { seriesWorld } from './series-world.js'
import { stampRegistration, type Witnesses, witnesses } from './stamped-world.js'
import {
  at,
  copyOf,
  editText,
  forecastLine,
  importRows,
  makeWorld,
  NOW,
  plan,
  type World,
  type WorldOptions,
} from './world.js'

const HOURS = 24 * 12
const OPTIONS: WorldOptions = {
  ...{ hours: HOURS, replicates: 2000, method: BY_VERDICT },
  // Two of them say the same.
  fill: async (world, vintage) => {
    const models = [
      { name: 'seer', sight: 0.3 },
      { name: 'twin', sight: 0.3 },
      { name: 'other', sight: 0.2 },
    ]
    await importRows(world, [...madeRows(HOURS, vintage, models, false)], NOW)
  },
}
const LATER = NOW + MICROS_PER_HOUR
const SEER = 'seer'
const TWIN = 'twin'
const OTHER = 'other'

let made: World | undefined
/** What is made once; each test has a copy. */
async function madeOnce(): Promise<World> {
  made ??= await makeWorld(OPTIONS)
  return copyOf(made)
}

/** Enters another registration of a world beside its own; by default one of the same plan. */
function enter(world: World, name: string, day: number, over: Partial<WorldOptions> = {}): void {
  const planned = { ...plan({ ...OPTIONS, ...over }), name }
  const when = over.registeredAt ?? at(`2024-12-${day}T00:00:00Z`)
  const registration = createRegistration(planned, compileRules(world.protocol), when)
  const file = join(world.folder, `${name}.json`)
  enterRegistration(registration, file, ledgerPath(world.paths.protocol))
}

/** The result of a registration that lies in a world. */
async function score(world: World, name = 'registration', now = NOW, out = name): Promise<Result> {
  const registration = join(world.folder, `${name}.json`)
  const over = { registration, now: () => now }
  return (await scoreInto(world, `evidence-${out}`, over)).result
}

const audit = (world: World, name: string, over: Parameters<typeof audited>[1] = {}) =>
  audited(join(world.folder, `evidence-${name}`), { now: NOW + 3 * MICROS_PER_HOUR, ...over })

/** Closes the registration of a world, with a stamp of the closing. */
async function close(
  { paths, ...world }: World,
  by: Witnesses,
  stampedAt: string,
  on = '2024-12-17T00:00:00Z',
) {
  const { registration, protocol } = paths
  const of = { as: 'abandoned', reason: 'no more data', registration, protocol } as const
  closeRegistration({ ...of, now: at(on) })
  by.now = at(stampedAt)
  await stampRegistration({ paths, ...world }, by)
}

describe('other registrations of the ledger', () => {
  it('leaves the first the alpha of the protocol, and divides that of each repetition', async () => {
    const world = await madeOnce()
    enter(world, 'second', 16)
    enter(world, 'third', 17)
    // What came in the second of a reading was not known to it.
    const earliest = await score(world)
    const results = [earliest, await score(world, 'second'), await score(world, 'third', LATER)]
    for (const result of results) expect(checkResult(result)).toEqual([])
    expect(results.map(({ settings }) => settings.rules.alpha)).toEqual([0.05, 0.05 / 6, 0.05 / 12])
    const times = results.map(({ registrations: r }) => [r?.repetition, r?.divisor].join())
    expect(times).toEqual(['1,1', '2,6', '3,12'])
    const [first, second, third] = results
    expect(first?.registrations?.others.map(({ end }) => end)).toEqual(['not_scored', 'not_scored'])
    // Its result was there before the second was read, though no clock shows it.
    expect(second?.registrations?.others.map(({ end }) => end)).toEqual(['scored', 'not_scored'])
    expect(third?.registrations?.others.map(({ end }) => end)).toEqual(['scored', 'scored'])
    for (const name of ['registration', 'second'])
      expect((await audit(world, name)).findings).toEqual([])
    // In the first lines of both reports, with every other registration.
    const page = renderHtml(second!)
    for (const text of [page, renderMarkdown(second!)]) {
      expect(text).toContain('the protocol’s 5.0\u202f% divided by 6')
      expect(text).toMatch(/A model under a new name with other forecasts/)
      expect(text).toContain('not yet scored')
      expect(text).not.toMatch(/NaN|undefined|\[object/)
    }
    expect(page).toContain('99.17')
  }, 120_000)

  it('is the same in an audit, also when more was registered and scored since', async () => {
    const world = await madeOnce()
    enter(world, 'second', 16)
    await score(world, 'second')
    await score(world, 'registration', NOW + MICROS_PER_HOUR)
    enter(world, 'late', 31, { registeredAt: NOW + 2 * MICROS_PER_HOUR, mode: 'backtest' })
    const { findings, links } = await audit(world, 'second')
    expect(findings).toEqual([])
    expect(links.map(({ state }) => state)).not.toContain('broken')
  })

  it.each([
    ['deleted', (file: string) => unlinkSync(file)],
    [
      'edited so as to be of other hours',
      (file: string) =>
        editText(file, (text) =>
          text.replace(/"window": \{[^}]*\}/, (window) => window.replaceAll('2025-', '2027-')),
        ),
    ],
  ])('shows in an audit, and counts, where an earlier registration was %s', async (_, hide) => {
    const world = await madeOnce()
    enter(world, 'second', 16, { over: { candidates: [OTHER] } })
    const result = await score(world, 'second')
    // Its candidate bears another name and forecasts other prices.
    expect(result.registrations).toMatchObject({ repetition: 1, others: [{ same: [] }] })
    hide(join(world.folder, 'registration.json'))
    const { findings, links } = await audit(world, 'second')
    expect(links.find(({ state }) => state === 'broken')?.link).toBe('computation')
    expect(findings.map(({ code }) => code)).toContain('earlier-registration-unreadable')
    expect(findings[0]?.pointer).toBe('/registrations/repetition')
    expect(await score(world, 'second', NOW, 'again')).toMatchObject({
      settings: { rules: { alpha: 0.05 / 6 } },
      registrations: { others: [{ window: null, overlaps: true, same: [] }] },
    })
  })

  it('knows a candidate under another name by its forecasts, where all prices in common are equal', async () => {
    const world = await madeOnce()
    enter(world, 'second', 16, { over: { candidates: [TWIN] } })
    enter(world, 'third', 17, { over: { candidates: [OTHER] } })
    const { registrations, settings } = await score(world, 'second')
    expect(settings.rules.alpha).toBe(0.05 / 6)
    expect(registrations?.others.map(({ same }) => same)).toEqual([
      [{ candidate: 'twin', as: 'seer', by: 'forecasts' }],
      [],
    ])
    expect((await score(world, 'third')).settings.rules.alpha).toBe(0.05)
  })

  it('knows one by its configuration where the two never stand side by side', async () => {
    const half = (row: PairingRow) => instantOrNaN(row.originAt) < hourAt(LEAD_IN + HOURS / 2)
    const named = (configuration: (row: PairingRow) => string): WorldOptions => ({
      ...OPTIONS,
      fill: async (world, vintage) => {
        const models = ['seer', 'twin'].map((name) => ({ name, sight: 0.3 }))
        const rows = [...madeRows(HOURS, vintage, models, false)]
        const kept = rows.filter((row) => half(row) === (row.model === 'seer'))
        await importRows(world, kept, NOW, (row) => {
          const id = `"configuration_id":"${configuration(row)}"`
          return forecastLine(row).replace('"configuration_id":null', id)
        })
      },
    })
    const alikeIn = async (options: WorldOptions) => {
      const world = await makeWorld(options)
      enter(world, 'second', 16, { over: { candidates: [TWIN] } })
      return (await score(world, 'second')).registrations?.others[0]?.same
    }
    expect(await alikeIn(named(() => 'one'))).toEqual([
      { candidate: 'twin', as: 'seer', by: 'configuration' },
    ])
    expect(await alikeIn(named(({ model }) => model))).toEqual([])
  })

  it('lists a registration of the same candidate over other hours, which costs nothing', async () => {
    const world = await madeOnce()
    const window = { from: '2026-01-01T00:00:00.000000Z', to: '2026-02-28T23:00:00.000000Z' }
    enter(world, 'second', 16, { over: { window } })
    const { registrations, settings } = await score(world)
    expect(settings.rules.alpha).toBe(0.05)
    expect(registrations).toMatchObject({ repetition: 1, others: [{ entry: 3, overlaps: false }] })
  })

  it.each([
    ['counts one', 'W200', 12],
    ['does not count one that was over before, of', 'W100', 6],
  ])(
    '%s the same name under another protocol of the ledger, whose forecasts are due by %s',
    async (_, to, divisor) => {
      const world = await madeOnce()
      const { protocol: draft, periods, registration } = seriesWorld({ origins: 150 })
      const planned = {
        ...draftPlan({ mode: 'backtest', window: { from: 'W060', to }, source: 'x' }),
        candidates: [SEER],
      }
      const scales = registration.scales
      const when = at('2024-12-16T00:00:00Z')
      const frozen = freezeProtocol(documentOf(draft), {
        ...{ folder: world.paths.protocol, now: when, periods },
      })
      const protocol = frozen.protocol as SeriesProtocol
      const weekly = createRegistration(planned, compileRules(protocol, periods), when, periods, {
        scales,
        at: when,
      })
      enterRegistration(weekly, join(world.folder, 'weeks.json'), ledgerPath(world.paths.protocol))
      enter(world, 'second', 17)
      const result = await score(world, 'second')
      expect(checkResult(result)).toEqual([])
      expect(result.settings.rules.alpha).toBe(0.05 / divisor)
      expect(result.registrations?.others[1]).toMatchObject({ window: { from: 'W060', to } })
      for (const text of [renderHtml(result), renderMarkdown(result)]) {
        expect(text).toContain(`W060 to ${to}`)
        expect(text).not.toMatch(/NaN|undefined|Invalid/)
      }
    },
  )

  it('does not count one that was closed before its window, as a stamp shows', async () => {
    const by = await witnesses('alpha')
    const world = await madeOnce()
    await close(world, by, '2024-12-17T01:00:00Z')
    enter(world, 'second', 18)
    const result = await score(world, 'second')
    expect(checkResult(result)).toEqual([])
    expect(result.settings.rules.alpha).toBe(0.05)
    const token = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(result.registrations).toMatchObject({
      ...{ repetition: 1, divisor: 1 },
      others: [{ end: 'closed', cancelled: { entry: 3, stamps_sha256: [token] } }],
    })
    for (const text of [renderHtml(result), renderMarkdown(result)]) {
      expect(text).toContain('cancelled before its window by entry 3, so it does not count')
    }
    // A later stamp changes nothing, also none that is counted as earlier.
    by.now = at('2024-12-17T00:30:00Z')
    await stampRegistration(world, by)
    expect(await audit(world, 'second')).toMatchObject({ ok: true, findings: [] })
    rmSync(join(world.paths.protocol, 'stamps'), { recursive: true })
    expect((await audit(world, 'second')).findings[0]?.code).toBe('cancelled-not-shown')
  })

  it('counts one that was closed once the outcomes of the evaluation at hand were coming in', async () => {
    const by = await witnesses('alpha')
    const world = await madeOnce()
    const { window } = plan(OPTIONS)
    enter(world, 'late', 16, { over: { window: { ...window, from: '2025-02-05T00:00:00Z' } } })
    enter(world, 'second', 18)
    const paths = { ...world.paths, registration: join(world.folder, 'late.json') }
    await close({ ...world, paths }, by, '2025-02-04T12:00:00Z', '2025-02-04T11:00:00Z')
    const { registrations } = await score(world, 'second')
    expect(registrations?.divisor).toBe(12)
    expect(registrations?.others[1]).toMatchObject({ cancelled: null })
  })

  it('counts for a reader only stamps of his own authorities', async () => {
    const [alpha, beta] = [await witnesses('alpha'), await witnesses('beta')]
    const world = await madeOnce()
    enter(world, 'second', 18, { over: { time: alpha.time(1) } })
    alpha.now = at('2024-12-18T01:00:00Z')
    await stampRegistration(world, alpha)
    await close(world, beta, '2024-12-19T01:00:00Z', '2024-12-19T00:00:00Z')
    const result = await score(world, 'second')
    expect(result.registrations).toMatchObject({
      divisor: 1,
      others: [{ cancelled: { entry: 4 } }],
    })
    expect(await audit(world, 'second')).toMatchObject({ ok: true, findings: [] })
    const { findings } = await audit(world, 'second', { anchors: await makeAnchors(alpha) })
    expect(findings.map(({ code }) => code)).toEqual(['cancelled-not-shown'])
    const both = await makeAnchors({ byName: new Map([...alpha.byName, ...beta.byName]) })
    expect(await audit(world, 'second', { anchors: both })).toMatchObject({ ok: true })
  })

  it.each([
    ['without a stamp', undefined],
    ['with a stamp after its first inputs', '2025-03-01T00:00:00Z'],
  ])('counts one that was closed %s, also where it is stamped later', async (_, stampedAt) => {
    const by = await witnesses('alpha')
    const world = await madeOnce()
    await close(world, by, stampedAt ?? '2024-12-17T01:00:00Z')
    if (stampedAt === undefined) {
      rmSync(join(world.paths.protocol, 'stamps'), { recursive: true })
    }
    enter(world, 'second', 18)
    const result = await score(world, 'second')
    expect(result.registrations).toMatchObject({ divisor: 6, others: [{ cancelled: null }] })
    // One who is late with a stamp has less alpha, and an audit that holds.
    by.now = at('2024-12-18T01:00:00Z')
    await stampRegistration(world, by)
    expect(await audit(world, 'second')).toMatchObject({ ok: true, findings: [] })
  })

  it('changes nothing for a registration without verdict hypotheses', async () => {
    const { method: _method, ...options } = OPTIONS
    const world = await makeWorld(options)
    enter(world, 'second', 16)
    const result = await score(world, 'second')
    expect(result.settings.rules.alpha).toBe(0.05)
    expect(result.registrations).toBeNull()
  })
})

/** The anchors of authorities, as a reader has them. */
async function makeAnchors({ byName }: Pick<Witnesses, 'byName'>): Promise<string> {
  const folder = temporaryFolder()
  for (const [name, { anchorPem }] of byName) writeText(join(folder, `${name}.pem`), anchorPem)
  return folder
}
