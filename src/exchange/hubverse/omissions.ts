import type { ArgsOf } from '../../contract/findings/finding.js'

/** What forecasts have that a hub cannot store. */
type LeftOutCounts = ArgsOf<'exchange-left-out'>['counts']
type LeftOutKind = keyof LeftOutCounts

/** Counts what a hub cannot store. */
export class Omissions {
  readonly #counts = new Map<LeftOutKind, number>()

  add(kind: LeftOutKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** Only kinds with a count above 0. */
  get counts(): LeftOutCounts {
    return Object.fromEntries(this.#counts)
  }
}
