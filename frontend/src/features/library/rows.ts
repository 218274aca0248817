import type { LostRow } from '~/api/types'

/** What stands of a row's state, in small letters: `lost`, `hidden`, `kept` or `seeding`. */
export function stateOf(row: LostRow): string {
  return row.state.toLowerCase()
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path
}

/** Rows that have all words of a text in their path, in one state or in any. */
export function filtered(rows: readonly LostRow[], text: string, state: string): LostRow[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return rows.filter((row) => (state === '' || stateOf(row) === state) && words.every((word) => row.path.toLowerCase().includes(word)))
}
