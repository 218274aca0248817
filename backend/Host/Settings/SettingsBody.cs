using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Settings;

/// <summary>All settings, as they are shown: of secrets only whether they are set.</summary>
/// <param name="Groups">What belongs together, in the order in which it is shown.</param>
/// <param name="Settings">Every one that there is.</param>
/// <param name="Provider">What one more provider may have; <c>#</c> stands for its number.</param>
/// <param name="Arr">What one more *arr may have.</param>
/// <param name="Password">What one more password of archives may be.</param>
/// <param name="Ignored">Stored ones that are left out, and why.</param>
/// <param name="Unapplied">What is set and could not be carried out, and why.</param>
internal sealed record SettingsBody(
    IReadOnlyList<SettingGroupBody> Groups,
    IReadOnlyList<SettingBody> Settings,
    IReadOnlyList<SettingBody> Provider,
    IReadOnlyList<SettingBody> Arr,
    IReadOnlyList<SettingBody> Password,
    IReadOnlyList<SettingFault> Ignored,
    IReadOnlyList<SettingFault> Unapplied)
{
    public static async Task<SettingsBody> OfAsync(SettingsBook book, LiveSettings live) => new(
        [.. SettingTexts.Groups.Select(group => new SettingGroupBody(group.Id, group.Title))],
        [.. book.Entries.OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.ProviderTemplate().OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.ArrTemplate().OrderBy(entry => SettingTexts.PlaceOf(entry.Path)).Select(SettingBody.Of)],
        [.. SettingsReader.PasswordTemplate().Select(SettingBody.Of)],
        book.Ignored,
        await live.UnappliedAsync());
}
