import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp, IconLock } from '@tabler/icons-react'
import { memo, useId } from 'react'
import { CopyButton } from '../CopyButton'
import { useText } from '../text/catalogue'
import { Coded } from '../text/Coded'
import classes from './Setting.module.css'
import { isLocked, isRequired, type SettingInfo } from './setting'
import { SettingInput } from './SettingInput'
import { text } from './text'
import { useShown } from './useShown'

type Props = {
  setting: SettingInfo; value: string | null; change: string | null | undefined; isDefault: boolean; fault: string | null
  onChange: (setting: SettingInfo, value: string | null) => void; onForget: (path: string) => void
}

/** One setting: what it does, its value, its default one click away, who set it, what a change needs. */
export const SettingField = memo(function SettingField({ setting, value, change, isDefault, fault, onChange, onForget }: Props) {
  const t = useText(text)
  const shown = useShown()
  const id = useId()
  const locked = isLocked(setting)
  const outside = setting.kind === 'number' && value !== null && value !== '' && ((setting.least !== null && Number(value) < setting.least) || (setting.most !== null && Number(value) > setting.most))
  const hasDefault = setting.defaultNote != null || (setting.default !== null && setting.default !== '')
  const reset = hasDefault ? t.toDefault : t.clear
  const error = fault ?? (outside && change !== undefined ? t.outside(shown.number(setting.least), shown.number(setting.most)) : null)
  return (
    <Box className={classes.field} data-changed={change !== undefined || undefined}>
      <Group gap="xs" wrap="wrap">
        <Text fw={600}>{setting.title}</Text>
        {change !== undefined && <Badge size="sm" variant="light" tt="none">{t.changed}</Badge>}
        {setting.isPending ? <Badge size="sm" variant="default" tt="none" c="var(--nz-waiting)">{t.pending}</Badge> : setting.needsRestart && <Badge size="sm" variant="default" tt="none">{t.restart}</Badge>}
      </Group>
      <Text size="sm" c="dimmed" id={id}><Coded text={setting.description} /></Text>
      <Box mt={6}>
        <SettingInput setting={setting} value={value} change={change} error={error} describedBy={id} onChange={(next) => onChange(setting, next)} onForget={() => onForget(setting.path)} />
      </Box>
      {locked
        ? (
          <Group gap="xs" mt={6}>
            <IconLock size={14} aria-hidden />
            <Text size="xs">{t.locked}</Text>
            <Text size="xs" className="mono">{setting.environment}</Text>
            <CopyButton value={setting.environment} size="compact-xs" aria-label={`${t.copyName}: ${setting.environment}`} />
          </Group>
        )
        : (
          <Group gap="xs" mt={4} mih={22}>
            {setting.kind !== 'secret' && hasDefault && <Text size="xs" c="dimmed"><Coded text={t.isDefault(setting.defaultNote ?? shown.value(setting, setting.default))} /></Text>}
            {setting.kind === 'number' && setting.least !== null && setting.most !== null && <Text size="xs" c="dimmed">{t.bounds(shown.number(setting.least), shown.number(setting.most))}</Text>}
            {setting.kind !== 'secret' && !isDefault && !isRequired(setting) && <Button size="compact-xs" variant="subtle" aria-label={`${reset}: ${setting.title}`} onClick={() => onChange(setting, null)}>{reset}</Button>}
            {change !== undefined && <Button size="compact-xs" variant="subtle" leftSection={<IconArrowBackUp size={12} aria-hidden />} aria-label={`${t.undo}: ${setting.title}`} onClick={() => onForget(setting.path)}>{t.undo}</Button>}
          </Group>
        )}
    </Box>
  )
})
