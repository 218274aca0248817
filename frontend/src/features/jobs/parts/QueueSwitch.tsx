import { Button, Menu } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queueQuery } from '~/api/queries'
import { useQueueChange } from '~/domain/useQueueChange'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

const spans = [['open', null], ['m15', 900], ['h1', 3600], ['d1', 86_400]] as const

/** Holds the whole queue, for a while or until it is resumed. */
export function QueueSwitch() {
  const t = useText(text)
  const queue = useQuery(queueQuery).data
  const change = useQueueChange()
  if (queue === undefined) return null
  if (queue.paused) {
    return <Button size="compact-md" variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={change.isPending} onClick={() => change.mutate({ paused: false, pauseSeconds: null })}>{t.goOn}</Button>
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target><Button size="compact-md" variant="default" leftSection={<IconPlayerPause size={16} aria-hidden />} loading={change.isPending}>{t.pauseQueue}</Button></Menu.Target>
      <Menu.Dropdown>
        {spans.map(([name, seconds]) => <Menu.Item key={name} onClick={() => change.mutate({ paused: true, pauseSeconds: seconds })}>{t.pauseFor[name]}</Menu.Item>)}
      </Menu.Dropdown>
    </Menu>
  )
}
