import { codeVersion } from '../../evaluation/code-version.js'
import { type AuditResult, auditFolder, type LinkState } from '../../evaluation/evidence/audit.js'
import type { Link } from '../../evaluation/links.js'
import { printReport } from '../../output/print.js'
import { RENDERERS } from '../../report/renderers.js'
import { command } from '../command.js'
import { withFormat } from '../options/common.js'
import { watched, withWorkers } from '../options/run.js'
import { twoColumns } from '../wording.js'

export default command({
  positionals: '<folder>',
  describe: 'Make an evaluation again from its inputs and name the first link that does not hold',
  examples: [
    ['foreproof audit evidence', 'Recomputes everything, inputs where they were'],
    ['foreproof audit evidence --quick', 'Digests only'],
    ['foreproof audit evidence --history copy.sqlite', 'An input that lies elsewhere'],
  ],
  options: (yargs) =>
    withWorkers(withFormat(yargs))
      .positional('folder', {
        type: 'string',
        demandOption: true,
        describe: 'What foreproof score wrote',
      })
      .option('registration', { type: 'string', describe: 'If it lies elsewhere' })
      .option('protocol', { type: 'string', describe: 'The protocol or its folder, if elsewhere' })
      .option('history', { type: 'string', describe: 'If it lies elsewhere' })
      .option('outcomes', { type: 'string', describe: 'The vintage, if it lies elsewhere' })
      .option('quick', { type: 'boolean', default: false, describe: 'Check digests only' }),
  run: async (args, context) => {
    const { folder, quick, format } = args
    const paths = Object.fromEntries(
      (['registration', 'protocol', 'history', 'outcomes'] as const).flatMap((name) =>
        args[name] === undefined ? [] : [[name, args[name]]],
      ),
    )
    const found = await watched(args, context, (options) =>
      auditFolder({ ...options, folder, paths, quick, code: codeVersion(), render: RENDERERS }),
    )
    return await printReport(context, format, {
      findings: found.findings,
      figures: {
        folder,
        quick,
        result_sha256: found.result?.result_sha256 ?? null,
        inputs: found.paths ?? null,
        links: found.links,
        broken: found.links.find((link) => link.state === 'broken')?.link ?? null,
      },
      checked: [folder],
      headline: headline(found, quick),
      body: bodyOf(found),
    })
  },
})

const NAMES: Readonly<Record<Link, string>> = {
  result: 'result.json is whole and names its own digest',
  registration: 'the registration is the one that was entered',
  ledger: 'the ledger is an unbroken chain',
  protocol: 'the protocol is the frozen one',
  outcomes: 'the outcomes are the registered vintage',
  history: 'the history is the one that was scored',
  pairs: 'every attempt has the status, prices and outcome that were scored',
  computation: 'scores, tests and dispositions follow from these',
  access: 'the record of readings is whole and bears the result out',
  report: 'the reports show this result',
}
const SIGNS: Readonly<Record<LinkState, string>> = {
  holds: 'holds      ',
  broken: 'BROKEN     ',
  not_checked: 'not checked',
}

/** The inputs are named: an audit is worth what they are, and the folder says where they lie. */
function bodyOf({ links, paths, result }: AuditResult): string {
  const rows = links.map(({ link, state }) => `${SIGNS[state]}  ${NAMES[link]}`)
  if (!paths || !result) return rows.join('\n')
  const { registration, protocol, vintage, history } = result.inputs
  const held = [
    ['registration', registration.sha256, paths.registration],
    ['protocol', protocol.sha256, paths.protocol],
    ['outcomes', vintage.sha256, paths.outcomes],
    ...(history.rows > 0 ? [['history', history.sha256, paths.history]] : []),
  ] as const
  const inputs = held.map(([name, sha256, path]) => [name, `${sha256}  ${path}`] as const)
  return ['Held against:', twoColumns(inputs), '', ...rows].join('\n')
}

function headline({ ok, result }: AuditResult, quick: boolean): string {
  const name = result?.inputs.registration.name ?? 'the evidence'
  if (!ok) return `${name} does not hold`
  return quick ? `${name}: every digest holds (nothing was recomputed)` : `${name} recomputes`
}
