import { type Instant, instantOrNaN } from '../contract/instant.js'
import { alphaDivisor } from '../evaluation/other-registrations.js'
import type { RecordedRegistration } from './inputs.js'

/** When the first and the last forecast of a window are due; NaN where a list leaves it open. */
interface Due {
  readonly first: Instant
  readonly last: Instant
}

/** The windows of registrations so far, by the names of their candidates. */
export class Repetitions {
  readonly #byCandidate = new Map<string, Due[]>()

  add(registration: RecordedRegistration): void {
    const due = dueIn(registration)
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
   */
  divisorFor(registration: RecordedRegistration): number {
    const own = dueIn(registration)
    const before = registration.candidates.map(({ name }) => {
      const windows = this.#byCandidate.get(name) ?? []
      return windows.filter((window) => overlap(window, own)).length
    })
    return alphaDivisor(1 + Math.max(0, ...before))
  }
}

const dueIn = ({ window: { first_due, last_due } }: RecordedRegistration): Due => ({
  first: instantOrNaN(first_due ?? ''),
  last: instantOrNaN(last_due ?? ''),
})

/** A window with an open end may overlap. */
const overlap = (a: Due, b: Due): boolean => !(a.first > b.last || b.first > a.last)
