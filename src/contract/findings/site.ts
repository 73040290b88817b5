import type { MessageTable } from './messages.js'

const UPDATE = 'Bring it up to date with foreproof publish.'
const REBUILD = 'Write everything anew with foreproof publish --full.'

/** Messages about built sites. */
export const siteMessages: MessageTable = {
  'site-record-unreadable': () => ({
    text: 'there is no record of a build, or it cannot be read',
    help: REBUILD,
  }),
  'site-outdated': ({ published, history }) => ({
    text:
      published === history
        ? 'the history has changed since this site was built'
        : `the site has ${published} forecasts, the history ${history}`,
    help: UPDATE,
  }),
  'site-attempts-outdated': ({ published, history }) => ({
    text:
      published === history
        ? 'the recorded attempts of the history have changed since this site was built'
        : `the site has ${published} recorded attempts, the history ${history}`,
    help: UPDATE,
  }),
  'site-unfinished': () => ({
    text: 'a build in place has begun and has not come to its end',
    help: `If none is running now: ${UPDATE}`,
  }),
  'site-checksums-unreadable': () => ({
    text: 'there are no checksums to check by',
    help: REBUILD,
  }),
  'site-file-missing': () => ({ text: 'the file is missing', help: REBUILD }),
  'site-file-changed': ({ expected, actual }) => ({
    text: `the file is not the one that was written: its SHA-256 is ${actual}, not ${expected}`,
    help: REBUILD,
  }),
  'site-file-unknown': () => ({
    text: 'the file is no part of the site',
    help: 'Remove it, or publish it from somewhere else.',
  }),
}
