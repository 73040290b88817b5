import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Stratum } from '../pairing/types.js'

/** Which origins of a window belong to which level of each stratum. */
export class Memberships {
  readonly #masks = new Map<string, Map<string, Uint8Array>>()
  readonly #counts = new Map<Uint8Array, number>()

  /** Asks every stratum for the level of every hourly origin, once. */
  constructor(strata: readonly Stratum[], first: Instant, origins: number) {
    for (const stratum of strata) {
      const masks = new Map(stratum.levels.map((level) => [level, new Uint8Array(origins)]))
      for (let index = 0; index < origins; index++) {
        const level = stratum.levelOf(first + index * MICROS_PER_HOUR)
        const mask = level === undefined ? undefined : masks.get(level)
        if (mask === undefined) continue
        mask[index] = 1
        this.#counts.set(mask, (this.#counts.get(mask) ?? 0) + 1)
      }
      this.#masks.set(stratum.name, masks)
    }
  }

  /** 1 where the origin belongs to the level; undefined for a level that no stratum has. */
  mask(name: string, level: string): Uint8Array | undefined {
    return this.#masks.get(name)?.get(level)
  }

  /** Origins of the window in a level. */
  count(name: string, level: string): number {
    const mask = this.mask(name, level)
    return mask === undefined ? 0 : (this.#counts.get(mask) ?? 0)
  }
}
