import { expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { comparatorsOf } from '../../src/report/view.js'
import { sampleResult } from './sample.js'

const base = sampleResult()
const COPIES = 'have the same figures throughout'
const [first = ''] = comparatorsOf(base)

/** The sample with one more comparator, whose figures are those of the first but for the change. */
function withTwin(change: (row: EvaluationResult['measures'][number], at: number) => object) {
  const own = base.measures.filter(({ model }) => model === first)
  const twin = own.map((row, at) => ({ ...row, ...change(row, at), model: 'its twin' }))
  const model = { ...base.models.find(({ name }) => name === first)!, name: 'its twin' }
  return { ...base, models: [...base.models, model], measures: [...base.measures, ...twin] }
}

it('comparators with the same figures are called copies', () => {
  for (const page of [renderHtml, renderMarkdown]) {
    expect(page(base)).not.toContain(COPIES)
    expect(page(withTwin(() => ({})))).toContain(`its twin ${COPIES}`)
    // One other figure at one horizon, and they are not.
    const other = withTwin(({ point_loss: loss }, at) =>
      at === 0 ? { point_loss: (loss ?? 0) + 1e-9 } : {},
    )
    expect(page(other)).not.toContain(COPIES)
  }
})

it('models without any figure are no copies', () => {
  const empty = base.measures.map((row) => ({ ...row, pairs: 0, point_loss: null }))
  expect(renderHtml({ ...withTwin(() => ({})), measures: empty })).not.toContain(COPIES)
})
