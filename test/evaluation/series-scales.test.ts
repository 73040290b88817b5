import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import type { Instant } from '../../src/contract/instant.js'
import type { SeriesScale } from '../../src/scoring/scales.js'
import { inProcess } from '../support/in-process.js'
import { audited, scoreWorld } from './score-into.js'
import { makeSeriesFolder, PLAN, replaceTruth, truthLines } from './series-folder.js'
import { at } from './world.js'

const SCALING = { scaling: { kind: 'seasonal_naive' as const, period_steps: 7 } }

/** By the definition, of the days whose line says that they were public at an instant. */
function scalesBy(lines: readonly string[], until: Instant): SeriesScale[] {
  return ['a', 'b'].map((series) => {
    const values = lines
      .map((line) => line.split(','))
      .filter(([of, , , asOf]) => of === series && at(asOf ?? '') <= until)
      .map(([, , value]) => Number(value))
    const apart = values.slice(7).map((value, t) => Math.abs(value - values[t]!))
    const sum = apart.reduce((all, one) => all + one, 0)
    return { series, scale: sum / apart.length, differences: apart.length }
  })
}

const REGISTERED = at('2024-02-05T00:00:00Z')
const lines = truthLines(await makeSeriesFolder())

/** A scaled evaluation with these numbers, scored. */
async function scaled(scales: readonly SeriesScale[], scaledAt?: Instant) {
  const world = await makeSeriesFolder({ protocol: SCALING, scales: [scales, scaledAt] })
  const scored = await scoreWorld(world, 'first')
  const said = scored.ok ? [] : scored.findings.map((each) => messageOf(each).text)
  return { world, scored, said, link: scored.ok ? undefined : scored.link }
}

it('are scored by the numbers that the values in force at registration give', async () => {
  const scales = scalesBy(lines, REGISTERED)
  // Days up to 3 February were public: 34 of them, and 27 pairs a week apart.
  expect(scales[0]?.differences).toBe(27)
  const { said, world } = await scaled(scales)
  expect(said).toEqual([])
  expect(await audited(join(world.folder, 'first'))).toMatchObject({ ok: true, findings: [] })
}, 60_000)

it('may be of an earlier instant, up to which the outcomes of the registration were complete', async () => {
  const earlier = at('2024-02-01T00:00:00Z')
  expect((await scaled(scalesBy(lines, earlier), earlier)).said).toEqual([])
  const late = at('2024-02-09T00:00:00Z')
  const { said } = await scaled(scalesBy(lines, late), late)
  expect(said).toEqual([
    expect.stringContaining('2024-02-09T00:00:00Z, but the rest of the registration gives'),
  ])
}, 60_000)

it('are refused where they are other numbers, with the first one and how many', async () => {
  const [a, b] = scalesBy(lines, REGISTERED) as [SeriesScale, SeriesScale]
  const { said, link } = await scaled([a, { ...b, scale: b.scale * 1.000001 }])
  expect(link).toBe('outcomes')
  expect(said).toEqual([
    `1 of 2 scales is not what the values in force at 2024-02-05T00:00:00Z give: registered for b is ${b.scale * 1.000001} of 27 differences, and these outcomes give ${b.scale} of 27 differences`,
  ])
  const all = await scaled([
    { ...a, differences: 28 },
    { ...b, scale: b.scale / 2 },
  ])
  expect(all.said[0]).toContain('2 of 2 scales are not what')
}, 60_000)

it('break the link of the outcomes where these lack what was published by then', async () => {
  const { world } = await scaled(scalesBy(lines, REGISTERED))
  const later = lines.filter((line) => !line.includes('2024-01-0'))
  await replaceTruth(world, later)
  const { ok, links, findings } = await audited(join(world.folder, 'first'))
  expect(ok).toBe(false)
  expect(findings[0]?.code).toBe('series-scale-differs')
  expect(links).toContainEqual({ link: 'outcomes', state: 'broken' })
  const without = await audited(join(world.folder, 'first'), { without: ['outcomes'] })
  expect(without.links).toContainEqual({
    link: 'outcomes',
    state: 'not_checked',
    because: 'without-input',
  })
}, 60_000)

it('are said by register to be of the values in force at an instant', async () => {
  const { folder } = await makeSeriesFolder({ protocol: SCALING })
  const window = { from: '2024-02-10', to: '2024-06-10' }
  const plan = JSON.stringify({ ...PLAN, mode: 'retrospective', window })
  writeFileSync(join(folder, 'plan.json'), plan)
  const inputs = `--protocol ${folder}/protocols/daily-1.json --outcomes ${folder}/vintage`
  const line = `register ${folder}/plan.json ${inputs} --out ${folder}/backtest.json`
  const { code, stdout } = await inProcess(line)
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/^scales +of the values in force at 2024-07-01T12:00:00Z$/m)
})
