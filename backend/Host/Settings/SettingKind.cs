namespace NzbDav.Host.Settings;

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
