import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { Speeds } from '../screen/useControls'
import { text } from '../text'
import classes from './bar.module.css'

type Props = { speed: number; onSpeed: (speed: number) => void }

/** How fast it plays. */
export function SpeedMenu({ speed, onSpeed }: Props) {
  const t = useText(text)
  const format = useFormat()
  return (
    <Menu position="top-end" withinPortal={false} width={140}>
      <Menu.Target>
        <button type="button" className={`${classes.button} ${classes.wide}`} aria-label={`${t.speed}: ${format.number(speed)}×`} title={t.speed}>{format.number(speed)}×</button>
      </Menu.Target>
      <Menu.Dropdown>
        {Speeds.map((one) => (
          <Menu.Item key={one} role="menuitemradio" aria-checked={one === speed} rightSection={one === speed && <IconCheck size={14} aria-hidden />} onClick={() => onSpeed(one)}>{format.number(one)}×</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
