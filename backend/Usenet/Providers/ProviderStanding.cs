namespace NzbDav.Usenet.Providers;

/// <summary>What requests may expect of a provider, best first.</summary>
internal enum ProviderStanding
{
    /// <summary>A connection is open, or the first attempt has neither failed nor become late.</summary>
    Working,

    /// <summary>
    /// Lost a moment ago, by something that may pass, or an attempt to connect is late: requests wait for it if nobody else works.
    /// </summary>
    Lost,

    /// <summary>Nothing may be left to it.</summary>
    Down,
}
