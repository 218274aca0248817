namespace NzbDav.Host.Settings;

/// <summary>All settings, as they are shown: of secrets only whether they are set.</summary>
/// <param name="Settings">Every one that there is.</param>
/// <param name="Provider">What one more provider may have; <c>#</c> stands for its number.</param>
/// <param name="Arr">What one more *arr may have.</param>
/// <param name="Ignored">Stored ones that are left out, and why.</param>
/// <param name="Unapplied">What is set and could not be carried out, and why.</param>
internal sealed record SettingsAnswer(IReadOnlyList<SettingEntry> Settings, IReadOnlyList<SettingEntry> Provider, IReadOnlyList<SettingEntry> Arr, IReadOnlyList<SettingFault> Ignored, IReadOnlyList<SettingFault> Unapplied)
{
    public static async Task<SettingsAnswer> OfAsync(SettingsBook book, LiveSettings live) => new(
        [.. book.Entries.Select(entry => entry.Kind == SettingKind.Secret ? entry with { Value = null } : entry)],
        SettingsReader.ProviderTemplate(),
        SettingsReader.ArrTemplate(),
        book.Ignored,
        await live.UnappliedAsync());
}
