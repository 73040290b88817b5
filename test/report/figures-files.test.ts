import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { renderHtml } from '../../src/report/html/page.js'
import { latexText } from '../../src/report/latex.js'
import { renderFigures } from '../../src/report/renderers.js'
import { sampleResult } from './sample.js'

const HOSTILE =
  '</svg><script>alert(1)</script>"\'&<b>|,\n\\input{/etc/passwd}%$_^~#\u0000\u202e\uffff'
const result = sampleResult({ time: 'committed', strata: false, rename: HOSTILE })
const files = renderFigures(result)
const text = (name: string) => files[name] ?? ''
const PARTS = ['scored', 'failed', 'abstained', 'missing', 'ineligible'] as const
type Name =
  | (typeof PARTS)[number]
  | ('model' | 'point_loss' | 'lower' | 'expected' | 'boundary' | 'decision' | 'p')
  | ('comparator' | 'horizon' | 'difference')
const rows = (name: string): Record<Name, string>[] => parse(text(name), { columns: true })

describe('the figures of a result', () => {
  it('have names that do not depend on those of the models', () => {
    const charts = [
      ...['time-line', 'committed-forecasts', 'attempts', 'loss'],
      ...['difference-1', 'direction-1', 'difference-2', 'direction-2', 'difference-3'],
      ...['direction-3', 'coverage', 'holm-ladder'],
    ]
    expect(Object.keys(files)).toEqual([
      ...charts.flatMap((name) => [`${name}.svg`, `${name}.csv`]),
      ...['criteria.tex', 'scores.tex', 'tests.tex'],
    ])
    expect(renderFigures(result)).toEqual(files)
  })

  it('are drawings on white that need nothing else', () => {
    for (const [name, svg] of Object.entries(files).filter(([name]) => name.endsWith('.svg'))) {
      expect(svg, name).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img"/)
      expect(svg).toMatch(/<title id="t">[^<]+<\/title>\n<desc id="d">[^<]+<\/desc>/)
      expect(svg).toContain('<rect width="100%" height="100%" fill="#fff"/>')
      expect(svg).not.toMatch(/var\(|<script|url\(|href|NaN|undefined|\uffff|\u202e/)
    }
  })

  it('have what is drawn beside them, number by number', () => {
    const [first] = rows('loss.csv')
    const measure = result.measures.find((one) => one.model === HOSTILE && one.stratum === 'all')
    expect(first?.model).toBe(HOSTILE)
    expect(Number(first?.point_loss)).toBe(measure?.point_loss)
    expect(Number(first?.lower)).toBe(measure?.point_loss_bounds?.lower)
    const attempts = rows('attempts.csv')
    expect(attempts).toHaveLength(result.models.length * result.settings.horizons_hours.length)
    for (const row of attempts) {
      expect(PARTS.reduce((sum, name) => sum + Number(row[name]), 0)).toBe(Number(row.expected))
    }
    const ladder = rows('holm-ladder.csv')
    expect(ladder).toHaveLength(result.family.size)
    const alpha = result.settings.alpha
    expect(Number(ladder[0]?.boundary)).toBeCloseTo(alpha / result.family.size, 15)
    for (const row of ladder.filter(({ decision }) => decision === 'rejected')) {
      expect(Number(row.p)).toBeLessThanOrEqual(Number(row.boundary))
    }
    const [difference] = rows('difference-1.csv')
    const test = result.tests.find(
      ({ candidate, comparator, horizon }) =>
        candidate === HOSTILE && comparator === difference?.comparator && horizon === 'overall',
    )
    expect(difference?.horizon).toBe('overall')
    expect(Number(difference?.difference)).toBe(
      (test?.observed ?? 0) / (test?.comparator_mean ?? 1),
    )
  })

  it('are the files that the page holds', () => {
    const page = renderHtml(result)
    const links = [...page.matchAll(/<a download="([^"]+)" href="data:([^;]+)[^,]*,([^"]+)"/g)]
    const charts = Object.keys(files).filter((name) => !name.endsWith('.tex'))
    expect(links.map(([, name]) => name)).toEqual(charts)
    for (const [, name = '', , data = ''] of links) {
      expect(Buffer.from(data, 'base64').toString(), name).toBe(files[name])
    }
  })
})

describe('the tables for LaTeX', () => {
  it('have a row for every comparison, score and deciding test, with the same number of cells', () => {
    const count = {
      criteria: 12,
      scores: 7 * 5,
      tests: result.tests.filter((t) => t.decides).length,
    }
    for (const [name, expected] of Object.entries(count)) {
      const table = text(`${name}.tex`)
      const body = table.split('\\hline\n')[2] ?? ''
      const lines = body.trimEnd().split('\n')
      expect(lines).toHaveLength(expected)
      const columns = /\\begin\{tabular\}\{([lr]+)\}/.exec(table)?.[1]?.length
      for (const line of lines) {
        expect(line.match(/(?<!\\)&/g)).toHaveLength((columns ?? 0) - 1)
        expect(line).toMatch(/\\\\$/)
      }
    }
  })

  it('let no name be a command', () => {
    for (const name of ['criteria.tex', 'scores.tex', 'tests.tex']) {
      const body = text(name).split('\n').slice(2).join('\n')
      expect(body).not.toMatch(/\\input\b|(?<!\\)[#%]/)
      expect(body).not.toMatch(/[−–\u202f\u00a0⁻⁰¹²³⁴⁵⁶⁷⁸⁹×…]/)
    }
    expect(latexText('a_b & 5\u202f% of {x}\\y^~#$')).toBe(
      'a\\_b \\& 5\\,\\% of \\{x\\}\\textbackslash{}y\\textasciicircum{}\\textasciitilde{}\\#\\$',
    )
    // A row may begin with the name, after the end of the row before it.
    expect(latexText('*best [1]')).toBe('{*}best {[}1]')
    expect(latexText('−1.0×10⁻¹²')).toBe('$-$1.0$\\times$10$^{-12}$')
  })
})
