import type { KeyboardEvent } from 'react'
import type { Job } from '~/api/types'
import { allows } from './change'
import type { Commands } from './useCommands'

/** The row that has the focus. */
type At = { job: Job | undefined; index: number }

/** What keys do on a row, beside moving: the same as the menu. Gives false for a key that means nothing here. */
export function pressed(event: KeyboardEvent, { job, index }: At, commands: Commands): boolean {
  const { key, altKey, shiftKey } = event
  const far = event.ctrlKey || event.metaKey
  // Inside a row Enter and Space belong to its link, box or button.
  const onRow = (event.target as HTMLElement).dataset.index !== undefined
  if (far && key.toLowerCase() === 'a') return commands.selectAll()
  if (key === 'Escape') return commands.clear()
  if (job === undefined || far) return false
  if (altKey) {
    switch (key) {
      case 'ArrowUp': return commands.step(job, -1)
      case 'ArrowDown': return commands.step(job, 1)
      case 'Home': return commands.moveTo(job, 'top')
      case 'End': return commands.moveTo(job, 'bottom')
      default: return false
    }
  }

  switch (key) {
    case ' ': return onRow && commands.toggle(job, index)
    case 'Enter': return onRow && commands.open(job)
    case 'Delete': return shiftKey ? commands.destroy(job) : commands.remove(job)
    case 'ContextMenu': return commands.menu(job, index)
    case 'F10': return shiftKey && commands.menu(job, index)
    case 'F2': return commands.rename(job)
    case 'r': return commands.change(job, { action: 'retry' })
    case 'p': return commands.change(job, { action: allows('resume', job) ? 'resume' : 'pause' })
    default: return false
  }
}
