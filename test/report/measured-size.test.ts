import { describe, expect, it } from 'vitest'
import { nearestSize, nearestVerdictSize } from '../../src/inference/measured-size.js'
import { percent } from '../../src/output/figures.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { sampleResult } from './sample.js'

describe('every report shows the measured size of its method', () => {
  it.each([
    ['percentile-bootstrap', 150, 180],
    ['ewc-t', 0, 20],
  ] as const)('%s with %i blocks: that with %i', (method, blocks, nearest) => {
    const { settings, ...rest } = sampleResult()
    const inference =
      method === 'ewc-t' ? { method, weights: { deciding: 0.8, other: 0.2 } } : { method }
    const result = { ...rest, settings: { ...settings, inference, blocks_in_window: blocks } }
    const { any } = nearestSize(method, nearest)
    for (const page of [renderHtml(result), renderMarkdown(result).replaceAll('\\', '')]) {
      expect(page).toContain(`${method} at 5 % with ${nearest} blocks of 24 hours`)
      expect(page).toContain(`rejected something in ${percent(any.least)}`)
      expect(page).toContain(percent(any.most))
    }
  })

  it('of a verdict hypothesis: that of verdicts, with the design that was measured', () => {
    const { settings, ...rest } = sampleResult()
    const weights = { verdict: 0.6, deciding: 0.3, other: 0.1 }
    const inference = { method: 'ewc-t' as const, weights }
    const result = { ...rest, settings: { ...settings, inference, blocks_in_window: 70 } }
    const own = result.models.filter(({ role }) => role === 'candidate').length
    for (const page of [renderHtml(result), renderMarkdown(result).replaceAll('\\', '')]) {
      const measured = nearestVerdictSize(60, own)
      expect(page).toContain('where forecasters were equal')
      expect(page).toContain(`two comparators, horizons of 2, 4, 8 and 16 hours, 60 blocks`)
      expect(page).toContain(`${percent(measured.usual.negative.most)} negative`)
      expect(page).toContain(`${percent(measured.long.negative.most)} negative`)
      expect(page).not.toContain('rejected something in')
    }
  })
})
