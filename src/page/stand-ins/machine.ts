/// <reference lib="webworker" />
// Other parts of Node that the program uses, besides files and digests, for browsers.

const waiting: (() => void)[] = []
const { port1, port2 } = new MessageChannel()
port1.onmessage = () => waiting.shift()?.()

/** Runs after other waiting work, including messages; browser timers are slower. */
export function setImmediate(then?: () => void): Promise<void> {
  const turn = new Promise<void>((resolve) => waiting.push(resolve))
  port2.postMessage(undefined)
  return then === undefined ? turn : turn.then(then)
}

export const hostname = (): string => 'browser'

/** The page computes everything in its one worker. */
export class Worker {}

export const process = { pid: 0, env: {}, versions: {} }
export { Buffer } from './buffer.js'
