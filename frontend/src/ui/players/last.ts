import { isPlayer, type PlayerName } from './players'

const Kept = 'nzbdav.player'

/** The player that was used last in this browser. */
export function lastPlayer(): PlayerName | null {
  try {
    const kept = localStorage.getItem(Kept)
    return isPlayer(kept) ? kept : null
  } catch {
    return null
  }
}

/** Remembers the player that was used last. */
export function keepPlayer(name: PlayerName): void {
  try {
    localStorage.setItem(Kept, name)
  } catch {
    // Storage is off: the order stays.
  }
}
