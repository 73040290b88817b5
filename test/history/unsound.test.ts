import { join } from 'node:path'
import { expect, it } from 'vitest'
import { verifyHistory } from '../../src/history/verify.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { alter, hourlyRows, writeProducer } from './support.js'

const Z = (column: string) => `${column} = replace(${column}, '+00:00', 'Z')`
const PREDICTIONS = 'UPDATE forecast_predictions SET'
const ORIGINS = 'UPDATE forecast_origins SET'

/** What is wrong with the rows of a history. */
const CHANGES: readonly (readonly [name: string, sql: string])[] = [
  ['nothing', ''],
  ['a target in another spelling', `${PREDICTIONS} ${Z('target_at')}`],
  ['a time of making in another spelling', `${ORIGINS} ${Z('generated_at')}`],
  [
    'an origin in another spelling',
    `${ORIGINS} ${Z('origin_at')}; ${PREDICTIONS} ${Z('origin_at')}`,
  ],
  ['a target that is no time', `${PREDICTIONS} target_at = 'noon'`],
  ['a time of making that is none', `${ORIGINS} generated_at = 'noon'`],
  ['a target of another horizon', `${PREDICTIONS} target_at = origin_at`],
  ['another change', `${PREDICTIONS} predicted_change_pct = 77`],
  ['a price of zero', `${PREDICTIONS} predicted_price_usd = 0`],
  ['crossed bounds', `${PREDICTIONS} q10_usd = 9e9, q50_usd = 1, q90_usd = 2`],
  ['a bound alone', `${PREDICTIONS} q10_usd = 1, q50_usd = NULL`],
  ['text for a number', `${PREDICTIONS} predicted_price_usd = 'high'`],
  ['another pair', `${ORIGINS} pair = 'ETH/USD'`],
  ['an agreement above 1', `${PREDICTIONS} model_agreement = 2`],
]

it.each(CHANGES)('verify, publish and serve --check say one thing of %s', async (name, sql) => {
  const folder = temporaryFolder()
  const history = join(folder, 'history.sqlite')
  writeProducer(history, hourlyRows(0, 1, ['alpha'], [2]))
  if (sql !== '') alter(history, `PRAGMA foreign_keys = OFF; ${sql}`)
  const { findings } = await verifyHistory(history)
  const isUnsound = name !== 'nothing'
  expect(findings.some(({ severity }) => severity === 'error')).toBe(isUnsound)
  const run = (line: string) =>
    inProcess(line.split(' '), { BTC_FORECAST_API_KEYS: 'k'.repeat(32) })
  const published = await run(`publish --history ${history} --out ${folder}/site`)
  const checked = await run(`serve --check --no-pipeline --history ${history}`)
  expect(published.code).toBe(isUnsound ? 1 : 0)
  for (const { stdout, stderr } of [published, checked]) {
    expect(/2026-01-01T00:00:00(Z|\+00:00)(:alpha| is not)/.test(stdout + stderr)).toBe(isUnsound)
  }
})
