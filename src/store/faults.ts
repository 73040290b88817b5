import type { ErrorCode } from '../contract/error.js'

/** What is thrown where a store fails: its code, what goes on after the name of the history, and the way out. */
export type StoreFault = readonly [code: ErrorCode, says: string, help: string]

const ofCode =
  (code: ErrorCode) =>
  (says: string, help: string): StoreFault => [code, says, help]

export const unavailable = ofCode('unavailable')
export const absent = ofCode('not-found')
export const failed = ofCode('io')
export const unusable = ofCode('invalid-input')
