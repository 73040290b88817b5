import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN, MICROS_PER_SECOND } from '../contract/instant.js'
import type { ProofOfTime, Registration, TimeRule } from '../contract/types.js'
import type { RegisteredEntry, RegisteredFields } from '../protocol/rules/entry.js'
import type { Ledger } from '../protocol/rules/ledger.js'
import {
  clockFaults,
  computeLevel,
  covers,
  type LedgerStamp,
  levelText,
  stampedBy,
  type TimeLevel,
  toTrustChoice,
} from './level.js'
import { type Anchor, readAnchors, selectTrusted } from './rfc3161/anchors.js'
import { latestTime } from './rfc3161/time-stamp.js'
import { anchorFolder, readStamps } from './token-file.js'

/** When a registration existed, as the stamps of its authorities prove it. */
export interface RegistrationTime {
  readonly level: TimeLevel
  /** What a result says of it. */
  readonly member: Omit<ProofOfTime, 'commitment'>
  /** The earliest stamp of every pinned authority, in time or not. */
  readonly stamps: readonly LedgerStamp[]
  /** The anchors of the folder that the registration pins, by their names in it. */
  readonly anchors: readonly Anchor[]
  readonly findings: readonly Finding[]
}

export interface RegistrationTimeOptions {
  /** How to treat a registration that too few authorities stamped. */
  readonly below?: 'refuse' | 'tell'
  /** The anchors that a reader trusts: of the pinned ones, no other counts. */
  readonly own?: readonly Anchor[] | undefined
}

/** A registration with its entry in a ledger, and when its first forecasts were due. */
interface Registered {
  readonly registration: Registration
  readonly registrationEntry: RegisteredEntry
  readonly ledger: Ledger
  readonly expected: { readonly firstInputs: Instant }
}

export interface RegistrationTimeResult {
  /** Undefined where a registration names no authorities: its time is what its writer says. */
  readonly time: RegistrationTime | undefined
  /** Errors where an anchor is another one, or too few authorities stamped it. */
  readonly findings: readonly Finding[]
  /** An error where its ledger has it in its place too late. */
  readonly moved: readonly Finding[]
}

/**
 * When a registration was there, from the stamps and anchors of a folder: that of its ledger, or an evidence folder's
 * copy.
 */
export async function readRegistrationTime(
  of: Registered,
  folder: string,
  options: RegistrationTimeOptions = {},
): Promise<RegistrationTimeResult> {
  const { time: rule } = of.registration
  const time = rule === null ? undefined : await stampedTime(of, rule, folder, options)
  const isUnused = rule === null && options.own !== undefined
  return {
    time,
    findings: time?.findings ?? (isUnused ? [unusedFinding(of)] : []),
    moved: movedFindings(of, time?.member, options),
  }
}

const unusedFinding = ({ ledger: { file } }: Registered) =>
  finding('trusted-unused', { fault: 'anchors' }, { file })

/**
 * When a registration counts from: a ledger that has it behind later entries shows that it came after these, whatever its
 * writer's clock said, unless a stamp shows it earlier.
 */
export function countsFrom(
  { registered_at: registered }: Pick<RegisteredFields, 'registered_at'>,
  { moved_at: moved = registered }: Pick<RegisteredEntry, 'moved_at'>,
  time: Pick<ProofOfTime, 'stamped_at'> | undefined,
): string {
  const shown = time?.stamped_at ?? moved
  const first = instantOrNaN(shown) < instantOrNaN(moved) ? shown : moved
  return instantOrNaN(first) < instantOrNaN(registered) ? registered : first
}

/** A prospective registration that its ledger has in its place only after forecasts were due; a log proves its own. */
function movedFindings(
  { registration, registrationEntry, ledger, expected: { firstInputs } }: Registered,
  time: RegistrationTime['member'] | undefined,
  { below = 'refuse' }: RegistrationTimeOptions,
): Finding[] {
  if (registration.mode === 'backtest' || registration.commitment === 'witnessed') return []
  const found = countsFrom(registration, registrationEntry, time)
  if (registrationEntry.moved_at === undefined || instantOrNaN(found) <= firstInputs) return []
  const args = { fault: 'moved', found, expected: formatUtc(firstInputs) } as const
  const severity = below === 'refuse' ? 'error' : 'warning'
  return [finding('registration-unentered', args, { file: ledger.file, severity })]
}

async function stampedTime(
  of: Registered,
  time: TimeRule,
  folder: string,
  { below = 'refuse', own }: RegistrationTimeOptions,
): Promise<RegistrationTime> {
  const { ledger, registrationEntry } = of
  const { seq } = registrationEntry
  const { anchors, findings } = pinnedAnchors(time, folder, own)
  const read = await readStamps(folder, ledger, own)
  const stamps = earliestStamps(time, seq, read.stamps)
  const inTime = stamps.filter((stamp) => isInTime(stamp, of))
  const level = computeLevel(seq, inTime, time.authorities, time.at_least)
  const reached = time.at_least === 0 || stampedBy(level, time.at_least) !== undefined
  for (const stamp of stamps) findings.push(...timeFindings(stamp, of))
  if (own !== undefined && reached && level.kind === 'self_declared')
    findings.push(unusedFinding(of))
  if (!reached) {
    const args = { level: levelText(level, toTrustChoice({ anchors: own })), least: time.at_least }
    const severity = below === 'refuse' ? 'error' : 'warning'
    const fault = finding('registration-not-stamped', args, { file: ledger.file, severity })
    // The reason why a stamp does not count is reported if the stamp is needed.
    findings.push(fault, ...(below === 'refuse' ? read.findings : []))
  }
  // Errors first, each after its cause.
  findings.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  const member = timeMember(time, level, stamps, inTime)
  return { level, member, stamps, anchors, findings }
}

/** The anchors of a folder that a registration pins; an error for another certificate of that name. */
function pinnedAnchors(
  { authorities }: TimeRule,
  folder: string,
  own: readonly Anchor[] | undefined,
) {
  const there = readAnchors(anchorFolder(folder))
  const trusted = selectTrusted(there, own)
  const findings: Finding[] = []
  const anchors = authorities.flatMap(({ name, anchor_sha256: pinned }) => {
    const namesake = there.find((anchor) => anchor.name === name)
    if (namesake !== undefined && namesake.sha256 !== pinned) {
      const args = { authority: name, found: namesake.sha256, pinned }
      findings.push(finding('pinned-anchor-differs', args, { file: namesake.file }))
    }
    const anchor = trusted.find(({ sha256 }) => sha256 === pinned)
    if (anchor !== undefined) return [{ ...anchor, name }]
    if (there.some(({ sha256 }) => sha256 === pinned)) {
      findings.push(
        finding('anchor-of-writer', { authority: name, sha256: pinned }, { file: folder }),
      )
    } else if (namesake === undefined) {
      findings.push(finding('pinned-anchor-missing', { authority: name }, { file: folder }))
    }
    return []
  })
  return { anchors, findings }
}

/** The earliest stamp of every pinned authority on an entry or a later one, by the pinned name. */
export function earliestStamps(
  { authorities }: TimeRule,
  seq: number,
  stamps: readonly LedgerStamp[],
): LedgerStamp[] {
  return authorities.flatMap(({ name, anchor_sha256: pinned }) => {
    const matching = stamps.filter((stamp) => covers(stamp, seq) && stamp.anchorSha256 === pinned)
    const [first] = matching.sort((a, b) => latestTime(a) - latestTime(b) || a.seq - b.seq)
    return first === undefined ? [] : [{ ...first, authority: name }]
  })
}

/** A prospective registration must exist before its first inputs are known. */
export function isInTime(
  stamp: LedgerStamp,
  { registration, expected }: Pick<Registered, 'registration' | 'expected'>,
): boolean {
  return registration.mode === 'backtest' || latestTime(stamp) < expected.firstInputs
}

function timeFindings(stamp: LedgerStamp, of: Registered): Finding[] {
  const { authority, file } = stamp
  const { window } = of.registration
  if (!isInTime(stamp, of)) {
    const args = { authority, at: formatUtc(latestTime(stamp)), from: window.from }
    return [finding('registration-stamped-late', args, { file })]
  }
  return clockFaults(stamp, of.registrationEntry)
}

function timeMember(
  { at_least, authorities }: TimeRule,
  level: TimeLevel,
  stamps: readonly LedgerStamp[],
  inTime: readonly LedgerStamp[],
): RegistrationTime['member'] {
  const at = stampedBy(level, Math.max(1, at_least))
  return {
    level: level.kind,
    at_least,
    stamped_at: timeOrNull(at),
    authorities: authorities.map(({ name, anchor_sha256 }) => {
      const stamp = stamps.find((each) => each.anchorSha256 === anchor_sha256)
      return {
        name,
        anchor_sha256,
        stamp: stamp === undefined ? null : shownStamp(stamp, inTime.includes(stamp)),
      }
    }),
  }
}

function shownStamp(stamp: LedgerStamp, inTime: boolean) {
  return {
    gen_time: formatUtc(stamp.genTime),
    accuracy_seconds: stamp.accuracyGiven ? stamp.accuracy / MICROS_PER_SECOND : null,
    in_time: inTime,
    token_sha256: stamp.tokenSha256,
    entry: stamp.seq,
    entry_sha256: stamp.entrySha256,
    revocation: stamp.revocation,
  }
}

export const timeOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : formatUtc(at)
