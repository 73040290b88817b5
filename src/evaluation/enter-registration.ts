import { existsSync, realpathSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { createFileAtomic } from '../files/atomic.js'
import { appendToLedger } from '../protocol/ledger-file.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { frozenEntries } from '../protocol/rules/ledger.js'

/** How a registration is written: indented, one test a line. */
export function registrationText(registration: Registration): string {
  return `${JSON.stringify(registration, null, 2)}\n`
}

/**
 * Writes a registration, which must not exist yet, and enters it in the ledger of its protocol;
 * both or neither.
 * @returns the entry of the ledger.
 * @throws {ForeproofError} `refused` when the file exists or the ledger lacks the protocol;
 * `invalid-input` when the ledger does not verify.
 */
export function enterRegistration(
  registration: Registration,
  out: string,
  ledgerPath: string,
): RegisteredEntry {
  const { protocol, registered_at, registration_sha256 } = registration
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
        { file: ledger.file, help: 'Set the clock right.' },
      )
    }
    refuseExistingFile(out)
    createFileAtomic(out, registrationText(registration))
    const append = {
      registration_sha256,
      protocol_version: protocol.version,
      protocol_sha256: protocol.sha256,
      // The folder is there: the file was just written into it.
      file: pathFrom(ledgerPath, out),
      registered_at,
    }
    return { append, undo: () => unlinkSync(out) }
  })
  return entry as RegisteredEntry
}

/** Told before any other work as well: nobody should wait for a refusal. */
export function refuseExistingFile(out: string): void {
  if (!existsSync(out)) return
  throw new ForeproofError('refused', `${out}: already exists`, {
    file: out,
    help: 'A registration is never overwritten. Give another name with --out.',
  })
}

/** Everything in a protocol folder is taken for a protocol, by `verify` and by `gate`. */
export function refuseProtocolFolder(out: string, ledgerPath: string): void {
  const folder = realFolderOf(out)
  if (folder === undefined || folder !== realFolderOf(ledgerPath)) return
  throw new ForeproofError('refused', `${out}: lies in the folder of the protocols`, {
    file: out,
    help: 'That folder holds protocols and their ledger alone. Choose another with --out.',
  })
}

function realFolderOf(path: string): string | undefined {
  const folder = dirname(resolve(path))
  return existsSync(folder) ? realpathSync(folder) : undefined
}

/** With forward slashes, from the folder in which the ledger really lies. */
function pathFrom(ledgerPath: string, out: string): string {
  const from = realpathSync(dirname(resolve(ledgerPath)))
  const to = join(realpathSync(dirname(resolve(out))), basename(out))
  return relative(from, to).split(sep).join('/')
}
