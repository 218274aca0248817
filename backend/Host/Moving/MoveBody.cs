namespace NzbDav.Host.Moving;

/// <summary>What <c>nzbdav migrate --json</c> writes.</summary>
/// <param name="Product">The other program.</param>
/// <param name="Version">Version of its data.</param>
/// <param name="DryRun">Nothing was changed.</param>
/// <param name="Came">Titles that were migrated, or would be.</param>
/// <param name="Skipped">Titles that were left out, with reasons.</param>
/// <param name="CannotCome">Titles that cannot be migrated, with reasons.</param>
/// <param name="SettingsTaken">Settings that were taken over, one sentence each.</param>
/// <param name="SettingsNotTaken">Settings that were not taken over, one sentence each.</param>
internal sealed record MoveBody(
    string Product, string Version, bool DryRun, IReadOnlyList<MoveTitleBody> Came, IReadOnlyList<MoveTitleBody> Skipped, IReadOnlyList<MoveTitleBody> CannotCome, IReadOnlyList<string> SettingsTaken, IReadOnlyList<string> SettingsNotTaken);
