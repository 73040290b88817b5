import { type ConformanceResult, checkDeployment } from '../../conformance/run.js'
import { verdictLines } from '../../conformance/words.js'
import { type ExitCode, ForeproofError } from '../../contract/error.js'
import { type Format, printReport } from '../../output/print.js'
import { isFolder } from '../../remote/deployment.js'
import type { Command, Context } from '../command.js'
import { withFormat } from '../options/format.js'
import { keyFrom, type RemoteArguments, withRemote } from '../options/remote.js'
import { createProgress } from '../progress.js'

interface Arguments extends RemoteArguments {
  readonly target: string
  readonly previous: string | undefined
  readonly pages: string | undefined
  readonly format: Format
}

const command: Command<Arguments> = {
  positionals: '<target>',
  describe: 'Check a service, a site or a built folder against every observable rule',
  examples: [
    ['foreproof conformance site', 'A folder that publish built, or anybody’s copy of one'],
    [
      'foreproof conformance https://example.org --previous copy',
      'A site, against an earlier copy',
    ],
    ['foreproof conformance https://api.example.org --key-env MY_KEY', 'A service'],
  ],
  options: (yargs) =>
    withRemote(
      withFormat(yargs).positional('target', {
        type: 'string',
        demandOption: true,
        describe: 'Address of a site or service, or a folder',
      }),
    )
      .option('previous', {
        type: 'string',
        describe: 'An earlier copy of the site: sealed pages must be as they were',
      })
      .option('pages', {
        type: 'string',
        describe: 'Look at so many pages (a site: all; a service: 25)',
      }),
  run: async (args, context) => {
    const progress = createProgress(context)
    const pages = args.pages === undefined ? undefined : pageCount(args.pages)
    if (args.previous !== undefined && !isFolder(args.previous)) {
      throw new ForeproofError('not-found', `--previous ${args.previous}: no such folder`)
    }
    const onProgress = (text: string) => progress.show(text)
    let report: ConformanceResult
    try {
      const { target, variant, previous } = args
      const key = keyFrom(args['key-env'], context.env)
      report = await checkDeployment(target, { variant, key, pages, previous, onProgress })
    } finally {
      progress.end()
    }
    return await print(args, context, report)
  },
}
export default command

function print(
  { target, format }: Arguments,
  context: Context,
  report: ConformanceResult,
): Promise<ExitCode> {
  const { verdicts, variant } = report
  const judged = verdicts.filter(({ outcome }) => outcome !== 'not-applicable')
  const nameOf = (rule: string, section: string) => `§${section} ${rule}`
  // One JUnit case per rule, for a rule is what a reader of test reports looks for.
  const sections = new Map<string, string>(verdicts.map(({ rule, section }) => [rule, section]))
  const findings =
    format === 'junit'
      ? report.findings.map((finding) => {
          const rule = finding.code.replace('conformance-', '')
          const detail = `${finding.args.detail} (${finding.file ?? target}${finding.pointer ?? ''})`
          return { ...finding, file: nameOf(rule, sections.get(rule) ?? ''), args: { detail } }
        })
      : report.findings
  return printReport(context, format, {
    findings,
    figures: { target, variant, checks: verdicts },
    checked:
      format === 'junit' ? judged.map(({ rule, section }) => nameOf(rule, section)) : [target],
    headline: `${target}: ${judged.length} rules checked`,
    body: verdictLines(verdicts),
  })
}

function pageCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  throw new ForeproofError('usage', `--pages ${text}: a positive whole number is needed`)
}
