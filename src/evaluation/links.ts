import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Document, UnreadableDocument } from '../document/read.js'

/** Links of the evidence chain, in the order in which an audit checks them, with the statement of each if it holds. */
export const LINK_SAYS = {
  folder: 'the folder holds regular files only',
  result: 'result.json is whole, and names its own digest and that of cells.ndjson',
  code: 'the code that scored is this foreproof',
  registration: 'the registration is the one that was entered',
  ledger: 'the ledger is an unbroken chain',
  protocol: 'the protocol is the frozen one',
  time: 'the stamps show when the registration was there',
  outcomes: 'the outcomes are the registered vintage',
  log: 'the log commits to the forecasts, and was not rewritten',
  history: 'the history is the one that was scored',
  pairs: 'every attempt has the status, values and outcome that were scored',
  computation: 'scores, tests and dispositions follow from these',
  access: 'the record of readings is whole and bears the result out',
  report: 'the reports show this result',
  description: 'the statement and the RO-Crate description are of this folder',
} as const
export type Link = keyof typeof LINK_SAYS
export const LINKS = Object.keys(LINK_SAYS) as Link[]

/** The findings, and the link that they break. */
export interface Broken {
  readonly ok: false
  readonly link: Link
  readonly findings: readonly Finding[]
  /** The document with the findings, if there is one. */
  readonly document?: Document | UnreadableDocument
}

/** Stops the work at the first broken link; it is always caught in this folder, see `catchBroken`. */
class BrokenLink extends Error {
  constructor(readonly broken: Broken) {
    super(`${broken.link}: ${broken.findings.map(({ code }) => code).join(', ')}`)
  }
}

/** The description of each input. */
export const INPUT_SAYS = {
  registration: 'the registration (registration.json)',
  protocol: 'the folder of protocols with its ledger',
  outcomes: 'the vintage of outcomes',
  history: 'the history of forecasts',
} as const

/** The error to throw if a link is broken. */
export function linkError(
  link: Link,
  findings: readonly Finding[],
  document?: Document | UnreadableDocument,
): Error {
  return new BrokenLink({ ok: false, link, findings, ...(document && { document }) })
}

/** Throws if one of the findings is an error. */
export function assertSound(
  link: Link,
  findings: readonly Finding[],
  document?: Document | UnreadableDocument,
): void {
  if (!hasNoErrors(findings)) throw linkError(link, findings, document)
}

/** The result of some work, or the first broken link. */
export async function catchBroken<T>(work: () => Promise<T>): Promise<T | Broken> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BrokenLink) return error.broken
    throw error
  }
}

/**
 * Turns wrong content into a finding of a link. A bug, a fault of the machine, or a missing file stays an error; but in
 * an evidence folder a missing file is a finding, too.
 */
export async function assertReadable<T>(
  link: Link,
  work: () => T | Promise<T>,
  absent?: 'is-a-finding',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ForeproofError)) throw error
    const wrong = error.code === 'invalid-input' || error.code === 'refused'
    if (!wrong && !(error.code === 'not-found' && absent)) throw error
    if (error.findings.length > 0) throw linkError(link, error.findings)
    const { file, pointer, position } = error
    const args = { reason: error.message, help: error.help ?? null }
    throw linkError(link, [finding('evidence-unreadable', args, { file, pointer, position })])
  }
}
