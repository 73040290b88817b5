import { type Finding, finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { largestFamily, smallestP } from '../inference/holm.js'
import { compileRules } from '../protocol/rules/compile.js'
import { testDesign } from '../registration/design.js'
import { countSharingTests, enumerateFamily } from '../registration/family.js'
import type { DesignFigures, RegisteredDesign } from './design-figures.js'
import {
  lintBlocks,
  lintFamily,
  lintNames,
  lintRegisteredFamily,
  tightWindow,
  usualFamily,
} from './family.js'

export function computeDesignFigures(protocol: Protocol): DesignFigures {
  const rules = compileRules(protocol)
  const { alpha, blockLength, minimumBlocks, minimumPairs } = testDesign(rules)
  const { replicates } = protocol.uncertainty
  return {
    ...{ alpha, blockLength, minimumBlocks, minimumPairs, replicates },
    method: rules.test.method,
    smallestP: smallestP(replicates),
    largestFamily: largestFamily(replicates, alpha),
    longestHorizon: Math.max(...rules.steps),
  }
}

/**
 * Whether the design of a valid protocol can answer its question. Errors are designs that cannot
 * reach a conclusion; warnings are designs whose conclusions would be worth less than they look.
 * Pointers lead into the protocol; the figures behind each finding are its arguments.
 *
 * @param familySize of the family to be tested, where it is known; without it only what holds for
 * every family is an error
 */
export function lintProtocol(protocol: Protocol, familySize?: number): Finding[] {
  const figures = computeDesignFigures(protocol)
  return [
    ...lintFamily(protocol, figures, familySize),
    ...lintBlocks(protocol, figures),
    ...lintEffect(protocol),
    ...lintNames(protocol),
  ]
}

/** What only a registration knows, counted from its members and not from what it says of itself. */
export function computeRegisteredDesign(
  registration: Pick<Registration, 'candidates' | 'comparators' | 'rules'> & {
    readonly window: Pick<Registration['window'], 'origins'>
  },
): RegisteredDesign {
  const { rules, window, comparators } = registration
  const family = enumerateFamily(rules, registration)
  const { weights } = rules
  return {
    familySize: family.length,
    windowOrigins: window.origins,
    ewc:
      weights === null
        ? undefined
        : {
            decidingSize: countSharingTests(family, weights, comparators).deciding,
            decidingWeight: weights.deciding,
          },
  }
}

/** The smallest design that can be registered with the cosine test: one candidate, in the shortest window. */
export function shortestDesign(
  protocol: Protocol,
  { blockLength, minimumBlocks }: DesignFigures,
): RegisteredDesign {
  const builtIn = (name: string) => ({ source: 'built_in' as const, name, required_as: [] })
  const origins = leastBlocks('ewc-t', minimumBlocks) * blockLength
  const shortest = computeRegisteredDesign({
    candidates: [{ source: 'history', name: '' }],
    comparators: protocol.estimands.comparisons.required.map(builtIn),
    rules: { ...compileRules(protocol), strata: [] },
    window: { origins },
  })
  return { ...shortest, familySize: usualFamily(protocol).tests }
}

/** Checks what a registration adds; pointers are into the registration. */
export function lintRegistered(protocol: Protocol, registered: RegisteredDesign): Finding[] {
  const figures = computeDesignFigures(protocol)
  const { availability } = compileRules(protocol).limits
  return [
    ...lintRegisteredFamily(figures, registered),
    ...tightWindow(registered.windowOrigins, figures, availability),
  ]
}

function lintEffect(protocol: Protocol): Finding[] {
  const floor = protocol.design.practical_effect_floor
  const pointer = '/design/practical_effect_floor'
  if (floor === 0) {
    return [finding('practical-floor-zero', {}, { pointer })]
  }
  // A relative reduction is 1 - candidate / comparator: only a perfect forecast reaches 1.
  if (floor >= 1) {
    return [finding('practical-floor-unreachable', { floor }, { pointer })]
  }
  return []
}
