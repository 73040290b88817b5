import { ForeproofError } from '../contract/error.js'
import { KEY_TYPE, readVerifierKey, type VerifierKey } from '../log/verifier-key.js'

/** A log that a witness cosigns. */
export interface KnownLog {
  readonly origin: string
  readonly key: VerifierKey
  /** How often it may ask in 24 hours. */
  readonly perDay: number
  /** Who keeps it; empty where the list does not say. */
  readonly contact: string
}

export const LARGEST_LOG_LIST = 1_048_576
/** Every five minutes. */
const USUAL_PER_DAY = 288
const HEADER = 'logs/v0'

/**
 * Reads a list of logs in the form of the witness network: `logs/v0`, then of each log its `vkey`, and `origin`,
 * `qpd` and `contact` where they are said.
 * @throws {ForeproofError} `invalid-input` that names the line.
 */
export function readKnownLogs(text: string, file: string): KnownLog[] {
  const logs: KnownLog[] = []
  let isBegun = false
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const fault = isBegun ? take(line, logs) : line === HEADER ? undefined : `is not ${HEADER}`
    if (fault !== undefined) throw malformed(`${file}:${at + 1}: ${fault}`, file)
    isBegun = true
  }
  const twice = logs.find(({ origin }, at) => logs.findIndex((one) => one.origin === origin) < at)
  if (twice !== undefined) throw malformed(`${file}: names the log ${twice.origin} twice`, file)
  if (logs.length === 0) throw malformed(`${file}: names no log`, file)
  return logs
}

/** @returns what is wrong with the line. */
function take(line: string, logs: KnownLog[]): string | undefined {
  const [, word = '', value = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? []
  if (word === 'vkey') {
    const key = readVerifierKey(value, KEY_TYPE.note)
    if (key === undefined) return 'has no key of a log: name+id+key, of Ed25519 and type 1'
    logs.push({ origin: key.name, key, perDay: USUAL_PER_DAY, contact: '' })
    return undefined
  }
  const last = logs.pop()
  if (last === undefined) return 'comes before the first vkey'
  const said = { qpd: { perDay: Number(value) }, contact: { contact: value } }[word]
  const isOrigin = word === 'origin' || word === 'bastion'
  if (word === 'qpd' && !/^[1-9]\d{0,6}$/.test(value)) return 'has no number of requests a day'
  if (isOrigin && value !== 'none' && !(word === 'origin' && value === last.origin)) {
    return `is not ${word} none: a log has the name of its key, and is the one that asks`
  }
  if (said === undefined && !isOrigin) return 'begins with none of vkey, origin, qpd and contact'
  logs.push({ ...last, ...said })
  return undefined
}

function malformed(message: string, file: string): ForeproofError {
  return new ForeproofError('invalid-input', message, {
    file,
    help: 'The first line is logs/v0; each log has a line vkey NAME+ID+KEY, and may have qpd NUMBER and contact TEXT.',
  })
}
