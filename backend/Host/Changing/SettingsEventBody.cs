namespace NzbDav.Host.Changing;

/// <summary>Data of the event "settings": the settings changed and have to be read again.</summary>
internal sealed record SettingsEventBody;
