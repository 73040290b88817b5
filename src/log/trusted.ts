import { ForeproofError, isRefusal } from '../contract/error.js'
import { readRegular } from '../files/regular.js'
import { readReaderAnchors } from '../time/target.js'
import { liarsNeeded, MAX_POLICY_BYTES, type Policy, parsePolicy } from './policy.js'

/**
 * A policy of witnesses, from its file.
 * @throws {ForeproofError} `invalid-input` that names the line; `io` and `not-found`.
 */
export function readPolicy(file: string | undefined): Policy | undefined {
  return file === undefined ? undefined : parsePolicy(readRegular(file, MAX_POLICY_BYTES), file)
}

/**
 * The policy of the witnesses that a reader trusts, of the file that the reader names; undefined where none is named.
 * @throws {ForeproofError} `usage` for one that cannot be read, or by which nothing is proved: that is no fault of
 * what is checked, and its exit code must not say so; `io` and `not-found`.
 */
function readReaderPolicy(file: string | undefined): Policy | undefined {
  const policy = readOwnPolicy(file)
  if (policy === undefined || liarsNeeded(policy) > 0) return policy
  throw new ForeproofError(
    'usage',
    `${file}: two versions of a log could both have this quorum without a witness that lies`,
    { file, help: 'Ask for more of them: two of three, or three of four.' },
  )
}

function readOwnPolicy(file: string | undefined): Policy | undefined {
  try {
    return readPolicy(file)
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    const { message, help } = cause
    throw new ForeproofError('usage', message, { file, help, cause })
  }
}

/** Whom a reader trusts. Without them, those that came with registration and evidence, whom the writer chose. */
export interface Trusted {
  /** Folder with the anchors that the reader trusts; of those that the registration pins, no other counts then. */
  readonly anchors?: string | undefined
  /** Policy file of the reader's own witnesses: checkpoints count from when its quorum had cosigned them, too. */
  readonly witnesses?: string | undefined
}

/** @throws {ForeproofError} as `anchorsOfReader` and `policyOfReader`. */
export function readTrusted({ anchors, witnesses }: Trusted) {
  return { anchors: readReaderAnchors(anchors), witnesses: readReaderPolicy(witnesses) }
}
