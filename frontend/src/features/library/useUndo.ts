import { useEffect, useState } from 'react'
import { Undo } from './undo'

const None: ReadonlySet<string> = new Set()

/** Deletions that can be taken back, and the keys of those that wait. */
export function useUndo() {
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(None)
  const [undo] = useState(() => new Undo(setWaiting))
  useEffect(() => () => undo.flush(), [undo])
  return { undo, waiting }
}
