import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'

type Options = {
  scroller: RefObject<HTMLElement | null>
  /** Pixels of a row, and of what stands above the first. */
  height: number
  margin: number
  /** Rows that something may be dropped between: 0…count. */
  count: number
  onDrop: (from: number, to: number) => void
}

/** Pixels from an edge within which the list scrolls along, and how far per move. */
const Edge = 36
const Pace = 12

/**
 * Rows dragged by an element with `data-drag`, by mouse, pen or finger. `to` is the gap under the pointer: 0 is before the first row. Escape gives up.
 * Give `start` to the grid as onPointerDown. Whoever cannot drag has keys and the menu for the same.
 */
export function useRowDrag({ scroller, height, margin, count, onDrop }: Options) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])

  const start = (event: PointerEvent) => {
    const handle = (event.target as Element).closest('[data-drag]')
    const from = Number(handle?.closest<HTMLElement>('[data-index]')?.dataset.index)
    if (handle === null || !Number.isInteger(from) || event.button !== 0) return
    event.preventDefault()
    let to = from
    const move = (now: globalThis.PointerEvent) => {
      const box = scroller.current?.getBoundingClientRect()
      if (box === undefined || scroller.current === null) return
      if (now.clientY < box.top + margin + Edge) scroller.current.scrollTop -= Pace
      else if (now.clientY > box.bottom - Edge) scroller.current.scrollTop += Pace
      to = gap(now.clientY - box.top + scroller.current.scrollTop - margin, height, count)
      setDrag({ from, to })
    }
    const drop = () => {
      end.current?.()
      if (to !== from && to !== from + 1) onDrop(from, to)
    }
    const key = (now: KeyboardEvent) => {
      if (now.key !== 'Escape') return
      now.stopPropagation()
      end.current?.()
    }
    const stop = () => end.current?.()
    end.current = () => {
      document.removeEventListener('pointermove', move)
      document.removeEventListener('pointerup', drop)
      document.removeEventListener('pointercancel', stop)
      document.removeEventListener('keydown', key, true)
      end.current = null
      setDrag(null)
    }
    document.addEventListener('pointermove', move)
    document.addEventListener('pointerup', drop)
    document.addEventListener('pointercancel', stop)
    document.addEventListener('keydown', key, true)
    setDrag({ from, to })
  }
  return { drag, start }
}

/** The gap between rows nearest to a height of the list. */
export function gap(y: number, height: number, count: number): number {
  return Math.min(count, Math.max(0, Math.round(y / height)))
}
