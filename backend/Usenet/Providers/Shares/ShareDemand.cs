namespace NzbDav.Usenet.Providers.Shares;

/// <summary>What this process needs of an account, for a renewal of its share.</summary>
/// <param name="Account">Names the account, whatever its name and settings.</param>
/// <param name="Most">Connections that the account allows to all processes together.</param>
/// <param name="Kept">Until the renewal ends, this process has no more connections than these.</param>
/// <param name="Wanted">Connections that requests use or wait for; may exceed <paramref name="Most"/>.</param>
/// <param name="Recent">Connections used within the last minute. They stay open while nobody else needs them.</param>
public readonly record struct ShareDemand(string Account, int Most, int Kept, int Wanted, int Recent);
