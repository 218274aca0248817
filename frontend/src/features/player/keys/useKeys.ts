import { useEffect } from 'react'
import { command, kindOf, type Command } from './commands'

/** Takes the keys of the page to the player, before the whole page's own (`?`) see them. */
export function useKeys(run: (command: Command) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const wanted = event.defaultPrevented ? null : command({ key, ctrlKey, metaKey, altKey, on: kindOf(event.target) })
      if (wanted === null) return
      event.preventDefault()
      event.stopPropagation()
      run(wanted)
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [run])
}
