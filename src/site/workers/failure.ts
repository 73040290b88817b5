import { ForeproofError } from '../../contract/error.js'
import { HistoryMoved } from '../rows.js'

/** What went wrong in a worker, as a message can carry it: an error loses its class and its members there. */
export type Failure =
  | { readonly kind: 'moved' }
  | {
      readonly kind: 'refused'
      readonly error: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'>
    }
  | { readonly kind: 'other'; readonly error: unknown; readonly members: object }

/** An error, as a message. */
export function failureOf(cause: unknown): Failure {
  if (cause instanceof HistoryMoved) return { kind: 'moved' }
  if (!(cause instanceof ForeproofError)) {
    return { kind: 'other', error: cause, members: { ...(cause as object) } }
  }
  const { code, message, file, help, findings } = cause
  return { kind: 'refused', error: { code, message, file, help, findings } }
}

/** The error that a message tells of. */
export function causeOf(failure: Failure): unknown {
  if (failure.kind === 'moved') return new HistoryMoved()
  if (failure.kind === 'other') return Object.assign(failure.error as object, failure.members)
  const { code, message, file, help, findings } = failure.error
  const details = { ...(file !== undefined && { file }), ...(help !== undefined && { help }) }
  return new ForeproofError(code, message, { ...details, findings })
}
