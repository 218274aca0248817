namespace NzbDav.Access.Keys;

/// <summary>One of the API keys.</summary>
internal enum KeyName
{
    /// <summary>Opens everything.</summary>
    Full,

    /// <summary>For Sonarr and other programs that use this server as their download client.</summary>
    Client,

    /// <summary>Brings jobs.</summary>
    Add,

    /// <summary>Looks.</summary>
    Read,
}
