namespace NzbDav.Host.Moving;

/// <summary>What <c>nzbdav migrate --json</c> writes.</summary>
/// <param name="Product">The other program.</param>
/// <param name="Version">Of its data.</param>
/// <param name="DryRun">Nothing was changed.</param>
/// <param name="Came">Titles that came, or would.</param>
/// <param name="Skipped">Left out, with reasons.</param>
/// <param name="CannotCome">With reasons.</param>
/// <param name="SettingsTaken">A sentence each.</param>
/// <param name="SettingsNotTaken">A sentence each.</param>
internal sealed record MoveBody(
    string Product, string Version, bool DryRun, IReadOnlyList<MoveTitleBody> Came, IReadOnlyList<MoveTitleBody> Skipped, IReadOnlyList<MoveTitleBody> CannotCome, IReadOnlyList<string> SettingsTaken, IReadOnlyList<string> SettingsNotTaken);
