import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { digestWithout, sha256Hex } from '../../../src/document/digest.js'
import type { Forger, OpenResult } from '../forger.js'
import { sql } from '../stamped-world.js'
import { editText } from '../world.js'
import { pairs } from './case.js'

const ROW = `origin = '2024-02-13' AND series = 'b' AND horizon = 2`
const LIST = 'protocols/daily-1.periods.csv'

const edited = (name: string, change: (text: string) => string) => (of: Forger) =>
  editText(join(of.world, name), change)
const inHistory = (statement: string) => (of: Forger) =>
  void sql(join(of.world, 'history.sqlite'), statement)
/** Changes a result, and seals all that names it. */
const sealed = (change: (result: OpenResult) => void) => (of: Forger) => {
  of.result(change)
  return of.seal()
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
    pairs((text) =>
      text.replace(/("model":"mine","expected":true,"status":)"scored"/, '$1"failed"'),
    ),
  ],
  [
    'attempts that are not there',
    /pairs.ndjson.gz lacks a row: a, 2024-02-10, 1, mine/,
    pairs((text) => text.split('\n').toSpliced(2, 2).join('\n')),
  ],
  [
    'a mean loss',
    /\/reading\/tests\/0\/.*the inputs give/,
    sealed(({ reading: { tests } }) => {
      tests[0]!.observed = 0.1
    }),
  ],
  [
    'what waiting is worth',
    /\/reading\/waiting\/0\/w the inputs give/,
    sealed(({ reading: { waiting } }) => {
      waiting[0]!.w = 1 - waiting[0]!.w
    }),
  ],
  [
    'a step that is called a nowcast',
    /\/nowcasts\S* the inputs give/,
    sealed(({ reading }) => void reading.nowcasts.push(2)),
  ],
  [
    'a comparator that is called far off',
    /\/far_off\S* the inputs give/,
    sealed(({ reading: { far_off: names } }) => {
      expect(names).not.toContain('last_day')
      names.push('last_day')
    }),
  ],
  [
    'a release, with the digest of its vintage',
    /the result belongs to other outcomes/,
    (at) => {
      const file = join(at.world, 'vintage', 'releases.csv')
      const lines = readFileSync(file, 'utf8').split('\n')
      const text = lines.with(60, lines[60]!.replace(/\.\d/, '.12')).join('\n')
      writeFileSync(file, text)
      edited('vintage/manifest.json', (all) =>
        all
          .replace(/("sha256": ?)"[0-9a-f]{64}"/, `$1"${sha256Hex(text)}"`)
          .replace(/-[0-9a-f]{8}"/, `-${sha256Hex(text).slice(0, 8)}"`),
      )(at)
    },
  ],
  [
    'two periods that are swapped',
    /starts before "2024-02-10" ends|starts before/,
    edited(LIST, (text) => {
      const lines = text.split('\n')
      return lines.toSpliced(40, 2, lines[41]!, lines[40]!).join('\n')
    }),
  ],
  [
    'the list of another protocol',
    /column/,
    (at) => copyFileSync(join(at.world, 'vintage', 'releases.csv'), join(at.world, LIST)),
  ],
  [
    'a list of periods with a quote in a label',
    /a quote is neither the first nor the last of a cell/,
    edited(LIST, (text) => text.replace('2024-02-10', '2024-02"10')),
  ],
  [
    'the value of a row',
    /the history gives a different row: b, 2024-02-13, 2, mine/,
    inHistory(
      `UPDATE foreproof_series_forecasts SET entry = replace(entry, '"value":', '"value":1') WHERE ${ROW}`,
    ),
  ],
  [
    'a row that is gone',
    /b, 2024-02-13, 2, mine: status is "missing"/,
    inHistory(`DELETE FROM foreproof_series_forecasts WHERE ${ROW}`),
  ],
  [
    'an outcome, in the lines of all models',
    /a, 2024-02-10, 1, last_day: outcome is/,
    pairs((text) =>
      text.replaceAll(/("series":"a",.*"target":"2024-02-11",.*"outcome":)\d/g, '$19'),
    ),
  ],
  [
    'a figure of a cell',
    /cells.ndjson has the digest/,
    (at) => at.put('cells.ndjson', at.text('cells.ndjson').replace('"expected":', '"expected":1')),
  ],
  [
    'a scale in the registration, with its digest',
    /has no entry of this registration/,
    edited('registration.json', (text) => {
      const registration = JSON.parse(text.replace(/("value": ?)/, '$11'))
      registration.registration_sha256 = digestWithout(registration, 'registration_sha256')
      return JSON.stringify(registration)
    }),
  ],
]
