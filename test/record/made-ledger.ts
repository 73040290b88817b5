import { readFileSync } from 'node:fs'
import {
  checkedInstant,
  formatUtc,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
} from '../../src/contract/instant.js'
import type { Protocol, Registration, TimeRule } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import type { Result } from '../../src/evaluation/result/result.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { type AccessEntry, type AccessFields, chained } from '../../src/protocol/readings.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import {
  chain,
  type EntryFields,
  isRegistered,
  type LedgerEntry,
} from '../../src/protocol/rules/entry.js'
import type { RecordInputs, SummarizedResult } from '../../src/record/inputs.js'
import { settingsIn } from '../../src/record/settings.js'
import type { RecordCandidate } from '../../src/record/track-record.js'
import type { LedgerStamp } from '../../src/time/level.js'

const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../protocols/btcusd-hourly-4.json', import.meta.url), 'utf8'),
) as Protocol
export const RULES = compileRules(DOCUMENT)

/** A digest that shows what it is of. */
export const digestOf = (number: number): string => number.toString(16).padStart(64, '0')

const ANCHOR = 'a'.repeat(64)
export const AUTHORITIES = [{ name: 'tsa', anchor_sha256: ANCHOR }]
const PROTOCOL = { protocol_version: 'made-1', protocol_sha256: 'f'.repeat(64) }

/** Documents that others are made from, so that a ledger can be written to a disk. */
export interface Templates {
  readonly protocol: typeof PROTOCOL
  readonly registration: Registration
  readonly result: Result
}

export const day = (number: number): string =>
  formatUtc(checkedInstant('2026-01-01T00:00:00Z') + number * MICROS_PER_DAY)

/** What a registration of a made ledger is like. */
export interface MadeRegistration {
  readonly mode?: 'prospective' | 'backtest'
  /** First and last day of its window. */
  readonly days?: readonly [from: number, to: number]
  readonly candidates?: readonly string[]
  readonly commitment?: 'stamped' | 'witnessed' | 'self_declared'
  readonly time?: Partial<TimeRule>
  /** The day on which it is registered. */
  readonly on?: number
}

/** A ledger in memory, which grows by one entry at a time. */
export class MadeLedger {
  readonly entries: LedgerEntry[] = []
  readonly registrations = new Map<string, Registration>()
  readonly results = new Map<string, SummarizedResult>()
  readonly readings = new Map<string, AccessEntry[]>()
  readonly stamps: LedgerStamp[] = []

  /** The documents of results, where they are made from a template. */
  readonly documents = new Map<string, Result>()
  readonly #protocol: typeof PROTOCOL

  constructor(private readonly templates?: Templates) {
    this.#protocol = templates?.protocol ?? PROTOCOL
    this.append({ ...this.#protocol, file: 'made-1.json', frozen_at: day(0) })
  }

  /** The digest of the registration. */
  register(of: MadeRegistration = {}): string {
    const { mode = 'prospective', days: [from, to] = [10, 20], on = 1 } = of
    const number = this.entries.length + 1
    const at = (number: number) => checkedInstant(day(number))
    const window = {
      ...{ from: day(from), to: day(to), origins: (to - from) * 24 + 1 },
      ...{ first_inputs: day(from), first_due: formatUtc(at(from) + MICROS_PER_HOUR) },
      last_due: formatUtc(at(to) + MICROS_PER_HOUR),
      last_settled: formatUtc(at(to) + 16 * MICROS_PER_HOUR),
    }
    const names = of.candidates ?? [`model-${number}`]
    const fields = {
      ...this.templates?.registration,
      ...{ name: `evaluation ${number}`, mode, window, registered_at: day(on) },
      candidates: names.map((name) => ({ name, source: 'history' })),
      commitment: of.commitment ?? 'stamped',
      time: { at_least: 1, ...this.templates?.registration.time, ...of.time },
    }
    if (this.templates === undefined) fields.time = { at_least: 1, authorities: AUTHORITIES }
    const digest = this.templates ? digestWithout(fields, 'registration_sha256') : digestOf(number)
    const registration = { ...fields, registration_sha256: digest }
    this.registrations.set(digest, registration as unknown as Registration)
    const { first_inputs, last_settled } = window
    const file = `../registrations/${number}.json`
    const own = { file, mode, first_inputs, last_settled, registered_at: day(on) }
    this.append({ registration_sha256: digest, ...this.#protocol, ...own })
    return digest
  }

  /** Reads outcomes, with digests of these numbers; and writes a result unless it is null. */
  read(digest: string, inputs: number, result: string | null = null, on = 30): void {
    const add = (event: AccessFields['event'], result_sha256: string | null) => {
      const before = this.readings.get(digest) ?? []
      const fields = {
        ...{ event, at: day(on), registration_sha256: digest },
        ...{ vintage_sha256: digestOf(inputs), history_sha256: digestOf(1) },
        ...{ code_sha256: digestOf(2), exploratory: inputs > 1, result_sha256 },
      }
      this.readings.set(digest, [...before, chained(fields, before.at(-1))])
    }
    add('outcomes_read', null)
    if (result !== null) add('result_written', result)
  }

  /** Scores a registration; the digest of its result. */
  score(digest: string, disposition: RecordCandidate['disposition'], on = 30, inputs = 1): string {
    const result = this.#resultOf(digest, disposition)
    this.read(digest, inputs, result, on)
    this.enterResult(digest, result, on)
    const figures = { expected: 100, scored: 100, left_out: 0, without_outcome: 0 }
    const candidates = (this.registrations.get(digest)?.candidates ?? []).map(({ name }) => ({
      ...{ candidate: name, disposition, verdict: disposition, ...figures, strongest: null },
    }))
    this.results.set(result, { kind: 'evaluation', candidates })
    return result
  }

  enterResult(digest: string, result_sha256: string, on = 30): void {
    const of = { registration_sha256: digest, ...this.#protocol }
    this.append({ ...of, result_sha256, result_at: day(on) })
  }

  close(digest: string, as: 'void' | 'abandoned' = 'abandoned', on = 5): void {
    const of = { registration_sha256: digest, ...this.#protocol }
    this.append({ ...of, as, reason: 'no more data', closed_at: day(on) })
  }

  correct(digest: string, replaces: string, result_sha256: string, on = 40): void {
    const of = { registration_sha256: digest, ...this.#protocol }
    this.append({ ...of, replaces, result_sha256, reason: 'a bug', corrected_at: day(on) })
  }

  /** An authority stamps the last entry, or another one. */
  stamp(on: number, seq = this.entries.length): void {
    const entry = this.entries[seq - 1] as LedgerEntry
    this.stamps.push({
      ...{ authority: 'tsa', anchorSha256: ANCHOR, seq, entrySha256: entry.entry_sha256 },
      ...{ genTime: checkedInstant(day(on)), accuracy: 0, accuracyGiven: true },
      ...{ file: `stamps/${seq}`, tokenSha256: digestOf(seq) },
    } as unknown as LedgerStamp)
  }

  inputs(on: number, more: Partial<RecordInputs> = {}): RecordInputs {
    const lines = this.entries.map((entry, at) => ({ text: '', line: at + 1, entry }))
    return {
      ledger: { file: 'ledger.jsonl', lines, findings: [] },
      ledgerSha256: digestOf(0),
      registrations: this.registrations,
      results: this.results,
      readings: this.readings,
      stamps: this.stamps,
      authorities: AUTHORITIES,
      witnessed: new Map(),
      protocols: new Map([[this.#protocol.protocol_sha256, { rules: RULES, isLax: false }]]),
      evidenceUrl: null,
      now: checkedInstant(day(on)),
      code: { name: 'foreproof', version: '0.1.0', sha256: digestOf(3) },
      ...more,
    }
  }

  /** Enters a line, with the digests of readings that are new, as every command does. */
  append(fields: EntryFields, place: Parameters<typeof chain>[2] = {}): void {
    const last = [...this.readings.values()].map((entries) => entries.at(-1)?.entry_sha256 ?? '')
    const named = new Set(this.entries.flatMap(({ readings }) => readings ?? []))
    const readings = last.filter((digest) => !named.has(digest))
    const all = { ...(readings.length > 0 && { readings }), ...place }
    this.entries.push(chain(fields, this.entries.at(-1), all) as LedgerEntry)
  }

  #resultOf(digest: string, disposition: RecordCandidate['disposition']): string {
    const { result } = this.templates ?? {}
    if (result === undefined) return digestOf(0x1000 + this.entries.length)
    const entry = this.entries.find(
      (each) => isRegistered(each) && each.registration_sha256 === digest,
    )
    const registration = this.registrations.get(digest) as Registration
    const { name, candidates } = registration
    const [candidate = ''] = candidates.map((of) => of.name)
    const renamed = JSON.parse(
      JSON.stringify(result).replaceAll('"seer"', JSON.stringify(candidate)),
    )
    const document = {
      ...renamed,
      inputs: {
        ...renamed.inputs,
        registration: {
          ...renamed.inputs.registration,
          ...{ name, sha256: digest, ledger_entry_sha256: entry?.entry_sha256 },
        },
      },
      settings: settingsIn(registration),
      // That of the template was the first of its ledger.
      registrations: null,
    }
    document.reading.dispositions[0].disposition = disposition
    // So that two results of one registration differ.
    document.inputs.history.rows = this.entries.length
    const sha256 = resultDigest(document)
    this.documents.set(sha256, { ...document, result_sha256: sha256 })
    return sha256
  }
}
