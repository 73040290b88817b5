import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { lintSeries, lintSeriesWindow } from '../../src/lint/series.js'
import { checkDraft, freezeProtocol } from '../../src/protocol/freeze.js'
import { loadFile } from '../../src/protocol/load.js'
import { Verifier } from '../../src/protocol/verify.js'
import { buildSeriesRegistration } from '../../src/registration/series-build.js'
import { seriesPlanFindings } from '../../src/registration/series-plan-rules.js'
import { verifySeriesRegistration } from '../../src/registration/series-verify.js'
import { temporaryFolder } from '../support/folder.js'
import { BEFORE, EXAMPLES, exampleFolder, examplePlan, makeList } from './series-examples.js'

const folder = temporaryFolder()

/** Periods, the first and last label, origins of the plan's window, tests: by calendar, and by hand. */
const FACTS = {
  // 31 + 28 + 31 + 30 days; 90 days from 15 January; 4 horizons.
  hourly: [2880, '2027-01-01T00:00Z', '2027-04-30T23:00Z', 2160, 5],
  // 261 weekdays and 10 holidays; 19 + 22 + 22 + 20 + 21 + 21 + 22 + 21 + 21 + 21 sessions; 2 horizons, 2 groups.
  sessions: [251, '2027-01-04', '2027-12-31', 210, 5],
  // Days from 1 February to 31 October; 37 steps has one of them, too few for a test of its own.
  load: [8760, '2027-01-01T00:00', '2027-12-31T23:00', 273, 25],
  // As the design of the protocol has it; 5 + 52 + 22 weeks; 5 horizons, 2 groups.
  weekly: [400, '2022-W01', '2029-W35', 79, 8],
  // From 1 February to 31 July; 3 horizons.
  daily: [365, '2027-01-01', '2027-12-31', 181, 4],
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
    expect(under.periods).toMatchObject({ count, first, last })
    const verifier = new Verifier()
    verifier.add(loadFile(file))
    expect(verifier.findings).toEqual([])
    expect(lintSeries(under, periods, undefined)).toEqual([])
    const plan = examplePlan(name)
    expect(seriesPlanFindings(plan, under, periods, BEFORE)).toEqual([])
    const scales =
      under.scaling.kind === 'none'
        ? []
        : under.series.map(({ id }) => ({ series: id, scale: 2, differences: 20 }))
    const registration = buildSeriesRegistration(plan, under, periods, scales, BEFORE)
    expect(registration.window.origins).toBe(origins)
    expect(registration.family_size).toBe(tests)
    expect(verifySeriesRegistration(registration, under, periods)).toEqual([])
    expect(hasNoErrors(lintSeriesWindow(registration, under))).toBe(true)
  })
})
