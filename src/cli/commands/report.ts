import { codeVersion } from '../../evaluation/code-version.js'
import {
  type ComparisonResult,
  type DrawResult,
  drawComparison,
  drawReport,
} from '../../evaluation/evidence/draw.js'
import { comparisonPage } from '../../report/comparison/page.js'
import { RENDERERS, renderFigures } from '../../report/renderers.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { FORMAT, list, text, usage } from '../options.js'

const options = {
  format: FORMAT,
  folders: list('Folders that foreproof score wrote'),
  out: text('Folder for the pages; it must not exist, or be empty'),
  figures: text('Folder for the charts of one evaluation; it must not exist, or be empty'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '<folders..>',
  examples: {
    'foreproof report evidence --out drawn': 'Writes drawn/report.html and drawn/report.md',
    'foreproof report evidence --figures paper/figures':
      'Writes every chart as SVG with its figures as CSV',
    'foreproof report spring summer --out both':
      'Writes both/comparison.html: two evaluations side by side',
  },
  options,
  run: (args, context) => {
    const [folder, ...others] = args.folders
    if (args.out === undefined && args.figures === undefined) {
      throw usage(
        'nothing is to be written',
        'Name a folder: --out for the pages, --figures for charts.',
      )
    }
    return folder !== undefined && others.length === 0
      ? drawOne(folder, args, context)
      : drawSeveral(args, context)
  },
})

async function drawOne(folder: string, { out, figures }: Arguments, context: Context) {
  const drawn = await drawReport({
    folder,
    out,
    code: codeVersion(),
    render: RENDERERS,
    ...(figures !== undefined && { figures: { out: figures, render: renderFigures } }),
  })
  const name = drawn.ok ? drawn.result.inputs.registration.name : ''
  return await context.report({
    ...drawnReport(drawn, `${name}: rendered from the result, which was not audited`),
    checked: [folder],
    figures: {
      folder,
      written: drawn.ok ? drawn.files : [],
      result_sha256: drawn.ok ? drawn.result.result_sha256 : null,
    },
  })
}

async function drawSeveral({ folders, out, figures }: Arguments, context: Context) {
  if (figures !== undefined || out === undefined) {
    throw usage(
      '--figures takes one evaluation',
      'Run it for each of them. The charts of a comparison are files in its page.',
    )
  }
  const drawn = await drawComparison({
    folders,
    out,
    code: codeVersion(),
    page: (results) => comparisonPage(results, folders),
  })
  const what = `${folders.length} evaluations: rendered from the results, which were not audited`
  return await context.report({
    ...drawnReport(drawn, what),
    checked: folders,
    figures: { folders, written: drawn.ok ? drawn.files : [] },
  })
}

/** What was drawn, if anything. */
function drawnReport(drawn: DrawResult | ComparisonResult, what: string) {
  const { findings } = drawn
  if (!drawn.ok) return { findings, headline: 'not rendered; nothing was written' }
  return { findings, headline: what, body: drawn.files.map(lineOf).join('\n') }
}

const lineOf = (file: string) => `${/\.(?:svg|csv)$/.test(file) ? 'Figure' : 'Report'}: ${file}`
