/** To be built. */
export default function SettingsPage() {
  return null
}
