import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { Forger } from './forger.js'
import { SERIES_FORGERIES } from './forgeries/series.js'
import { audited, scoredCopies, scoreWorld } from './score-into.js'
import { DAYS, makeSeriesFolder, SCALED } from './series-folder.js'
import { makeWorld } from './world.js'

const copy = scoredCopies(() => makeSeriesFolder(SCALED), 'first')

it.each(SERIES_FORGERIES)('an audit names %s', async (_, says, forge) => {
  const at = new Forger(copy())
  await forge(at)
  const { ok, findings } = await audited(at.run)
  const [first] = findings
  const said = first === undefined ? '' : `${first.pointer ?? ''} ${messageOf(first).text}`
  expect([said, ok]).toEqual([expect.stringMatching(says), first === undefined])
})

it('a second registration over the same days has less alpha, and its audit holds', async () => {
  const window = { from: DAYS[60]!.label, to: DAYS[90]!.label }
  const world = await makeSeriesFolder({ before: { name: 'earlier', window } })
  const scored = await scoreWorld(world, 'second')
  // The second time: 1 / (2 × 3).
  expect(scored).toMatchObject({
    result: { registrations: { repetition: 2, divisor: 6, others: [{ window, overlaps: true }] } },
  })
  expect(await audited(join(world.folder, 'second'))).toMatchObject({ ok: true, findings: [] })
}, 60_000)

it('a history of one version is not paired under a protocol of the other', async () => {
  const hourly = await makeWorld({ replicates: 100 })
  const { paths } = await makeSeriesFolder()
  const says = (text: string) => ({ code: 'invalid-input', message: expect.stringContaining(text) })
  await expect(pairHistory({ ...hourly.paths, history: paths.history })).rejects.toMatchObject(
    says('it holds forecasts of any series'),
  )
  await expect(pairHistory({ ...paths, history: hourly.paths.history })).rejects.toMatchObject(
    says('it holds hourly forecasts'),
  )
}, 60_000)
