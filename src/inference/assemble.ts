import { bootstrapP, holm } from './holm.js'
import type { PreparedTest } from './prepare.js'
import { type BootstrapSummary, percentileBounds } from './summary.js'
import type {
  ControlResult,
  ControlTest,
  FamilyInput,
  FamilyResult,
  HolmStep,
  TestResult,
} from './types.js'

/**
 * Turns what was kept of every test into the result: p-values, Holm's ladder over the whole family,
 * and the bounds at alpha and at each test's own level.
 *
 * @param summaries by place: the tests of the family first, then the controls
 */
export function assembleFamily(
  input: FamilyInput,
  prepared: readonly PreparedTest[],
  summaries: ReadonlyMap<number, BootstrapSummary>,
): FamilyResult {
  const { replicates, alpha } = input
  const pValues = prepared.map((_, test) => {
    const summary = summaries.get(test)
    if (!summary?.replicates || summary.empty > 0) return null
    const { atOrBelowZero, atOrAboveZero } = summary.replicates
    return bootstrapP(atOrBelowZero, atOrAboveZero, replicates)
  })
  const steps = holm(pValues, alpha)
  const boundsOf = (summary: BootstrapSummary, level: number) =>
    percentileBounds(summary.tails!, replicates, level)
  const tests = prepared.map((test, index): TestResult => {
    const { counts, reasons } = test
    const summary = summaries.get(index)
    const [p, step] = [pValues[index] ?? null, steps[index] ?? null]
    if (p === null || step === null || !summary?.replicates || counts.observed === null) {
      return {
        ...counts,
        status: 'blocked',
        reasons: summary?.empty ? ['empty_replicate'] : reasons,
      }
    }
    return {
      ...counts,
      observed: counts.observed,
      status: 'tested',
      p,
      side: sideOf(summary.replicates),
      holm: step,
      replicates: summary.replicates,
      bounds: boundsOf(summary, alpha),
      adjustedBounds: boundsOf(summary, levelOf(step, alpha)),
    }
  })
  const controls = (input.controls ?? []).map((control, index) =>
    judge(control, summaries.get(prepared.length + index)),
  )
  return { tests, controls, controlsPassed: controls.every((control) => control.passed) }
}

const levelOf = (step: HolmStep, alpha: number): number => alpha / step.multiplier

function sideOf(figures: { atOrBelowZero: number; atOrAboveZero: number }) {
  if (figures.atOrBelowZero > figures.atOrAboveZero) return 'below'
  return figures.atOrBelowZero < figures.atOrAboveZero ? 'above' : 'neither'
}

/** A control passes when its least and its greatest replicate are the expected number. */
function judge(control: ControlTest, summary: BootstrapSummary | undefined): ControlResult {
  const { name, kind, expected } = control
  const least = summary?.replicates?.least ?? null
  const greatest = summary?.replicates?.greatest ?? null
  return {
    name,
    kind,
    expected,
    least,
    greatest,
    passed: least === expected && greatest === expected,
  }
}
