import { expect, it } from 'vitest'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { cautionsOf as allCautions } from '../../src/report/notes.js'
import { sampleResult } from './sample.js'

const base = sampleResult()
/** The sample was judged under a protocol of its own; what is laxer there is another test's matter. */
const cautionsOf = (result: typeof base) =>
  allCautions(result).filter((says) => !says.startsWith('Laxer'))
const lag = { publication_lag_minutes: 60, provenance_required: false }

it('what a lag is worth is said where it is not asked when inputs were known', () => {
  const result = { ...base, mode: 'prospective' as const, settings: { ...base.settings, ...lag } }
  const [own, ...said] = cautionsOf(result)
  expect(own).toMatch(/own word/)
  expect(said).toHaveLength(1)
  // The formula at 2, 4, 8 and 16 h gives 0.0968.
  expect(said[0]).toMatch(/60 minutes after their origin.* 9\.7\u202f% lower/)
  expect(renderHtml(result)).toContain(said[0])
  expect(renderMarkdown(result)).toContain('60 minutes after their origin')
  const settings = { ...result.settings, provenance_required: true }
  expect(cautionsOf({ ...result, settings })).toEqual([own])
  expect(cautionsOf({ ...result, mode: 'retrospective' })).toEqual([])
})

it('a model of the history under the name of a built-in is pointed out', () => {
  const models = base.models.map((model) =>
    model.name === 'persistence' ? { ...model, source: 'history' as const } : model,
  )
  const settings = { ...base.settings, provenance_required: true }
  const backtest = { ...base, mode: 'retrospective' as const, settings }
  expect(cautionsOf(backtest)).toEqual([])
  const [said, ...more] = cautionsOf({ ...backtest, models })
  expect(said).toMatch(/persistence.* was not computed/)
  expect(more).toEqual([])
})
