import attempt from './attempt.schema.json' with { type: 'json' }
import auditEvent from './audit-event.schema.json' with { type: 'json' }
import error from './error.schema.json' with { type: 'json' }
import forecast from './forecast.schema.json' with { type: 'json' }
import freshness from './freshness.schema.json' with { type: 'json' }
import health from './health.schema.json' with { type: 'json' }
import healthData from './health-data.schema.json' with { type: 'json' }
import history from './history.schema.json' with { type: 'json' }
import historyLine from './history-line.schema.json' with { type: 'json' }
import inference from './inference.schema.json' with { type: 'json' }
import keys from './keys.schema.json' with { type: 'json' }
import latest from './latest.schema.json' with { type: 'json' }
import modelReference from './model-reference.schema.json' with { type: 'json' }
import pipelineHealth from './pipeline-health.schema.json' with { type: 'json' }
import plan from './plan.schema.json' with { type: 'json' }
import power from './power.schema.json' with { type: 'json' }
import proofOfTime from './proof-of-time.schema.json' with { type: 'json' }
import protocol from './protocol.schema.json' with { type: 'json' }
import provenance from './provenance.schema.json' with { type: 'json' }
import registration from './registration.schema.json' with { type: 'json' }
import result from './result.schema.json' with { type: 'json' }
import type { SchemaFile } from './schema.js'
import scorer from './scorer.schema.json' with { type: 'json' }
import staticLatest from './static-latest.schema.json' with { type: 'json' }
import staticPage from './static-page.schema.json' with { type: 'json' }
import stratum from './stratum.schema.json' with { type: 'json' }
import timeRule from './time-rule.schema.json' with { type: 'json' }
import timestamp from './timestamp.schema.json' with { type: 'json' }

const FILES = {
  protocol,
  forecast,
  freshness,
  'health-data': healthData,
  latest,
  history,
  health,
  error,
  'static-latest': staticLatest,
  'static-page': staticPage,
  'audit-event': auditEvent,
  attempt,
  'history-line': historyLine,
  result,
  plan,
  registration,
  power,
  timestamp,
  provenance,
  'model-reference': modelReference,
  stratum,
  scorer,
  inference,
  'time-rule': timeRule,
  'proof-of-time': proofOfTime,
  keys,
  'pipeline-health': pipelineHealth,
}

export type SchemaFileName = keyof typeof FILES

/** Every schema file by its name. TypeScript guesses too narrow a type for some. */
export const SCHEMA_FILES = FILES as unknown as Readonly<Record<SchemaFileName, SchemaFile>>
