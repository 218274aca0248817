namespace NzbDav.MockUsenet.Providers;

/// <summary>Outcome of sending a reply.</summary>
internal enum SendOutcome
{
    /// <summary>The whole reply was sent.</summary>
    Whole,

    /// <summary>FIN was sent; the client is expected to close.</summary>
    Cut,

    /// <summary>The connection is gone, or has to be torn down.</summary>
    Broken,
}
