import { joined } from '../../contract/findings/row.js'
import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { Registration, RulesData } from '../../contract/types.js'
import { countSharingTests, enumerateFamily, type SharingTests } from '../../registration/family.js'

/** What is computed of one thing, with every number that is used. */
export interface DefinitionText {
  /** A measure, a comparator, a stratum, or a step of the inference. */
  readonly of: string
  readonly text: string
}

/** The parts of a registration that the definitions follow from; the settings of a result have them. */
export type Defined = ReadonlyDeep<
  Pick<
    Registration,
    | 'mode'
    | 'window'
    | 'candidates'
    | 'comparators'
    | 'provenance_required'
    | 'time'
    | 'commitment'
    | 'commitment_log'
  > & {
    /** With the alpha of the protocol. */
    rules: Omit<RulesData, 'series'>
    family: Pick<Registration['family'], 'size'>
  }
>

export type DefinitionBasis = Defined & {
  /** The tests that share alpha. */
  readonly shares: SharingTests
  /** Names of the built-in models, without duplicates. */
  readonly builtIns: readonly string[]
  /** Log returns within plus or minus this have no direction. */
  readonly epsilon: number
  /** How long after its origin a forecast may be made. */
  readonly lagMinutes: number
}

export function createDefinitionBasis(defined: Defined): DefinitionBasis {
  const { rules, comparators } = defined
  const { due } = rules.origins
  const builtIns = comparators.filter(({ source }) => source === 'built_in')
  // One series; its name is in no test.
  const series = [{ id: '', unit: '', group: null, from: null }]
  const tests = enumerateFamily({ ...rules, series }, defined)
  return {
    ...defined,
    shares: countSharingTests(tests, rules.weights, comparators),
    builtIns: [...new Set(builtIns.map(({ name }) => name))],
    epsilon: rules.scores.find(({ kind }) => kind === 'direction')?.epsilon ?? 0,
    lagMinutes: 'minutes' in due ? due.minutes : 0,
  }
}

/** `2 h, 4 h and 8 h`. */
export function hoursListed(hours: readonly number[]): string {
  const each = hours.map((hour) => `${hour} h`)
  return joined(each, 'and')
}
