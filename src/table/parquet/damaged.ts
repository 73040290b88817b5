import { finding } from '../../contract/findings/finding.js'
import { TableFault } from '../fault.js'

export function damaged(says: string, file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault: 'damaged', says }, { file }))
}

/** More than the limits of a row group allow. */
export function beyond(fault: 'memory' | 'time', file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault, says: '' }, { file }))
}
