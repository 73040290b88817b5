import { finding } from '../../contract/findings/finding.js'
import { TableFault } from '../fault.js'

export function damaged(says: string, file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault: 'damaged', says }, { file }))
}
