import { Modal, type ModalProps } from '@mantine/core'
import { defineText, useText } from './text/catalogue'

const text = defineText({ close: 'Close' }, { close: 'Schließen' })

/** A dialog over the page; its cross has a name for those who cannot see it. */
export function Dialog(props: ModalProps) {
  const t = useText(text)
  return <Modal closeButtonProps={{ 'aria-label': t.close }} {...props} />
}
