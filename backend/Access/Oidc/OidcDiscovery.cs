using Microsoft.AspNetCore.Authentication.OAuth;
using Microsoft.Extensions.Options;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The provider's discovery document: fetched when somebody first wants to sign in, kept for an hour, and for longer while the provider does not answer.
/// Thread-safe.
/// </summary>
internal sealed class OidcDiscovery : IDisposable
{
    private static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

    /// <summary>A provider that is down is not asked for every click.</summary>
    private static readonly TimeSpan FailureLifetime = TimeSpan.FromSeconds(5);

    private readonly LiveAccess _access;
    private readonly OidcBackchannel _backchannel;
    private readonly IOptionsMonitorCache<OAuthOptions> _schemes;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _single = new(1, 1);
    private volatile Known? _known;
    private volatile Failure? _failure;

    public OidcDiscovery(LiveAccess access, OidcBackchannel backchannel, IOptionsMonitorCache<OAuthOptions> schemes, TimeProvider time)
    {
        _access = access;
        _backchannel = backchannel;
        _schemes = schemes;
        _time = time;
        _access.Changed += Forget;
    }

    /// <summary>The document of a provider, if it is known.</summary>
    public OidcDocument? Find(OidcOptions options) => _known is { } known && known.Authority == options.Authority ? known.Document : null;

    /// <summary>The document; asks for it if it is not known, or is old.</summary>
    /// <exception cref="OidcException">There is none.</exception>
    public async ValueTask<OidcDocument> GetAsync(OidcOptions options, CancellationToken cancellationToken)
    {
        if (IsFresh(options))
            return _known!.Document;
        await _single.WaitAsync(cancellationToken);
        try
        {
            if (IsFresh(options))
                return _known!.Document;
            if (_failure is { } failure && failure.Authority == options.Authority && _time.GetUtcNow() < failure.Until)
                return Find(options) ?? throw new OidcException(failure.Message) { Status = failure.Status };
            return await RefreshAsync(options, cancellationToken);
        }
        finally
        {
            _single.Release();
        }
    }

    public void Dispose()
    {
        _access.Changed -= Forget;
        _single.Dispose();
    }

    private bool IsFresh(OidcOptions options) => _known is { } known && known.Authority == options.Authority && _time.GetUtcNow() < known.Until;

    private async Task<OidcDocument> RefreshAsync(OidcOptions options, CancellationToken cancellationToken)
    {
        try
        {
            var document = await FetchAsync(options, cancellationToken);
            _known = new Known(options.Authority, document, _time.GetUtcNow() + Lifetime);
            _schemes.TryRemove(OidcPaths.Scheme);
            return document;
        }
        catch (OidcException e)
        {
            _failure = new Failure(options.Authority, e.Message, e.Status, _time.GetUtcNow() + FailureLifetime);
            if (Find(options) is { } former)
                return former;
            throw;
        }
    }

    private async Task<OidcDocument> FetchAsync(OidcOptions options, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, options.Authority.AbsoluteUri.TrimEnd('/') + "/.well-known/openid-configuration");
        var document = await _backchannel.AskAsync(request, "its discovery document", OidcJson.Default.OidcDocument, cancellationToken);
        return document.Fault(options.Authority) is { } fault ? throw new OidcException($"The sign-in provider cannot be used: {fault}.") : document;
    }

    private void Forget()
    {
        _failure = null;
        _schemes.TryRemove(OidcPaths.Scheme);
    }

    private sealed record Known(Uri Authority, OidcDocument Document, DateTimeOffset Until);

    private sealed record Failure(Uri Authority, string Message, int Status, DateTimeOffset Until);
}
