using NzbDav.Library.Posts;

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

    /// <summary>
    /// The path that stays the same as long as the file exists, with the URL base; the same as <see cref="DavPath"/> for a collection.
    /// </summary>
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

/// <summary>Where a file's bytes come from.</summary>
internal enum FileOrigin
{
    /// <summary>Articles.</summary>
    Usenet,

    /// <summary>A swarm.</summary>
    Torrent,
}

/// <summary>A posted file that holds bytes of a file.</summary>
/// <param name="Index">Its number among those of this file, from 0.</param>
/// <param name="Name">The name under which it was posted; null if the .nzb is gone or does not name it.</param>
/// <param name="Offset">Offset of its first byte in the file.</param>
/// <param name="Length">Number of the file's bytes that it holds.</param>
/// <param name="Articles">Number of articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
internal sealed record PostedFileBody(int Index, string? Name, long Offset, long Length, int Articles, int Missing);

/// <summary>A range of a file's bytes that is known to be missing.</summary>
/// <param name="Offset">First missing byte.</param>
/// <param name="Length">Number of missing bytes.</param>
/// <param name="Reason">Why, as text for people.</param>
/// <param name="Kind">Why: <c>gone</c> holes are listed from the first read that meets them until the article is found after all, the
/// providers change, or the server stops.</param>
/// <param name="Since">When a reader first met it; null if the .nzb does not list the article.</param>
internal sealed record FileHoleBody(long Offset, long Length, string Reason, FileHoleKind Kind, DateTimeOffset? Since);

/// <summary>The job that published a file.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
internal sealed record FileJobBody(string Id, string Name);

/// <summary>Which libraries use a file.</summary>
/// <param name="Given">Since when an *arr or a library may have a link to it; null: its link was never read.</param>
/// <param name="Holder">The library link that points to it; null: none.</param>
/// <param name="Lost">Since when the library links to it are gone; null: not lost.</param>
/// <param name="Hidden">Since when it is hidden from WebDAV; null: it is shown.</param>
internal sealed record FileLinksBody(DateTimeOffset? Given, string? Holder, DateTimeOffset? Lost, DateTimeOffset? Hidden);

/// <summary>A text subtitle beside a film.</summary>
/// <param name="Id">Id of the file. <c>GET /files/{id}/vtt</c> returns it in a format for browsers.</param>
/// <param name="Name">Its name.</param>
/// <param name="Language">The language in its name, as written there (<c>en</c>, <c>ger</c>, <c>pt-BR</c>); null: none.</param>
internal sealed record FileSubtitleBody(string Id, string Name, string? Language);
