using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Settings;

/// <summary>One setting: what it may be and what it is.</summary>
/// <param name="Path">Its name below <c>NzbDav</c>, with <c>:</c> between the parts; in the environment these are two underscores.</param>
/// <param name="Kind">What its value is.</param>
/// <param name="Default">What holds when nobody sets it; null: nothing.</param>
/// <param name="Least">For numbers, the least that is allowed.</param>
/// <param name="Most">For numbers, the most that is allowed.</param>
public sealed record SettingEntry(string Path, SettingKind Kind, string? Default, int? Least, int? Most)
{
    /// <summary>What people are told of it.</summary>
    public SettingText Text => SettingTexts.Of(Path);

    /// <summary>Its name in the environment.</summary>
    public string Environment => "NzbDav__" + Path.Replace(":", "__", StringComparison.Ordinal);

    /// <summary>As it is set; null: not set, or a secret that is not to be shown.</summary>
    public string? Value { get; init; }

    /// <summary>True if somebody set it.</summary>
    public bool IsSet => Source != SettingSource.Default;

    /// <summary>True: a change counts from the next start. All others count at once.</summary>
    public bool NeedsRestart { get; init; }

    /// <summary>True: it waits for the next start; what holds until then is what was set at the last.</summary>
    public bool IsPending { get; init; }

    /// <summary>Who set it.</summary>
    public SettingSource Source { get; init; }
}
