import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const golden = (name: string) =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

describe('outside programs', () => {
  it("R gives the golden figures for Holm's procedure and quantiles again", () => {
    const again = execFileSync('Rscript', [golden('figures.R')], { encoding: 'utf8' })
    const numbers = (text: string) => text.trim().split(/[,\n]/)
    const committed = numbers(readFileSync(golden('figures.csv'), 'utf8'))
    const made = numbers(again)
    expect(made.length).toBe(committed.length)
    made.forEach((cell, i) => {
      if (cell === committed[i]) return
      expect(Math.abs(Number(cell) - Number(committed[i]))).toBeLessThan(1e-12)
    })
  })

  it('R gives the golden tails of the noncentral t again', () => {
    const made = execFileSync('Rscript', [golden('noncentral.R')], { encoding: 'utf8' })
    expect(made).toBe(readFileSync(golden('noncentral.csv'), 'utf8'))
  })

  it.each(['22', '24'])('Node %s computes the same bytes as this Node', (major) => {
    const script = fileURLToPath(new URL('../process/inference-run.mjs', import.meta.url))
    const here = execFileSync(process.execPath, [script, 'family', '2'], { encoding: 'utf8' })
    const there = execFileSync(
      'npx',
      ['-y', '-p', `node@${major}`, 'node', script, 'family', '2'],
      {
        encoding: 'utf8',
      },
    )
    expect(here.length).toBeGreaterThan(10_000)
    expect(there).toBe(here)
  })
})
