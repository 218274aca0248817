import { useState } from 'react'
import type { Job } from '~/api/types'
import { everything, has, nothing, ranged, size, toggled, without, type Selection } from '~/ui/table/selection'
import { allows, type Change } from './change'
import type { JobView } from './filter'
import { countOf, type Target } from './target'
import { useDeletion } from './useDeletion'
import { useJobActions } from './useJobActions'
import type { JobList } from './useJobList'

/** What stands over the list: a menu at a row, or a question. */
export type Layer =
  | { kind: 'menu'; job: Job; index: number; x: number; y: number }
  | { kind: 'delete'; target: Target; withFiles: boolean }
  | { kind: 'rename'; job: Job }

type Options = { list: JobList; view: JobView; may: boolean; open: (id: string | null) => void; layer: Layer | null; setLayer: (layer: Layer | null) => void }

/**
 * Everything that can be done in the list, for pointer, keys, menu and bulk bar alike. What is asked of a row that is chosen is asked of all that are chosen.
 * Each gives true if it was something to do.
 */
export function useCommands({ list, view, may, open, setLayer }: Options) {
  const [selection, setSelection] = useState<Selection>(nothing)
  const { change, move } = useJobActions()
  const { remove, destroy } = useDeletion()
  const idAt = (index: number) => list.row(index)?.id
  const chosen = (): Target => (selection.all ? { filter: view.filter, total: list.count } : { jobs: list.loaded().filter((job) => selection.ids.has(job.id)) })
  const targetOf = (job: Job | null): Target => (job !== null && !has(selection, job.id) ? { jobs: [job] } : chosen())
  const queue = () => list.loaded().filter((job) => job.position !== null)

  const ask = (target: Target, withFiles: boolean) => {
    if (!may || countOf(target) === 0) return false
    if ('filter' in target || withFiles) setLayer({ kind: 'delete', target, withFiles })
    else remove(target.jobs)
    if (!('filter' in target) && !withFiles) setSelection((now) => without(now, target.jobs.map((job) => job.id)))
    return true
  }
  return {
    clearSelection: () => setSelection(nothing),
    count: size(selection, list.count),
    isSelected: (job: Job) => has(selection, job.id),
    /** From where the last range began, else from row `from`. */
    range: (index: number, from: number) => {
      if (may) setSelection((now) => ranged(now.anchor === null ? { ...now, anchor: from } : now, index, idAt))
    },
    toggle: (job: Job, index: number) => {
      if (may) setSelection((now) => toggled(now, job.id, index, () => list.loaded().map((one) => one.id)))
      return may
    },
    selectAll: () => {
      if (may) setSelection(everything)
      return may
    },
    clear: () => {
      if (size(selection, list.count) === 0) {
        if (view.open === null) return false
        open(null)
        return true
      }
      setSelection(nothing)
      return true
    },
    open: (job: Job) => {
      open(job.id)
      return true
    },
    /** `alone`: of this job only, whatever is chosen. */
    change: (job: Job | null, what: Change, alone = false) => {
      const target = alone && job !== null ? { jobs: [job] } : targetOf(job)
      // Only those that it applies to: the others would be refused.
      const narrowed = 'jobs' in target ? { jobs: target.jobs.filter((one) => allows(what.action, one)) } : target
      if (!may || countOf(narrowed) === 0) return false
      void change(narrowed, what)
      return true
    },
    remove: (job: Job | null) => ask(targetOf(job), false),
    destroy: (job: Job | null) => ask(targetOf(job), true),
    confirm: (target: Target, withFiles: boolean) => {
      setLayer(null)
      setSelection(nothing)
      void destroy(target, withFiles)
    },
    rename: (job: Job) => {
      if (may) setLayer({ kind: 'rename', job })
      return may
    },
    moveTo: (job: Job, end: 'top' | 'bottom') => {
      const target = targetOf(job)
      if (!may || !('jobs' in target) || job.position === null) return false
      void move(target.jobs.filter((one) => one.position !== null), queue(), end === 'top' ? 0 : -1)
      return true
    },
    step: (job: Job, by: 1 | -1) => {
      if (!may || view.sort.by !== 'turn' || job.position === null) return false
      const order = queue()
      const at = order.findIndex((one) => one.id === job.id)
      void move([job], order, Math.max(0, at + (by > 0 ? 2 : -1)))
      return true
    },
    drop: (from: number, to: number) => {
      const job = list.row(from)
      if (job === undefined) return
      const target = targetOf(job)
      const order = queue()
      const at = order.findIndex((one) => one.id === list.row(to)?.id)
      void move('jobs' in target ? target.jobs.filter((one) => one.position !== null) : [job], order, at < 0 ? order.length : at)
    },
    menu: (job: Job, index: number, at?: { x: number; y: number }) => {
      const box = document.querySelector(`[data-index="${index}"] [data-menu]`)?.getBoundingClientRect()
      setLayer({ kind: 'menu', job, index, x: at?.x ?? box?.right ?? 0, y: at?.y ?? box?.bottom ?? 0 })
      return true
    },
  }
}

export type Commands = ReturnType<typeof useCommands>
