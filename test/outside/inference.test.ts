import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import { type ReadResult, read } from '../evaluation/made.js'
import {
  expectAgreement as expectFamily,
  GOLDEN,
  REAL_CLOSES,
  realFamily,
} from '../evaluation/real-family.js'
import { forecastLine } from '../evaluation/world.js'
import {
  CASES,
  EWC_CASES,
  type EwcGolden,
  expectAgreement,
  golden,
  goldenPath,
  inputOf,
  type NumpyFigures,
  scriptCases,
  scriptInput,
} from '../inference/golden.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

// The figures by Python, numpy and R, which share nothing with foreproof. With
// WRITE_GOLDEN=1 they are written into the files that tests of units read.

const encoding = 'utf8' as const
const python = (script: string, options: { input?: string; cwd?: string }, ...args: string[]) =>
  execFileSync(process.env.PYTHON ?? '/usr/bin/python3', [goldenPath(script), ...args], {
    ...options,
    encoding,
  })
const write = (name: string, text: string) => {
  if (process.env.WRITE_GOLDEN) writeFileSync(goldenPath(name), text)
}
const inR = (script: string) => execFileSync('Rscript', [goldenPath(script)], { encoding })
const near = (found: unknown, expected: unknown, relative: number) =>
  expect(Math.abs(Number(found) / Number(expected) - 1)).toBeLessThan(relative)

describe('outside programs', () => {
  it('numpy agrees with the whole inference to 1e-12, and gives the golden figures', async () => {
    const inputs = CASES.map((one) => scriptInput(inputOf(one)))
    const made: NumpyFigures[][] = inputs.map((input) =>
      JSON.parse(python('bootstrap.py', { input })),
    )
    write('bootstrap.json', `${JSON.stringify(made)}\n`)
    const committed: NumpyFigures[][] = JSON.parse(golden('bootstrap.json'))
    expect(committed).toHaveLength(CASES.length)
    for (const [at, one] of CASES.entries()) {
      const { tests } = await runFamily(inputOf(one))
      for (const figures of [made, committed]) expectAgreement(tests, figures[at]!)
    }
  })

  it('numpy gives the golden figures of the cosine test again', () => {
    const text = python('ewc.py', { input: scriptCases(EWC_CASES) })
    write('ewc.json', `${text}\n`)
    const made = JSON.parse(text) as EwcGolden[]
    const committed = JSON.parse(golden('ewc.json')) as EwcGolden[]
    expect(made).toHaveLength(committed.length)
    for (const [at, figures] of made.entries()) {
      for (const name of ['estimate', 'standardError', 'p'] as const) {
        near(figures[name], committed[at]?.[name], 1e-11)
      }
    }
  })

  it('Python gives the true values of logarithms again', () => {
    const text = python('../contract/logarithm.py', {})
    write('../contract/logarithm.csv', text)
    expect(text).toBe(golden('../contract/logarithm.csv'))
  })

  it("R gives the golden figures of Student's t again", () => {
    const figures = (text: string) =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((row) => row.split(',')[3])
    const [made, committed] = [figures(inR('student.R')), figures(golden('student.csv'))]
    expect(made).toHaveLength(committed.length)
    for (const [at, figure] of made.entries()) near(figure, committed[at], 1e-11)
  })

  it("R gives the golden figures for Holm's procedure and quantiles again", () => {
    const numbers = (text: string) => text.trim().split(/[,\n]/)
    const [made, committed] = [numbers(inR('figures.R')), numbers(golden('figures.csv'))]
    expect(made.length).toBe(committed.length)
    made.forEach((cell, at) => {
      if (cell === committed[at]) return
      expect(Math.abs(Number(cell) - Number(committed[at]))).toBeLessThan(1e-12)
    })
  })
})

describe.runIf(existsSync(REAL_CLOSES)).each(GOLDEN)(
  'a scored family on four real months: %s',
  (name) => {
    let folder: string
    let result: ReadResult
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await foreproof(args, { cwd: folder })
      expect([args[0], code, code === 0 ? '' : stdout + stderr]).toEqual([args[0], 0, ''])
    }

    beforeAll(async () => {
      folder = temporaryFolder()
      const { plan, protocol, text, rows } = realFamily(10_000, name)
      put('closes.csv', text)
      put('forecasts.ndjson', `${rows.map(forecastLine).join('\n')}\n`)
      put('draft.json', JSON.stringify(protocol))
      put('plan.json', JSON.stringify(plan))
      await run('freeze', 'draft.json')
      await run('outcomes', 'import', 'closes.csv', '--out', 'vintage', '--source', 'kept apart')
      await run('history', 'import', 'forecasts.ndjson', '--history', 'history.sqlite')
      const outcomes = ['--outcomes', 'vintage']
      await run('register', 'plan.json', '--protocol', 'protocols/real-1.json', ...outcomes)
      const inputs = ['--history', 'history.sqlite', ...outcomes]
      await run('score', '--registration', 'registration.json', ...inputs, '--out', 'evidence')
      result = read(JSON.parse(readFileSync(join(folder, 'evidence', 'result.json'), 'utf8')))
    })

    it('numpy finds the same from its pairs, to 1e-10, and the golden figures again', () => {
      const files = ['registration.json', 'protocols/real-1.json', 'closes.csv']
      const text = python('family.py', { cwd: folder }, ...files, 'evidence/pairs.ndjson.gz')
      expectFamily(result, text)
      write(name, text)
      expectFamily(result, golden(name))
    })
  },
)
