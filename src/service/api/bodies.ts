import { mustHold } from '../../contract/breach.js'
import { checkErrorBody, checkHealthBody } from '../../contract/check-payload.js'
import { API_VERSION, type ApiErrorCode } from '../../contract/limits.js'
import type { HealthData } from '../../contract/types.js'
import { asciiText } from '../../forecast/ascii.js'

const errorBodies = new Map<string, string>()

/** The body of an error; made and checked once, for the messages are a fixed set. */
export function errorBody(code: ApiErrorCode, message: string): string {
  const key = `${code} ${message}`
  let text = errorBodies.get(key)
  if (text === undefined) {
    const body = { api_version: API_VERSION, error: { code, message } }
    mustHold(checkErrorBody(body))
    text = asciiText(JSON.stringify(body))
    errorBodies.set(key, text)
  }
  return text
}

export function healthBody(data: HealthData): string {
  const body = { api_version: API_VERSION, data }
  mustHold(checkHealthBody(body))
  return asciiText(JSON.stringify(body))
}
