namespace NzbDav.Api.Native.Files;


/// <summary>All details of an item.</summary>
internal sealed record FileDetailsBody : FileItemBody
{
    /// <summary>Where its bytes come from; null for a collection.</summary>
    public required FileOrigin? Origin { get; init; }

    /// <summary>True if the posted bytes have to be decrypted.</summary>
    public required bool Encrypted { get; init; }

    /// <summary>40 lower-case hexadecimal digits; null unless it comes from a torrent.</summary>
    public required string? InfoHash { get; init; }

    /// <summary>The posted files that hold its bytes, in the order of their first use; at most 1,000.</summary>
    public required IReadOnlyList<PostedFileBody> Posted { get; init; }

    /// <summary>How many posted files there are.</summary>
    public required int PostedTotal { get; init; }

    /// <summary>Number of articles that hold its bytes.</summary>
    public required int Articles { get; init; }

    /// <summary>Ranges of bytes that are known to be missing, in order; at most 1,000.</summary>
    public required IReadOnlyList<FileHoleBody> Holes { get; init; }

    /// <summary>The job that published it; null once that is forgotten.</summary>
    public required FileJobBody? Job { get; init; }

    /// <summary>Which libraries use it.</summary>
    public required FileLinksBody Links { get; init; }

    /// <summary>Its path on this server, percent-encoded, with the URL base: what follows scheme and host.</summary>
    public required string DavPath { get; init; }

    /// <summary>The path that stays the same as long as the file exists, with the URL base; the same as <see cref="DavPath"/> for a collection.</summary>
    public required string StablePath { get; init; }

    /// <summary>Its path in the mount, not encoded.</summary>
    public required string RclonePath { get; init; }

    /// <summary>Text subtitles in the same collection.</summary>
    public required IReadOnlyList<FileSubtitleBody> Subtitles { get; init; }

    /// <summary>The previous playable file in its collection, in natural order.</summary>
    public required FileItemBody? Previous { get; init; }

    /// <summary>The next playable file in its collection, in natural order.</summary>
    public required FileItemBody? Next { get; init; }
}
