import { type Instant, instantOrNaN } from '../contract/instant.js'
import { alphaDivisor } from '../evaluation/other-registrations.js'
import type { RecordedRegistration } from './inputs.js'

/** When the first and the last forecast of a window are due; NaN where a list leaves it open. */
interface Due {
  readonly first: Instant
  readonly last: Instant
  /** When it was cancelled, if it was: later windows do not count it. */
  readonly cancelledAt: Instant
}

/** The windows of registrations so far, by the names of their candidates. */
export class Repetitions {
  readonly #byCandidate = new Map<string, Due[]>()

  /** @param cancelledAt - when its closing was shown, if that cancels it. */
  add(registration: RecordedRegistration, cancelledAt = Number.POSITIVE_INFINITY): void {
    const due = { ...dueIn(registration), cancelledAt }
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
    const own = dueIn(registration)
    const before = registration.candidates.map(({ name }) => {
      const windows = this.#byCandidate.get(name) ?? []
      const counts = (window: Due) => overlap(window, own) && !(window.cancelledAt < firstInputs)
      return windows.filter(counts).length
    })
    return alphaDivisor(1 + Math.max(0, ...before))
  }
}

const dueIn = ({ window: { first_due, last_due } }: RecordedRegistration) => ({
  first: instantOrNaN(first_due ?? ''),
  last: instantOrNaN(last_due ?? ''),
})

/** A window with an open end may overlap. */
const overlap = (a: Pick<Due, 'first' | 'last'>, b: Pick<Due, 'first' | 'last'>): boolean =>
  !(a.first > b.last || b.first > a.last)
