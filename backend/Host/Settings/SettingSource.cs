namespace NzbDav.Host.Settings;

/// <summary>Where the value of a setting comes from.</summary>
public enum SettingSource
{
    /// <summary>Nobody set it.</summary>
    Default,

    /// <summary>It was set while the server ran, and is kept in the catalog.</summary>
    Stored,

    /// <summary>The environment says so; it cannot be changed otherwise.</summary>
    Environment,
}
