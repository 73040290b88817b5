import type { ArgsOf } from '../../contract/findings/finding.js'

/** What is known of forecasts and has no place in a hub. */
type LeftOutCounts = ArgsOf<'exchange-left-out'>['counts']
type LeftOutKind = keyof LeftOutCounts

/** Counts what a hub cannot hold. */
export class Omissions {
  readonly #counts = new Map<LeftOutKind, number>()

  add(kind: LeftOutKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** None of them 0. */
  get counts(): LeftOutCounts {
    return Object.fromEntries(this.#counts)
  }
}
