namespace NzbDav.Usenet.Providers.Shares;

/// <summary>What a renewal gave this process of an account.</summary>
/// <param name="Account">As asked for.</param>
/// <param name="Share">The most connections that it may have open or be opening.</param>
/// <param name="Goal">Connections it is to have. Below <paramref name="Share"/>: others wait for the rest. Above: others are still closing what it will get.</param>
public readonly record struct GrantedShare(string Account, int Share, int Goal);
