using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;
using NzbDav.Catalog.Links;

namespace NzbDav.Access.Rules;

/// <summary>The creator of a link, in a form that can be stored.</summary>
/// <param name="Via">How the creator was identified: <c>password</c>, <c>oidc</c>, <c>key</c>, <c>proxy</c>, <c>network</c> or
/// <c>addon</c>.</param>
/// <param name="Name">The user's name, the key's, or empty for a network.</param>
/// <param name="Proof">Data to check that the creator's credentials are still valid.</param>
public sealed record LinkMaker(string Via, string Name, string Proof);

/// <summary>
/// Decides who may create links that open without a sign-in, how long these last, and whether their creators may still read. A link is
/// valid only as long as its creator's credentials: the user exists with the same password, the key is the same, the provider's session has
/// not ended. Thread-safe.
/// </summary>
public sealed class LinkMakers
{
    /// <summary>
    /// Longest life, in hours, of links whose creators lack the right to manage: they create links for players. Sharing files for longer
    /// needs that right.
    /// </summary>
    public const int MostPlayerHours = 7 * 24;

    /// <summary>Longest life of links whose creators' removal is not noticed here: users whom a proxy names, and networks.</summary>
    private static readonly TimeSpan MostOfUnknown = TimeSpan.FromDays(1);

    private readonly LiveAccess _access;
    private readonly UserAccounts _accounts;
    private readonly ApiKeys _keys;
    private readonly ServerFacts _facts;
    private readonly AddonKeys _addons;
    private readonly IDataProtector _protector;
    private readonly TimeProvider _time;

    /// <summary>
    /// The last proof of each key: encryption gives another text each time, and a player's link is found by its creator's proof.
    /// </summary>
    private readonly ConcurrentDictionary<KeyName, (string Hash, string Proof)> _proofs = [];

    public LinkMakers(
        LiveAccess access, UserAccounts accounts, ApiKeys keys, ServerFacts facts, AddonKeys addons, IDataProtectionProvider protection,
        TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(protection);
        (_access, _accounts, _keys, _facts, _addons, _time) = (access, accounts, keys, facts, addons, time);
        _protector = protection.CreateProtector("NzbDav.LinkMakers");
    }

    /// <summary>The caller of a request as a creator of links; null for nobody.</summary>
    public LinkMaker? Of(HttpContext http)
    {
        var caller = Caller.Of(http);
        return (caller.Kind, caller.Principal) switch
        {
            (CallerKind.Password or CallerKind.Oidc, { } principal) => Make(caller, SessionIdentity.ProofOf(principal)),
            (CallerKind.Proxy, _) => Make(caller, ""),
            (CallerKind.Network, _) => Make(caller, http.Connection.RemoteIpAddress?.ToString() ?? ""),
            (CallerKind.Addon, _) when caller.AddonKey is { } id => Make(caller, id.ToString(CultureInfo.InvariantCulture)),
            (CallerKind.Key, _) when KeyGate.InHeaders(http.Request) is { } key && _keys.NameOf(key) is { } name =>
                new LinkMaker(ViaOf(CallerKind.Key), name.ToString().ToLowerInvariant(), ProofOf(name, key)),
            _ => null,
        };
    }

    /// <summary>The longest life that a caller may ask for, in hours.</summary>
    public int MostHours(Caller caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        var most = (int)_access.Current.LinkLifetime.TotalHours;
        return caller.Rights.HasFlag(ApiRights.Manage) ? most : Math.Min(most, MostPlayerHours);
    }

    /// <summary>When the caller's links end at the latest; null: no such limit.</summary>
    public DateTimeOffset? EndFor(Caller caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        return caller.Kind switch
        {
            CallerKind.Oidc when caller.Principal is { } principal => SessionIdentity.EndOf(principal, _access.Current),
            CallerKind.Proxy or CallerKind.Network => _time.GetUtcNow() + MostOfUnknown,
            _ => null,
        };
    }

    /// <summary>True if the creator would still be admitted, and may read.</summary>
    public async ValueTask<bool> MayReadAsync(LinkMaker maker, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(maker);
        return Enum.TryParse<CallerKind>(maker.Via, ignoreCase: true, out var kind)
            && (await RightsAsync(kind, maker, cancellationToken)).HasFlag(ApiRights.Read);
    }

    private static LinkMaker Make(Caller caller, string proof) => new(ViaOf(caller.Kind), caller.Name ?? "", proof);

    private static string ViaOf(CallerKind kind) => kind.ToString().ToLowerInvariant();

    private async ValueTask<ApiRights> RightsAsync(CallerKind kind, LinkMaker maker, CancellationToken cancellationToken)
    {
        var options = _access.Current;
        switch (kind)
        {
            case CallerKind.Password or CallerKind.Oidc:
                var principal = SessionIdentity.Restore(kind, maker.Name, maker.Proof);
                return (await SessionIdentity.IdentifyAsync(principal, _accounts, options, _time.GetUtcNow(), cancellationToken))?.Rights
                    ?? ApiRights.None;
            case CallerKind.Key:
                return Enum.TryParse<KeyName>(maker.Name, ignoreCase: true, out var name) && _keys.Of(name) is { } key
                    && IsDigestOf(key, maker.Proof)
                    ? _keys.RightsOf(key)
                    : ApiRights.None;
            case CallerKind.Addon:
                return long.TryParse(maker.Proof, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
                    && await _addons.ExistsAsync(id, cancellationToken)
                    ? ApiRights.Read
                    : ApiRights.None;
            case CallerKind.Proxy:
                return options.ForwardAuthHeader is null ? ApiRights.None : Roles.RightsOf(options.ForwardAuthRole);
            case CallerKind.Network when _facts.IsOpen && !await _accounts.AnyAsync(cancellationToken):
                return ApiRights.Full;
            case CallerKind.Network:
                return IPAddress.TryParse(maker.Proof, out var address) && AccessOptions.Contains(options.LanNetworks, address)
                    ? options.LanRights
                    : ApiRights.None;
            default:
                return ApiRights.None;
        }
    }

    /// <summary>Encrypted, because a digest of a short user-chosen key could be guessed.</summary>
    private string ProofOf(KeyName name, string key)
    {
        var hash = HashOf(key);
        if (_proofs.TryGetValue(name, out var known) && known.Hash == hash)
            return known.Proof;
        var proof = _protector.Protect(hash);
        _proofs[name] = (hash, proof);
        return proof;
    }

    private bool IsDigestOf(string key, string proof)
    {
        try
        {
            return _protector.Unprotect(proof) == HashOf(key);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    private static string HashOf(string key) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(key)));
}
