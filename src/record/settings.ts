import { instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { briefly, firstDifference } from '../document/difference.js'
import type { Result } from '../evaluation/result/result.js'
import type { RegisteredEntry, ResultEntry } from '../protocol/rules/entry.js'

/** What a result says of its registration: all but series, scales and the names of its tests. */
export function settingsIn({ scales: _, ...registration }: Registration): object {
  const { series: _series, ...rules } = registration.rules
  const { size, sha256 } = registration.family
  return { ...registration, rules, family: { size, sha256 } }
}

/**
 * Where a result disagrees with the registration that it names. What earlier registrations left of alpha is its own.
 * @param registered - see `settingsIn`.
 */
export function settingsFault({ settings }: Result, registered: object): string | undefined {
  const other = firstDifference(settings, withAlpha(registered, settings.rules.alpha))
  if (other === undefined) return undefined
  const [found, expected] = [briefly(other.stored), briefly(other.computed)]
  return `its result is not one of the registration: ${other.pointer} is ${found}, not ${expected}`
}

const withAlpha = (registered: object, alpha: number): object => {
  const { rules, ...others } = registered as { readonly rules: object }
  return { ...others, rules: { ...rules, alpha } }
}

/** A prospective evaluation is scored when its last outcome counts. */
export function earlyFault(
  registered: RegisteredEntry | undefined,
  entered: ResultEntry | undefined,
): string | undefined {
  if (registered?.mode !== 'prospective' || registered.last_settled === null) return undefined
  if (entered === undefined) return undefined
  const isEarly = instantOrNaN(entered.result_at) < instantOrNaN(registered.last_settled)
  return isEarly
    ? `its result was entered at ${entered.result_at}, before its last outcome counted (${registered.last_settled})`
    : undefined
}
