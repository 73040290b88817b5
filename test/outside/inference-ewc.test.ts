import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { EWC_CASES, type EwcGolden, scriptCases } from '../inference/ewc-cases.js'

const golden = (name: string) =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

const near = (found: number, expected: number) =>
  expect(Math.abs(found / expected - 1)).toBeLessThan(1e-11)

describe('outside programs', () => {
  it('numpy gives the golden figures of the cosine test again', () => {
    const python = process.env.PYTHON ?? '/usr/bin/python3'
    const input = scriptCases(EWC_CASES)
    const text = execFileSync(python, [golden('ewc.py')], { input, encoding: 'utf8' })
    // WRITE_GOLDEN=1 writes the golden file that test/inference/ewc.test.ts reads.
    if (process.env.WRITE_GOLDEN) writeFileSync(golden('ewc.json'), `${text}\n`)
    const made = JSON.parse(text) as EwcGolden[]
    const committed = JSON.parse(readFileSync(golden('ewc.json'), 'utf8')) as EwcGolden[]
    expect(made).toHaveLength(committed.length)
    made.forEach((figures, index) => {
      const before = committed[index] as EwcGolden
      near(figures.estimate, before.estimate)
      near(figures.standardError, before.standardError)
      near(figures.p, before.p)
    })
  })

  it("R gives the golden figures of Student's t again", () => {
    const again = execFileSync('Rscript', [golden('student.R')], { encoding: 'utf8' })
    const rows = (text: string) => text.trim().split('\n').slice(1)
    const committed = rows(readFileSync(golden('student.csv'), 'utf8'))
    expect(rows(again)).toHaveLength(committed.length)
    rows(again).forEach((row, index) => {
      near(Number(row.split(',')[3]), Number(committed[index]?.split(',')[3]))
    })
  })
})
