/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The script of verify.html: it takes folders, has its worker audit them, and shows the results.
import { printable } from '../contract/printable.js'
import { PAIRS_LIMIT } from '../evaluation/evidence/pairs-limit.js'
import { byId, el, fill } from '../site/page/client/dom.js'
import type { PageAnswer, ShownFinding } from './answer.js'
import type { Given } from './stand-ins/fs.js'
import type { Order, Saying, Task } from './worker.js'

const PAIRS = 'pairs.ndjson.gz'

const given = new Map<string, Blob | ArrayBuffer | null>()

const folderList = byId('folder') as HTMLSelectElement

/** Folders that contain a result or a record, outermost first. The results in a record are parts of it. */
function evidence(): string[] {
  const depth = (path: string) => path.split('/').length
  const listFolders = (name: string) =>
    [...given.keys()]
      .filter((path) => path.endsWith(`/${name}`))
      .map((path) => path.slice(0, path.lastIndexOf('/')))
  const records = listFolders('record.json')
  const results = listFolders('result.json').filter(
    (folder) => !records.some((record) => folder.startsWith(`${record}/`)),
  )
  return [...records, ...results].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
}

const status = (...content: (Node | string)[]): void => fill('status', ...content)

const topFolder = (path: string) => path.split('/')[1] ?? ''

/** Adds the given files to those given before, and starts. */
function addFiles(files: Given): void {
  if (files.size === 0) return
  // A folder replaces an earlier one of the same name, with all its files.
  const replaced = new Set([...files.keys()].map(topFolder))
  for (const path of [...given.keys()]) if (replaced.has(topFolder(path))) given.delete(path)
  for (const [path, blob] of files) given.set(path, blob)
  const folders = evidence()
  const chosen = folderList.value
  const options = folders.map((path) =>
    el('option', { value: path }, printable(path.slice(1)) || 'the folder'),
  )
  fill('folder', ...options)
  if (folders.includes(chosen)) folderList.value = chosen
  byId('choice').hidden = folders.length === 0
  fill(
    'given',
    `Given so far: ${printable([...new Set([...given.keys()].map(topFolder))].join(', '))}.`,
  )
  if (folders.length === 0)
    status(
      'Neither result.json nor record.json is in it. Give the folder that foreproof score or record wrote, too.',
    )
  else void auditor.run()
}

/** Audits the given folders, one at a time; a new audit stops the one under way. */
class Auditor {
  #worker: Worker | undefined
  /** URL of the worker's script, after unpacking. */
  #engine: Promise<string> | undefined

  async run(task: Task = 'check'): Promise<void> {
    this.stop()
    const folder = folderList.value
    const pairs = given.get(`${folder}/${PAIRS}`)
    fill('changed')
    if (task !== 'change') fill('answer')
    status('Reading.')
    busy(true)
    if (pairs instanceof Blob && (await unpackedSize(pairs)) > PAIRS_LIMIT.max) {
      busy(false)
      return status(
        `${PAIRS} has more than 256 MB of lines: use the command line, foreproof audit.`,
      )
    }
    this.#engine ??= unpackedEngine()
    const engine = await this.#engine
    // Another audit may have started meanwhile.
    this.#worker?.terminate()
    const worker = new Worker(engine)
    this.#worker = worker
    const end = (...content: (Node | string)[]) => {
      this.stop()
      status(...content)
    }
    worker.onerror = (event) => end(`This browser could not run it: ${event.message}`)
    worker.onmessage = ({ data }: MessageEvent<Saying>) => {
      if (data.kind === 'progress') showProgress(data)
      else if (data.kind === 'blind')
        void readAll().then(() => (this.#worker === worker ? this.run(task) : undefined))
      else if (data.kind === 'failed') end(data.message.replace(/^\//, ''), '. ', data.help ?? '')
      else if (data.kind === 'done') {
        end(`Done in ${data.seconds.toFixed(1)} seconds, on this machine alone.`)
        showAnswer(data.answer)
      } else {
        end('Done. The files on your disk were not touched.')
        showChanged(data)
      }
    }
    worker.postMessage({ given, folder, task } satisfies Order)
  }

  stop(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    busy(false)
  }
}

const auditor = new Auditor()

/**
 * Reads the given files if the worker may not. Files as large as a history are dropped, because they are not needed.
 */
async function readAll(): Promise<void> {
  for (const [path, file] of given) {
    if (!(file instanceof Blob)) continue
    if (file.size > PAIRS_LIMIT.max || path.endsWith('.sqlite')) given.delete(path)
    else given.set(path, await file.arrayBuffer())
  }
}

/** The size that a gzip states in its last four bytes. */
async function unpackedSize(file: Blob): Promise<number> {
  const end = new DataView(await file.slice(-4).arrayBuffer())
  return Math.max(file.size, end.byteLength === 4 ? end.getUint32(0, true) : 0)
}

function busy(is: boolean): void {
  byId('work').hidden = !is
  byId('main').setAttribute('aria-busy', String(is))
  byId('progress').removeAttribute('value')
}

const PHASES = { pairing: 'Pairing every attempt', bootstrap: 'Testing' }

function showProgress({ phase, completed, total }: Extract<Saying, { kind: 'progress' }>): void {
  const share = total > 0 ? completed / total : 0
  byId('progress').setAttribute('value', String(share))
  const text = `${PHASES[phase]}: ${Math.floor(share * 10) * 10} %`
  // A screen reader should not announce every step.
  if (byId('status').textContent !== text) status(text)
}

/** The script of the worker that audits, which the page contains in compressed form. */
async function unpackedEngine(): Promise<string> {
  const packed = atob(byId('engine').textContent?.trim() ?? '')
  const bytes = Uint8Array.from(packed, (unit) => unit.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const script = await new Response(plain).arrayBuffer()
  return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
}

const HEADINGS: Readonly<Record<PageAnswer['state'], string>> = {
  holds: 'holds',
  broken: 'does not hold',
  open: 'holds as far as it was checked',
}
const SIGNS = { holds: ['✓', 'Holds'], broken: ['✗', 'Broken'], not_checked: ['?', 'Not checked'] }

function showAnswer(answer: PageAnswer): void {
  fill(
    'answer',
    ...drawHead(answer, HEADINGS[answer.state]),
    linkList(answer),
    ...drawLines(answer),
    ...drawFacts(answer),
  )
  if (answer.verdicts.length > 0) offer('change', 'Change one number', CHANGES)
  byId('heading').focus()
}

const CHANGES =
  'Does this page find anything? Let it change one forecast in memory and check again. Your files are not touched.'

function offer(task: Task, name: string, message: string): void {
  const ask = el('button', { type: 'button', id: task }, name)
  ask.addEventListener('click', () => void auditor.run(task))
  byId('answer').append(el('div', { class: 'key' }, el('p', {}, message), ask))
}

function drawHead(answer: PageAnswer, message: string): HTMLElement[] {
  const { name, state, verdicts, links } = answer
  const isMade = links.some((each) => each.link === 'computation' && each.state === 'holds')
  const source = `This is what result.json says${isMade ? '' : ', not made again here in full'}`
  return [
    el('h2', { id: 'heading', tabindex: '-1' }, `${name} ${message}`),
    ...verdicts.map((each) =>
      el(
        'div',
        // Colour a card only if its result was recomputed and holds.
        { class: isMade && state !== 'broken' ? `card ${each.disposition}` : 'card' },
        el('h3', {}, `${each.candidate} `, el('span', { class: 'chip' }, each.name)),
        el('p', {}, `${source}: ${each.text}`),
      ),
    ),
  ]
}

function linkList({ links }: PageAnswer): HTMLElement {
  const rows = links.map(({ state, text, because, findings }) => {
    const [sign = '', word = ''] = SIGNS[state]
    return el(
      'li',
      { class: `link ${state}` },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      el(
        'div',
        {},
        el('p', {}, el('b', {}, `${word}: `), text),
        ...(because === undefined ? [] : [el('p', { class: 'small' }, because)]),
        ...findings.map(drawFinding),
      ),
    )
  })
  return el('ul', { class: 'links' }, ...rows)
}

const drawLines = ({ lines }: PageAnswer): HTMLElement[] => lines.map((line) => el('p', {}, line))

function drawFinding({ code, position, message, help }: ShownFinding): HTMLElement {
  return el(
    'div',
    { class: 'finding' },
    el('p', {}, `${message} `, el('code', {}, code)),
    el('p', { class: 'small' }, [position, help ?? ''].filter(Boolean).join('. ')),
  )
}

function drawFacts({ notes, facts }: PageAnswer): HTMLElement[] {
  const shown = facts.flatMap(([name, value]) => [
    el('dt', {}, name),
    el('dd', {}, el('code', {}, value)),
  ])
  return [...notes.map(drawFinding), ...(shown.length === 0 ? [] : [el('dl', {}, ...shown)])]
}

const STEPS = [
  'The number alone',
  'The number, with every digest in result.json made to fit, as one who forges would do it',
]

function showChanged({ what, answers }: Extract<Saying, { kind: 'changed' }>): void {
  const { line, model, before, after } = what
  fill(
    'changed',
    el('h2', { id: 'changed-heading', tabindex: '-1' }, 'With one number changed it does not hold'),
    el(
      'p',
      {},
      `In line ${line} of ${PAIRS} the forecast of ${model} was made one per cent larger in memory: ${after} instead of ${before}.`,
    ),
    ...answers.flatMap((answer, step) => [el('h3', {}, STEPS[step] ?? ''), linkList(answer)]),
  )
  byId('changed-heading').focus()
}

/** A file or folder handle of Chromium. A page opened from a file needs it, because entries cannot be read there. */
interface Handle {
  readonly kind: 'file' | 'directory'
  readonly name: string
  getFile(): Promise<File>
  values(): AsyncIterable<Handle>
}
type Item = DataTransferItem & { getAsFileSystemHandle?(): Promise<Handle | null> }

/** Everything below what was dropped, including folders, because an empty folder is visible in no other way. */
async function dropped(items: Iterable<Item>): Promise<Given> {
  const files = new Map<string, Blob | null>()
  const take = async (handle: Handle, path: string): Promise<void> => {
    files.set(path, handle.kind === 'file' ? await handle.getFile() : null)
    if (handle.kind === 'file') return
    for await (const each of handle.values()) await take(each, `${path}/${each.name}`)
  }
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      )
      files.set(entry.fullPath, file)
      return
    }
    files.set(entry.fullPath, null)
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    const next = () =>
      new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    for (let some = await next(); some.length > 0; some = await next()) {
      for (const each of some) await walk(each)
    }
  }
  // Read the list before waiting, because the browser empties it afterwards.
  const asked = [...items].map((item) => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry())
  for (const each of await Promise.all(asked)) {
    if (each !== null) await ('kind' in each ? take(each, `/${each.name}`) : walk(each))
  }
  return files
}

function start(): void {
  const input = byId('input') as HTMLInputElement
  const single = byId('file') as HTMLInputElement
  const chosen = (of: HTMLInputElement) => {
    const files = [...(of.files ?? [])]
    addFiles(new Map(files.map((file) => [`/${file.webkitRelativePath || file.name}`, file])))
    of.value = ''
  }
  input.addEventListener('change', () => chosen(input))
  single.addEventListener('change', () => chosen(single))
  const onClick = (id: string, act: () => void) => byId(id).addEventListener('click', act)
  onClick('choose', () => input.click())
  onClick('choose-file', () => single.click())
  onClick('cancel', () => {
    auditor.stop()
    status('Stopped.')
  })
  onClick('again', () => void auditor.run())
  folderList.addEventListener('change', () => void auditor.run())
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    status('Reading.')
    void dropped(event.dataTransfer?.items ?? []).then(addFiles, () =>
      status('What was dropped could not be read. Choose the folder with the button.'),
    )
  })
}

start()
