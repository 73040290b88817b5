import { checkErrorBody, checkHealthBody } from '../contract/check-payload.js'
import { type Finding, holds } from '../contract/finding.js'
import { API_VERSION, type ApiErrorCode } from '../contract/limits.js'
import type { HealthData } from '../contract/types.js'
import { asciiText } from './ascii.js'

/** A payload broke the contract on its way out: nothing of it is sent. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
  constructor(
    readonly findings: readonly Finding[],
    /** The forecast at fault, where it is one. */
    readonly forecastId?: string,
  ) {
    super(`a payload breaks the contract: ${findings.map((finding) => finding.code).join(', ')}`)
  }
}

/** @throws {ContractBreach} unless nothing among the findings is an error. */
export function mustHold(findings: readonly Finding[], forecastId?: string): void {
  if (!holds(findings)) throw new ContractBreach(findings, forecastId)
}

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
