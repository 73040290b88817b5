import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderFigures } from '../../src/report/renderers.js'
import { sampleResult } from '../report/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const root = temporaryFolder()
const at = (...names: string[]) => join(root, ...names)
let round = 0
let out = ''

/** A folder with a whole result, of another window each month. */
function evidence(name: string, month: number) {
  const sample = sampleResult({ strata: false })
  const window = { ...sample.settings.window, to: `2025-0${month}-28T08:00:00Z` }
  const settings = { ...sample.settings, window }
  const result = { ...sample, settings }
  const sealed = { ...result, result_sha256: resultDigest(result) }
  mkdirSync(at(name))
  writeFileSync(at(name, 'result.json'), `${canonicalize(sealed)}\n`)
  return JSON.parse(canonicalize(sealed)) as typeof sealed
}

let spring: ReturnType<typeof evidence>
beforeAll(() => {
  spring = evidence('spring', 5)
  evidence('summer', 7)
  mkdirSync(at('empty'))
  mkdirSync(at('damaged'))
  const text = readFileSync(at('spring', 'result.json'), 'utf8')
  writeFileSync(at('damaged', 'result.json'), text.replace('"origins":', '"origins":1'))
})
beforeEach(() => {
  out = at(`out-${++round}`)
})

describe('report of one evaluation', () => {
  it('writes the reports, the figures, or both', async () => {
    const figures = `${out}-figures`
    const ran = await inProcess(['report', at('spring'), '--out', out, '--figures', figures])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(`Figure: ${join(figures, 'holm-ladder.svg')}`)
    expect(readdirSync(out)).toEqual(['report.html', 'report.md'])
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toBe(renderHtml(spring))
    const files = renderFigures(spring)
    expect(readdirSync(figures)).toEqual(Object.keys(files).sort())
    for (const [name, text] of Object.entries(files)) {
      expect(readFileSync(join(figures, name), 'utf8'), name).toBe(text)
    }
    const alone = await inProcess(['report', at('spring'), '--figures', `${figures}-alone`])
    expect([alone.code, readdirSync(`${figures}-alone`)]).toEqual([0, Object.keys(files).sort()])
  })

  it.each([
    ['nothing to write', [], 2],
    ['a folder with something in it', ['--figures', 'spring'], 1],
    ['a file', ['--figures', 'spring/result.json'], 1],
    ['a folder in the evidence', ['--figures', 'summer/figures'], 2],
    ['the figures in the reports', ['--out', 'a', '--figures', 'a/b'], 2],
    ['the reports in the figures', ['--out', 'a/b', '--figures', 'a'], 2],
    ['one folder for both', ['--out', 'a', '--figures', 'a'], 2],
  ])('refuses %s and writes nothing', async (_, args, code) => {
    const before = readdirSync(root)
    const located = args.map((arg) => (arg.startsWith('-') ? arg : at(arg)))
    const ran = await inProcess(['report', at('summer'), ...located])
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(readdirSync(root)).toEqual(before)
  })
})

describe('report of what is no evidence', () => {
  it.each([
    ['nowhere', 2, 'stderr', 'nowhere'],
    ['empty', 2, 'stderr', 'holds no result.json'],
    ['damaged', 1, 'stdout', 'digest-mismatch'],
  ] as const)('names the one that is %s and writes nothing', async (name, code, stream, words) => {
    const ran = await inProcess(['report', at(name), '--out', out])
    expect(ran.code).toBe(code)
    expect(ran[stream]).toContain(words)
    expect(existsSync(out)).toBe(false)
  })
})
