import type { Finding } from '../contract/findings/finding.js'
import { printable } from '../contract/printable.js'
import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'
import type { AuditResult, LinkResult, LinkState, Unchecked } from '../evaluation/evidence/audit.js'
import { INPUT_SAYS, LINK_SAYS, type Link } from '../evaluation/links.js'
import type { InputPaths } from '../evaluation/open.js'
import type { Result } from '../evaluation/result/result.js'
import { counted } from '../output/figures.js'
import { toDetailedFindings } from '../output/reported.js'
import type { CheckedRecord } from '../record/check.js'
import { recordLines } from '../record/words.js'
import { dispositionName, verdictSentence } from '../report/sentences.js'
import { asCounts, type Verdict, verdictsIn } from '../report/view.js'

/** A name may have any length, and no browser can show 100 MB. */
const LONGEST = 1000

/** Prepares foreign text for the page: no invisible characters, and limited in length. */
export const toPageText = (text: string): string =>
  printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** The result of an audit, in the words of the page. */
export interface PageAnswer {
  readonly state: 'holds' | 'broken' | 'open'
  readonly name: string
  readonly links: readonly ShownLink[]
  /** What a record shows, in sentences; none for evidence. */
  readonly lines: readonly string[]
  /** Other findings about the folder. */
  readonly notes: readonly ShownFinding[]
  readonly verdicts: readonly {
    candidate: string
    disposition: string
    name: string
    text: string
  }[]
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export interface ShownLink {
  readonly link: Link
  readonly state: LinkState
  readonly text: string
  /** Why the link is not checked, or only in part. */
  readonly because?: string
  readonly findings: readonly ShownFinding[]
}

export interface ShownFinding {
  readonly code: string
  readonly position: string
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

/** What could be checked nevertheless if only the history is missing. */
const AS_FAR: Partial<Record<Link, string>> = {
  log: 'By itself it holds: its entries give its roots, and its stamps their times.',
  pairs:
    'Outcomes and simple models were made again and are the same. What the models of the history forecast is as the pairs say it.',
}

/** For a result of any series, if everything but these two members was recomputed. */
const ALL_BUT_RELEASES =
  'All scores, tests and dispositions were made again from the pairs and are the same. What other rules of release would give, and how old the newest value was, only the releases say.'

/** The findings of a check in the words of the page. */
const toShown = (findings: readonly Finding[]) =>
  toDetailedFindings(findings).map((each) => ({
    code: each.code,
    position: toPageText(
      [each.file?.replace(/^\//, ''), each.line, each.pointer].filter(Boolean).join(':'),
    ),
    // Show folders as relative paths, without the root of the page's file system.
    message: toPageText(each.message.replace(/^\//, '')),
    help: each.help && toPageText(each.help),
    isError: each.severity === 'error',
  }))

/** The check of a record, by the clock of this machine. */
export function toRecordAnswer({ record, findings }: CheckedRecord): PageAnswer {
  const notes = toShown(findings)
  return {
    state: notes.some(({ isError }) => isError) ? 'broken' : 'holds',
    name: `The record of ${counted(record.registrations.length, 'registration')}, by your clock,`,
    links: [],
    lines: recordLines(record).map(toPageText),
    notes,
    verdicts: [],
    facts: [['The ledger has the SHA-256', record.ledger.file_sha256]],
  }
}

export function toPageAnswer(found: AuditResult): PageAnswer {
  const { result, links, recomputed } = found
  const findings = toShown(found.findings)
  // A finding about a link that the result denies having belongs to no link, so check the findings and not the links.
  const isBroken = findings.some(({ code, isError }) => isError && code !== 'code-differs')
  const open = links.some(({ state }) => state === 'not_checked') || !found.ok
  const hasBroken = links.some(({ state }) => state === 'broken')
  return {
    state: isBroken ? 'broken' : open ? 'open' : 'holds',
    name: toPageText(result?.inputs.registration.name ?? 'The evidence'),
    links: links.map((each) => ({
      link: each.link,
      state: each.state,
      text: LINK_SAYS[each.link],
      ...because(each, result),
      findings: each.state === 'broken' ? findings.filter(({ isError }) => isError) : [],
    })),
    lines: [],
    notes: findings.filter(({ isError }) => !isError || !hasBroken),
    verdicts: result === undefined ? [] : verdictsIn(result).map((of) => shownVerdict(result, of)),
    facts: [
      // The digest that `sha256sum result.json` would print for the recomputed result, so that readers can compare.
      ...(recomputed === undefined
        ? []
        : [[AGAIN, sha256Hex(`${canonicalize(recomputed)}\n`)] as const]),
      ...(result?.time?.authorities ?? []).map(
        ({ name, anchor_sha256 }) =>
          [`Fingerprint of the anchor ${toPageText(name)}: ${COMPARE}`, anchor_sha256] as const,
      ),
    ],
  }
}

const shownVerdict = (result: Result, of: Verdict) => ({
  candidate: toPageText(of.candidate),
  disposition: of.disposition,
  name: dispositionName(result, of),
  text: toPageText(verdictSentence(asCounts(result, of.candidate), of)),
})

function because({ link, because: why, missing }: LinkResult, result: Result | undefined) {
  if (why === undefined) return {}
  return { because: REASONS[why](link, missing ?? [], result) }
}

type Reason = (link: Link, missing: readonly Input[], result: Result | undefined) => string

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

function scopeSentence(link: Link, missing: readonly Input[], result: Result | undefined) {
  if (missing.join() === 'history') return AS_FAR[link]
  const isReleases = link === 'computation' && missing.join() === 'outcomes,history'
  const isRevised = result?.settings.rules.outcome.release.rule !== 'unrevised'
  return isReleases && isRevised ? ALL_BUT_RELEASES : undefined
}

const AGAIN = 'result.json, made again here, has the SHA-256'
const COMPARE = 'compare it with what the authority publishes'
