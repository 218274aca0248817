namespace NzbDav.Host.Operations;

/// <summary>A job in the support bundle.</summary>
internal sealed record SupportJob
{
    public required string Id { get; init; }

    /// <summary>Null if names are left out.</summary>
    public string? Name { get; init; }

    public required string Kind { get; init; }

    public required string State { get; init; }

    public required string Category { get; init; }

    public string? Step { get; init; }

    public int Attempts { get; init; }

    public long Bytes { get; init; }

    public string? FailureCode { get; init; }

    public string? Failure { get; init; }

    public DateTimeOffset Created { get; init; }

    public DateTimeOffset? Finished { get; init; }
}
