using System.Text.Json;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.Extensions.Options;
using Microsoft.IdentityModel.Protocols;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using NzbDav.Access.Options;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The provider's discovery document and its keys. Fetched at the first sign-in, cached for an hour, and for longer while the provider does
/// not answer. Thread-safe.
/// </summary>
internal sealed class OidcDiscovery : IConfigurationManager<OpenIdConnectConfiguration>, IDisposable
{
    /// <summary>End of the address of a discovery document (OpenID Connect Discovery 1.0 §4).</summary>
    public const string Document = "/.well-known/openid-configuration";

    private static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

    /// <summary>Time before a provider that failed is asked again, so that repeated clicks send no requests.</summary>
    private static readonly TimeSpan FailureLifetime = TimeSpan.FromSeconds(5);

    private readonly LiveAccess _access;
    private readonly OidcBackchannel _backchannel;
    private readonly IOptionsMonitorCache<OpenIdConnectOptions> _schemes;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _single = new(1, 1);
    private volatile Known? _known;
    private volatile Failure? _failure;

    public OidcDiscovery(
        LiveAccess access, OidcBackchannel backchannel, IOptionsMonitorCache<OpenIdConnectOptions> schemes, TimeProvider time)
    {
        _access = access;
        _backchannel = backchannel;
        _schemes = schemes;
        _time = time;
        _access.Changed += Forget;
    }

    /// <summary>The cached document of a provider; null if there is none.</summary>
    public OpenIdConnectConfiguration? Find(OidcOptions options) =>
        _known is { } known && known.Authority == options.Authority ? known.Document : null;

    /// <summary>The document; fetches it if it is not cached or has expired.</summary>
    /// <exception cref="OidcException">There is none.</exception>
    public async ValueTask<OpenIdConnectConfiguration> GetAsync(OidcOptions options, CancellationToken cancellationToken)
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

    /// <summary>For ASP.NET Core's handler.</summary>
    /// <exception cref="OidcException">There is none.</exception>
    public async Task<OpenIdConnectConfiguration> GetConfigurationAsync(CancellationToken cancel) =>
        await GetAsync(_access.Current.Oidc ?? throw OidcException.None(), cancel);

    /// <summary>Makes the next sign-in fetch the document again: the provider has signed with an unknown key.</summary>
    public void RequestRefresh()
    {
        if (_known is { } known)
            _known = known with { Until = default };
    }

    public void Dispose()
    {
        _access.Changed -= Forget;
        _single.Dispose();
    }

    private bool IsFresh(OidcOptions options) =>
        _known is { } known && known.Authority == options.Authority && _time.GetUtcNow() < known.Until;

    private async Task<OpenIdConnectConfiguration> RefreshAsync(OidcOptions options, CancellationToken cancellationToken)
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

    private async Task<OpenIdConnectConfiguration> FetchAsync(OidcOptions options, CancellationToken cancellationToken)
    {
        OpenIdConnectConfiguration document;
        try
        {
            var address = options.Authority.AbsoluteUri.TrimEnd('/') + Document;
            document = await OpenIdConnectConfigurationRetriever.GetAsync(address, _backchannel, cancellationToken);
        }
        catch (Exception e) when (e is ArgumentException or JsonException or InvalidOperationException)
        {
            throw new OidcException("The sign-in provider's discovery document or keys cannot be read.", e);
        }

        return Fault(document, options.Authority) is { } fault
            ? throw new OidcException($"The sign-in provider cannot be used: {fault}.")
            : document;
    }

    /// <summary>What is wrong with a document; null if it is valid.</summary>
    private static string? Fault(OpenIdConnectConfiguration document, Uri authority)
    {
        // "The issuer value returned MUST be identical to the Issuer URL that was used as the prefix"; a slash at the end is often
        // forgotten.
        if (document.Issuer?.TrimEnd('/') != authority.AbsoluteUri.TrimEnd('/'))
            return "it calls itself otherwise than NzbDav__Access__Oidc__Authority does";
        if (!IsAddress(document.AuthorizationEndpoint) || !IsAddress(document.TokenEndpoint))
            return "its discovery document lacks an endpoint: authorization and token are needed";
        return document.SigningKeys.Count == 0 ? "it names no keys that its tokens are signed with" : null;
    }

    private static bool IsAddress(string? text) => Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https";

    private void Forget()
    {
        _failure = null;
        _schemes.TryRemove(OidcPaths.Scheme);
    }

    private sealed record Known(Uri Authority, OpenIdConnectConfiguration Document, DateTimeOffset Until);

    private sealed record Failure(Uri Authority, string Message, int Status, DateTimeOffset Until);
}
