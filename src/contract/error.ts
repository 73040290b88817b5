import type { Finding, Position } from './findings/finding.js'

/** Exit codes of the command line: 0 passed, 1 failed, 2 wrong usage, 3 could not run. */
export const EXIT = { holds: 0, no: 1, usage: 2, unable: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const EXIT_OF_CODE = {
  /** The command line is wrong. */
  usage: EXIT.usage,
  /** A named file does not exist, or is a folder. */
  'not-found': EXIT.usage,
  /** The input was read and is invalid; `findings`, or `file` with `pointer` or `position`, say where. */
  'invalid-input': EXIT.no,
  /** The request contradicts what is frozen, registered or recorded. */
  refused: EXIT.no,
  /** The operating system, a lock or the network prevented it. */
  io: EXIT.unable,
  /** A required tool or state is missing (git, a base revision, a database that is locked). */
  unavailable: EXIT.unable,
  /** The user or the system stopped the run. */
  interrupted: EXIT.unable,
  /** A bug of foreproof. */
  bug: EXIT.unable,
} as const satisfies Record<string, ExitCode>

export type ErrorCode = keyof typeof EXIT_OF_CODE

export interface ErrorDetails {
  readonly file?: string | undefined
  readonly pointer?: string
  readonly position?: Position
  /** What the user should do next, as a sentence. */
  readonly help?: string | undefined
  readonly findings?: readonly Finding[]
  readonly cause?: unknown
}

/** The only error that foreproof throws on purpose. Any other error that reaches the top is a bug. */
export class ForeproofError extends Error {
  override readonly name = 'ForeproofError'
  readonly code: ErrorCode
  readonly file: string | undefined
  readonly pointer: string | undefined
  readonly position: Position | undefined
  readonly help: string | undefined
  readonly findings: readonly Finding[]

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.file = details.file
    this.pointer = details.pointer
    this.position = details.position
    this.help = details.help
    this.findings = details.findings ?? []
  }

  get exitCode(): ExitCode {
    return EXIT_OF_CODE[this.code]
  }
}

/** An error that means that the check failed; it is also reported as a finding. */
export interface Refusal extends ForeproofError {
  readonly code: 'invalid-input' | 'refused'
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof ForeproofError && error.exitCode === EXIT.no
}

const ERRNO: Record<string, readonly [code: ErrorCode, says: string, help: string]> = {
  ENOENT: ['not-found', 'no such file or folder', 'Check the path.'],
  EISDIR: ['not-found', 'is a folder', 'Name a file inside it.'],
  ENOTDIR: ['not-found', 'a part of the path is not a folder', 'Check the path.'],
  ELOOP: ['not-found', 'links that lead to each other', 'Name a file.'],
  EACCES: ['io', 'permission denied', 'Give this user access to the file.'],
  EPERM: ['io', 'operation not permitted', 'Give this user access to the file.'],
  EROFS: ['io', 'the file system is read-only', 'Choose another folder.'],
  ENOSPC: ['io', 'no space left on the device', 'Free some space and run again.'],
  EDQUOT: ['io', 'the disk quota is used up', 'Free some space and run again.'],
  EFBIG: [
    'io',
    'a file may not grow any further',
    'Raise the limit (ulimit -f) or choose another file system.',
  ],
  EMFILE: ['io', 'too many open files', 'Raise the limit (ulimit -n).'],
  EEXIST: ['refused', 'already exists', 'Nothing was overwritten.'],
}

/** Converts an error of node:fs to a ForeproofError that names the file and what to do. */
export function fileError(cause: unknown, file: string): ForeproofError {
  if (cause instanceof ForeproofError) return cause
  const errno = (cause as { code?: unknown } | null)?.code
  const described = typeof errno === 'string' ? ERRNO[errno] : undefined
  // Node.js replaces invalid bytes with this character, and then finds no such file.
  if (errno === 'ENOENT' && file.includes('\uFFFD')) {
    return new ForeproofError('invalid-input', `${file}: this file name is not valid UTF-8`, {
      file,
      help: 'Rename the file.',
      cause,
    })
  }
  if (described) {
    const [code, says, help] = described
    return new ForeproofError(code, `${file}: ${says}`, { file, help, cause })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return new ForeproofError('io', `${file}: ${message}`, { file, cause })
}
