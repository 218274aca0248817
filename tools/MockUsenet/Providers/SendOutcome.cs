namespace NzbDav.MockUsenet.Providers;

/// <summary>How the sending of a reply ended.</summary>
internal enum SendOutcome
{
    /// <summary>All of it was sent.</summary>
    Whole,

    /// <summary>FIN was sent; the client is expected to close.</summary>
    Cut,

    /// <summary>The connection is gone or to be torn down.</summary>
    Broken,
}
