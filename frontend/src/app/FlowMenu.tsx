import { Button, Menu } from '@mantine/core'
import { IconGauge, IconPlayerPauseFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queueQuery, statusQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useQueueChange } from '~/domain/useQueueChange'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import classes from './Shell.module.css'
import { text } from './text'

/** Bytes a second that are offered as a limit for all providers together; 0: none. */
const limits = [0, 1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6]

/** What flows now, and what holds it: a limit, a queue that stands. A press changes both, for those who may. */
export default function FlowMenu() {
  const t = useText(text).flow
  const format = useFormat()
  const may = useRights()
  const status = useQuery(statusQuery).data
  const queue = useQuery(queueQuery).data
  const change = useQueueChange()
  const rate = format.rate(status === undefined ? 0 : status.rate + status.torrentRate)
  const limit = queue?.speedLimit ?? 0
  const shown = limit > 0 ? t.limited(rate, format.rate(limit)) : rate
  if (queue === undefined || !may('change')) return <span className={classes.flow}>{shown}</span>
  const choices = limits.includes(limit) ? limits : [...limits, limit].sort((one, other) => one - other)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button size="compact-md" variant="subtle" color="gray" className={classes.flow} aria-label={`${t.name}: ${shown}`}
          leftSection={queue.paused ? <IconPlayerPauseFilled size={14} role="img" aria-label={t.paused} /> : <IconGauge size={16} aria-hidden />}>
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change.mutate({ paused: !queue.paused })}>{queue.paused ? t.resume : t.pause}</Menu.Item>
        {may('manage') && (
          <>
            <Menu.Divider />
            <Menu.Label>{t.limit}</Menu.Label>
            <Menu.RadioGroup value={String(limit)} onChange={(value) => change.mutate({ speedLimit: Number(value) })} aria-label={t.limit}>
              {choices.map((one) => <Menu.RadioItem key={one} value={String(one)} closeMenuOnClick>{one === 0 ? t.none : format.rate(one)}</Menu.RadioItem>)}
            </Menu.RadioGroup>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
