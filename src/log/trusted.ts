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
 * The policy file of a reader; undefined if none is named.
 * @throws {ForeproofError} `usage` if it is invalid or proves nothing: this is not a fault of the checked file, so it
 * must not have that exit code; `io` and `not-found`.
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

/**
 * The anchors and witnesses that a reader trusts. By default those of the registration and the evidence, which the
 * writer chose.
 */
export interface Trusted {
  /**
   * Folder with the anchors that the reader trusts; then no other anchor of the registration counts.
   */
  readonly anchors?: string | undefined
  /**
   * Policy file of the reader's witnesses; then checkpoints count only from when this quorum, too, had cosigned them.
   */
  readonly witnesses?: string | undefined
}

/** @throws {ForeproofError} as `readReaderAnchors` and `readReaderPolicy`. */
export function readTrusted({ anchors, witnesses }: Trusted) {
  return { anchors: readReaderAnchors(anchors), witnesses: readReaderPolicy(witnesses) }
}
