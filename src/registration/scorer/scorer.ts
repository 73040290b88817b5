import type { Protocol, Registration, Scorer } from '../../contract/types.js'
import type { ScorerVersion } from '../../scoring/measures.js'
import { basisOf, type ScorerBasis } from './basis.js'
import { measureStatements } from './measures.js'
import { modelStatements, stratumStatements } from './models.js'
import { testStatements } from './tests.js'
import { verdictStatements } from './verdict.js'

/**
 * What the scorer computes, one statement for each thing, with every number that it uses. The texts
 * of a protocol are free and not executed; these statements follow from what is.
 *
 * They are part of registrations, which are checked against them for ever: a sentence that changes needs
 * a version of its own, and a measure that is added counts from one on; an earlier version keeps its words
 * and figures. A statement on a member that no earlier registration can
 * have leaves theirs as they are: it needs no other version.
 */
export function statementsOf(basis: ScorerBasis, version: ScorerVersion): Scorer {
  return {
    version,
    computes: [
      ...measureStatements(basis, version),
      ...modelStatements(basis),
      ...stratumStatements(basis),
      ...testStatements(basis),
      ...verdictStatements(basis),
    ],
  }
}

/** The statements of a registration under its protocol. */
export function scorerOf(
  registration: Registration,
  protocol: Protocol,
  version: ScorerVersion,
): Scorer {
  return statementsOf(basisOf(registration, protocol), version)
}
