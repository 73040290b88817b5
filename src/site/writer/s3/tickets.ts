import { ForeproofError } from '../../../contract/error.js'
import { objectIn } from '../../../contract/is-object.js'
import { isRunning, processStart, thisMachine } from '../../../files/temporary.js'
import { type ListedObject, objectFault, type SiteObjects } from './store.js'

/** Folder for the tickets of running builds, below the prefix of the site. */
const TICKETS_FOLDER = '.foreproof-uploads'

const RENEW_MS = 20_000
/** After this time without renewal, a ticket counts as left by a killed build. */
const DEAD_MS = 120_000
/** A build that could not renew its ticket for this time stops, before others take it for killed. */
const LOST_MS = 80_000

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** The right to change a site, locked against other builds. */
export interface Ticket {
  /** Whether an earlier build was killed or failed, so that parts of it may be left. */
  readonly afterFailure: boolean
  /** @throws {ForeproofError} `unavailable` if another build has taken this one for killed. */
  demand(): Promise<void>
  /**
   * Ends the ticket. After a failure it stays for the next build to see, and so do earlier ones until a build succeeds.
   */
  end(outcome: 'untouched' | 'failed' | 'done'): Promise<void>
}

interface Holder {
  readonly machine: string
  readonly pid: number
  readonly start?: string | undefined
  readonly failed?: boolean
}

/**
 * Takes a ticket. Not every store can refuse to overwrite an object, so each build writes its own ticket and then looks
 * for others: of two concurrent builds, at least one sees the other and stops. A ticket is ignored if its process has
 * ended, where this machine can know that, or if it was not renewed for two minutes by the store's own clock.
 * @throws {ForeproofError} `unavailable` while another build is running.
 */
export async function takeTicket(store: SiteObjects, generation: number): Promise<Ticket> {
  const path = `${TICKETS_FOLDER}/${generation}`
  const self: Holder = {
    machine: thisMachine(),
    pid: process.pid,
    start: processStart(process.pid),
  }
  const write = (holder: Holder) => store.put(path, Buffer.from(JSON.stringify(holder)), HEADERS)
  await write(self)
  const { tickets, now } = await listTickets(store)
  // If a store does not list an object just written, tickets cannot work.
  if (!tickets.some((ticket) => ticket.path === path)) {
    const help = 'Check --endpoint: what answers there does not work like S3.'
    throw objectFault(
      store.location,
      'an object that was written is not in the list of objects',
      help,
    )
  }
  const others = tickets.filter((ticket) => ticket.path !== path)
  for (const other of others) {
    if (!(await isAtWork(store, other, now))) continue
    await store.remove(path)
    throw atWork(store)
  }
  let renewed = performance.now()
  const timer = setInterval(() => {
    const began = performance.now()
    const isRenewed = () => {
      renewed = began
    }
    write(self).then(isRenewed, () => undefined)
  }, RENEW_MS)
  timer.unref()
  return {
    afterFailure: others.length > 0,
    demand: async () => {
      if (performance.now() - renewed > LOST_MS || (await store.get(path)) === undefined) {
        throw atWork(store)
      }
    },
    end: async (outcome) => {
      clearInterval(timer)
      if (outcome === 'failed') {
        await write({ ...self, failed: true })
        return
      }
      for (const other of outcome === 'done' ? others : []) await store.remove(other.path)
      await store.remove(path)
    },
  }
}

/** Whether there are tickets, of running or killed builds. */
export async function hasTickets(store: SiteObjects): Promise<boolean> {
  return (await listTickets(store)).tickets.length > 0
}

/** Whether an object is a ticket; people may store other objects below the prefix of a site. */
export function isTicket(path: string): boolean {
  return (
    path.startsWith(`${TICKETS_FOLDER}/`) && /^\d{1,9}$/.test(path.slice(TICKETS_FOLDER.length + 1))
  )
}

async function listTickets(store: SiteObjects) {
  const { objects, now } = await store.list(`${TICKETS_FOLDER}/`)
  return { tickets: objects.filter(({ path }) => isTicket(path)), now }
}

async function isAtWork(store: SiteObjects, ticket: ListedObject, now: number): Promise<boolean> {
  const holder = holderIn(await store.get(ticket.path))
  if (holder === undefined || holder.failed === true) return false
  if (holder.machine === thisMachine()) return isRunning(holder.pid, holder.start)
  // If the store does not give the time, no ticket expires.
  return !(now - ticket.written > DEAD_MS)
}

function holderIn(bytes: Buffer | undefined): Holder | undefined {
  const holder = objectIn(String(bytes)) as Holder | undefined
  return Number.isSafeInteger(holder?.pid) && holder!.pid > 0 ? holder : undefined
}

function atWork({ location }: SiteObjects): ForeproofError {
  const message = `${location.shown}: another build of this site is at work`
  const help =
    'Run again when it has ended; one that was killed on another machine counts as ended after two minutes.'
  return new ForeproofError('unavailable', message, { help })
}
