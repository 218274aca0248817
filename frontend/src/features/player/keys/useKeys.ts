import { useEffect } from 'react'
import { command, kindOf, type Command } from './commands'

/** Takes the keys of the page to the player. */
export function useKeys(run: (command: Command) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const wanted = event.defaultPrevented ? null : command({ key, ctrlKey, metaKey, altKey, on: kindOf(event.target) })
      if (wanted === null) return
      event.preventDefault()
      run(wanted)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [run])
}
