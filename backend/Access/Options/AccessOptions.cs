using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Options;

/// <summary>How people reach the server and sign in. Immutable: a change replaces the record in <see cref="LiveAccess"/>.</summary>
public sealed record AccessOptions
{
    /// <summary>The path that everything is below; empty for the root. Begins with a slash, does not end with one.</summary>
    public PathString UrlBase { get; init; }

    /// <summary>Addresses whose headers may state where a request came from. Empty: none.</summary>
    public IReadOnlyList<IPNetwork> TrustedProxies { get; init; } = [];

    /// <summary>The header in which a trusted proxy names the user; null: none.</summary>
    public string? ForwardAuthHeader { get; init; }

    /// <summary>
    /// The value of <c>X-Forward-Auth-Secret</c> that a trusted proxy must send when it names the user; null: none is needed.
    /// </summary>
    public string? ForwardAuthSecret { get; init; }

    /// <summary>The role of users whom a trusted proxy names.</summary>
    public UserRole ForwardAuthRole { get; init; } = UserRole.Administrator;

    /// <summary>The OpenID Connect provider; null: none.</summary>
    public OidcOptions? Oidc { get; init; }

    /// <summary>Networks from which the interface requires no sign-in. Empty: none.</summary>
    public IReadOnlyList<IPNetwork> LanNetworks { get; init; } = [];

    /// <summary>The rights of requests from <see cref="LanNetworks"/>.</summary>
    public ApiRights LanRights { get; init; } = ApiRights.Read;

    /// <summary>
    /// Host names and addresses that trusted networks and programs on this machine use to reach this server. Empty: such requests are
    /// trusted only with <see cref="NoProxy"/>, or through a trusted proxy.
    /// </summary>
    public IReadOnlyList<string> LanHosts { get; init; } = [];

    /// <summary>
    /// True if only trusted reverse proxies reach this server: then addresses, and names that only a local network knows, need not be in
    /// <see cref="LanHosts"/>.
    /// </summary>
    public bool NoProxy { get; init; }

    /// <summary>Origins whose pages may show this server's pages in a frame. Empty: none.</summary>
    public IReadOnlyList<string> Frames { get; init; } = [];

    /// <summary>The longest life of a link that opens a file without a sign-in.</summary>
    public TimeSpan LinkLifetime { get; init; } = TimeSpan.FromDays(30);

    /// <summary>Tells browsers that already use https to use only https for a year.</summary>
    public bool Hsts { get; init; }

    /// <summary>True if the address is in one of the networks; an IPv4 address counts in either form.</summary>
    internal static bool Contains(IReadOnlyList<IPNetwork> networks, IPAddress? address)
    {
        if (address is null)
            return false;
        var plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        foreach (var network in networks)
        {
            if (network.Contains(plain))
                return true;
        }

        return false;
    }
}

/// <summary>The current <see cref="AccessOptions"/>. Read for each request, so that a change applies at once. Thread-safe.</summary>
public sealed class LiveAccess(AccessOptions options)
{
    private volatile AccessOptions _current = options;

    public AccessOptions Current => _current;

    /// <summary>Raised after a change, on the thread that made it.</summary>
    public event Action? Changed;

    /// <summary>Replaces the options, which must have been validated.</summary>
    public void Replace(AccessOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _current = options;
        Changed?.Invoke();
    }
}

/// <summary>Facts about the server that a page needs before it shows anything. Immutable.</summary>
/// <param name="Version">The program's version, such as <c>0.1.0</c>; shown to signed-in users.</param>
/// <param name="IsDemo">True for the demo, which has videos of its own.</param>
/// <param name="IsOpen">True: until there is a user, every caller from this machine has all rights. For the demo without a password, which
/// listens on loopback only.</param>
/// <param name="IsOpenToAll">With <paramref name="IsOpen"/>: every caller has all rights, because something else, such as the published
/// ports of a container, decides who reaches the server.</param>
public sealed record ServerFacts(string Version, bool IsDemo = false, bool IsOpen = false, bool IsOpenToAll = false);
