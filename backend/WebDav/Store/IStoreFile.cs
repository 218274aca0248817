using NzbDav.Content;

namespace NzbDav.WebDav.Store;

/// <summary>A file.</summary>
public interface IStoreFile : IStoreItem
{
    /// <summary>
    /// The file's id in the tree, the same for all its paths; null for a file that is not published content and whose reads are not
    /// tracked.
    /// </summary>
    long? Id => null;

    /// <summary>Exact size in bytes: the same number in listings, HEAD and <c>Content-Range</c>.</summary>
    long Length { get; }

    /// <summary>The media type; by extension unless the store knows better.</summary>
    string ContentType => MediaTypes.FromName(Name);

    /// <summary>
    /// Opens the bytes. Called only when bytes are needed: never for HEAD, listings, 304, 412 or 416. Its duration is part of the time to
    /// the first byte. An expected failure is a value.
    /// </summary>
    ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken);
}

/// <summary>
/// A file whose text is the target of a symbolic link. WebDAV serves it as a file, which rclone shows as a link; a mount shows the link
/// itself.
/// </summary>
public interface IStoreLink : IStoreFile
{
    /// <summary>What the name of such a file ends with (rclone's <c>--links</c>); the rest is the name of the link.</summary>
    const string Suffix = ".rclonelink";
}

/// <summary>The bytes of a file, or why they are unavailable.</summary>
public readonly record struct StoreOpenResult
{
    private StoreOpenResult(IContent? content, ContentFault fault, string? reason)
    {
        Content = content;
        Fault = fault;
        Reason = reason;
    }

    /// <summary>The content; its length is the file's. <see langword="null"/> on failure.</summary>
    public IContent? Content { get; }

    /// <summary>Why it failed; meaningless when <see cref="Content"/> is set.</summary>
    public ContentFault Fault { get; }

    /// <summary>One line for people, on failure.</summary>
    public string? Reason { get; }

    /// <summary>The result of a successful opening.</summary>
    public static StoreOpenResult Of(IContent content)
    {
        ArgumentNullException.ThrowIfNull(content);
        return new(content, default, reason: null);
    }

    /// <summary>Missing or corrupt becomes 404, unavailable 503 with Retry-After.</summary>
    public static StoreOpenResult Failed(ContentFault fault, string reason) => new(content: null, fault, reason);
}
