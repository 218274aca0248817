namespace NzbDav.Host.Settings;

/// <summary>What the value of a setting is.</summary>
public enum SettingKind
{
    /// <summary>Any text.</summary>
    Text,

    /// <summary>A text that is never shown: kept encrypted, left out of answers, logs and exports.</summary>
    Secret,

    /// <summary>One of a few texts.</summary>
    Choice,

    /// <summary>A whole number.</summary>
    Number,

    /// <summary>True or false.</summary>
    Flag,

    /// <summary>Texts with commas between them; <c>none</c> is an empty list.</summary>
    List,
}
