import type { ErrorCode } from '../contract/error.js'

/** An error of a store: its code, the message after the name of the history, and help. */
export type StoreFault = readonly [code: ErrorCode, says: string, help: string]

const ofCode =
  (code: ErrorCode) =>
  (message: string, help: string): StoreFault => [code, message, help]

export const unavailable = ofCode('unavailable')
export const absent = ofCode('not-found')
export const failed = ofCode('io')
export const unusable = ofCode('invalid-input')
