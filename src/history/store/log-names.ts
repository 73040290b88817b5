import { ForeproofError } from '../../contract/error.js'

/** What it means to write to the history's own log as to one that it mirrors. @param history - what messages call it. */
export function ownLogRefused(history: string, log: string): ForeproofError {
  return new ForeproofError('invalid-input', `${history}: ${log} is the log of this very history`, {
    help: 'Mirror it into another history.',
  })
}

/** What it means to give the history's own log the name of one that it mirrors. */
export function mirroredNameRefused(history: string, log: string): ForeproofError {
  return new ForeproofError('invalid-input', `${history}: ${log} is a log that it mirrors`, {
    help: "Give this history's own log another name.",
  })
}
