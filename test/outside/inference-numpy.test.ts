import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import {
  CASES,
  expectAgreement,
  inputOf,
  type NumpyFigures,
  scriptInput,
} from '../inference/numpy-cases.js'

const golden = (name: string) =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

/** The figures by Python and numpy, which share nothing with foreproof. */
function numpy(input: string): NumpyFigures[] {
  const python = process.env.PYTHON ?? '/usr/bin/python3'
  const output = execFileSync(python, [golden('bootstrap.py')], { input, encoding: 'utf8' })
  return JSON.parse(output) as NumpyFigures[]
}

describe('the whole inference, a second time in Python and numpy', () => {
  it('agrees to 1e-12, and gives the golden figures', async () => {
    const made: NumpyFigures[][] = []
    for (const one of CASES) {
      const input = inputOf(one)
      const figures = numpy(scriptInput(input))
      expectAgreement((await runFamily(input)).tests, figures)
      made.push(figures)
    }
    // WRITE_GOLDEN=1 writes the golden file that test/inference/numpy.test.ts reads.
    if (process.env.WRITE_GOLDEN)
      writeFileSync(golden('bootstrap.json'), `${JSON.stringify(made)}\n`)
    const committed = JSON.parse(readFileSync(golden('bootstrap.json'), 'utf8')) as NumpyFigures[][]
    expect(committed).toHaveLength(CASES.length)
    for (const [i, one] of CASES.entries()) {
      expectAgreement((await runFamily(inputOf(one))).tests, committed[i]!)
    }
  })
})
