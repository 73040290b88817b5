/// <reference lib="webworker" />
// What the program uses of the machine besides files and digests, for browsers.

const waiting: (() => void)[] = []
const { port1, port2 } = new MessageChannel()
port1.onmessage = () => waiting.shift()?.()

/** After what else is waiting, messages among it; timers of browsers are slower. */
export function setImmediate(then?: () => void): Promise<void> {
  const turn = new Promise<void>((resolve) => waiting.push(resolve))
  port2.postMessage(undefined)
  return then === undefined ? turn : turn.then(then)
}

export const hostname = (): string => 'browser'

/** All is computed in the one worker of the page. */
export class Worker {}

export const process = { pid: 0, env: {}, versions: {} }
export { Buffer } from './buffer.js'
