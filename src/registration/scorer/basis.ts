import { joined } from '../../contract/findings/row.js'
import type { Protocol, Registration, Scorer } from '../../contract/types.js'
import { compileRules } from '../../protocol/rules/compile.js'
import { enumerateFamily, type SharingTests, sharingTests } from '../family.js'
import { type Settings, settingsOf } from '../settings.js'

export type Statement = Scorer['computes'][number]

/** The input of the statements; a result has all of it except the definitions of strata. */
export interface ScorerBasis
  extends Pick<
    Registration,
    'mode' | 'family_size' | 'strata' | 'time' | 'commitment' | 'commitment_log' | 'scorer'
  > {
  readonly settings: Settings
  /** The tests that share alpha; only needed with weights. */
  readonly shares?: SharesOfAlpha
  /** Names of the built-in models, without duplicates. */
  readonly builtIns: readonly string[]
  /** The pool of `strongest_simple`; undefined if unknown. */
  readonly baseline_pool?: readonly string[]
}

export interface SharesOfAlpha extends SharingTests {
  readonly candidates: number
}

export function basisOf(registration: Registration, protocol: Protocol): ScorerBasis {
  const { candidates, comparators } = registration
  const builtIns = [...candidates, ...comparators].filter(({ source }) => source === 'built_in')
  return {
    ...registration,
    settings: settingsOf(registration, protocol),
    shares: sharesOf(registration, protocol),
    builtIns: [...new Set(builtIns.map(({ name }) => name))],
  }
}

function sharesOf(registration: Registration, protocol: Protocol): SharesOfAlpha {
  const { candidates, comparators, inference } = registration
  const weights = inference?.method === 'ewc-t' ? inference.weights : undefined
  return {
    candidates: candidates.length,
    ...sharingTests(enumerateFamily(compileRules(protocol), registration), weights, comparators),
  }
}

/** `2 h, 4 h and 8 h`. */
export function hoursListed(hours: readonly number[]): string {
  const each = hours.map((hour) => `${hour} h`)
  return joined(each, 'and')
}

/** A number without the last digits that come only from binary arithmetic. */
export const plain = (value: number): string => String(Number(value.toPrecision(12)))
