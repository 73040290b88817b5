import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ForecastResource } from '../../src/contract/types.js'
import { importResources } from '../../src/history/import/import.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { alter, EPOCH } from '../history/support.js'
import { inProcess } from '../support/in-process.js'
import { closesOf, filesOf, folderOfEach, put } from './support.js'

const at = folderOfEach()

const read = (name: string) => readFileSync(at(name), 'utf8')
const given = (...values: unknown[]) => importResources(at('h.sqlite'), values, { now: EPOCH })
const exported = (...words: string[]) => inProcess(['export', at('h.sqlite'), ...words])
const toHub = (...more: string[]) => exported('--to', 'hubverse', '--out', at('hub'), ...more)

const WITHOUT = { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null }
const changed = (of: Parameters<typeof sample>[0], members: Partial<ForecastResource>) => ({
  ...sample(of),
  ...members,
})

describe('export --to hubverse', () => {
  it('names a row that is no forecast, and writes nothing', async () => {
    await given(sample())
    alter(at('h.sqlite'), "UPDATE forecast_predictions SET predicted_price_usd = 'much'")
    const done = await toHub()
    expect(done.code).toBe(1)
    expect(done.stderr).toMatch(/row .*, alpha, 2 h cannot be shown as a forecast/)
    expect(readdirSync(at())).toEqual(['h.sqlite'])
  })

  it('writes a file a model and week, and says what has no place in a hub', async () => {
    await given(
      sample(),
      changed({ horizon: 24 }, { interval: WITHOUT }),
      sample({ hour: 1, model: 'ridge v2' }),
      sampleAttempt({ hour: 1 }),
      sample({ hour: 71 }),
      sample({ hour: 72 }),
    )
    const done = await toHub()
    expect(done.code, done.stderr).toBe(0)
    expect(done.stdout).toContain(
      '5 forecasts, 2 models, 2 rounds, 3 files of model output, as csv',
    )
    expect(done.stdout).toMatch(/hubverse has no place for: 1 attempts .*; run, .* of 5 forecasts/)
    expect(filesOf(at('hub'))).toEqual([
      'README.md',
      'auxiliary-data/source-prices.csv',
      'hub-config/admin.json',
      'hub-config/model-metadata-schema.json',
      'hub-config/tasks.json',
      'model-metadata/foreproof-alpha.yml',
      'model-metadata/foreproof-ridge_v2.yml',
      'model-output/foreproof-alpha/2026-01-03-foreproof-alpha.csv',
      'model-output/foreproof-alpha/2026-01-10-foreproof-alpha.csv',
      'model-output/foreproof-ridge_v2/2026-01-03-foreproof-ridge_v2.csv',
    ])
    expect(read('hub/model-output/foreproof-alpha/2026-01-03-foreproof-alpha.csv')).toBe(
      [
        'reference_date,origin_id,horizon_hours,output_type,output_type_id,value',
        '2026-01-03,2026_01_01_00,2,median,NA,50500.25',
        '2026-01-03,2026_01_01_00,2,quantile,0.1,49000',
        '2026-01-03,2026_01_01_00,2,quantile,0.5,50400.5',
        '2026-01-03,2026_01_01_00,2,quantile,0.9,51800',
        '2026-01-03,2026_01_01_00,24,median,NA,50500.25',
        '2026-01-03,2026_01_03_23,2,median,NA,50500.25',
        '2026-01-03,2026_01_03_23,2,quantile,0.1,49000',
        '2026-01-03,2026_01_03_23,2,quantile,0.5,50400.5',
        '2026-01-03,2026_01_03_23,2,quantile,0.9,51800',
        '',
      ].join('\n'),
    )
    const origins = ['2026_01_01_00', '2026_01_01_01', '2026_01_03_23', '2026_01_04_00']
    expect(read('hub/auxiliary-data/source-prices.csv')).toBe(
      `origin_id,source_price_usd\n${origins.map((id) => `${id},50000\n`).join('')}`,
    )
    const [round] = JSON.parse(read('hub/hub-config/tasks.json')).rounds
    expect([round.round_id, round.model_tasks[0].task_ids]).toEqual([
      'reference_date',
      {
        reference_date: { required: null, optional: ['2026-01-03', '2026-01-10'] },
        origin_id: { required: null, optional: origins },
        horizon_hours: { required: null, optional: [2, 24] },
      },
    ])
    expect(read('hub/model-metadata/foreproof-ridge_v2.yml')).toContain('"ridge v2"')
  })

  it('writes nothing for an empty history, over a folder, or without one', async () => {
    await given()
    const none = await toHub()
    expect([none.code === 0, none.stderr]).toEqual([false, expect.stringContaining('no forecast')])
    await given(sample())
    const [hub, out] = [
      ['--to', 'hubverse'],
      ['--out', at('hub')],
    ] as const
    for (const [words, code, says] of [
      [hub, 2, /--to hubverse --out FOLDER/],
      [[...hub, '--out', '-'], 2, /--to hubverse --out FOLDER/],
      [[...hub, ...out, '--format', 'ndjson'], 2, /--to hubverse --out FOLDER/],
      [[...hub, '--out', at()], 1, /already exists/],
      [['pairs', ...hub, ...out], 2, /no table pairs/],
      [[], 2, /--to hubverse/],
    ] as const) {
      const done = await exported(...words)
      expect([done.code, done.stderr], words.join(' ')).toEqual([code, expect.stringMatching(says)])
    }
    expect(readdirSync(at())).toEqual(['h.sqlite'])
  })
})

describe('export --to scoringutils', () => {
  it('writes quantiles on two scales beside what was observed', async () => {
    const narrow = { ...sample().interval, level: 0.5 }
    await given(
      sample(),
      changed({ hour: 1 }, { interval: WITHOUT }),
      changed({ hour: 2 }, { interval: narrow }),
      sample({ hour: 400 }),
    )
    const outcomes = put(at('closes.csv'), closesOf(5))
    const done = await exported('--to', 'scoringutils', '--outcomes', outcomes)
    expect(done.code, done.stderr).toBe(0)
    const log = (usd: number) => String(Math.log(usd / 50_000))
    const unit = 'alpha,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z,2'
    expect(done.stdout).toBe(
      [
        'model,origin_at,target_at,horizon,scale,quantile_level,predicted,observed',
        `${unit},natural,0.1,49000,50002`,
        `${unit},natural,0.5,50400.5,50002`,
        `${unit},natural,0.9,51800,50002`,
        `${unit},log_return,0.1,${log(49_000)},${log(50_002)}`,
        `${unit},log_return,0.5,${log(50_400.5)},${log(50_002)}`,
        `${unit},log_return,0.9,${log(51_800)},${log(50_002)}`,
        '',
      ].join('\n'),
    )
    expect(done.stderr).toContain('intervals of 1 forecasts, which are not of 80 %')
    expect(done.stderr).toContain('2 forecasts without quantiles')
    expect(done.stderr).toContain('1 forecasts whose outcome is not known')
    expect(done.stderr).toContain('points of 1 forecasts, which are not their medians')
  })
})
