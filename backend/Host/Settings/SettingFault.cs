namespace NzbDav.Host.Settings;

/// <summary>Something wrong with a setting.</summary>
/// <param name="Path">The setting, or the group that it is about, below <c>NzbDav</c>: <c>Usenet:Providers:0:Host</c>.</param>
/// <param name="Message">What is wrong with it, as a sentence without the setting's name.</param>
public sealed record SettingFault(string Path, string Message)
{
    /// <summary>True if a setting is what the fault is about, or belongs to it.</summary>
    public bool Covers(string setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return setting.StartsWith(Path, StringComparison.OrdinalIgnoreCase) && (setting.Length == Path.Length || setting[Path.Length] == ':');
    }

    /// <inheritdoc/>
    public override string ToString() => $"NzbDav:{Path}: {Message}";
}
