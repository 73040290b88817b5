import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestWithout, sha256Hex } from '../../../src/document/digest.js'
import { RELEASES_FILE } from '../../../src/truth/vintage.js'
import type { Forger } from '../forger.js'
import { sql } from '../stamped-world.js'
import { editText } from '../world.js'

const ROW = `origin = '2024-02-13' AND series = 'b' AND horizon = 2`

/** The last value of a line. */
const raised = (text: string, line: number) => {
  const lines = text.split('\n')
  lines[line] = lines[line]!.replace(/\.\d/, '.12')
  return lines.join('\n')
}

export type SeriesForgery = readonly [
  name: string,
  says: RegExp,
  forge: (at: Forger) => void | Promise<void>,
]

/** Evidence of any series that was tampered with, and what an audit says of it first. */
export const SERIES_FORGERIES: readonly SeriesForgery[] = [
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
  [
    'an outcome, in the lines of all models',
    /a, 2024-02-10, 1, last_day: outcome is/,
    (at) =>
      at.pairs((text) =>
        text.replaceAll(/("series":"a",.*"target":"2024-02-11",.*"outcome":)\d/g, '$19'),
      ),
  ],
  [
    'a scale in the result',
    /\/series\/1\/scale the inputs give 0\.025\d+ here, but the result says 2/,
    async (at) => {
      at.result((result) => {
        const { series } = result as unknown as { series: { scale: number | null }[] }
        series[1]!.scale = 2
      })
      await at.seal()
    },
  ],
  [
    'a scale in the registration',
    /registration_sha256/,
    (at) =>
      editText(join(at.world, 'registration.json'), (text) => text.replace(/("scale": ?)/, '$11')),
  ],
  [
    'a scale in the registration, with its digest',
    /has no entry of this registration/,
    (at) =>
      editText(join(at.world, 'registration.json'), (text) => {
        const registration = JSON.parse(text.replace(/("scale": ?)/, '$11'))
        registration.registration_sha256 = digestWithout(registration, 'registration_sha256')
        return JSON.stringify(registration)
      }),
  ],
  [
    'the window of the registration',
    /registration_sha256/,
    (at) =>
      editText(join(at.world, 'registration.json'), (text) =>
        text.replace('2024-02-10', '2024-02-11'),
      ),
  ],
  [
    'a list of periods with a quote more',
    /list of periods/,
    (at) =>
      editText(join(at.world, 'protocols', 'daily-1.periods.csv'), (text) =>
        text.replace('2024-02-10', '"2024-02-10"'),
      ),
  ],
  [
    'a period that begins earlier',
    /list of periods/,
    (at) =>
      editText(join(at.world, 'protocols', 'daily-1.periods.csv'), (text) =>
        text.replace('2024-02-10,2024-02-10T00', '2024-02-10,2024-02-09T23'),
      ),
  ],
  [
    'the verdict of the statement',
    /statement/,
    (at) =>
      editText(at.file('statement.intoto.json'), (text) =>
        text.replace(/("disposition":)"[^"]*"/, '$1"eligible_for_live"'),
      ),
  ],
  [
    'a figure of the report',
    /report/,
    (at) => editText(at.file('report.html'), (text) => text.replace(/\d\.\d/, '9.9')),
  ],
]
