namespace NzbDav.Catalog.Properties;

/// <summary>A WebDAV lock.</summary>
public sealed record StoredLock
{
    /// <summary>Names it.</summary>
    public required string Token { get; init; }

    /// <summary>The path that it is on, as its user writes it.</summary>
    public required string Root { get; init; }

    /// <summary>True if that is a collection.</summary>
    public required bool IsCollection { get; init; }

    /// <summary>True if others of its kind may be beside it.</summary>
    public required bool IsShared { get; init; }

    /// <summary>True if it holds for what is below too.</summary>
    public required bool IsDeep { get; init; }

    /// <summary>What the client said of itself; null: nothing.</summary>
    public required string? Owner { get; init; }

    /// <summary>How long it was granted for.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>When it ends.</summary>
    public required DateTimeOffset Expires { get; init; }
}
