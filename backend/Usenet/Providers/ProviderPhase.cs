namespace NzbDav.Usenet.Providers;

/// <summary>What a provider is doing, for people. <see cref="ProviderState"/> says whether it can be used.</summary>
public enum ProviderPhase
{
    /// <summary>At least one connection is open and logged in.</summary>
    Connected,

    /// <summary>No connection is open and none is wanted.</summary>
    Idle,

    /// <summary>A connection is being opened; nothing has failed yet.</summary>
    Connecting,

    /// <summary>The last attempt failed.</summary>
    Down,

    /// <summary>Its quota is used up: nothing is asked of it until that begins anew.</summary>
    UsedUp,
}
