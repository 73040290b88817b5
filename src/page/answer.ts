import { printable } from '../contract/printable.js'
import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'
import type { AuditResult, LinkResult, LinkState, Unchecked } from '../evaluation/evidence/audit.js'
import { INPUT_SAYS, LINK_SAYS, type Link } from '../evaluation/links.js'
import type { InputPaths } from '../evaluation/load.js'
import type { AnyResult } from '../evaluation/result/types.js'
import { toDetailedFindings } from '../output/reported.js'
import { dispositionName, verdict } from '../report/sentences.js'

/** A name may be of any length, and a browser shows none of 100 MB. */
const LONGEST = 1000

/** A foreign text as the page shows it: nothing unseen in it, and not longer than can be read. */
export const toPageText = (text: string): string =>
  printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** An audit in the words of the page. */
export interface PageAnswer {
  readonly state: 'holds' | 'broken' | 'open'
  readonly name: string
  readonly links: readonly ShownLink[]
  /** What is to be said besides of the folder. */
  readonly notes: readonly ShownFinding[]
  readonly verdicts: readonly {
    candidate: string
    disposition: string
    name: string
    says: string
  }[]
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export interface ShownLink {
  readonly link: Link
  readonly state: LinkState
  readonly says: string
  /** Why it is not checked, or how far it is. */
  readonly because?: string
  readonly findings: readonly ShownFinding[]
}

export interface ShownFinding {
  readonly code: string
  readonly place: string
  readonly message: string
  readonly help: string | null
}

type Input = keyof InputPaths

const SAYS: Readonly<Record<Input, string>> = {
  ...INPUT_SAYS,
  history: `${INPUT_SAYS.history}, as history.ndjson (foreproof history export --out history.ndjson writes it)`,
}

const BY_ITSELF =
  'By itself it holds: its entries give its roots, its stamps their times, and the forecasts of the history are held against it. '
const NOT_EXPORTED =
  'An export of a history has neither the log that is kept with it nor regimes: foreproof audit reads them in the history itself.'

/** What was checked all the same where nothing but the history is missing. */
const AS_FAR: Partial<Record<Link, string>> = {
  log: 'By itself it holds: its entries give its roots, and its stamps their times.',
  pairs:
    'Outcomes and simple models were made again and are the same. What the models of the history forecast is as the pairs say it.',
}

/** Where nothing but these two members of a result of any series was not made again. */
const ALL_BUT_RELEASES =
  'All scores, tests and dispositions were made again from the pairs and are the same. What other rules of release would give, and how old the newest value was, only the releases say.'

export function toPageAnswer(found: AuditResult): PageAnswer {
  const { result, links, again } = found
  const findings = toDetailedFindings(found.findings).map((each) => ({
    code: each.code,
    place: toPageText(
      [each.file?.replace(/^\//, ''), each.line, each.pointer].filter(Boolean).join(':'),
    ),
    // Folders are given without the disk that they lie on.
    message: toPageText(each.message.replace(/^\//, '')),
    help: each.help && toPageText(each.help),
    isError: each.severity === 'error',
  }))
  // A link that a result denies to have is none of the links, and its finding all there is.
  const isBroken = findings.some(({ code, isError }) => isError && code !== 'code-differs')
  const open = links.some(({ state }) => state === 'not_checked') || !found.ok
  const hasBroken = links.some(({ state }) => state === 'broken')
  return {
    state: isBroken ? 'broken' : open ? 'open' : 'holds',
    name: toPageText(result?.inputs.registration.name ?? 'The evidence'),
    links: links.map((each) => ({
      link: each.link,
      state: each.state,
      says: LINK_SAYS[each.link],
      ...because(each, result),
      findings: each.state === 'broken' ? findings.filter(({ isError }) => isError) : [],
    })),
    notes: findings.filter(({ isError }) => !isError || !hasBroken),
    verdicts: (result?.dispositions ?? []).map((of) => ({
      candidate: toPageText(of.candidate),
      disposition: of.disposition,
      name: dispositionName(result as AnyResult, of),
      says: toPageText(verdict(of)),
    })),
    facts: [
      // What `sha256sum result.json` prints of what was made again, to be compared by the reader.
      ...(again === undefined ? [] : [[AGAIN, sha256Hex(`${canonicalize(again)}\n`)] as const]),
      ...(result?.time?.authorities ?? []).map(
        ({ name, anchor_sha256 }) =>
          [`Fingerprint of the anchor ${toPageText(name)}: ${COMPARE}`, anchor_sha256] as const,
      ),
    ],
  }
}

function because({ link, because: why, missing }: LinkResult, result: AnyResult | undefined) {
  if (why === undefined) return {}
  return { because: REASONS[why](link, missing ?? [], result) }
}

type Reason = (link: Link, missing: readonly Input[], result: AnyResult | undefined) => string

const REASONS: Readonly<Record<Unchecked, Reason>> = {
  'other-code': () => 'Another version of foreproof scored. Take the page of that release.',
  'earlier-link': () => 'An earlier link is broken.',
  'export-of-history': (link) => `${link === 'log' ? BY_ITSELF : ''}${NOT_EXPORTED}`,
  'without-input': (link, missing, result) => {
    const needs = `Not here: ${missing.map((name) => SAYS[name]).join('; ')}.`
    const asFar = scopeSentence(link, missing, result)
    return asFar === undefined ? needs : `${asFar} ${needs}`
  },
}

function scopeSentence(link: Link, missing: readonly Input[], result: AnyResult | undefined) {
  if (missing.join() === 'history') return AS_FAR[link]
  const isReleases = link === 'computation' && missing.join() === 'outcomes,history'
  return isReleases && result?.result_version === 2 ? ALL_BUT_RELEASES : undefined
}

const AGAIN = 'result.json, made again here, has the SHA-256'
const COMPARE = 'compare it with what the authority publishes'
