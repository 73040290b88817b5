import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { weekPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { inProcess } from '../support/in-process.js'
import { put } from '../support/text-file.js'
import { day, frozenAt, NEW_YORK, UNREVISED } from '../truth/sample.js'
import { configFaults, folderOfEach, linesOf, SCHEMAS } from './support.js'

const at = folderOfEach()
const LEVELS = ['0.025', '0.1', '0.5', '0.9', '0.975']

const run = async (words: readonly string[]) => {
  const { stdout, stderr, code } = await inProcess(words)
  const said = stdout + stderr
  return { code, said: code === 0 ? said : `exit ${code}\n${said}` }
}
const putAll = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) put(at(`hub/${name}`), text)
}
const table = (rows: readonly (readonly (string | number)[])[]) =>
  rows.map((row) => `${row.join()}\n`).join('')

/** A number of its own for each forecast and level, in order of levels. */
const valueAt = (seed: number, level: string) => 100 + 10 * seed + Math.round(Number(level) * 8)

/**
 * Imports forecasts and target data of a hub, exports them, and imports the export.
 * @returns what the two imports and the vintages of both say.
 */
async function inAndOut(
  protocol: string,
  how: {
    readonly forecasts: readonly string[]
    readonly target: string
    readonly outcomes: readonly string[]
  },
) {
  const under = ['--protocol', protocol]
  const imported = (hub: string, history: string, more: readonly string[]) =>
    run([
      'history',
      'import',
      hub,
      '--from',
      'hubverse',
      ...under,
      '--history',
      at(history),
      ...more,
    ])
  const vintage = (file: string, out: string, more: readonly string[]) =>
    run(['outcomes', 'import', file, ...under, '--source', 'made', '--out', at(out), ...more])
  const first = await imported(at('hub'), 'a.sqlite', how.forecasts)
  const truth = await vintage(at(`hub/${how.target}`), 'truth', how.outcomes)
  const out = ['--to', 'hubverse', '--outcomes', at('truth'), '--out', at('again')]
  const exported = await run(['export', at('a.sqlite'), ...under, ...out])
  const second = await imported(at('again'), 'b.sqlite', [])
  const known = how.outcomes.flatMap((word, index, all) =>
    word === '--complete-to' ? [word, all[index + 1] ?? ''] : [],
  )
  const series = at('again/target-data/time-series.csv')
  const truthAgain = await vintage(series, 'truth-again', known)
  const steps = [first, truth, exported, second, truthAgain]
  expect(steps.map(({ code, said }) => (code === 0 ? 'done' : said))).toEqual(
    steps.map(() => 'done'),
  )
  const releases = (folder: string) => readFileSync(at(`${folder}/releases.csv`), 'utf8')
  return {
    first: first.said,
    second: second.said,
    histories: [await linesOf(at('a.sqlite')), await linesOf(at('b.sqlite'))],
    releases: [releases('truth'), releases('truth-again')],
  }
}

describe('a hub shaped like FluSight of the CDC', () => {
  const HOSP = '"wk inc flu hosp"'
  const WEEKS = weekPeriods({ from: day('2025-08-03'), to: day('2028-08-06') }, 'sunday', NEW_YORK)
  const ENDS = ['2025-11-15', '2025-11-22', '2025-11-29', '2025-12-06', '2025-12-13', '2025-12-20']
  const HEAD = [
    ...['"reference_date"', '"target"', '"horizon"', '"target_end_date"', '"location"'],
    ...['"output_type"', '"output_type_id"', '"value"'],
  ]
  /** As R writes it: texts in quotes, dates and numbers without. */
  const output = (week: number) => {
    const steps = [-1, 0, 1, 2].filter((step) => week + step >= 0)
    const of = (location: string, step: number) => [`"${location}"`, ENDS[week + step] ?? '']
    const rows = ['01', 'US'].flatMap((location, place) =>
      steps.flatMap((step) => {
        const [name = '', end = ''] = of(location, step)
        const row = (target: string, type: string, id: string, value: number) => [
          ENDS[week] ?? '',
          target,
          step,
          end,
          name,
          type,
          id,
          value,
        ]
        return [
          ...LEVELS.map((q) => row(HOSP, '"quantile"', q, valueAt(week + step + 9 * place, q))),
          row('"wk inc flu prop ed visits"', '"quantile"', '0.5', 0.02),
          row('"wk flu hosp rate change"', '"pmf"', '"stable"', 0.6),
          row(HOSP, '"sample"', '"s1"', 12),
        ]
      }),
    )
    const peak = [
      ENDS[week] ?? '',
      '"peak week inc flu hosp"',
      'NA',
      'NA',
      '"US"',
      '"pmf"',
      '"2026-01-03"',
      0.2,
    ]
    return table([HEAD, ...rows, peak])
  }
  const MODELS = ['NEU_ISI-FluBcast', 'CADPH-FluCAT_Ensemble']
  const SERIES = [
    ['"as_of"', '"target"', '"target_end_date"', '"location"', '"location_name"', '"observation"'],
    ...['2025-11-19', '2025-11-26', '2025-12-03', '2025-12-31'].flatMap((asOf, release) =>
      ENDS.filter((end) => end < asOf).flatMap((end, week) => [
        [asOf, HOSP, end, '"01"', '"Alabama"', 30 + week + release],
        [asOf, HOSP, end, '"US"', '"US"', 900 + 7 * week + (week === 0 ? release : 0)],
      ]),
    ),
  ]

  it('comes in with its odd files and goes out, and the export is the same', async () => {
    putAll({
      'README.md': '# A hub',
      '.github/workflows/validate.yaml': 'on: push',
      'hub-config/admin.json': '{}',
      'hub-config/README.md': 'x',
      'auxiliary-data/locations.csv': 'abbreviation,location\nAL,01\n',
      'model-metadata/NEU_ISI-FluBcast.yml': 'team_name: "NEU"\nmodel_name: "FluBcast"\n',
      'model-output/README.md': 'x',
      'model-output/NEU_ISI-FluBcast/Readme.md': 'x',
      'model-output/.gitkeep': '',
      'target-data/README.md': 'x',
      'target-data/time-series.csv': table(SERIES),
    })
    for (const model of MODELS) {
      for (const week of [0, 1, 2]) {
        const file = `hub/model-output/${model}/${ENDS[week]}-${model}.csv`
        put(at(file), output(week))
      }
    }
    const protocol = frozenAt(at(), LEVELS, ['01', 'US'], WEEKS)
    const { first, second, histories, releases } = await inAndOut(protocol, {
      forecasts: ['--target', 'wk inc flu hosp'],
      target: 'target-data/time-series.csv',
      outcomes: [],
    })
    // Two models, two places, three weeks of four steps, of which the first has no week before.
    expect(first).toContain('44 new')
    expect(first).toContain('3 files beside the forecasts left out')
    expect(first).toContain('44 rows of other targets left out: "wk inc flu prop ed visits"')
    expect(first).toContain('94 rows of output_type "pmf" and "sample" left out')
    expect(second).toContain('no problems found')
    expect(histories[1]).toBe(histories[0])
    expect(histories[0]).toContain(
      '{"horizon":-1,"model":"NEU_ISI-FluBcast","origin":"2025-W47","quantiles":{"0.025":190,"0.1":191,"0.5":194,"0.9":197,"0.975":198},"series":"US","value":194}',
    )
    expect(releases[1]).toBe(releases[0])
    expect(releases[0]).toContain('US,2025-W46,901,2025-11-27T05:00:00Z\n')
  })
})

describe('a hub shaped like RespiCast of the ECDC', () => {
  const UTC = zoneNamed('UTC') as Zone
  const WEEKS = weekPeriods({ from: day('2025-06-02'), to: day('2028-08-06') }, 'monday', UTC)
  /** Wednesdays; the first target is the week that ended on the Sunday before. */
  const DAYS = ['2026-01-14', '2026-01-21']
  const ENDS = ['2026-01-11', '2026-01-18', '2026-01-25', '2026-02-01', '2026-02-08']
  const HEAD = [
    ...['origin_date', 'target', 'target_end_date', 'horizon', 'location'],
    ...['output_type', 'output_type_id', 'value'],
  ]
  const output = (week: number, withMedians: boolean) => {
    const rows = ['AT', 'BE'].flatMap((location, place) =>
      [1, 2, 3, 4].flatMap((step) => {
        const [end = '', seed] = [ENDS[week + step - 1], week + step + 9 * place]
        const row = (type: string, id: string, value: number) => [
          DAYS[week] ?? '',
          'ILI incidence',
          end,
          step,
          location,
          type,
          id,
          value,
        ]
        const median = valueAt(seed, '0.5') + (location === 'AT' ? 0.25 : 0)
        return [
          ...LEVELS.map((q) => row('quantile', q, valueAt(seed, q))),
          ...(withMedians ? [row('median', '', median)] : []),
        ]
      }),
    )
    return table([HEAD, ...rows])
  }
  const TRUTH = [
    ['target', 'location', 'truth_date', 'year_week', 'value', 'data_source'],
    ...['AT', 'BE'].flatMap((location, place) =>
      ENDS.map((end, week) => [
        'ILI incidence',
        location,
        end,
        `2026-W0${week + 2}`,
        47.5 + week + 100 * place,
        'ERVISS',
      ]).reverse(),
    ),
  ]

  it('comes in with days of submission and medians and goes out, and the export is the same', async () => {
    putAll({
      '.DS_Store': '\0',
      'README.md': '# A hub',
      'model-metadata/ISI-FluBcast.yml': 'team_name: ISI\n',
      'model-output/.DS_Store': '\0',
      'model-output/Readme.md': 'x',
      'model-output/ISI-FluBcast/Readme.md': 'x',
      'model-output/ECDC-SARIMA/.DS_Store': '\0',
      'target-data/latest-ILI_incidence.csv': table(TRUTH),
    })
    for (const [week, date] of DAYS.entries()) {
      for (const model of ['ISI-FluBcast', 'ECDC-SARIMA']) {
        put(
          at(`hub/model-output/${model}/${date}-${model}.csv`),
          output(week, model === 'ECDC-SARIMA'),
        )
      }
    }
    const protocol = frozenAt(at(), LEVELS, ['AT', 'BE'], WEEKS, {
      zone: 'UTC',
      horizons: [1, 2, 3, 4],
      outcome: UNREVISED,
    })
    const { first, second, histories, releases } = await inAndOut(protocol, {
      forecasts: ['--columns', 'origin=origin_date'],
      target: 'target-data/latest-ILI_incidence.csv',
      outcomes: ['--columns', 'period=truth_date', '--complete-to', '2026-03-01'],
    })
    expect(first).toContain('32 new')
    expect(first).toContain('4 files beside the forecasts left out')
    expect(first).toContain('8 forecasts have a median that is not the quantile of level 0.5')
    expect(first).toContain('2026-01-14 as 2026-W01')
    expect(second).toContain('no problems found')
    expect(histories[1]).toBe(histories[0])
    expect(histories[0]).toContain(
      '{"horizon":1,"model":"ECDC-SARIMA","origin":"2026-W01","quantiles":{"0.025":110,"0.1":111,"0.5":114,"0.9":117,"0.975":118},"series":"AT","value":114}',
    )
    expect(releases[1]).toBe(releases[0])
    // What has no date is not given one.
    expect(readFileSync(at('again/target-data/time-series.csv'), 'utf8')).not.toContain('as_of')
    if (!existsSync(SCHEMAS)) return
    expect(configFaults(at('again'), 'v6.0.0', ['admin', 'tasks', 'target-data'])).toEqual([])
  })
})
