import { CloseButton } from '@mantine/core'
import { useEffect } from 'react'
import { useText } from '~/ui/text/catalogue'
import classes from './add.module.css'
import { Entries } from './Entries'
import type { Entry } from './entries'
import { text } from './text'

/** Milliseconds for which it stays once all has gone well. */
const Stay = 6000

/** What was dropped or pasted on a page, at its lower edge: at once, without a dialog in the way. Goes by itself unless something failed. */
export function Tray({ list, onClear, onAgain }: { list: readonly Entry[]; onClear: () => void; onAgain: (id: number) => void }) {
  const t = useText(text)
  const open = list.filter((entry) => entry.state === 'sending').length
  const failed = list.filter((entry) => entry.state === 'failed').length
  const isWell = list.length > 0 && open === 0 && failed === 0
  useEffect(() => {
    if (!isWell) return undefined
    const timer = setTimeout(onClear, Stay)
    return () => clearTimeout(timer)
  }, [isWell, list.length, onClear])
  return (
    <div role="status" className={list.length > 0 ? classes.tray : undefined}>
      {list.length > 0 && (
        <>
          <div className={classes.trayHead}>
            <strong>{open > 0 ? t.adding(open) : t.added(list.length - failed, failed)}</strong>
            <CloseButton size="sm" aria-label={t.clear} onClick={onClear} />
          </div>
          <Entries list={list} onAgain={onAgain} />
        </>
      )}
    </div>
  )
}
