import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { sha256Hex } from '../../src/document/digest.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { RELEASES_FILE } from '../../src/truth/vintage.js'
import { Forger } from './forger.js'
import { audited, scoredCopies, scoreWorld } from './score-into.js'
import { DAYS, makeSeriesFolder } from './series-folder.js'
import { sql } from './stamped-world.js'
import { editText, makeWorld } from './world.js'

const copy = scoredCopies(() => makeSeriesFolder(), 'first')
const ROW = `origin = '2024-02-13' AND series = 'b' AND horizon = 2`

/** The last value of a line. */
const raised = (text: string, line: number) => {
  const lines = text.split('\n')
  lines[line] = lines[line]!.replace(/\.\d/, '.12')
  return lines.join('\n')
}

type Forgery = readonly [name: string, says: RegExp, forge: (at: Forger) => void | Promise<void>]

const FORGERIES: readonly Forgery[] = [
  ['nothing', /^$/, () => undefined],
  [
    'the status of an attempt',
    /a, 2024-02-10, 1, mine: status is "failed", but the inputs give "scored"/,
    (at) =>
      at.pairs((text) =>
        text.replace(/("model":"mine","expected":true,"status":)"scored"/, '$1"failed"'),
      ),
  ],
  [
    'attempts that are not there',
    /pairs.ndjson lacks a row: a, 2024-02-10, 2, last_day/,
    (at) =>
      at.pairs((text) =>
        text
          .split('\n')
          .filter((_, index) => index !== 2 && index !== 3)
          .join('\n'),
      ),
  ],
  [
    'a mean loss',
    /\/tests\/0\/.*the inputs give/,
    async (at) => {
      at.result((result) => {
        const [test] = result.tests as unknown as { observed: number }[]
        test!.observed -= 0.1
      })
      await at.seal()
    },
  ],
  [
    'a release, with the digest of its vintage',
    /the result belongs to other outcomes/,
    (at) => {
      const file = (name: string) => join(at.world, 'vintage', name)
      const text = raised(readFileSync(file(RELEASES_FILE), 'utf8'), 60)
      writeFileSync(file(RELEASES_FILE), text)
      editText(file('manifest.json'), (all) =>
        all.replace(/("sha256": ?)"[0-9a-f]{64}"/, `$1"${sha256Hex(text)}"`),
      )
    },
  ],
  [
    'two periods that are swapped',
    /the list of periods has sha256/,
    (at) =>
      editText(join(at.world, 'protocols', 'daily-1.periods.csv'), (text) => {
        const lines = text.split('\n')
        ;[lines[40], lines[41]] = [lines[41]!, lines[40]!]
        return lines.join('\n')
      }),
  ],
  [
    'the alpha of the protocol',
    /the content has the digest/,
    (at) =>
      editText(join(at.world, 'protocols', 'daily-1.json'), (text) =>
        text.replace(/("alpha": ?)"0.05"/, '$1"0.04"'),
      ),
  ],
  [
    'the list of another protocol',
    /the list of periods/,
    (at) =>
      copyFileSync(
        join(at.world, 'vintage', RELEASES_FILE),
        join(at.world, 'protocols', 'daily-1.periods.csv'),
      ),
  ],
  [
    'the value of a row',
    /the history gives a different row: b, 2024-02-13, 2, mine/,
    (at) => {
      const value = `replace(entry, '"value":', '"value":1')`
      sql(
        join(at.world, 'history.sqlite'),
        `UPDATE foreproof_series_forecasts SET entry = ${value} WHERE ${ROW}`,
      )
    },
  ],
  [
    'a row that is gone',
    /b, 2024-02-13, 2, mine: status is "missing"/,
    (at) => {
      sql(join(at.world, 'history.sqlite'), `DELETE FROM foreproof_series_forecasts WHERE ${ROW}`)
    },
  ],
]

it.each(FORGERIES)('an audit names %s', async (_, says, forge) => {
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
