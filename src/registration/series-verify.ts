import type { Finding } from '../contract/findings/finding.js'
import { checkSeriesRegistration } from '../contract/generated/check-registration.js'
import { instantOrNaN } from '../contract/instant.js'
import type { SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { compileRules } from '../protocol/rules/compile.js'
import { groupsOf } from '../protocol/rules/groups.js'
import { scaledTransforms } from '../scoring/scales.js'
import { assertZoneTable, registeredInstants, windowInstants } from './instants.js'
import { modelFindings } from './model-rules.js'
import { commitmentFindings } from './plan-rules.js'
import { askedMembers, familyMembers } from './series-build.js'
import { inferenceUnder } from './series-design.js'
import { seriesWindowFindings, windowOrigins } from './series-plan-rules.js'
import {
  differingMembers,
  digestFindings,
  namedTooEarly,
  otherProtocol,
  plannedModels,
} from './verify.js'

/**
 * Verifies a registration of version 2: its form, its digest, the protocol it names, the rules of `register`, and every
 * test of its family by name. The series of its scales are compared with the protocol; their numbers can only be
 * compared with the outcomes, which are not available here.
 * @throws {ForeproofError} `unavailable` if another table of time zones gives other instants than those registered
 */
export function verifySeriesRegistration(
  value: unknown,
  protocol: SeriesProtocol,
  periods: PeriodList,
): Finding[] {
  const form = checkSeriesRegistration(value)
  if (form.length > 0) return form
  const registration = value as SeriesRegistration
  const other = otherProtocol(registration, protocol)
  if (other.length > 0) return [...digestFindings(registration), ...other]
  const { window, scales, scales_as_of: scaledAt, registered_at: at } = registration
  const rules = compileRules(protocol, periods)
  const instants = registeredInstants(window, rules, periods)
  const origins = windowOrigins(periods, window)
  const asked = askedMembers(protocol, periods, rules, origins)
  const unlike = digestFindings(registration)
  if (unlike.length === 0) assertZoneTable(registration.instants, instants, protocol)
  const transforms = [...scaledTransforms(protocol).keys()]
  const scaled = protocol.series.flatMap(({ id: series }) =>
    transforms.map((transform) => ({ series, transform })),
  )
  const expected = {
    ...registration,
    window: { ...window, origins: origins.length, ...windowInstants(rules, origins) },
    ...asked,
    groups: groupsOf(protocol),
    scales: scaled.map((of, index) => ({ ...of, value: scales[index]?.value ?? 1 })),
    instants: { ...registration.instants, sha256: instants.sha256 },
    ...(scaledAt && instantOrNaN(scaledAt) > instantOrNaN(at) && { scales_as_of: at }),
    inference: inferenceUnder(rules),
    ...familyMembers({ ...registration, ...asked }, rules, origins),
  }
  return [
    ...unlike,
    ...seriesWindowFindings(registration, protocol, periods, instantOrNaN(at)),
    ...modelFindings({ ...plannedModels(registration), bound: {} }, rules),
    ...differingMembers(registration, expected),
    ...commitmentFindings(registration),
    ...namedTooEarly(registration),
  ].filter(({ severity }) => severity === 'error')
}
