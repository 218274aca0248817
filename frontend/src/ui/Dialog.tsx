import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { defineText, useText } from './text/catalogue'

const text = defineText({ close: 'Close' }, { close: 'Schließen' })

/** A dialog over the page; its cross has a name for those who cannot see it. The focus goes back to where it was, also when the dialog is taken away instead of closed. */
export function Dialog(props: ModalProps) {
  const t = useText(text)
  useFocusBack(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': t.close }} {...props} />
}

/** Mantine gives the focus back only when `opened` changes. This does it for what is mounted open. */
function useFocusBack(opened: boolean): void {
  const [before] = useState(() => opened ? document.activeElement : null)
  useEffect(() => () => {
    if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  }, [before])
}
