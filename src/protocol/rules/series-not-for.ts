import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { valueAt } from '../../contract/pointer.js'
import { quoteValue } from '../../contract/schema-findings.js'

type Subject = Extract<
  ArgsOf<'series-rule'>['fault'],
  'mean' | 'samples' | 'probabilities' | 'due' | 'zones'
>

/** Words in drafts, in `forecast` and in kinds of scores, that ask for something unsupported. */
const FORECASTS: readonly (readonly [Subject, RegExp])[] = [
  ['mean', /^mean$|average|expect|squared|^r?mse$/i],
  ['samples', /sampl|ensemble|member|draws|crps|energy|variogram/i],
  ['probabilities', /prob|brier|log_?(?:loss|score)|class|categor|event|^auc$/i],
]
const ZONE = /^(?:time_?)?zones?$|^tz$/i
const SERIES = /^\/series\/\d+$/
const DUE = /due|^steps?$|^horizons?$|^-?\d+$/i

/**
 * Replaces findings of the schema that concern one unsupported thing by one finding that names it.
 * @param form - the findings of the schema.
 */
export function withNotFor(form: readonly Finding[], document: unknown): Finding[] {
  const named = new Map<string, Finding>()
  for (const each of form) {
    const asked = findSubject(each, document)
    if (asked === undefined || named.has(asked.pointer)) continue
    const { fault, found, pointer } = asked
    named.set(pointer, finding('series-rule', { fault, found, what: '' }, { pointer }))
  }
  const isNamed = ({ pointer = '' }: Finding) =>
    [...named.keys()].some((at) => pointer === at || pointer.startsWith(`${at}/`))
  return [...named.values(), ...form.filter((each) => !isNamed(each))]
}

interface Asked {
  readonly fault: Subject
  readonly found: string
  readonly pointer: string
}

function findSubject({ code, pointer = '' }: Finding, document: unknown): Asked | undefined {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const name = pointer.slice(parent.length + 1)
  const value = valueAt(document, pointer)
  const asked = (fault: Subject, at = pointer): Asked => ({
    fault,
    found: quoteValue(code === 'unknown-key' && at === pointer ? name : valueAt(document, at)),
    pointer: at,
  })
  if (code === 'unknown-key') {
    // Elsewhere it is a different mistake.
    if (ZONE.test(name) && (SERIES.test(parent) || name.endsWith('s'))) return asked('zones')
    if (parent === '/origins/due') return DUE.test(name) ? asked('due', parent) : undefined
    if (parent === '/origins' && DUE.test(name)) return asked('due')
    if ((parent === '' || SERIES.test(parent)) && /^due/i.test(name)) return asked('due')
    return parent === '/forecast' ? forecastSubject(name, asked) : undefined
  }
  const isSeveral = typeof value === 'object' && value !== null
  if (pointer === '/zone') return isSeveral ? asked('zones') : undefined
  if (pointer === '/origins/due') return Array.isArray(value) ? asked('due') : undefined
  if (parent === '/horizons') return isSeveral && 'due' in value ? asked('due') : undefined
  const isForecast = pointer === '/forecast/point' || /^\/scores\/\d+\/kind$/.test(pointer)
  return isForecast ? forecastSubject(String(value), asked) : undefined
}

function forecastSubject(word: string, asked: (fault: Subject) => Asked): Asked | undefined {
  const match = FORECASTS.find(([, words]) => words.test(word))
  return match && asked(match[0])
}
