import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Stratum } from './types.js'

/** The origins of a window that are in one level of a stratum. */
export interface Membership {
  readonly stratum: string
  /** Undefined for the origins that the stratum does not place. */
  readonly level: string | undefined
  /** 1 where an hourly origin of the window is in the level. */
  readonly mask: Uint8Array
  readonly origins: number
}

/** Which origins of a window belong to which level of each stratum. */
export class Memberships {
  readonly all: readonly Membership[]

  /** Asks every stratum for the level of every hourly origin, once. */
  constructor(strata: readonly Stratum[], first: Instant, origins: number) {
    this.all = strata.flatMap((stratum) => membershipsOf(stratum, first, origins))
  }

  /** Undefined for a level that no stratum has. */
  find(stratum: string, level: string): Membership | undefined {
    return this.all.find((one) => one.stratum === stratum && one.level === level)
  }

  /** 1 where the origin belongs to the level; undefined for a level that no stratum has. */
  mask(stratum: string, level: string): Uint8Array | undefined {
    return this.find(stratum, level)?.mask
  }
}

function membershipsOf({ name, levels, levelOf }: Stratum, first: Instant, origins: number) {
  const named = [...new Set(levels), undefined]
  const masks = new Map(named.map((level) => [level, new Uint8Array(origins)]))
  const unplaced = masks.get(undefined) as Uint8Array
  for (let index = 0; index < origins; index++) {
    const mask = masks.get(levelOf(first + index * MICROS_PER_HOUR)) ?? unplaced
    mask[index] = 1
  }
  return [...masks].map(([level, mask]): Membership => {
    const count = mask.reduce((sum, member) => sum + member, 0)
    return { stratum: name, level, mask, origins: count }
  })
}
