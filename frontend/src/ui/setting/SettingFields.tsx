import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { defineText, useText } from '../text/catalogue'
import { faultOf, isDefault, valueOf } from './draft'
import type { SettingInfo } from './setting'
import { SettingField } from './SettingField'
import type { DraftState } from './useDraft'

const text = defineText(
  { more: (count: number) => (count === 1 ? 'Show 1 more setting' : `Show ${count} more settings`), less: 'Show fewer' },
  { more: (count: number) => (count === 1 ? '1 weitere Einstellung zeigen' : `${count} weitere Einstellungen zeigen`), less: 'Weniger zeigen' },
)

/** The fields of some settings: the few first, the others under "more" unless one of them is changed or wrong. */
export function SettingFields({ settings, state, all = false }: { settings: readonly SettingInfo[]; state: DraftState; all?: boolean }) {
  const t = useText(text)
  const [more, setMore] = useState(false)
  const needed = (setting: SettingInfo) => all || more || !setting.advanced || state.draft[setting.path] !== undefined || faultOf(state.faults, setting.path) !== null
  const hidden = settings.filter((setting) => !needed(setting)).length
  return (
    <>
      {settings.filter(needed).map((setting) => (
        <SettingField key={setting.path} setting={setting} value={valueOf(setting, state.draft)} change={state.draft[setting.path]} isDefault={isDefault(setting, state.draft)}
          fault={faultOf(state.faults, setting.path)} onChange={state.set} onForget={state.forget} />
      ))}
      {!all && (hidden > 0 || more) && (
        <Button variant="subtle" mx="sm" my="xs" aria-expanded={more} leftSection={more ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />} onClick={() => setMore(!more)}>
          {more ? t.less : t.more(hidden)}
        </Button>
      )}
    </>
  )
}
