namespace NzbDav.Arr.Resources;

/// <summary>How far a command is.</summary>
public sealed record CommandStatus
{
    /// <summary>Id to ask with.</summary>
    public int Id { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>queued</c>, <c>started</c>, <c>completed</c>, <c>failed</c>, …</summary>
    public string? Status { get; init; }
}
