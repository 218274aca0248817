using NzbDav.Content;

namespace NzbDav.WebDav.Store;

/// <summary>The bytes of a file, or why they cannot be had.</summary>
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

    /// <summary>Why it failed; meaningless when <see cref="Content"/> is there.</summary>
    public ContentFault Fault { get; }

    /// <summary>One line for people, on failure.</summary>
    public string? Reason { get; }

    /// <summary>Opened.</summary>
    public static StoreOpenResult Of(IContent content)
    {
        ArgumentNullException.ThrowIfNull(content);
        return new(content, default, reason: null);
    }

    /// <summary>Missing or corrupt becomes 404, unavailable 503 with Retry-After.</summary>
    public static StoreOpenResult Failed(ContentFault fault, string reason) => new(content: null, fault, reason);
}
