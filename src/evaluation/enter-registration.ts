import { existsSync, realpathSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { finding, formatMessage } from '../contract/findings/finding.js'
import { formatUtc, instantOrNaN } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import type { Registration } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { digestWithout } from '../document/digest.js'
import { createFileAtomic } from '../files/atomic.js'
import { appendToLedger } from '../protocol/ledger-file.js'
import { loadFile } from '../protocol/load.js'
import { placedAt, type RegisteredEntry } from '../protocol/rules/entry.js'
import { frozenEntries, type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { largestSize } from '../protocol/rules/parse.js'
import { REGISTRATION_DIGEST } from '../registration/build.js'

/** The text of a registration: indented, one test per line. */
export function registrationText(registration: object): string {
  return `${JSON.stringify(registration, null, 2)}\n`
}

/**
 * Writes a registration, which must not exist yet, and enters it in the ledger of its protocol; both or neither.
 * @returns the entry of the ledger.
 * @throws {ForeproofError} `refused` if the file exists or is not named as JSON, if the ledger lacks the protocol or
 * would place a prospective registration only after the inputs of its first forecast, or if the text is too large; `invalid-input` if the ledger does
 * not verify.
 */
export function enterRegistration(
  registration: Registration,
  out: string,
  ledgerPath: string,
): RegisteredEntry {
  const { protocol, mode, registered_at, registration_sha256 } = registration
  const { first_inputs, last_settled } = registration.window
  assertJsonName(out)
  const text = registrationText(registration)
  assertNotLarger(text, registration)
  const entry = appendToLedger(ledgerPath, (ledger) => {
    const frozen = frozenEntries(ledger).find((each) => each.protocol_sha256 === protocol.sha256)
    if (frozen === undefined) {
      throw new ForeproofError(
        'refused',
        `${ledger.file}: ${protocol.version} was not frozen here`,
        {
          file: ledger.file,
          help: 'Freeze the protocol first: foreproof freeze FILE',
        },
      )
    }
    if (instantOrNaN(registered_at) < instantOrNaN(frozen.frozen_at)) {
      throw new ForeproofError(
        'refused',
        `this machine's clock says ${registered_at}, but the protocol was frozen at ${frozen.frozen_at}`,
        { file: ledger.file, help: 'Correct the clock.' },
      )
    }
    assertRegisteredInTime(registration, ledger)
    assertNewFile(out, ledger)
    // The file of a killed run is the same except for its time.
    if (existsSync(out)) removeSame(out, registration)
    createFileAtomic(out, text)
    const append = {
      registration_sha256,
      protocol_version: protocol.version,
      protocol_sha256: protocol.sha256,
      // The folder exists, because the file was just written into it.
      file: pathFrom(ledgerPath, out),
      mode,
      first_inputs,
      last_settled,
      registered_at,
    }
    return { append, undo: () => unlinkSync(out) }
  })
  return entry as RegisteredEntry
}

/**
 * The later time counts: behind an entry dated after the first forecasts were due, nothing of the window could be
 * scored, whatever this machine's clock shows. A stamp or a witnessed log may prove that the registration existed
 * earlier.
 */
function assertRegisteredInTime(
  { mode, time, window }: Registration,
  { file, lines }: Ledger,
): void {
  const last = lines.at(-1)?.entry
  if (mode === 'backtest' || time !== null || last === undefined) return
  const lastAt = placedAt(last)
  const firstInputs = instantOrNaN(window.first_inputs ?? '')
  if (instantOrNaN(lastAt) <= firstInputs) return
  const args = { fault: 'moved', found: lastAt, expected: formatUtc(firstInputs) } as const
  const { text, help } = formatMessage(finding('registration-unentered', args, { file }))
  throw new ForeproofError('refused', `${file}: ${text}`, { file, help })
}

/** The written file must keep the size limit of reading. */
function assertNotLarger(text: string, registration: object): void {
  const limit = largestSize(registration)
  if (Buffer.byteLength(text) <= limit) return
  throw new ForeproofError('refused', `the registration is larger than ${limit} bytes`, {
    help: 'Nothing could read it. Register fewer candidates, or fewer series in a protocol of their own.',
  })
}

/** A ledger names only JSON files; also checked before any other work, as below. */
export function assertJsonName(out: string): void {
  if (basename(out).length > '.json'.length && out.endsWith('.json')) return
  throw new ForeproofError('refused', `${out}: a registration is a JSON file`, {
    help: 'Give a name that ends in .json with --out.',
  })
}

/** Also checked before any other work, so that a refusal comes at once. */
export function assertNewFile(out: string, ledger: Ledger | undefined): void {
  if (!existsSync(out) || isLeftOver(out, ledger)) return
  throw new ForeproofError('refused', `${out}: already exists`, {
    file: out,
    help: 'A registration is never overwritten. Give another name with --out.',
  })
}

/** Whether a file is a complete registration that was never entered, because its run was killed in between. */
function isLeftOver(out: string, ledger: Ledger | undefined): boolean {
  if (ledger === undefined || !statSync(out).isFile()) return false
  const document = loadFile(out)
  if (!document.ok || !isObject(document.value)) return false
  const { value } = document
  const digest = digestWithout(value, REGISTRATION_DIGEST)
  const entered = registeredEntries(ledger).some((entry) => entry.registration_sha256 === digest)
  return digest === value[REGISTRATION_DIGEST] && !entered
}

function removeSame(out: string, registration: object): void {
  const document = loadFile(out)
  const timeless = (value: unknown) =>
    canonicalize({ ...(value as object), registered_at: '', registration_sha256: '' })
  if (!document.ok || timeless(document.value) !== timeless(registration)) {
    throw new ForeproofError('refused', `${out}: already exists, and is of another plan`, {
      file: out,
      help: 'It was never entered in the ledger. Remove it, or give another name with --out.',
    })
  }
  unlinkSync(out)
}

/** `verify` and `gate` take every file in a protocol folder for a protocol. */
export function assertOtherFolder(out: string, ledgerPath: string): void {
  const folder = resolveFolder(out)
  if (folder === undefined || folder !== resolveFolder(ledgerPath)) return
  throw new ForeproofError('refused', `${out}: is in the folder of the protocols`, {
    file: out,
    help: 'That folder must hold only protocols and their ledger. Choose another folder with --out.',
  })
}

function resolveFolder(path: string): string | undefined {
  const folder = dirname(resolve(path))
  return existsSync(folder) ? realpathSync(folder) : undefined
}

/** With forward slashes, from the real folder of the ledger. */
function pathFrom(ledgerPath: string, out: string): string {
  const from = realpathSync(dirname(resolve(ledgerPath)))
  const to = join(realpathSync(dirname(resolve(out))), basename(out))
  return relative(from, to).split(sep).join('/')
}
