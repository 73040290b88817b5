import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createAuthority, type DemoAuthority } from '../../src/cli/demo/authority.js'
import { type Instant, MICROS_PER_HOUR, MICROS_PER_MINUTE } from '../../src/contract/instant.js'
import type { Plan, WitnessRule } from '../../src/contract/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { type SealOptions, sealHistory } from '../../src/history/seal.js'
import { type Policy, parsePolicy } from '../../src/log/policy.js'
import { KEY_TYPE, toVerifierKey, type VerifierKey } from '../../src/log/verifier-key.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { stampedBytes, tokenFile } from '../../src/time/token-file.js'
import { serveWitness } from '../../src/witness/server.js'
import { WitnessState } from '../../src/witness/state.js'
import { parseKnownLogs, Witness } from '../../src/witness/witness.js'
import { atEnd } from '../support/at-end.js'
import { put } from '../support/text-file.js'
import { hourAt, LEAD_IN, madeRows } from './made.js'
import { at, importRows, makeWorld, type World, type WorldOptions } from './world.js'

export const LOG_NAME = 'example.org/made'
export const STAMPED_HOURS = 12
/** From the last origin, one before, to the longest target and beyond. */
export const END_HOURS = 24
const NONCE = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const REGISTERED = '2024-12-15T00:00:00Z'

/** Authorities with one clock, which the maker of the world sets. */
export interface Witnesses {
  now: Instant
  readonly byName: ReadonlyMap<string, DemoAuthority>
  readonly time: (atLeast: number) => NonNullable<Plan['time']>
}

export async function witnesses(...names: string[]): Promise<Witnesses> {
  const byName = new Map<string, DemoAuthority>()
  const made: Witnesses = {
    now: at(REGISTERED),
    byName,
    time: (at_least) => ({
      at_least,
      authorities: names.map((name) => ({ name, anchor_sha256: anchorOf(byName.get(name)) })),
    }),
  }
  for (const name of names) byName.set(name, await createAuthority({ name, now: () => made.now }))
  return made
}

function anchorOf(authority: DemoAuthority | undefined): string {
  const { fingerprint256 } = new X509Certificate(authority?.anchorPem ?? '')
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

/** What some authorities answer to the bytes. */
async function tokensOf({ byName }: Witnesses, names: readonly string[], data: Uint8Array) {
  const tokens: { authority: string; token: Uint8Array }[] = []
  for (const authority of names) {
    const token = await byName.get(authority)!.reply(encodeQuery(data, NONCE))
    tokens.push({ authority, token })
  }
  return tokens
}

/** Seals the log of a history as it is, stamped by some authorities and cosigned where that is asked for. */
export async function seal(
  history: string,
  by: Witnesses,
  names: readonly string[] = [...by.byName.keys()],
  cosigning: Pick<SealOptions, 'key' | 'witnesses' | 'registrations'> = {},
): Promise<void> {
  const stamp = async (authority: string, body: Uint8Array) => {
    const [answer] = await tokensOf(by, [authority], body)
    return answer!
  }
  const options = { log: LOG_NAME, authorities: names, stamp, ...cosigning }
  const sealed = await sealHistory(history, options)
  if (sealed.failures.length > 0) throw sealed.failures[0]
}

/** Lays anchors and the stamps of the registration, which is the last entry, beside the ledger. */
export async function stampRegistration(
  { paths }: Pick<World, 'paths'>,
  by: Witnesses,
  names: readonly string[] = [...by.byName.keys()],
): Promise<void> {
  const entry = readLedgerFile(ledgerPath(paths.protocol))!.lines.at(-1)!.entry
  for (const [name, { anchorPem }] of by.byName) {
    put(join(paths.protocol, 'anchors', `${name}.pem`), anchorPem)
  }
  for (const { authority, token } of await tokensOf(by, names, stampedBytes(entry))) {
    put(tokenFile(paths.protocol, entry, authority), token)
  }
}

/** The model's forecast of the origin `hour` hours into the window, `horizon` hours ahead. */
export const isForecast =
  (hour: number, horizon: number) =>
  (row: PairingRow): boolean =>
    at(row.originAt) === hourAt(LEAD_IN + hour) && row.horizon === horizon

export interface StampedWorldOptions extends WorldOptions {
  readonly by: Witnesses
  readonly atLeast?: number
  /** When a forecast comes, in hours after its origin; 0 by default, NaN for never. */
  readonly delay?: (row: PairingRow) => number
  /** Which authorities stamp the seal of an hour of the window; all by default. */
  readonly sealedBy?: (hour: number) => readonly string[]
  /** Who cosigns the seal of an hour of the window; in the hour after the last target it is for the end of the log. */
  readonly cosigning?: (hour: number) => Pick<SealOptions, 'key' | 'witnesses'>
}

/**
 * A prospective evaluation as it comes about hour by hour, on made time: registered and stamped, then each
 * hour an import and, ten minutes later, a seal.
 */
export async function makeStampedWorld(options: StampedWorldOptions): Promise<World> {
  const {
    by,
    atLeast = 1,
    delay = () => 0,
    sealedBy,
    cosigning,
    hours = STAMPED_HOURS,
    sight = 0.3,
  } = options
  const world = await makeWorld({
    replicates: 100,
    ...options,
    hours,
    over: {
      ...{ commitment: 'stamped', due_minutes: 60, time: by.time(atLeast) },
      ...options.over,
    },
    fill: async (made, vintage) => {
      const rows = [...madeRows(hours, vintage, [{ name: 'seer', sight }], false)]
      if (cosigning !== undefined) {
        const [first] = rows
        const [originAt, targetAt] = ['2024-12-14T00:00:00+00:00', '2024-12-14T02:00:00+00:00']
        const earlier = { ...first!, originAt, targetAt, generatedAt: originAt, horizon: 2 }
        await importRows(made, [earlier], at(REGISTERED))
        by.now = at(REGISTERED) + MICROS_PER_MINUTE
        const ledger = readLedgerFile(ledgerPath(join(made.folder, 'protocols')))!
        const registrations = [ledger.lines.at(-1)!.entry.entry_sha256]
        const history = join(made.folder, 'history.sqlite')
        await seal(history, by, undefined, { ...cosigning(-1), registrations })
      }
      for (let hour = 0; hour < hours; hour++) {
        const now = hourAt(LEAD_IN + hour)
        const due = rows.filter((row) => at(row.originAt) + delay(row) * MICROS_PER_HOUR === now)
        if (due.length > 0) await importRows(made, due, now)
        by.now = now + 10 * MICROS_PER_MINUTE
        await seal(join(made.folder, 'history.sqlite'), by, sealedBy?.(hour), cosigning?.(hour))
      }
      if (cosigning === undefined) return
      const end = hours + END_HOURS
      by.now = hourAt(LEAD_IN + end) + 10 * MICROS_PER_MINUTE
      await seal(join(made.folder, 'history.sqlite'), by, undefined, cosigning(end))
    },
  })
  by.now = at(REGISTERED) + MICROS_PER_MINUTE
  await stampRegistration(world, by)
  return world
}

/** What takes out the checkpoints of a log beyond this size, with their stamps. */
export const cutAfter = (size: number): string[] =>
  ['checkpoints', 'stamps'].map((part) => `DELETE FROM foreproof_log_${part} WHERE size > ${size}`)

/** Changes a history behind the back of its program. @returns how many rows were changed. */
export function sql(history: string, ...statements: readonly string[]): number {
  const db = openSqlite(history)
  try {
    return statements.reduce((sum, statement) => sum + db.prepare(statement).run().changes, 0)
  } finally {
    db.close()
  }
}

/** Witnesses of a log, of which `k` are enough. */
export class LogWitnesses {
  /** Their verifier keys and their addresses, by their names. */
  readonly keys = new Map<string, string>()
  readonly urls = new Map<string, string>()

  constructor(
    readonly log: VerifierKey,
    readonly names: readonly string[],
    readonly k: number,
  ) {}

  /** @param now - in seconds since 1970. */
  async start(folder: string, now: () => number): Promise<void> {
    for (const name of this.names) await this.#startOne(name, folder, now)
  }

  async #startOne(name: string, folder: string, now: () => number): Promise<void> {
    const key = generateKeyPairSync('ed25519').privateKey
    const { text } = toVerifierKey(`${name}.example`, key, KEY_TYPE.cosignature)
    const file = join(folder, name)
    WitnessState.init(file, text, [this.log.name])
    const state = WitnessState.open(file, text)
    // As many requests a day as are asked.
    const logs = parseKnownLogs(`logs/v0\nvkey ${this.log.text}\nqpd 100000\n`, 'logs')
    const alarm = (message: string) => expect(message).toBe('')
    const witness = new Witness({ name: `${name}.example`, key, logs, state, now, alarm })
    const at = { host: '127.0.0.1', port: 0 }
    const { url, close } = await serveWitness(witness, at, alarm as never)
    atEnd(() => void close())
    this.urls.set(name, url)
    this.keys.set(name, text)
  }

  /** @param reached - who is asked; all by default. */
  policy(reached: readonly string[] = this.names): Policy {
    const lines = this.names.map((name) => {
      const url = reached.includes(name) ? this.urls.get(name) : ''
      return `witness ${name} ${this.keys.get(name)} ${url}\n`
    })
    const group = `group q ${this.k} ${this.names.join(' ')}\nquorum q\n`
    return parsePolicy(lines.join('') + group, 'policy')
  }

  get rule(): WitnessRule {
    return {
      log: this.log.text,
      witnesses: this.names.map((name) => ({ name, vkey: this.keys.get(name)! })),
      groups: [{ name: 'q', k: this.k, members: [...this.names] }],
      quorum: 'q',
    }
  }
}
