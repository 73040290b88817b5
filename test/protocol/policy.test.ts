import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkDraft } from '../../src/protocol/freeze.js'
import { checkPolicy } from '../../src/protocol/rules/policy.js'
import { argsOf } from '../contract/args-of.js'
import { EXAMPLES, exampleOf } from '../registration/series-examples.js'
import { type Changes, changedIn, documentOf } from './sample.js'
import { WEEKS, weekly } from './weekly.js'

const foundIn = (changes: Changes) =>
  checkPolicy({ value: changedIn(weekly(), changes) }, WEEKS).map((each) => {
    expect(formatMessage(each).text).not.toMatch(/undefined|\[object/)
    return `${each.pointer} ${argsOf(each).fault}`
  })

const LOG = '/scores/0/transform'
const primary = (score: object) => [{ id: 'own', primary: true, ...score }]
const absolute = (transform: object) => primary({ kind: 'absolute_error', transform })

describe('a protocol of version 2 whose transform is not defined on all values', () => {
  it.each([
    [{ kind: 'log' }, '0', ['log']],
    [{ kind: 'log' }, undefined, ['log']],
    [{ kind: 'log' }, '0.01', []],
    [{ kind: 'sqrt' }, '-1', ['sqrt']],
    [{ kind: 'sqrt' }, undefined, ['sqrt']],
    [{ kind: 'sqrt' }, '0', []],
    [{ kind: 'log_shift', offset: '1' }, '-1', ['log-shift']],
    [{ kind: 'log_shift', offset: '0' }, '0', ['log-shift']],
    [{ kind: 'log_shift', offset: '1' }, undefined, ['log-shift']],
    [{ kind: 'log_shift', offset: '1' }, '0', []],
    [{ kind: 'identity' }, undefined, []],
  ] as const)('%j with the minimum %s is refused: %j', (transform, minimum, faults) => {
    const changes = { '/scores': absolute(transform), '/forecast/minimum': minimum }
    expect(foundIn(changes)).toEqual(faults.map((fault) => `${LOG} ${fault}`))
  })

  it('is refused for a score that does not decide, too, and a draft is told what to take', () => {
    const changes = {
      '/scores/1': { id: 'mae', kind: 'absolute_error', transform: { kind: 'log' } },
    }
    const [found, ...others] = checkDraft(documentOf(changedIn(weekly(), changes)), WEEKS)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'series-policy', pointer: '/scores/1/transform' })
    expect(found && formatMessage(found).help).toContain('log_shift')
  })

  it('is refused for past volatility, too: origins would have no level', () => {
    const levels = [{ level: 'calm', below: '0.1' }, { level: 'rough' }]
    const moves = { name: 'moves', by: 'past_volatility', series: 'US', changes: 8, levels }
    const found = (kind: string) => foundIn({ '/strata': [{ ...moves, transform: { kind } }] })
    expect(found('log')).toEqual(['/strata/0/transform log'])
    expect(found('sqrt')).toEqual([])
  })
})

describe('a protocol of version 2 is refused where it is laxer than one may be:', () => {
  it.each([
    ['/limits/availability', '0.05', '0.051', 'most'],
    ['/limits/availability_stratum', '0.1', '0.11', 'most'],
    ['/limits/harm', '0.2', '0.21', 'most'],
    ['/limits/practical_effect', '0.01', '0.009', 'least'],
    ['/limits/direction', '0.05', '0.051', 'most'],
    ['/uncertainty/alpha', '0.05', '0.06', 'most'],
    ['/baselines/1/errors/window', 50, 49, 'errors'],
    ['/baselines/1/errors/minimum', 20, 19, 'errors'],
  ])('%s may be %s, not %s', (pointer, allowed, lax, fault) => {
    expect(foundIn({ [pointer]: allowed })).toEqual([])
    expect(foundIn({ [pointer]: lax })).toEqual([`${pointer} ${fault}`])
  })

  it('in everything at once, blocks of one origin among it', () => {
    const lax = {
      ...{ '/limits/availability': '0.9', '/limits/harm': '0.9', '/uncertainty/alpha': '0.5' },
      ...{ '/limits/practical_effect': '0.001', '/dependence/block_origins': 1 },
    }
    const found = checkDraft(documentOf(changedIn(weekly(), lax)), WEEKS)
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`).sort()).toEqual([
      'series-periods /dependence/block_origins',
      'series-policy /limits/availability',
      'series-policy /limits/harm',
      'series-policy /limits/practical_effect',
      'series-policy /uncertainty/alpha',
    ])
  })

  it('levels are at least 0.000002 apart', () => {
    const apart = (levels: readonly string[]) =>
      foundIn({ '/forecast/levels': levels, '/scores': primary({ kind: 'absolute_error' }) })
    expect(apart(['0.1', '0.100002', '0.5'])).toEqual([])
    expect(apart(['0.1', '0.100001', '0.5'])).toEqual(['/forecast/levels/1 near'])
  })

  it.each([
    [{ kind: 'pinball', level: '0.99' }, 200, 100],
    [{ kind: 'pinball', level: '0.001' }, 2000, 1000],
    [{ kind: 'interval', lower: '0.005', upper: '0.995' }, 400, 200],
    [{ kind: 'interval', lower: '0.25', upper: '0.75' }, 50, 20],
    [{ kind: 'weighted_interval' }, 50, 20],
  ])('own errors are as many as %j needs', (score, window, minimum) => {
    const at = '/baselines/0/errors'
    const many = { window: 9999, minimum }
    const pairs = { '/dependence/minimum_pairs': 9999 }
    const others = { '/baselines/1/errors': many, '/baselines/2/errors': many, ...pairs }
    const scores = { '/scores': primary(score), ...others }
    expect(foundIn({ ...scores, [at]: { window, minimum } })).toEqual([])
    expect(foundIn({ ...scores, [at]: { window: window - 1, minimum: minimum - 1 } })).toEqual([
      ...[`${at}/window errors`, `${at}/minimum errors`],
    ])
  })
})

it.each(EXAMPLES)('the example %s is no laxer', async (name) => {
  const { protocol, periods } = await exampleOf(name)
  expect(checkPolicy({ value: protocol }, periods)).toEqual([])
})

describe('standard comparators', () => {
  const NAMES = ['last_value', 'last_season', 'trend', 'usual', 'usual_season']
  const without = (...names: string[]) => ({
    '/comparisons/required': NAMES.filter((name) => !names.includes(name)),
  })
  const said = (changes: Changes, periods = WEEKS) =>
    checkPolicy({ value: changedIn(weekly(), changes) }, periods).map((each) => formatMessage(each))
  const added = (text: string) => ({
    help: `Every protocol requires those that can be asked. Add ${text}.`,
  })

  it('are all required, by whatever ids', () => {
    expect(foundIn(without('trend'))).toEqual(['/comparisons/required standard'])
    const [found] = said(without('trend', 'usual_season'))
    const text = 'standard comparators are not required: drift, seasonal_climatology year'
    const ids = 'to "required" of "comparisons": "trend", "usual_season"'
    expect(found).toMatchObject({ text, ...added(ids) })
  })

  it('are written out where there is no such baseline, to be pasted', () => {
    const baselines = weekly().baselines.filter(({ kind }) => kind.startsWith('seasonal_naive'))
    const changes = { '/baselines': baselines, '/comparisons/required': ['last_season', 'drift'] }
    // A model of the history has the name drift.
    const drift = { id: 'drift_', kind: 'drift', errors: { window: 50, minimum: 20 } }
    const persistence = { ...drift, id: 'persistence', kind: 'persistence' }
    const usual = { id: 'climatology', kind: 'climatology' }
    const season = { id: 'seasonal_climatology_year', kind: 'seasonal_climatology', season: 'year' }
    const made = [persistence, drift, usual, season]
    const [members, ids] = [made, made.map(({ id }) => id)].map((each: readonly unknown[]) =>
      each.map((one) => JSON.stringify(one)).join(', '),
    )
    const [found] = said(changes)
    expect(found).toMatchObject(
      added(`to "baselines": ${members}; to "required" of "comparisons": ${ids}`),
    )
    const whole = [...baselines, ...made]
    const pasted = {
      '/baselines': whole,
      '/comparisons/required': ['last_season', 'drift', ...made.map(({ id }) => id)],
    }
    expect(said(pasted)).toEqual([])
  })

  it('have as many own errors as what decides needs', () => {
    const pairs = { '/dependence/minimum_pairs': 400 }
    const score = { '/scores': primary({ kind: 'pinball', level: '0.99' }), ...pairs }
    const many = { window: 200, minimum: 100 }
    const errors = { '/baselines/0/errors': many, '/baselines/1/errors': many }
    const baselines = changedIn(weekly(), { ...score, ...errors }).baselines.slice(0, 2)
    const [found] = said({
      ...{ ...score, '/baselines': baselines, '/comparisons/required': ['last_value'] },
    })
    expect(found?.help).toContain('"kind":"drift","errors":{"window":200,"minimum":100}')
  })

  it('of a season are those that the last window that decides has periods one season before', () => {
    // 50 origins decide, with 194 targets at four steps; the 53rd week is the first with one a year before.
    // Of 77 weeks the last origins begin with the 28th, and 94 targets are too early; of 76 weeks 98.
    const year = without('last_season', 'usual_season')
    expect(said(year, WEEKS.slice(0, 77))).toHaveLength(1)
    expect(said(year, WEEKS.slice(0, 76))).toEqual([])
  })
})
