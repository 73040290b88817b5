import type { Instant } from '../contract/instant.js'
import {
  alphaDivisor,
  type DueSpan,
  spansOverlap,
  toDueSpan,
} from '../evaluation/other-registrations.js'
import type { RecordedRegistration } from './inputs.js'

/** The window of an earlier registration. */
interface Earlier extends DueSpan {
  /** When it was cancelled, if it was: later windows do not count it. */
  readonly cancelledAt: Instant
}

/** The windows of registrations so far, by the names of their candidates. */
export class Repetitions {
  readonly #byCandidate = new Map<string, Earlier[]>()

  /** @param cancelledAt - when its closing was shown, if that cancels it. */
  add(registration: RecordedRegistration, cancelledAt = Number.POSITIVE_INFINITY): void {
    const due = { ...toDueSpan(registration.window), cancelledAt }
    for (const { name } of registration.candidates) {
      const known = this.#byCandidate.get(name)
      if (known === undefined) this.#byCandidate.set(name, [due])
      else known.push(due)
    }
  }

  /**
   * The divisor of alpha: 1 for the first registration of a candidate, j(j + 1) for the j-th whose windows overlap. The
   * candidate registered most often counts. Two models with the same forecasts count as two here, which leaves more of
   * alpha and so never makes the stated chance smaller.
   * @param firstInputs - of the registration; what was cancelled before them does not count, as in `score`.
   */
  divisorFor(registration: RecordedRegistration, firstInputs: Instant): number {
    const own = toDueSpan(registration.window)
    const before = registration.candidates.map(({ name }) => {
      const windows = this.#byCandidate.get(name) ?? []
      const counts = (window: Earlier) =>
        spansOverlap(window, own) && !(window.cancelledAt < firstInputs)
      return windows.filter(counts).length
    })
    return alphaDivisor(1 + Math.max(0, ...before))
  }
}
