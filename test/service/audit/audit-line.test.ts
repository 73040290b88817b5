import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkAuditEvent } from '../../../src/contract/check-payload.js'
import { type AuditEntry, auditLine } from '../../../src/service/audit/audit-line.js'

const entry: fc.Arbitrary<AuditEntry> = fc.record({
  timestamp: fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'),
  method: fc.constantFrom('GET', 'POST', ''),
  path: fc.oneof(fc.constant('/v1/forecasts'), fc.string({ unit: 'binary' })),
  remoteAddress: fc.constantFrom(undefined, '127.0.0.1', '2001:db8::1'),
  status: fc.constantFrom(200, 401, 503),
  latencySeconds: fc.oneof(
    fc.double({ min: 0, max: 0.01, noNaN: true }),
    fc.double({ min: 0, max: 9000, noNaN: true }),
  ),
  forecastIds: fc.constantFrom('[]', '["a:b:2"]', '["a:b:2","a:\\u00e9:4"]'),
  fingerprint: fc.constantFrom(undefined, '0123456789abcdef', 'fedcba9876543210'),
  keyName: fc.constantFrom(undefined, 'alice'),
  requestId: fc.constantFrom('request-1', 'request-2'),
})

it('a line of the audit says of a request what it was', () => {
  fc.assert(
    fc.property(entry, (each) => {
      const line = auditLine(each)
      expect(line).toMatch(/^[\x20-\x7e]*\n$/)
      const said = JSON.parse(line)
      expect(checkAuditEvent(said)).toEqual([])
      expect(said).toEqual({
        timestamp: each.timestamp,
        method: each.method,
        path: each.path,
        remote_address: each.remoteAddress ?? null,
        status: each.status,
        latency_seconds: Number(each.latencySeconds.toFixed(6)),
        forecast_ids: JSON.parse(each.forecastIds),
        key_fingerprint: each.fingerprint ?? null,
        key_name: each.keyName ?? null,
        request_id: each.requestId,
      })
    }),
  )
})
