import type { ConformanceFinding, RuleResult } from '../../conformance/judge.js'
import { ruleResultLines } from '../../conformance/judge.js'
import { checkDeployment } from '../../conformance/run.js'
import type { RuleName } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import { isFolder } from '../../remote/deployment.js'
import { command } from '../command.js'
import { count, FORMAT, flag, KEY_ENV, needed, text, unlessNo } from '../options.js'
import { withProgress } from '../work.js'

export default command({
  positionals: '<target>',
  examples: {
    'foreproof conformance site': 'A folder that publish built, or a copy of one',
    'foreproof conformance https://example.org --previous copy': 'A site, against an earlier copy',
    'foreproof conformance https://api.example.org --key-env MY_KEY': 'A service',
    'foreproof conformance https://api.example.org --key-env MY_KEY --no-probes':
      'A service whose proxy passes on /v1 alone',
  },
  options: {
    format: FORMAT,
    target: needed('Address of a site or service, or a built folder'),
    'key-env': KEY_ENV,
    previous: text('An earlier copy of the site: its forecasts must still be there, unchanged'),
    pages: count('Number of pages to read (default: 10000 for a site, 25 for a service)'),
    'without-key': flag('Check only what a service shows without a key'),
    probes: unlessNo(
      'Check /livez, /readyz, /metrics and paths outside /v1; use --no-probes where a proxy hides them',
    ),
  },
  run: async (args, context) => {
    const { target, previous, pages, probes, format } = args
    const { 'key-env': key, 'without-key': withoutKey } = args
    if (previous !== undefined && !isFolder(previous)) {
      throw new ForeproofError('not-found', `--previous ${previous}: no such folder`)
    }
    const result = await withProgress(context, (onProgress) =>
      checkDeployment(target, { key, withoutKey, pages, previous, probes, onProgress }),
    )
    const { verdicts, findings } = result
    const judged = verdicts.filter(({ outcome }) => outcome !== 'not-applicable')
    const cases = format === 'junit' ? junitCases(target, judged, findings) : undefined
    return await context.report({
      findings,
      figures: { target, variant: result.variant, checks: verdicts },
      checked: [target],
      ...cases,
      headline: `${target}: ${judged.length} rules checked`,
      body: ruleResultLines(verdicts),
    })
  },
})

/** One JUnit case per rule, because readers of test reports look for rules. */
function junitCases(
  target: string,
  judged: readonly RuleResult[],
  findings: readonly ConformanceFinding[],
) {
  const names = new Map(judged.map(({ rule, section }) => [rule, `§${section} ${rule}`]))
  return {
    checked: [...names.values()],
    findings: findings.map((finding) => {
      const rule = finding.code.replace('conformance-', '') as RuleName
      if (finding.code === 'conformance-without-key') return finding
      const detail = `${finding.args.detail} (${finding.file ?? target}${finding.pointer ?? ''})`
      return { ...finding, file: names.get(rule) ?? target, args: { detail } }
    }),
  }
}
