import { Button, Group, Menu, Text } from '@mantine/core'
import { IconBadgeCc } from '@tabler/icons-react'
import type { FileDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './bar.module.css'

type Props = { all: FileDetails['subtitles']; shown: string | null; onShow: (id: string | null) => void; shift: number; onShift: (by: number) => void }

/** Which subtitles are shown, and when. Not in a portal: in full screen nothing else is to be seen. */
export function SubtitleMenu({ all, shown, onShow, shift, onShift }: Props) {
  const t = useText(text)
  const format = useFormat()
  const names = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' })
  const label = ({ name, language }: FileDetails['subtitles'][number]) => {
    try {
      return language === null ? name : names.of(language) ?? name
    } catch {
      return name
    }
  }
  return (
    <Menu position="top-end" withinPortal={false} width={240} closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className={classes.button} aria-label={t.subtitles} title={`${t.subtitles} (C)`} aria-keyshortcuts="C"><IconBadgeCc size={22} aria-hidden /></button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.subtitles}</Menu.Label>
        <Menu.RadioGroup value={shown ?? ''} onChange={(id) => onShow(id === '' ? null : id)} aria-label={t.subtitles}>
          <Menu.RadioItem value="">{t.off}</Menu.RadioItem>
          {all.map((one) => <Menu.RadioItem key={one.id} value={one.id}>{label(one)}</Menu.RadioItem>)}
        </Menu.RadioGroup>
        {shown !== null && (
          <Group gap="xs" p="xs" justify="space-between">
            <Text size="sm">{t.shift(format.number(shift))}</Text>
            <Group gap={4}>
              <Button size="compact-sm" variant="default" aria-label="−0.1 s" onClick={() => onShift(-0.1)}>−</Button>
              <Button size="compact-sm" variant="default" aria-label="+0.1 s" onClick={() => onShift(0.1)}>+</Button>
            </Group>
          </Group>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
