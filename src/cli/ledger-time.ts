import { basename, dirname, join } from 'node:path'
import { ForeproofError, isRefusal } from '../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { isObject } from '../contract/is-object.js'
import { digestWithout } from '../document/digest.js'
import { MAX_LIST_DOCUMENT_BYTES } from '../document/read.js'
import { readRegular } from '../files/regular.js'
import { type Policy, quorumTime } from '../log/policy.js'
import type { readTrusted } from '../log/trusted.js'
import { refusalFindings } from '../output/print.js'
import { LEDGER_NAME, readLedgerFile } from '../protocol/ledger-file.js'
import { type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { parseDocument } from '../protocol/rules/parse.js'
import {
  chosenText,
  clockFaults,
  type EntriesLevel,
  ledgerLevels,
  levelText,
  type TrustChoice,
  toTrustChoice,
} from '../time/level.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { type ReadStampsResult, readStamps } from '../time/token-file.js'
import { stampFigures } from './stamp-report.js'
import { twoColumns } from './wording.js'

interface LedgerTimeResult {
  /** Faults of stamps. */
  readonly findings: readonly Finding[]
  /** The levels of each ledger, as data. */
  readonly levels: readonly { readonly file: string; readonly levels: readonly object[] }[]
  /** The same as text. */
  readonly body: string
}

/**
 * Determines who says when the entries of ledgers existed, from the stamps and anchors beside each, and whose word
 * their registrations take for the forecasts. A ledger with a fault has no level, because its chain covers nothing.
 * @param own - whom a reader trusts; other anchors beside a ledger do not count.
 */
export async function ledgerTime(
  ledgers: readonly Ledger[],
  own: Partial<ReturnType<typeof readTrusted>> = {},
): Promise<LedgerTimeResult> {
  const findings: Finding[] = []
  const levels: { file: string; levels: object[] }[] = []
  const rows: [string, string][] = []
  const witnessed: WitnessedRegistration[] = []
  const who = toTrustChoice(own)
  let hasStamps = false
  for (const ledger of ledgers.filter((each) => hasNoErrors(each.findings))) {
    const { file, lines } = ledger
    const read = await stampsBeside(ledger, own.anchors)
    findings.push(...read.findings)
    if (!('stamps' in read)) continue
    hasStamps ||= read.stamps.length > 0
    const entries = ledgerLevels(lines.length, read.stamps, read.authorities)
    for (const stamp of read.stamps) {
      const line = lines.find(({ entry }) => entry.seq === (stamp.alone ?? stamp.seq))
      if (line !== undefined) findings.push(...clockFaults(stamp, line.entry))
    }
    levels.push({ file, levels: entries.map(levelFigures) })
    rows.push(...entries.map((each): [string, string] => toRow(file, each, who)))
    witnessed.push(...witnessedIn(ledger))
  }
  for (const each of witnessed) {
    findings.push(...witnessFindings(each, own.witnesses))
    rows.push(witnessRow(each, who))
  }
  if (own.anchors !== undefined && !hasStamps) {
    findings.push(finding('trusted-unused', { fault: 'anchors' }))
  }
  if (own.witnesses !== undefined && witnessed.length === 0) {
    findings.push(finding('trusted-unused', { fault: 'witnesses' }))
  }
  return { findings, levels, body: rows.length === 0 ? '' : twoColumns(rows) }
}

/** An unreadable file among the stamps is reported with the other faults. */
async function stampsBeside(
  ledger: Ledger,
  own: readonly Anchor[] | undefined,
): Promise<ReadStampsResult | Pick<ReadStampsResult, 'findings'>> {
  try {
    return await readStamps(dirname(ledger.file), ledger, own)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { findings: refusalFindings(error) }
  }
}

/** The ledgers of the working tree among the checked files. */
export function ledgersAmong(files: readonly string[]): Ledger[] {
  const ledgers = files.filter((file) => basename(file) === LEDGER_NAME)
  return ledgers.flatMap((file) => readLedgerFile(file) ?? [])
}

function toRow(
  file: string,
  { from, to, level }: EntriesLevel,
  who: TrustChoice,
): [string, string] {
  const entries = from === to ? `entry ${from}` : `entries ${from} to ${to}`
  return [`${file}, ${entries}`, levelText(level, who)]
}

/** A registration that requires witnesses. */
interface WitnessedRegistration {
  readonly file: string
  /** Verifier key of the log. */
  readonly log: string
  /** Verifier keys of the witnesses. */
  readonly keys: readonly string[]
}

/** Those of a ledger whose files are unchanged; `score` reports other faults. */
function witnessedIn(ledger: Ledger): WitnessedRegistration[] {
  return registeredEntries(ledger).flatMap((entry) => {
    const file = join(dirname(ledger.file), entry.file)
    const value = readValue(file)
    const isIt =
      isObject(value) && digestWithout(value, 'registration_sha256') === entry.registration_sha256
    const rule = isIt && isObject(value.time) ? value.time.witnesses : undefined
    if (!isObject(rule) || !Array.isArray(rule.witnesses)) return []
    const keys = rule.witnesses.map((one) => (isObject(one) ? String(one.vkey) : ''))
    return [{ file, log: String(rule.log), keys }]
  })
}

function readValue(file: string): unknown {
  try {
    const read = parseDocument(readRegular(file, MAX_LIST_DOCUMENT_BYTES), file)
    return read.ok ? read.value : undefined
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
}

/** The name in a verifier key. */
const nameIn = (vkey: string): string => vkey.split('+')[0] ?? ''

function witnessRow(
  { file, log, keys }: WitnessedRegistration,
  who: TrustChoice,
): [string, string] {
  return [file, `witnesses of ${nameIn(log)}: ${keys.length}; ${chosenText('witnesses', who)}`]
}

/** Reports if the witnesses of a registration can never satisfy a reader's own policy. */
function witnessFindings({ file, log: key, keys }: WitnessedRegistration, own: Policy | undefined) {
  if (own === undefined) return []
  const log = nameIn(key)
  const isOwn = own.logs.length === 0 || own.logs.some(({ text }) => text === key)
  const mayBeMet =
    quorumTime(own, ({ key: { text } }) => (keys.includes(text) ? 0 : Infinity)) === 0
  if (isOwn && mayBeMet) return []
  const args = { fault: isOwn ? 'quorum' : 'log', log } as const
  return [finding('witnesses-of-writer', args, { file, severity: 'warning' })]
}

function levelFigures({ from, to, level }: EntriesLevel): object {
  if (level.kind === 'self_declared') return { from, to, level: level.kind }
  return { from, to, level: level.kind, by: level.by.map(stampFigures), of: level.of }
}
