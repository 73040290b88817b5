import { ForeproofError } from '../contract/error.js'
import { withoutSecrets } from '../contract/secrets.js'
import type { SignedCheckpoint } from './checkpoint.js'
import { verifyCosignatures } from './cosignature.js'
import { isSignedBy, type SignedNote } from './note.js'
import { KEY_TYPE, parseVerifierKey, type VerifierKey } from './verifier-key.js'

export interface PolicyWitness {
  /** Its name in the policy; its key has another one. */
  readonly name: string
  readonly key: VerifierKey
  /** Its address, without a slash at the end. */
  readonly url: string | undefined
}

/** Witnesses and groups, of which `k` must cosign. */
export interface PolicyGroup {
  readonly name: string
  readonly k: number
  readonly members: readonly string[]
}

/** The witnesses whose cosignatures a checkpoint needs (C2SP tlog-policy). */
export interface Policy {
  readonly logs: readonly VerifierKey[]
  readonly witnesses: readonly PolicyWitness[]
  /** Each after its members. */
  readonly groups: readonly PolicyGroup[]
  /** A witness, a group, or `none`. */
  readonly quorum: string
}

/** Shown with every log that no quorum of witnesses has cosigned. */
export const UNWITNESSED =
  'No witness saw this log: its writer could have kept several versions of it.'

export const NO_QUORUM = 'none'
export const MAX_POLICY_BYTES = 65_536
/**
 * Maximum number of witnesses, and of groups. With it, a note has room for two cosignatures of each.
 */
const MAX_NAMES = 40

/** Parses a policy file. @throws {ForeproofError} `invalid-input` that names the line. */
export function parsePolicy(bytes: Uint8Array | string, file: string): Policy {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')
  const reader = new PolicyParser()
  for (const [at, line] of text.split('\n').entries()) {
    const fault = reader.parseLine(line)
    if (fault !== undefined) throw malformedPolicy(`${file}:${at + 1}: ${fault}`, file)
  }
  const { logs, witnesses, groups, quorum } = reader
  if (quorum === undefined) throw malformedPolicy(`${file}: has no line quorum NAME`, file)
  return { logs, witnesses, groups, quorum }
}

class PolicyParser {
  readonly logs: VerifierKey[] = []
  readonly witnesses: PolicyWitness[] = []
  readonly groups: PolicyGroup[] = []
  quorum: string | undefined
  /** Defined names; false once a name is a member of a group. */
  readonly #names = new Map<string, boolean>()
  readonly #keys = new Set<string>()

  /** @returns what is wrong with the line. */
  parseLine(line: string): string | undefined {
    if (CONTROLS.test(line)) return 'has a control character, or is not UTF-8'
    const [kind, ...items] = line.split(/[ \t]+/).filter((item) => item !== '')
    if (kind === undefined || kind.startsWith('#')) return undefined
    if (kind === 'log') return this.#log(items)
    if (kind === 'witness') return this.#witness(items)
    if (kind === 'group') return this.#group(items)
    if (kind === 'quorum') return this.#quorum(items)
    return 'begins with none of log, witness, group and quorum'
  }

  #log([text = '', , ...rest]: string[]): string | undefined {
    if (rest.length > 0) return 'is not log KEY [URL]'
    const key = parseVerifierKey(text, KEY_TYPE.note)
    if (key === undefined) return 'has no key of a log: name+id+key, of Ed25519 and type 1'
    this.logs.push(key)
    return this.#newKey(key)
  }

  #witness([name = '', text = '', url, ...rest]: string[]): string | undefined {
    if (rest.length > 0) return 'is not witness NAME KEY [URL]'
    const key = parseVerifierKey(text, KEY_TYPE.cosignature)
    if (key === undefined) return 'has no key of a witness: name+id+key, of Ed25519 and type 4'
    if (this.witnesses.length === MAX_NAMES) return `is one more than ${MAX_NAMES} witnesses`
    this.witnesses.push({ name, key, url: url?.replace(/\/+$/, '') })
    return this.#newName(name) ?? this.#newKey(key)
  }

  #group([name = '', min = '', ...members]: string[]): string | undefined {
    const k = min === 'all' ? members.length : min === 'any' ? 1 : Number(min)
    if (!/^(?:all|any|[1-9]\d*)$/.test(min) || members.length === 0 || k > members.length) {
      return 'is not group NAME any|all|K MEMBER…, with K from 1 to the number of members'
    }
    for (const member of members) {
      const free = this.#names.get(member)
      if (free === undefined) return `names ${withoutSecrets(member)}, which no line before defines`
      if (!free) return `names ${withoutSecrets(member)}, which is a member of a group already`
      this.#names.set(member, false)
    }
    if (this.groups.length === MAX_NAMES) return `is one more than ${MAX_NAMES} groups`
    this.groups.push({ name, k, members })
    return this.#newName(name)
  }

  #quorum([name = '', ...rest]: string[]): string | undefined {
    if (this.quorum !== undefined) return 'is a second quorum'
    if (rest.length > 0) return 'is not quorum NAME'
    if (name !== NO_QUORUM && !this.#names.has(name)) {
      return `names ${withoutSecrets(name)}, which no line before defines`
    }
    this.quorum = name
    return undefined
  }

  #newName(name: string): string | undefined {
    if (name === NO_QUORUM || this.#names.has(name)) return `defines ${withoutSecrets(name)} again`
    this.#names.set(name, true)
    return undefined
  }

  /** The signed bytes do not contain the name, so one key must not count twice. */
  #newKey({ raw }: VerifierKey): string | undefined {
    const text = raw.toString('hex')
    if (this.#keys.has(text)) return 'has a key that a line before has'
    this.#keys.add(text)
    return undefined
  }
}

/** Characters that are not allowed; U+FFFD stands for invalid UTF-8. */
const CONTROLS = /[^\t\P{Cc}]|\uFFFD/u

function malformedPolicy(message: string, file: string): ForeproofError {
  return new ForeproofError('invalid-input', message, {
    file,
    help: 'The form is that of C2SP tlog-policy: lines log, witness, group and quorum, and comments after #.',
  })
}

/** How many witnesses must lie for two versions of a log to both reach the quorum. */
export function liarsNeeded(policy: Policy): number {
  const ofGroup = (k: number, needed: readonly number[]) =>
    needed
      .toSorted((a, b) => a - b)
      .slice(0, Math.max(0, 2 * k - needed.length))
      .reduce((sum, each) => sum + each, 0)
  return evaluateQuorum(policy, () => 1, ofGroup)
}

/**
 * When the quorum had cosigned, in seconds since 1970, from the time of each witness; infinite if never.
 */
export function quorumTime(policy: Policy, getTime: (witness: PolicyWitness) => number): number {
  return evaluateQuorum(policy, getTime, (k, times) => times.toSorted((a, b) => a - b)[k - 1]!)
}

/**
 * When the quorum had cosigned a checkpoint, in seconds since 1970; infinite if it has not.
 * @param now - in seconds since 1970.
 * @param since - earlier cosignatures do not count, in seconds since 1970.
 */
export function witnessedAt(policy: Policy, note: SignedNote, now: number, since = 0): number {
  return quorumTime(policy, ({ key }) => {
    const first = verifyCosignatures(note, key, now).sound.find(({ time }) => time >= since)
    return first?.time ?? Number.POSITIVE_INFINITY
  })
}

/**
 * Whether a policy covers the log of a checkpoint. A policy that names logs covers only these, by name and key.
 */
export function isOfLog({ logs }: Policy, note: SignedCheckpoint): boolean {
  const isOwn = ({ name, key }: VerifierKey) => name === note.origin && isSignedBy(note, name, key)
  return logs.length === 0 || logs.some(isOwn)
}

/** `3 of (w1, w2, w3, w4)`: the required cosignatures. */
export function quorumText({ groups, quorum }: Policy): string {
  const texts = new Map<string, string>()
  for (const { name, k, members } of groups) {
    const shown = members.map((member) => texts.get(member) ?? member)
    texts.set(name, `${k} of (${shown.join(', ')})`)
  }
  return texts.get(quorum) ?? quorum
}

/** Names of witnesses and groups that the quorum does not depend on. */
export function listUnreached(policy: Policy): string[] {
  const members = new Map(policy.groups.map((group) => [group.name, group.members]))
  const reached = new Set([policy.quorum])
  for (const name of reached) for (const member of members.get(name) ?? []) reached.add(member)
  return [...policy.witnesses, ...policy.groups]
    .map(({ name }) => name)
    .filter((name) => !reached.has(name))
}

/** Evaluates a quorum, from its witnesses through its groups; 0 for none. */
function evaluateQuorum(
  { witnesses, groups, quorum }: Policy,
  ofWitness: (witness: PolicyWitness) => number,
  ofGroup: (k: number, members: readonly number[]) => number,
): number {
  const values = new Map(witnesses.map((witness) => [witness.name, ofWitness(witness)]))
  for (const { name, k, members } of groups) {
    const ofMembers = members.map((member) => values.get(member)!)
    values.set(name, ofGroup(k, ofMembers))
  }
  return values.get(quorum) ?? 0
}
