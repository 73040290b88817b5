import { ForeproofError } from '../contract/error.js'
import { compareText } from '../contract/order.js'
import type { WitnessRule } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { liarsNeeded, listUnreached, type Policy, parsePolicy } from './policy.js'

/**
 * Compiles the policy of a registration, which must be in canonical form: one log, `k` as a number, witnesses and
 * members of groups sorted by the bytes of their names, groups after their members, and nothing that the quorum does
 * not use.
 * @throws {ForeproofError} `invalid-input` that says what is wrong with it.
 */
export function compilePolicy(rule: WitnessRule): Policy {
  const { log, witnesses, groups, quorum } = rule
  const lines = [
    `log ${log}`,
    ...witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}`),
    ...groups.map(({ name, k, members }) => `group ${name} ${k} ${members.join(' ')}`),
    `quorum ${quorum}`,
  ]
  const policy = parsePolicy(lines.join('\n'), 'as a policy file')
  const [idle] = listUnreached(policy)
  if (idle !== undefined) throw unfit(`the quorum does not depend on ${idle}`)
  if (liarsNeeded(policy) === 0) {
    throw unfit('two versions of the log could both have the quorum without a witness that lies')
  }
  if (canonicalize(toWitnessRule(policy)) !== canonicalize(rule)) {
    throw unfit('witnesses and members have to be sorted by the bytes of their names')
  }
  return policy
}

function toWitnessRule({ logs, witnesses, groups, quorum }: Policy): WitnessRule {
  return {
    log: logs[0]!.text,
    witnesses: witnesses
      .map(({ name, key }) => ({ name, vkey: key.text }))
      .sort((a, b) => compareText(a.name, b.name)),
    groups: groups.map((group) => ({ ...group, members: group.members.toSorted(compareText) })),
    quorum,
  }
}

const unfit = (message: string) => new ForeproofError('invalid-input', message)
