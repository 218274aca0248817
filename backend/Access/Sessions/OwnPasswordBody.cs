namespace NzbDav.Access.Sessions;

/// <summary>Another password for oneself.</summary>
internal sealed record OwnPasswordBody
{
    /// <summary>The one that counts until now.</summary>
    public string? Old { get; init; }

    /// <summary>10 to 256 characters.</summary>
    public string? New { get; init; }
}
