using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Providers;

namespace NzbDav.Library.Health;

/// <summary>Asks the configured providers. Thread-safe.</summary>
/// <param name="usenet">The providers.</param>
/// <param name="time">Clock for the time limit.</param>
public sealed class ProviderProber(UsenetClient usenet, TimeProvider time) : IArticleProber
{
    /// <summary>A provider that does not answer in this time counts as silent. Long, as readers go first.</summary>
    internal static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <inheritdoc/>
    public IReadOnlyList<ProbedAccount> Accounts => [.. Named().Select(
        pair => new ProbedAccount(
            pair.Name, pair.Provider.Status.State != ProviderState.Failing, pair.Provider.Options.Quota is not null))];

    /// <inheritdoc/>
    public bool IsBusy => usenet.QueuedRequests > 0;

    /// <inheritdoc/>
    public bool HasPatch(string article) => usenet.HasPatch(article);

    /// <inheritdoc/>
    public Task<ArticleAnswer> StatAsync(string account, string article, CancellationToken cancellationToken) =>
        ProbeAsync(account, (provider, token) => usenet.StatAsync(article, provider, FetchPriority.Health, token), cancellationToken);

    /// <inheritdoc/>
    public Task<ArticleAnswer> BodyAsync(string account, string article, CancellationToken cancellationToken) =>
        ProbeAsync(account, (provider, token) => usenet.ProbeAsync(article, provider, FetchPriority.Health, token), cancellationToken);

    private async Task<ArticleAnswer> ProbeAsync(
        string account, Func<Provider, CancellationToken, Task<ArticleProbe>> ask, CancellationToken cancellationToken)
    {
        if (Named().FirstOrDefault(pair => pair.Name == account).Provider is not { } provider)
            return ArticleAnswer.Unknown;
        using var limit = new CancellationTokenSource(Limit, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            return (await ask(provider, both.Token)).Fault switch
            {
                null or ContentFault.Corrupt => ArticleAnswer.Has,
                ContentFault.Missing => ArticleAnswer.Missing,
                _ => ArticleAnswer.Unknown,
            };
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return ArticleAnswer.Unknown;
        }
    }

    /// <summary>
    /// The accounts with unique names: of two with the same name, the later one gets a number. Without used-up blocks, which never answer.
    /// </summary>
    private IEnumerable<(string Name, Provider Provider)> Named()
    {
        var seen = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var provider in usenet.Providers)
        {
            var name = provider.Options.DisplayName.ReplaceLineEndings(" ");
            var number = seen[name] = seen.GetValueOrDefault(name) + 1;
            if (provider.Options.IsBlock && provider.Status.Phase == ProviderPhase.UsedUp)
                continue;
            yield return (number == 1 ? name : FormattableString.Invariant($"{name} ({number})"), provider);
        }
    }
}
