import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

const TIMEOUT_MS = 60_000

/**
 * Asks without an Accept header, which `fetch` always sends.
 * @returns the status of the answer, or undefined when none came.
 */
export function statusWithoutAccept(url: string, key: string): Promise<number | undefined> {
  const request = url.startsWith('https:') ? overHttps : overHttp
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve) => {
    const asked = request(url, { headers, timeout: TIMEOUT_MS }, (answer) => {
      answer.destroy()
      resolve(answer.statusCode)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
