import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { VERSION } from '../../contract/generated/version.js'
import type { Instant } from '../../contract/instant.js'
import { SCHEMAS } from '../../contract/schemas/index.js'
import { protocolText } from '../../protocol/rules/frozen.js'
import { planTemplate } from '../../registration/template.js'
import { templateText } from '../../registration/template-text.js'
import { commentTable, planComments, protocolComments } from './comments.js'
import { protocolDraft, SOURCE, versionFor } from './draft.js'
import { topOfRepository } from './repository.js'

const TEMPLATES = new URL('../../../templates/init/', import.meta.url)

/** A file that `init` writes. */
export interface StartFile {
  readonly path: string
  /** The path as a person in the folder writes it, with `/`. */
  readonly name: string
  /** What it is, for the README and the screen. */
  readonly what: string
  readonly text: string
}

/**
 * All that `init` writes into a folder. Its workflow lies at the top of the git repository around the
 * folder, for it is found nowhere else.
 * @param folder an absolute path; it need not be there.
 */
export function startFiles(folder: string, now: Instant): StartFile[] {
  const name = versionFor(basename(folder))
  const draft = protocolDraft(name)
  const top = topOfRepository(folder)
  const within = slashed(relative(top, folder))
  const workflow = join(top, '.github', 'workflows', workflowName(within))
  const schema = (of: 'protocol' | 'plan') => `${JSON.stringify(SCHEMAS[of], null, 2)}\n`
  const listed: Omit<StartFile, 'path'>[] = [
    { name: 'draft.json', what: 'Draft of a protocol', text: protocolText(draft) },
    {
      name: 'plan.json',
      what: 'Plan of an evaluation, to be filled in',
      text: `${templateText(planTemplate(draft, { mode: 'prospective', now }))}\n`,
    },
    { name: 'protocols/.gitkeep', what: 'Folder of frozen protocols and their ledger', text: '' },
    {
      name: 'data/.gitignore',
      what: 'Folder of histories and exchange files, which git leaves alone',
      text: template('gitignore'),
    },
    {
      name: 'evidence/.gitkeep',
      what: 'Folder of what `score` leaves, one folder for each evaluation',
      text: '',
    },
    {
      name: '.gitattributes',
      what: 'Keeps git from changing bytes that have a digest',
      text: template('gitattributes'),
    },
    {
      name: '.vscode/settings.json',
      what: 'Tells the editor which schema is for which file',
      text: template('vscode-settings.json'),
    },
    {
      name: 'schemas/protocol.schema.json',
      what: 'What a protocol may say',
      text: schema('protocol'),
    },
    { name: 'schemas/plan.schema.json', what: 'What a plan may say', text: schema('plan') },
  ]
  const inFolder = listed.map((each) => ({ ...each, path: join(folder, each.name) }))
  const gate: StartFile = {
    path: workflow,
    name: slashed(relative(folder, workflow)),
    what: 'Runs the gate on GitHub',
    text: filled('workflow.yml', { FOLDER: JSON.stringify(within === '' ? '.' : within) }),
  }
  const all = [...inFolder, gate]
  const readme = filled('README.md', {
    NAME: name,
    SOURCE,
    FILES: commentTable(
      all.map((each) => [each.name, each.what]),
      ['file', 'what it is'],
    ),
    PROTOCOL: protocolComments(),
    PLAN: planComments(),
    WORKFLOW: gate.name,
    VERSION,
  })
  const what = 'What each file is for; begin here'
  return [{ path: join(folder, 'README.md'), name: 'README.md', what, text: readme }, ...all]
}

/** Several folders of one repository may each have a workflow. */
function workflowName(within: string): string {
  const words = within.match(/[A-Za-z0-9]+/g)
  return words === null ? 'foreproof.yml' : `foreproof-${words.join('-')}.yml`
}

const slashed = (path: string) => path.replaceAll('\\', '/')

function template(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), 'utf8')
}

function filled(name: string, values: Readonly<Record<string, string>>): string {
  return template(name).replace(/@([A-Z]+)@/g, (mark, word) => values[word] ?? mark)
}
