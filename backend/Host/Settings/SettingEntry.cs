using NzbDav.Host.Settings.Texts;

namespace NzbDav.Host.Settings;

/// <summary>One setting: its allowed values and its current value.</summary>
/// <param name="Path">Its name below <c>NzbDav</c>, with <c>:</c> between the parts; in the environment these are two underscores.</param>
/// <param name="Kind">The kind of its value.</param>
/// <param name="Default">The value that applies if it is not set; null: none.</param>
/// <param name="Least">For numbers, the smallest value allowed.</param>
/// <param name="Most">For numbers, the largest value allowed.</param>
public sealed record SettingEntry(string Path, SettingKind Kind, string? Default, int? Least, int? Most)
{
    /// <summary>Its texts for people.</summary>
    public SettingText Text => SettingTexts.Of(Path);

    /// <summary>The name of its environment variable.</summary>
    public string Environment => "NzbDav__" + Path.Replace(":", "__", StringComparison.Ordinal);

    /// <summary>The value that is set; null: not set, or a secret that must not be shown.</summary>
    public string? Value { get; init; }

    /// <summary>True if it is set.</summary>
    public bool IsSet => Source != SettingSource.Default;

    /// <summary>True if a change takes effect at the next start. All other changes take effect at once.</summary>
    public bool NeedsRestart { get; init; }

    /// <summary>True if a change is waiting for the next start; until then the value from the last start applies.</summary>
    public bool IsPending { get; init; }

    /// <summary>Where its value comes from.</summary>
    public SettingSource Source { get; init; }
}

/// <summary>Kind of a setting's value.</summary>
public enum SettingKind
{
    /// <summary>Any text.</summary>
    Text,

    /// <summary>A text that is never shown: stored encrypted, and left out of answers, logs and exports.</summary>
    Secret,

    /// <summary>One of several texts.</summary>
    Choice,

    /// <summary>A whole number.</summary>
    Number,

    /// <summary>True or false.</summary>
    Flag,

    /// <summary>Texts separated by commas; <c>none</c> is an empty list.</summary>
    List,
}

/// <summary>Source of a setting's value.</summary>
public enum SettingSource
{
    /// <summary>It is not set.</summary>
    Default,

    /// <summary>It was set while the server ran, and is stored in the catalog.</summary>
    Stored,

    /// <summary>The environment sets it; it cannot be changed in any other way.</summary>
    Environment,
}
