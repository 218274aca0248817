namespace NzbDav.Arr.Resources;

/// <summary>The status of a command.</summary>
public sealed record CommandStatus
{
    /// <summary>Id for <c>ArrClient.CommandStatusAsync</c>.</summary>
    public int Id { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>queued</c>, <c>started</c>, <c>completed</c>, <c>failed</c>, …</summary>
    public string? Status { get; init; }
}
