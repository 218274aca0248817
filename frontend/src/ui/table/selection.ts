/** Which rows are chosen: single ones, or all that the filter matches. `anchor`: where a range begins. */
export type Selection = { all: boolean; ids: ReadonlySet<string>; anchor: number | null }

export const nothing: Selection = { all: false, ids: new Set(), anchor: null }

/** True if the row is chosen. */
export function has(selection: Selection, id: string): boolean {
  return selection.all || selection.ids.has(id)
}

/** How many are chosen of `total`. */
export function size(selection: Selection, total: number): number {
  return selection.all ? total : selection.ids.size
}

/** This row in or out. Out of "all" leaves those of the others that are loaded: the ids of the rest are not known here. */
export function toggled(selection: Selection, id: string, index: number, loaded: () => Iterable<string>): Selection {
  const ids = new Set(selection.all ? loaded() : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { all: false, ids, anchor: index }
}

/** All rows from the anchor to this one; the anchor stays, so that the next range begins there, too. Rows that are not loaded are left out. */
export function ranged(selection: Selection, index: number, idAt: (index: number) => string | undefined): Selection {
  const anchor = selection.anchor ?? index
  const ids = new Set<string>()
  for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at++) {
    const id = idAt(at)
    if (id !== undefined) ids.add(id)
  }
  return { all: false, ids, anchor }
}

/** Everything that the filter matches. */
export function everything(selection: Selection): Selection {
  return { all: true, ids: new Set(), anchor: selection.anchor }
}

/** Without rows that are gone. */
export function without(selection: Selection, gone: Iterable<string>): Selection {
  if (selection.all || selection.ids.size === 0) return selection
  const ids = new Set(selection.ids)
  for (const id of gone) ids.delete(id)
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}
