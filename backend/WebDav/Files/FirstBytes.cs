using NzbDav.Content;

namespace NzbDav.WebDav.Files;

/// <summary>The result of waiting for the first bytes, before a status is chosen.</summary>
internal readonly record struct FirstBytes
{
    /// <summary>The file; null when it failed or the client left.</summary>
    public IContent? Content { get; init; }

    /// <summary>Open reader that lent <see cref="Lease"/>. Owned by the receiver.</summary>
    public ContentReader? Reader { get; init; }

    /// <summary>The first bytes. Owned by the receiver.</summary>
    public ContentLease? Lease { get; init; }

    /// <summary>The client is gone: say nothing.</summary>
    public bool ClientGone { get; init; }

    /// <summary>Why there are none.</summary>
    public ContentFault Fault { get; init; }

    /// <summary>The same in words.</summary>
    public string? Reason { get; init; }
}
