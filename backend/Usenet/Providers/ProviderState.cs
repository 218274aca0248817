namespace NzbDav.Usenet.Providers;

/// <summary>Whether a provider can be used.</summary>
public enum ProviderState
{
    /// <summary>The first connection is being opened.</summary>
    Connecting,

    /// <summary>At least one connection is open and logged in, or the last attempt worked.</summary>
    Ready,

    /// <summary>It cannot be used; see the reason.</summary>
    Failing,
}
