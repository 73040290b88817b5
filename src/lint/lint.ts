import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { checkDraft } from '../protocol/freeze.js'
import { locateFindings, PROTOCOL_DIGEST, seriesFindings } from '../protocol/rules/check.js'
import { verifyRegistration } from '../registration/verify.js'
import type { DesignFigures, RegisteredDesign } from './design-figures.js'
import {
  computeDesignFigures,
  computeRegisteredDesign,
  lintProtocol,
  lintRegistered,
  shortestDesign,
} from './protocol.js'
import { lintTexts } from './texts.js'

export interface LintOptions {
  /** Number of tests in the family; by the registration if there is one. */
  readonly familySize?: number | undefined
  readonly registration?: Document | UnreadableDocument | undefined
}

export interface LintResult {
  readonly findings: readonly Finding[]
  /** Absent if the document is not a protocol, and so has no design to check. */
  readonly figures?: DesignFigures
  readonly registered?: RegisteredDesign
  /** Only without a registration, if the protocol names the cosine test. */
  readonly shortest?: RegisteredDesign
}

/**
 * Lints a protocol, frozen or a draft (its digest does not matter here), and a registration under it. A document with
 * format errors is reported and not linted, and gets no figures.
 */
export function lintDocuments(
  document: Document | UnreadableDocument,
  { familySize, registration }: LintOptions,
): LintResult {
  if (!document.ok) return { findings: document.findings }
  const other = seriesFindings(document)
  const faults = other.length > 0 ? other : checkDraft(document)
  if (!hasNoErrors(faults)) return { findings: faults }
  const protocol = document.value as Protocol
  const ofRegistration = registration && lintRegistration(protocol, registration)
  const { registered, value } = ofRegistration ?? {}
  const lintFindings = [
    ...lintProtocol(protocol, registered?.familySize ?? familySize),
    ...lintTexts(protocol, value),
  ]
  // Reported for the registration, which can be changed, and not again for the protocol.
  const kept = lintFindings.filter(({ code }) => !registered || code !== 'significance-unreachable')
  const figures = computeDesignFigures(protocol)
  return {
    findings: [...locateFindings(kept, document), ...(ofRegistration?.findings ?? [])],
    figures,
    ...(registered && { registered }),
    ...(!ofRegistration &&
      figures.method === 'ewc-t' && { shortest: shortestDesign(protocol, figures) }),
  }
}

interface LintedRegistration {
  readonly findings: readonly Finding[]
  readonly registered?: RegisteredDesign
  readonly value?: Registration
}

function lintRegistration(
  protocol: Protocol,
  document: Document | UnreadableDocument,
): LintedRegistration {
  if (!document.ok) return { findings: document.findings }
  // A draft has no digest yet, or an outdated one.
  const protocol_sha256 = digestWithout(protocol, PROTOCOL_DIGEST)
  const wrong = verifyRegistration(document.value, { ...protocol, protocol_sha256 })
  if (wrong.length > 0) return { findings: locateFindings(wrong, document) }
  const registration = document.value as Registration
  const registered = computeRegisteredDesign(registration)
  const faults = lintRegistered(protocol, registered)
  return { findings: locateFindings(faults, document), registered, value: registration }
}

/**
 * Checks whether a protocol can reach a conclusion with the family and window of a plan. Findings point into the
 * protocol, and into the plan behind the registration.
 */
export function lintPlanned(
  registration: Registration,
  documents: { readonly protocol: Document; readonly plan: Document },
): Finding[] {
  const { size } = registration.family
  const protocol = documents.protocol.value as Protocol
  // A family that is too large is a fault of the plan, not of the protocol.
  const design = lintProtocol(protocol, size).filter(
    ({ code }) => code !== 'significance-unreachable',
  )
  const faults = lintRegistered(protocol, computeRegisteredDesign(registration))
  return [
    ...locateFindings([...design, ...lintTexts(protocol, registration)], documents.protocol),
    // A plan has no family: the whole plan determines it.
    ...locateFindings(
      faults.map((each) => (each.pointer === '/family/size' ? { ...each, pointer: '' } : each)),
      documents.plan,
    ),
  ]
}
