import type { SchemaError } from './schema-error.js'

/** In a branch of `anyOf`: its path in the schema, and the constant of a member that fails there. */
const BRANCH = /^(.*\/anyOf\/)\d+\//
const CONSTANT = /^.*\/anyOf\/\d+\/properties\/[^/]+\/const$/

/**
 * The errors without those of branches that a value does not mean: objects to choose from may be told
 * apart by a constant member, such as `method`. Where a value has the constant of one, the errors of
 * the others say nothing. Where it has that of none, all are kept.
 */
export function errorsOfMeantBranch(errors: readonly SchemaError[]): SchemaError[] {
  const others = errors
    .filter(({ schemaPath }) => CONSTANT.test(schemaPath))
    .map((each) => ({ branch: branchOf(each), at: each.instancePath.replace(/\/[^/]*$/, '') }))
  type Other = (typeof others)[number]
  const isOf = ({ branch, at }: Other, { instancePath, schemaPath }: SchemaError) =>
    schemaPath.startsWith(branch) && isWithin(instancePath, at)
  const isMeant = (each: SchemaError, { branch, at }: Other) =>
    choiceOf(each) === choiceOf({ schemaPath: branch }) &&
    isWithin(each.instancePath, at) &&
    !(each.keyword === 'type' && each.instancePath === at) &&
    !others.some((other) => isOf(other, each))
  const idle = others.filter((other) => errors.some((each) => isMeant(each, other)))
  return errors.filter((each) => !idle.some((other) => isOf(other, each)))
}

function isWithin(pointer: string, at: string): boolean {
  return pointer === at || pointer.startsWith(`${at}/`)
}

function branchOf({ schemaPath }: Pick<SchemaError, 'schemaPath'>): string {
  return BRANCH.exec(schemaPath)?.[0] ?? ''
}

function choiceOf({ schemaPath }: Pick<SchemaError, 'schemaPath'>): string | undefined {
  return BRANCH.exec(schemaPath)?.[1]
}
