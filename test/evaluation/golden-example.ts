import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { readSeriesRows } from '../../src/evaluation/history.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { describePeriods, type PeriodList } from '../../src/periods/list.js'
import { openPeriods } from '../../src/periods/read.js'
import { checkSeriesDocument } from '../../src/protocol/rules/check-series.js'
import { draftPlan } from '../../src/registration/template.js'
import { importTruth } from '../../src/truth/import.js'
import { readTruth } from '../../src/truth/releases-vintage.js'
import { writeVintage } from '../../src/truth/vintage-files.js'
import { exampleFolder } from '../registration/series-examples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { seriesBasis } from './series-world.js'

export const GOLDEN = join(ROOT, 'test/golden/series')
/** After everything in the files. */
const NOW = checkedInstant('2029-01-01T00:00:00Z')

type Example = Parameters<typeof exampleFolder>[0]

/** What another program says of an example, besides what is expected. */
export interface GoldenExample {
  /** Of the draft in templates/series. */
  readonly changes: Partial<SeriesProtocol>
  readonly list: string
  readonly window: readonly [string, string]
  readonly registered_at: string
  readonly tests: object
}

export const goldenText = (name: string) =>
  gunzipSync(readFileSync(join(GOLDEN, 'evaluation', `${name}.csv.gz`))).toString()

async function listOf({ list }: GoldenExample, file: string): Promise<PeriodList> {
  expect((await inProcess(['periods', ...list.split(' '), '--out', file])).code).toBe(0)
  const read = await openPeriods(file)
  if (!read.ok) throw new Error()
  return read.periods
}

function protocolOf(name: Example, periods: PeriodList, golden: GoldenExample): SeriesProtocol {
  const draft = JSON.parse(readFileSync(join(exampleFolder(name), 'draft.json'), 'utf8'))
  const whole = {
    ...{ ...draft, ...golden.changes },
    periods: { ...describePeriods(periods), made_by: golden.list },
  }
  const protocol = { ...whole, protocol_sha256: digestWithout(whole, 'protocol_sha256') }
  expect(checkSeriesDocument(protocol)).toEqual([])
  return protocol
}

/** Imports what the other program wrote, and registers it. */
export async function goldenBasis(name: Example, golden: GoldenExample) {
  const folder = temporaryFolder()
  const at = (file: string) => join(folder, file)
  for (const file of ['truth', 'forecasts'])
    writeFileSync(at(`${file}.csv`), goldenText(`${name}-${file}`))
  const periods = await listOf(golden, at('periods.csv'))
  const protocol = protocolOf(name, periods, golden)
  // The last outcomes settle after the last release.
  const completeTo = '2029-01-01T00:00:00Z'
  const truthFile = await importTruth(at('truth.csv'), { protocol, periods, now: NOW, completeTo })
  if (!truthFile.ok) throw new Error(JSON.stringify(truthFile.findings))
  writeVintage(at('vintage'), truthFile.manifest, truthFile.releases)
  // Some of them fail on purpose.
  const options = { now: NOW, series: { protocol, periods }, asIs: true }
  const history = await importFiles(at('h.sqlite'), [at('forecasts.csv')], options)
  const said = history.findings.filter(({ severity }) => severity !== 'note')
  expect(new Set(said.map(({ code }) => code))).toEqual(new Set(['forecast-unscorable']))
  const window = { from: golden.window[0], to: golden.window[1] }
  const plan = {
    ...draftPlan({ mode: 'prospective', window, source: 'made' }),
    name,
    candidates: [...new Set(Object.keys(golden.tests).map((test) => test.split('/')[0] ?? ''))],
  }
  const given = { protocol, periods, vintage: readTruth(at('vintage'), protocol) }
  const basis = seriesBasis(given, plan, checkedInstant(golden.registered_at))
  return { basis, rows: () => readSeriesRows(at('h.sqlite'), periods, basis.origins) }
}

/** Asserts a distance of at most a part of the larger, or of 1. */
export function near(found: number, wanted: number, tolerance: number, what: string): void {
  const apart = Math.abs(found - wanted) / Math.max(1, Math.abs(wanted))
  if (!(apart <= tolerance)) expect([what, found]).toEqual([what, wanted])
}
