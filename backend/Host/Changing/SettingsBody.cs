using NzbDav.Host.Settings;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Changing;

/// <summary>All settings. For secrets only whether they are set.</summary>
/// <param name="Groups">The groups, in display order.</param>
/// <param name="Settings">Every setting.</param>
/// <param name="Provider">The settings of one more provider; <c>#</c> stands for its number.</param>
/// <param name="Arr">The settings of one more *arr.</param>
/// <param name="Password">The setting of one more archive password.</param>
/// <param name="Ignored">Stored settings that are ignored, and why.</param>
/// <param name="Unapplied">Settings that could not be applied, and why.</param>
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
