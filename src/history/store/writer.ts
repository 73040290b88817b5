import type { Asking } from './dialect.js'
import { appendMissing, type MissingSource } from './missing-entries.js'
import { note, noted } from './notes.js'
import type { HistoryWriter } from './types.js'

/** What every writer does alike, whatever the store: notes and logs. @param run - work within its transaction. */
export function writerMethods(
  run: <T>(work: (written: MissingSource) => Asking<T>) => Promise<T>,
): Pick<
  HistoryWriter,
  | 'note'
  | 'noted'
  | 'logName'
  | 'nameLog'
  | 'logSize'
  | 'logEntry'
  | 'logHash'
  | 'newestCheckpoint'
  | 'appendLeaf'
  | 'appendMissing'
  | 'addCheckpoint'
  | 'addCheckpointStamp'
  | 'dropCheckpointStamp'
> {
  return {
    note: (key, text) => run(({ dialect }) => note(dialect, key, text)),
    noted: (key) => run(({ dialect }) => noted(dialect, key)),
    logName: () => run(({ logs }) => logs.name()),
    nameLog: (name) => run(({ logs }) => logs.setName(name)),
    logSize: (log) => run(({ logs }) => logs.size(log)),
    logEntry: (key, log) => run(({ logs }) => logs.entry(key, log)),
    logHash: (level, index, log) => run(({ logs }) => logs.hash(level, index, log)),
    newestCheckpoint: (log) => run(({ logs }) => logs.newestCheckpoint(log)),
    appendLeaf: (leaf, log) => run(({ logs }) => logs.append(leaf, log)),
    appendMissing: (leafOf) => run((written) => appendMissing(written, leafOf)),
    addCheckpoint: (size, text, log) => run(({ logs }) => logs.addCheckpoint(size, text, log)),
    addCheckpointStamp: (size, stamp, log) => run(({ logs }) => logs.addStamp(size, stamp, log)),
    dropCheckpointStamp: (size, authority, log) =>
      run(({ logs }) => logs.dropStamp(size, authority, log)),
  }
}
