import { PAYLOAD_RULES } from './rule-sets/payload.js'
import { SERVICE_RULES } from './rule-sets/service.js'
import { SITE_RULES } from './rule-sets/site.js'

/** Every rule of the specification that can be observed from outside, by its name in reports. */
export const CONFORMANCE_RULES = { ...PAYLOAD_RULES, ...SITE_RULES, ...SERVICE_RULES }
export type RuleName = keyof typeof CONFORMANCE_RULES

const names = <T extends object>(rules: T) => Object.keys(rules) as (keyof T)[]
export const STATIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SITE_RULES)]
export const DYNAMIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SERVICE_RULES)]
