namespace NzbDav.Host.Settings;

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
