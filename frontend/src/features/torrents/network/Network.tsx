import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { useText } from '~/ui/text/catalogue'
import { NetworkPane } from './NetworkPane'
import { text } from '../text'

/** Opens how torrents reach their peers and are reached. */
export function Network() {
  const t = useText(text)
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>{t.network}</Button>
      <Drawer opened={opened} onClose={close} position="right" size="md" withCloseButton={false} attributes={{ content: { 'aria-label': t.network } }}>{opened && <NetworkPane onClose={close} />}</Drawer>
    </>
  )
}
