namespace NzbDav.Host.Settings;

/// <summary>A fault in the settings.</summary>
/// <param name="Path">The setting or group concerned, below <c>NzbDav</c>: <c>Usenet:Providers:0:Host</c>.</param>
/// <param name="Message">What is wrong with it, as a sentence without the setting's name.</param>
public sealed record SettingFault(string Path, string Message)
{
    /// <summary>True if the fault concerns a setting, or a group that contains it.</summary>
    public bool Covers(string setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return setting.StartsWith(Path, StringComparison.OrdinalIgnoreCase) && (setting.Length == Path.Length || setting[Path.Length] == ':');
    }

    /// <inheritdoc/>
    public override string ToString() => $"NzbDav:{Path}: {Message}";
}
