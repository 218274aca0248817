using NzbDav.Usenet.Accounts;

namespace NzbDav.Usenet.Checks;

/// <summary>Input of a provider check.</summary>
public sealed record CheckOptions
{
    /// <summary>The account, validated; it need not be in use.</summary>
    public required ProviderOptions Account { get; init; }

    /// <summary>Connections that this server has open with the same host, user and password: the account counts them too.</summary>
    public int OwnConnections { get; init; }

    /// <summary>Finds message-ids of articles that the provider should have, at most this many; none: the speed is not measured.</summary>
    public Func<int, CancellationToken, Task<IReadOnlyList<string>>> Articles { get; init; } = static (_, _) => Task.FromResult<IReadOnlyList<string>>([]);
}
