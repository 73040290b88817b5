import { ForeproofError } from '../../contract/error.js'
import { codeVersion } from '../../evaluation/code-version.js'
import { drawReport } from '../../evaluation/evidence/draw-report.js'
import { printReport } from '../../output/print.js'
import { renderFigures } from '../../report/figures.js'
import { RENDERERS } from '../../report/renderers.js'
import { command } from '../command.js'
import { withFormat } from '../options/common.js'

export default command({
  positionals: '<folder>',
  describe: 'Draw the report of an evaluation again from its result.json',
  examples: [
    ['foreproof report evidence --out drawn', 'Writes drawn/report.html and drawn/report.md'],
    [
      'foreproof report evidence --figures paper/figures',
      'Writes every chart as SVG with its figures as CSV, and tables for LaTeX',
    ],
  ],
  options: (yargs) =>
    withFormat(yargs)
      .positional('folder', {
        type: 'string',
        demandOption: true,
        describe: 'The folder that foreproof score wrote',
      })
      .option('out', {
        type: 'string',
        describe: 'Folder for the reports; it must not exist, or be empty',
      })
      .option('figures', {
        type: 'string',
        describe: 'Folder for charts and tables; it must not exist, or be empty',
      }),
  run: async ({ folder, out, figures, format }, context) => {
    if (out === undefined && figures === undefined) {
      throw new ForeproofError('usage', 'nothing is to be written', {
        help: 'Name a folder: --out for the reports, --figures for charts and tables.',
      })
    }
    const drawn = await drawReport({
      ...{ folder, out, code: codeVersion(), render: RENDERERS },
      ...(figures !== undefined && { figures: { out: figures, render: renderFigures } }),
    })
    const files = drawn.ok ? drawn.files : []
    return await printReport(context, format, {
      findings: drawn.findings,
      figures: {
        folder,
        written: files,
        result_sha256: drawn.ok ? drawn.result.result_sha256 : null,
      },
      checked: [folder],
      headline: drawn.ok
        ? `${drawn.result.inputs.registration.name}: drawn from the result, which was not audited`
        : 'not drawn; nothing was written',
      ...(drawn.ok && { body: files.map(lineOf).join('\n') }),
    })
  },
})

const lineOf = (file: string) => `${/\.(?:svg|csv|tex)$/.test(file) ? 'Figure' : 'Report'}: ${file}`
