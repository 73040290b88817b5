import { counted, formatWhole, NOTHING, readableTime, signedPercent } from '../output/figures.js'
import { htmlPage, type PagePart } from '../report/html/document.js'
import { folded, html, joinLines, type Markup } from '../report/html/markup.js'
import { columnTable, renderTable } from '../report/html/sections/table.js'
import {
  type ForestRow,
  forestPicture,
  forestRows,
  MOST_FOREST_ROWS,
  pictured,
  windowLegend,
  windowsPicture,
} from './pictures.js'
import {
  ENDS,
  type ForeproofRecord,
  type RecordRow,
  type RecordTable,
  TABLES,
} from './track-record.js'
import {
  chanceSentences,
  closedSaid,
  END_MEANS,
  END_NAME,
  endSaid,
  firstLine,
  keeperSays,
  registrationName,
  rowSentences,
  TABLE_MEANS,
  TABLE_NAME,
  totalCount,
} from './words.js'

/** Draws a record as one page without scripts that fetches nothing. The same record gives the same bytes. */
export function recordPage(record: ForeproofRecord): string {
  const { code, registrations, built_at } = record
  const generator = `${code.name} ${code.version}`
  const title = `Record of ${counted(registrations.length, 'registration')}`
  const [what = '', beyond = ''] = firstLine(record)
  return htmlPage({
    title,
    generator,
    skip: ['counts', 'the counts'],
    header: html`<p class="eyebrow">Record, built on ${readableTime(toSecond(built_at))}</p>
<h1>${title}</h1>
<p class="under">${what}</p>
<p class="banner" role="note">${beyond}</p>
`,
    parts: [
      ['counts', 'Counts', 'How they ended', countsPart(record)],
      ['chance', 'Chance', 'What chance would give', chancePart(record)],
      ...TABLES.map((name): PagePart => tablePart(name, record)),
      ['keeper', 'Keeper', 'What only the keeper says', keeperPart(record)],
      ['windows', 'Windows', 'When their windows were', windowsPart(record)],
      ...differencesPart(record),
      ['limits', 'Limits', 'What this page does not prove', limitsPart()],
    ],
    footer: html`Made by ${generator} from record.json; ledger <code>${record.ledger.file_sha256}</code>.`,
  })
}

function countsPart({ counts, registrations }: ForeproofRecord): Markup {
  const occurring = ENDS.filter((end) => TABLES.some((name) => counts[name][end] > 0))
  const closed = registrations.filter(({ closing }) => closing !== null)
  return joinLines([
    renderTable({
      caption: 'Every registration of the ledger, by its end',
      head: ['end', ...TABLES.map((name) => TABLE_NAME[name].toLowerCase()), 'meaning'],
      left: [4],
      rows: [
        ...occurring.map((end) => [
          END_NAME[end],
          ...TABLES.map((name) => formatWhole(counts[name][end])),
          END_MEANS[end],
        ]),
        [html`<b>all</b>`, ...TABLES.map((name) => formatWhole(totalCount(counts[name]))), ''],
      ],
    }),
    html`<p>The columns are not added: what others show and what the keeper says are different things.</p>`,
    closed.length > 0 &&
      folded(
        `When ${counted(closed.length, 'registration was', 'registrations were')} closed`,
        html`<ul class="reasons">${closed.map(
          (row) => html`<li>${registrationName(row)} (entry ${row.seq}): ${closedSaid(row)}.</li>`,
        )}</ul>`,
      ),
  ])
}

function chancePart(record: ForeproofRecord): Markup {
  return html`${chanceSentences(record).map((sentence) => html`<p>${sentence}</p>`)}<p class="small">The sum goes over every evaluation of the first table whose outcomes could be read, whatever its end: hiding a result makes it no smaller.</p>`
}

const toSecond = (instant: string): string => instant.replace(/\.\d+/, '')

function keeperPart(record: ForeproofRecord): Markup {
  const sentences = keeperSays(record)
  return sentences.length === 0
    ? html`<p>Nothing: others show when each entry was there.</p>`
    : html`<ul class="reasons">${sentences.map((each) => html`<li>${each}</li>`)}</ul>`
}

function tablePart(name: RecordTable, record: ForeproofRecord): PagePart {
  const rows = record.registrations.filter((row) => row.table === name)
  const body = html`<p>${TABLE_MEANS[name]}</p>
${rows.length === 0 ? html`<p>None.</p>` : joinLines(rows.map((row) => unfolding(row, record)))}`
  return [name.replaceAll('_', '-'), TABLE_NAME[name], TABLE_NAME[name], body]
}

/** A registration in one line, which unfolds. */
function unfolding(row: RecordRow, { evidence_url: url }: ForeproofRecord): Markup {
  const { result } = row
  const link = (to: string, text: string) => html` <a href="${to}">${text}</a>`
  const here =
    result?.candidates && link(`evidence/${result.result_sha256}/result.json`, 'result.json')
  const evidence = result && url !== null && link(`${url}/${result.result_sha256}/`, 'evidence')
  return html`<details><summary>${row.seq} · ${registrationName(row)} · <b>${endSaid(row)}</b></summary>
<ul class="reasons">${rowSentences(row).map((sentence) => html`<li>${sentence}</li>`)}<li>Registration <code>${row.registration_sha256}</code>${here || evidence ? html`;${here}${evidence}` : ''}</li></ul></details>`
}

function windowsPart(record: ForeproofRecord): Markup {
  const { registrations } = record
  if (registrations.length === 0) return html`<p>None.</p>`
  const title = `Windows of ${counted(registrations.length, 'registration')} on time, by their end`
  const day = (instant: string | null) => instant?.slice(0, 10) ?? NOTHING
  return joinLines([
    pictured(
      {
        ...{ id: 'windows-picture', title },
        description: 'A bar for each registration on a scale of time, coloured by its end.',
      },
      windowsPicture(record),
      html`${windowLegend()}<p>From the first inputs to the last outcome that counts; the numbers are those of the entries.</p>`,
    ),
    folded(
      'The same as a table',
      columnTable({ caption: 'Windows', compact: true }, registrations, [
        ['entry', ({ seq }) => String(seq)],
        ['from', (row) => day(row.first_inputs), 'left'],
        ['to', (row) => day(row.last_settled), 'left'],
        ['end', (row) => END_NAME[row.end], 'left'],
      ]),
    ),
  ])
}

function differencesPart(record: ForeproofRecord): PagePart[] {
  const rows = forestRows(record)
  if (rows.length === 0) return []
  const share = (value: number | null | undefined) => signedPercent(value ?? null, 1)
  const title = 'Difference in loss to the closest comparator'
  const newest =
    rows.length > MOST_FOREST_ROWS ? ` The picture has the newest ${MOST_FOREST_ROWS}.` : ''
  const body = joinLines([
    html`<p>Of evaluations shown by others that are scored. Look at them with those above that are not.${newest}</p>`,
    pictured(
      {
        ...{ id: 'differences-picture', title },
        description:
          'A point with its interval for each candidate; left of no difference is better.',
      },
      forestPicture(rows),
      html`<p>The line is the interval of the test; the number is that of the entry.</p>`,
    ),
    folded(
      'The same as a table',
      columnTable<ForestRow>({ caption: title, compact: true }, rows, [
        ['entry', ({ row }) => String(row.seq)],
        ['candidate', ({ of }) => of.candidate, 'left'],
        ['verdict', ({ of }) => of.verdict, 'left'],
        ['comparator', ({ of }) => of.strongest?.comparator ?? NOTHING, 'left'],
        ['difference', ({ of }) => share(of.strongest?.difference)],
        ['from', ({ of }) => share(of.strongest?.lower)],
        ['to', ({ of }) => share(of.strongest?.upper)],
      ]),
    ),
  ])
  return [['differences', 'Differences', 'How far the candidates were off', body]]
}

/** What a reader has to ask for. */
const LIMITS = [
  'That this is the only ledger of its keeper. A log with a key that was announced beforehand, and an older copy of the ledger, show whether one was begun anew: foreproof record check --log FILE --against OLD.',
  'That a model has one name. The same model under other names has more chances.',
  'That outcomes were not read elsewhere. Readings in a copy that was thrown away cannot be seen.',
  'That the results follow from forecasts and outcomes: ask for the evidence, and run foreproof audit on it.',
  'That the authorities and witnesses are independent: those in the folder are the keeper’s choice. With your own: foreproof record check --anchors DIR --witnesses POLICY.',
  'How things stand today. Ends are as of the day on which the page was built; foreproof record check derives them by your clock.',
]

const limitsPart = (): Markup =>
  html`<ul class="reasons">${LIMITS.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
