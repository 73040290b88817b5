import { type Finding, finding } from '../../contract/findings/finding.js'
import { demand } from '../links.js'
import type { Documents } from '../load.js'
import type { EvaluationResult } from '../result/types.js'
import { type LogOptions, proveForecasts } from './committed.js'
import type { LogSource } from './log-source.js'
import type { RegistrationTime } from './registration-time.js'

/**
 * The commitments of a result by those alone whom a reader trusts: as many forecasts in time as the result says.
 * Fewer of them never make a time earlier, so the same numbers are the same forecasts.
 * @param time - that of the registration by the anchors of the reader, where there are any.
 */
export async function demandTrusted(
  said: EvaluationResult['time'],
  documents: Documents,
  time: RegistrationTime | undefined,
  history: string,
  source: LogSource | undefined,
  options: Pick<LogOptions, 'witnesses' | 'signal'>,
): Promise<Finding[]> {
  if (source === undefined) {
    return options.witnesses === undefined ? [] : [finding('witnesses-unasked', {})]
  }
  const { member } = await proveForecasts(documents, time, history, () => source, options)
  const counted = new Map(member?.commitment?.models.map((each) => [each.model, each.committed]))
  const findings = (said?.commitment?.models ?? []).flatMap(({ model, committed: stored }) => {
    const committed = counted.get(model) ?? 0
    const args = { model, committed, stored }
    const at = { file: source.file }
    return committed === stored ? [] : [finding('commitment-of-writer', args, at)]
  })
  demand('log', findings)
  return []
}
