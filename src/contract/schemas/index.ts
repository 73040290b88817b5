import { BODIES, HEALTH_DATA } from './bodies.js'
import { SHARED } from './forecast.js'
import { PROTOCOL } from './protocol.js'
import { ATTEMPT, AUDIT_EVENT, HISTORY_LINE } from './records.js'
import { MODEL_REFERENCE, PLAN, REGISTRATION, STRATUM } from './registration.js'
import { RESULT } from './result.js'
import { type JsonSchema, standalone } from './schema.js'

/** The parts that can be referred to as `#/$defs/NAME`. */
const PARTS: Readonly<Record<string, JsonSchema>> = {
  ...SHARED,
  HealthData: HEALTH_DATA,
  ModelReference: MODEL_REFERENCE,
  StratumDefinition: STRATUM,
}

/** Everything by its type's name: what the types, the validators and OpenAPI are made from. */
export const DEFINITIONS = {
  ...SHARED,
  HealthData: HEALTH_DATA,
  ...BODIES,
  Protocol: PROTOCOL,
  AuditEvent: AUDIT_EVENT,
  Attempt: ATTEMPT,
  Result: RESULT,
  ModelReference: MODEL_REFERENCE,
  StratumDefinition: STRATUM,
  Plan: PLAN,
  Registration: REGISTRATION,
} as const satisfies Record<string, JsonSchema>

function schema(id: string, body: JsonSchema): JsonSchema {
  const { title, description, ...rest } = body
  return standalone(id, title ?? id, description ?? '', rest, PARTS)
}

/** Every schema of the contract by the name `foreproof schema` knows it by; each stands alone. */
export const SCHEMAS = {
  protocol: schema('protocol', PROTOCOL),
  forecast: schema('forecast', SHARED.ForecastResource),
  freshness: schema('freshness', SHARED.Freshness),
  'health-data': schema('health-data', HEALTH_DATA),
  latest: schema('latest', BODIES.LatestBody),
  history: schema('history', BODIES.HistoryBody),
  health: schema('health', BODIES.HealthBody),
  error: schema('error', BODIES.ErrorBody),
  'static-latest': schema('static-latest', BODIES.StaticLatestBody),
  'static-page': schema('static-page', BODIES.StaticPageBody),
  'audit-event': schema('audit-event', AUDIT_EVENT),
  attempt: schema('attempt', ATTEMPT),
  'history-line': schema('history-line', HISTORY_LINE),
  result: schema('result', RESULT),
  plan: schema('plan', PLAN),
  registration: schema('registration', REGISTRATION),
} as const satisfies Record<string, JsonSchema>

export type SchemaName = keyof typeof SCHEMAS
