import { type Finding, finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { largestFamily, smallestP } from '../inference/holm.js'
import { compileRules } from '../protocol/rules/compile.js'
import { inferenceOf } from '../protocol/rules/hourly-texts.js'
import { enumerateFamily, type FamilyBasis, sharingTests } from '../registration/family.js'
import { designOf } from '../registration/settings.js'
import {
  lintBlocks,
  lintedMethod,
  lintFamily,
  lintNames,
  lintRegisteredFamily,
  usualFamily,
} from './family.js'
import type { DesignFigures, RegisteredDesign } from './types.js'

export function designFigures(
  protocol: Protocol,
  registration?: Pick<Registration, 'inference'>,
): DesignFigures {
  const design = designOf(protocol)
  return {
    ...design,
    method: lintedMethod(protocol, registration),
    smallestP: smallestP(design.replicates),
    largestFamily: largestFamily(design.replicates, design.alpha),
    longestHorizon: Math.max(...protocol.horizons_hours),
  }
}

/**
 * Whether the design of a valid protocol can answer its question. Errors are designs that cannot
 * reach a conclusion; warnings are designs whose conclusions would be worth less than they look.
 * Pointers lead into the protocol; the figures behind each finding are its arguments.
 *
 * @param familySize of the family to be tested, where it is known; without it only what holds for
 * every family is an error
 * @param registration which names the method, where there is one
 */
export function lintProtocol(
  protocol: Protocol,
  familySize?: number,
  registration?: Pick<Registration, 'inference'>,
): Finding[] {
  const figures = designFigures(protocol, registration)
  return [
    ...lintFamily(protocol, figures, familySize),
    ...lintBlocks(protocol, figures),
    ...lintEffect(protocol),
    ...lintNames(protocol),
  ]
}

/** What only a registration knows, counted from its members and not from what it says of itself. */
export function registeredDesign(
  protocol: Protocol,
  registration: FamilyBasis &
    Pick<Registration, 'inference' | 'comparators'> & {
      readonly window: Pick<Registration['window'], 'origins'>
    },
): RegisteredDesign {
  const family = enumerateFamily(compileRules(protocol), registration)
  const { inference, window, comparators } = registration
  const weights = inference?.method === 'ewc-t' ? inference.weights : undefined
  return {
    familySize: family.length,
    windowOrigins: window.origins,
    ewc: weights && {
      decidingSize: sharingTests(family, weights, comparators).deciding,
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
  const inference = inferenceOf(protocol)
  const shortest = registeredDesign(protocol, {
    candidates: [{ name: '' }],
    comparators: protocol.estimands.comparisons.required.map(builtIn),
    strata: [],
    ...(inference && { inference }),
    window: { origins },
  })
  return { ...shortest, familySize: usualFamily(protocol).tests }
}

/** Checks what a registration adds; pointers are into the registration. */
export function lintRegistered(protocol: Protocol, registered: RegisteredDesign): Finding[] {
  return lintRegisteredFamily(designFigures(protocol), registered)
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
