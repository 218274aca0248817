namespace NzbDav.Api.Native.Files;


/// <summary>All that is known of an item.</summary>
internal sealed record FileDetailsBody : FileItemBody
{
    /// <summary>Where its bytes come from; null for a collection.</summary>
    public required FileOrigin? Origin { get; init; }

    /// <summary>What was posted has to be decrypted.</summary>
    public required bool Encrypted { get; init; }

    /// <summary>40 lower-case hexadecimal digits; null unless it comes from a torrent.</summary>
    public required string? InfoHash { get; init; }

    /// <summary>The posted files that hold its bytes, in the order of their first use; at most 1,000.</summary>
    public required IReadOnlyList<PostedFileBody> Posted { get; init; }

    /// <summary>How many posted files there are.</summary>
    public required int PostedTotal { get; init; }

    /// <summary>Articles that hold its bytes.</summary>
    public required int Articles { get; init; }

    /// <summary>Bytes that are known to be missing, in order; at most 1,000.</summary>
    public required IReadOnlyList<FileHoleBody> Holes { get; init; }

    /// <summary>The job that published it, while that is remembered.</summary>
    public required FileJobBody? Job { get; init; }

    /// <summary>Who uses it.</summary>
    public required FileLinksBody Links { get; init; }

    /// <summary>Percent-encoded, with the URL base: what stands behind scheme and host.</summary>
    public required string DavPath { get; init; }

    /// <summary>The path under which a file stays for its life, with the URL base; the same as <see cref="DavPath"/> for a collection.</summary>
    public required string StablePath { get; init; }

    /// <summary>Where it is in the mount, not encoded.</summary>
    public required string RclonePath { get; init; }

    /// <summary>Text subtitles beside it.</summary>
    public required IReadOnlyList<FileSubtitleBody> Subtitles { get; init; }

    /// <summary>The playable file before it in its collection, in natural order.</summary>
    public required FileItemBody? Previous { get; init; }

    /// <summary>The playable file behind it in its collection, in natural order.</summary>
    public required FileItemBody? Next { get; init; }
}
