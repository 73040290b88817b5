import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { golden } from '../scoring/golden.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder()

/** Largest relative distance between two structures of numbers; other values must be equal. */
function farthest(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? 0 : Number.POSITIVE_INFINITY
  }
  const keys = Object.keys(a)
  if (keys.join() !== Object.keys(b).join()) return Number.POSITIVE_INFINITY
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return Math.max(0, ...keys.map((key) => farthest(x[key], y[key])))
}

it('numpy gives the golden figures of the measures and baselines again', () => {
  execFileSync('/usr/bin/python3', ['test/outside/scoring_golden.py', folder])
  for (const name of ['measures', 'baselines']) {
    // Another numpy may round the last digit of a logarithm otherwise, and a bias is a small
    // difference of such.
    expect(farthest(golden(name, folder), golden(name)), name).toBeLessThan(1e-12)
  }
})
