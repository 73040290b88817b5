import { type ArgsOf, type Code, type Finding, finding } from './findings/finding.js'
import { parseTimestamp } from './instant.js'
import { nearest } from './nearest.js'
import { pointerTo, valueAt } from './pointer.js'
import type { JsonSchema } from './schemas/index.js'
import { withoutSecrets } from './secrets.js'
import { TEXT_FORMS } from './text-forms.js'

interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

const FOUND_LIMIT = 60

/** Formats a found value: as JSON if it is short, otherwise its beginning or its type. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (Array.isArray(value) && value.length > 8) return arrayOf(value)
  if (typeof value === 'string') return shownString(withoutSecrets(value))
  const text = withoutSecrets(JSON.stringify(value) ?? typeof value)
  if (text.length <= FOUND_LIMIT) return text
  return Array.isArray(value) ? arrayOf(value) : 'an object'
}

const arrayOf = ({ length }: readonly unknown[]): string =>
  `an array of ${length} ${length === 1 ? 'item' : 'items'}`

function shownString(value: string): string {
  const text = JSON.stringify(value)
  return text.length <= FOUND_LIMIT ? text : `${JSON.stringify(value.slice(0, FOUND_LIMIT - 4))}...`
}

/**
 * Returns a function that finds the violations of a schema in a value, each once.
 * @public called by what `.ci/generate.mjs` makes
 */
export const createSchemaCheck =
  (validate: Validator, schema: object) =>
  (value: unknown): Finding[] =>
    validate(value) ? [] : schemaFindings(value, validate.errors ?? [], schema)

/**
 * Converts the errors of one validator run to findings, each violation once.
 * @param root the violated schema, used to suggest the nearest known key. Its references are not followed, so an
 * unknown key inside a referenced part gets no suggestion.
 */
function schemaFindings(value: unknown, errors: readonly SchemaError[], root: object): Finding[] {
  const nullable = new Set<string>()
  const invalidTimestamps = new Set<string>()
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'anyOf') nullable.add(instancePath)
    if (keyword === 'format') invalidTimestamps.add(instancePath)
  }
  return listingMembers(errorsOfMeantBranch(errors)).flatMap((each) => {
    // `null` is always the other branch, so its error adds nothing to that of the first.
    if (each.keyword === 'anyOf') return []
    if (nullable.has(each.instancePath) && each.params.type === 'null') return []
    if (each.keyword === 'pattern' && invalidTimestamps.has(each.instancePath)) return []
    return translate(value, each, root, nullable.has(each.instancePath))
  })
}

/** An error with all missing, or all unknown, members of one object. */
interface ListingError extends SchemaError {
  readonly members: readonly string[]
}

/** Merges the errors of each object: one for all its missing members, and one for all unknown ones. */
function listingMembers(errors: readonly SchemaError[]): ListingError[] {
  const lists = new Map<string, ListingError & { members: string[] }>()
  for (const [index, each] of errors.entries()) {
    const { keyword, instancePath, schemaPath, params } = each
    const member = params.missingProperty ?? params.additionalProperty
    const like = member === undefined ? index : JSON.stringify([keyword, instancePath, schemaPath])
    const list = lists.get(String(like)) ?? { ...each, members: [] }
    lists.set(String(like), list)
    if (member !== undefined) list.members.push(String(member))
  }
  return [...lists.values()]
}

const BOUNDS = {
  minimum: 'at least',
  exclusiveMinimum: 'greater than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
}

function translate(
  document: unknown,
  { instancePath, schemaPath, keyword, params, members }: ListingError,
  root: object,
  orNull: boolean,
): Finding | Finding[] {
  const value = valueAt(document, instancePath)
  const found = quoteValue(value)
  const limit = Number(params.limit)
  const faulty = <C extends Code>(code: C, args: ArgsOf<C>, pointer = instancePath): Finding =>
    finding(code, args, { pointer })
  switch (keyword) {
    case 'required':
      return faulty('missing-key', { keys: members })
    case 'additionalProperties': {
      const here = valueAt(root, schemaPath.slice(1).replace(/\/additionalProperties$/, ''))
      const allowed = Object.keys((here as JsonSchema | undefined)?.properties ?? {})
      const unused = allowed.filter((name) => !Object.hasOwn(value as object, name))
      const close = members.map((key) => nearest(key, unused) ?? null)
      // Point to the first unknown member, for editors.
      const pointer = pointerTo(instancePath, members[0] ?? '')
      return faulty('unknown-key', { keys: members, nearest: close }, pointer)
    }
    case 'type': {
      const expected = [params.type, orNull ? 'null' : []].flat().map(String)
      return faulty('wrong-type', { expected, found })
    }
    case 'const':
      return faulty('wrong-value', { expected: JSON.stringify(params.allowedValue), found })
    case 'enum': {
      const expected = (params.allowedValues as readonly unknown[]).map(String)
      return faulty('value-not-allowed', { expected, found })
    }
    case 'format': {
      const parsed = parseTimestamp(String(value))
      return faulty('invalid-timestamp', { fault: parsed.ok ? 'syntax' : parsed.fault, found })
    }
    case 'pattern': {
      const form = TEXT_FORMS[String(params.pattern)]
      if (form === undefined) throw new Error(`no words for the pattern ${params.pattern}`)
      return faulty('malformed-text', { ...form, found })
    }
    case 'minLength':
      return faulty('empty-text', {})
    case 'minItems':
    case 'maxItems': {
      const bound = keyword === 'minItems' ? 'at least' : 'at most'
      const items = (value as readonly unknown[]).length
      return faulty('item-count', { bound, limit, found: items })
    }
    case 'uniqueItems':
      return repeatedItems(value as readonly unknown[], instancePath)
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return faulty('out-of-bounds', { bound: BOUNDS[keyword], limit, found })
    default:
      throw new Error(`no finding for the schema keyword ${keyword}`)
  }
}

/** Ajv stops at the first pair, but readers need every repetition. */
function repeatedItems(items: readonly unknown[], pointer: string): Finding[] {
  const seen = new Map<string, number>()
  return items.flatMap((item, index) => {
    const text = JSON.stringify(item)
    const first = seen.get(text) ?? index
    seen.set(text, first)
    if (first === index) return []
    const args = { found: quoteValue(item), first: pointerTo(pointer, first) }
    return [finding('listed-twice', args, { pointer: pointerTo(pointer, index) })]
  })
}

/** A branch of `anyOf` in a schema path, and the constant of a member that fails there. */
const BRANCH = /^(.*\/anyOf\/)\d+\//
const CONSTANT = /^.*\/anyOf\/\d+\/properties\/[^/]+\/const$/

/**
 * Drops the errors of `anyOf` branches that were not meant. The branches may differ in a constant member, such as
 * `method`. If the value has the constant of one branch, the errors of the others are dropped. If it has the constant
 * of none, all errors stay.
 */
function errorsOfMeantBranch(errors: readonly SchemaError[]): SchemaError[] {
  const others = errors
    .filter(({ schemaPath }) => CONSTANT.test(schemaPath))
    .map((each) => ({
      branch: branchPath(each.schemaPath),
      at: each.instancePath.replace(/\/[^/]*$/, ''),
    }))
  type Other = (typeof others)[number]
  const isInBranch = ({ branch, at }: Other, { instancePath, schemaPath }: SchemaError) =>
    schemaPath.startsWith(branch) && isWithin(instancePath, at)
  const isMeant = (each: SchemaError, { branch, at }: Other) =>
    branchChoice(each.schemaPath) === branchChoice(branch) &&
    isWithin(each.instancePath, at) &&
    !(each.keyword === 'type' && each.instancePath === at) &&
    !others.some((other) => isInBranch(other, each))
  const idle = others.filter((other) => errors.some((each) => isMeant(each, other)))
  return errors.filter((each) => !idle.some((other) => isInBranch(other, each)))
}

function isWithin(pointer: string, at: string): boolean {
  return pointer === at || pointer.startsWith(`${at}/`)
}

const branchPath = (schemaPath: string): string => BRANCH.exec(schemaPath)?.[0] ?? ''
const branchChoice = (schemaPath: string): string | undefined => BRANCH.exec(schemaPath)?.[1]

/** The error that an Ajv validator records for each violation. */
interface SchemaError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}
