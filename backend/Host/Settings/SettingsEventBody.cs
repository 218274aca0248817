namespace NzbDav.Host.Settings;

/// <summary>Data of the event "settings": they changed, so read them anew.</summary>
internal sealed record SettingsEventBody;
