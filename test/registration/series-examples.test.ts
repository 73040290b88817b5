import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { lintSeries, lintSeriesWindow } from '../../src/lint/lint-series.js'
import { silenceFindings } from '../../src/lint/silence.js'
import { checkDraft, freezeProtocol } from '../../src/protocol/freeze.js'
import { loadFile } from '../../src/protocol/load.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { Verifier } from '../../src/protocol/verify.js'
import { createRegistration } from '../../src/registration/build.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import {
  BEFORE,
  EXAMPLES,
  exampleDraft,
  exampleFolder,
  examplePlan,
  makeList,
} from './series-examples.js'

const folder = temporaryFolder()

/** Periods, the first and last label, origins of the plan's window, tests: by calendar, and by hand. */
const FACTS = {
  // 31 + 28 + 31 + 30 days; 90 days from 15 January; 4 horizons, 7 comparators.
  hourly: [2880, '2027-01-01T00:00Z', '2027-04-30T23:00Z', 2160, 7 * 5],
  // 261 weekdays and 10 holidays; 18 + 20 + 21 + 21 + 22 + 21 + 21 + 21 sessions; 2 horizons, 2 groups,
  // 5 comparators.
  sessions: [251, '2027-01-04', '2027-12-31', 165, 5 * 5],
  // Days from 1 February to 31 October; 37 steps has one of them, too few for a test of its own; 7 comparators.
  load: [8760, '2027-01-01T00:00', '2027-12-31T23:00', 273, 7 * 25],
  // As the design of the protocol has it; 5 + 52 + 22 weeks; 5 horizons, 2 groups,
  // 5 comparators.
  weekly: [400, '2022-W01', '2029-W35', 79, 5 * 8],
  // From 1 February to 31 July; 3 horizons, 7 comparators.
  daily: [730, '2026-01-01', '2027-12-31', 181, 7 * 4],
} as const

describe.each(EXAMPLES)('the example %s', (name) => {
  const [count, first, last, origins, tests] = FACTS[name]

  it('is checked, frozen with its list, verified, linted and registered', async () => {
    const periods = await makeList(name, join(folder, `${name}.csv`))
    const draft = loadFile(join(exampleFolder(name), 'draft.json'))
    if (!draft.ok) throw new Error('unreadable')
    expect(checkDraft(draft, periods)).toEqual([])
    const dir = join(folder, name)
    const { protocol, file } = freezeProtocol(draft, { folder: dir, now: BEFORE, periods })
    const under = protocol as SeriesProtocol
    const rules = compileRules(under, periods)
    expect(under.periods).toMatchObject({ count, first, last })
    const verifier = new Verifier()
    verifier.add(loadFile(file))
    expect(verifier.findings).toEqual([])
    expect(lintSeries(rules, periods, undefined)).toEqual([])
    const plan = examplePlan(name)
    expect(planFindings(plan, compileRules(under, periods), BEFORE, periods)).toEqual([])
    const scales =
      under.scaling.kind === 'none'
        ? []
        : under.series.map(({ id }) => ({ series: id, transform: 'identity', value: 2 }))
    const scaled = scales.length > 0 ? { scales, at: BEFORE } : undefined
    const registration = createRegistration(
      plan,
      compileRules(under, periods),
      BEFORE,
      periods,
      scaled,
    )
    expect(registration.window.origins).toBe(origins)
    expect(registration.family.size).toBe(tests)
    expect(verifyRegistration(registration, under, periods)).toEqual([])
    expect(hasNoErrors(lintSeriesWindow(registration, rules, periods))).toBe(true)
    // Baselines have errors enough from its first origin on.
    expect(silenceFindings(plan, rules, periods, undefined)).toEqual([])
  })
})

it('prices by the quarter of an hour are the draft of load with the members of docs/five-series.md', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'five-series.md'), 'utf8')
  const [, members = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  const [, list = ''] = /npx foreproof (periods --every 15m .*)$/m.exec(page) ?? []
  const horizons = Array.from({ length: 100 }, (_, step) => step + 49)
  const draft = { ...exampleDraft('load'), ...JSON.parse(members), horizons }
  writeFileSync(at('prices.json'), JSON.stringify(draft))
  const quarters = at('quarters.csv')
  expect(await inProcess(list.replace('periods.csv', quarters))).toMatchObject({ code: 0 })
  const frozen = await inProcess(
    `freeze ${at('prices.json')} --periods ${quarters} --dir ${at('prices')}`,
  )
  expect(frozen).toMatchObject({ code: 0 })
  const window = { from: '2027-02-01T11:45', to: '2027-10-31T11:45' }
  writeFileSync(at('prices-plan.json'), JSON.stringify({ ...examplePlan('load'), window }))
  const under = `--protocol ${at('prices/price-tomorrow-1.json')}`
  const planned = await inProcess(`power --plan ${at('prices-plan.json')} ${under} --format json`)
  // The clock is changed on 28 March and 31 October, both after a noon of the window.
  expect(JSON.parse(planned.stdout)).toMatchObject({ ok: true, findings: [] })
  const rows = readFileSync(quarters, 'utf8').split('\n')
  const stepsOf = (label: string) => rows.find((row) => row.startsWith(`${label},`))?.split(',')[4]
  const days = ['2027-03-26', '2027-03-27', '2027-10-30'].map((day) => stepsOf(`${day}T11:45`))
  expect(days).toEqual(['49-144', '49-140', '49-148'])
})

const at = (name: string) => join(folder, name)
const protocol = at('protocols/temperature-1.json')

/** A list that has origins ahead whenever this runs. */
async function freeze() {
  const year = new Date().getUTCFullYear()
  const days = ['--days', '--zone', 'Europe/Berlin', '--from', `${year - 1}-01-01`]
  await inProcess(['periods', ...days, '--to', `${year + 1}-12-31`, '--out', at('periods.csv')])
  const draft = exampleDraft('daily')
  writeFileSync(at('draft.json'), JSON.stringify({ ...draft, scaling: { kind: 'none' } }))
  const freezing = ['freeze', at('draft.json'), '--dir', at('protocols')]
  return await inProcess([...freezing, '--periods', at('periods.csv')])
}

it('is registered from its template, entered in the ledger and verified', async () => {
  expect(await freeze()).toMatchObject({ code: 0 })
  const template = await inProcess(['register', '--template', '--protocol', protocol])
  expect(template).toMatchObject({ code: 0, stderr: '' })
  const out = ['--protocol', protocol, '--out', at('first.json')]
  writeFileSync(at('plan.json'), template.stdout)
  const unfilled = await inProcess(['register', at('plan.json'), ...out])
  expect(unfilled.code).toBe(1)
  expect(unfilled.stdout).toContain('is a placeholder that was not filled in')
  const plan = template.stdout
    .replace('<name of this evaluation>', 'first')
    .replace('<name of your model in the history>', 'mine')
  writeFileSync(at('plan.json'), plan)
  const done = await inProcess(['register', at('plan.json'), ...out])
  expect(done).toMatchObject({ code: 0, stderr: '' })
  // 16 blocks of 5 origins and a quarter.
  expect(done.stdout).toContain(', 100 origins')
  expect(done.stdout).toContain('28 tests')
  expect(JSON.parse(readFileSync(at('first.json'), 'utf8'))).toMatchObject({
    registration_version: 1,
    candidates: [{ source: 'history', name: 'mine' }],
  })
  expect(await inProcess(['verify', at('protocols')])).toMatchObject({ code: 0 })
})

it('is linted, as a draft with its list too, and its plan has the lengths of windows', async () => {
  const linted = await inProcess(['lint', protocol, '--registration', at('first.json')])
  expect(linted).toMatchObject({ code: 0, stderr: '' })
  expect(linted.stdout).toContain('half width')
  const draft = await inProcess(['lint', at('draft.json'), '--periods', at('periods.csv')])
  expect(draft).toMatchObject({ code: 0, stderr: '' })
  const without = await inProcess(['lint', at('draft.json')])
  expect(without.stderr).toContain('--periods FILE')
  const power = ['power', '--plan', at('plan.json'), '--protocol', protocol]
  const lengths = await inProcess([...power, '--format', 'json'])
  expect(JSON.parse(lengths.stdout)).toMatchObject({
    ok: true,
    power_version: 2,
    lengths: [{ origins: 80, blocks: 16, degrees_of_freedom: 8 }, { origins: 100 }, {}, {}, {}],
  })
  const seeded = await inProcess([...power, '--out', at('power')])
  expect(seeded.stderr).toContain('--out is for protocols of version 1')
})
