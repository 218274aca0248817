import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

type Load = () => Promise<unknown>

const waiting = new Set<Load>()
let isIdle = false

/** A part of the page that is loaded when it is first shown, or when the page is idle: then it is there even if the server is not. */
export function piece<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyExoticComponent<ComponentType<P>> {
  if (isIdle) early(load)
  else waiting.add(load)
  return lazy(load)
}

/** Loads all pieces that are not there yet, once the browser has nothing better to do; gives what calls that off. */
export function loadPiecesWhenIdle(): () => void {
  const start = () => {
    isIdle = true
    for (const load of waiting) early(load)
    waiting.clear()
  }
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(start, 1000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(start, { timeout: 5000 })
  return () => cancelIdleCallback(handle)
}

/** Whoever shows the piece is told of the failure. */
function early(load: Load): void {
  load().catch(() => undefined)
}
