using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Options;

/// <summary>How people reach the server and sign in. Immutable: a change is another record in <see cref="LiveAccess"/>.</summary>
public sealed record AccessOptions
{
    /// <summary>Everything is below this path; empty for the root. Begins with a slash, does not end in one.</summary>
    public PathString UrlBase { get; init; }

    /// <summary>Who may tell by header where a request came from. Empty: nobody.</summary>
    public IReadOnlyList<IPNetwork> TrustedProxies { get; init; } = [];

    /// <summary>The header in which a trusted proxy names the user; null: none.</summary>
    public string? ForwardAuthHeader { get; init; }

    /// <summary>
    /// What a trusted proxy must send as <c>X-Forward-Auth-Secret</c> for its word about the user to count; null: nothing.
    /// </summary>
    public string? ForwardAuthSecret { get; init; }

    /// <summary>What users whom a trusted proxy names may do.</summary>
    public UserRole ForwardAuthRole { get; init; } = UserRole.Administrator;

    /// <summary>The OpenID Connect provider; null: none.</summary>
    public OidcOptions? Oidc { get; init; }

    /// <summary>From here the interface asks nobody to sign in. Empty: everybody is asked.</summary>
    public IReadOnlyList<IPNetwork> LanNetworks { get; init; } = [];

    /// <summary>What requests from <see cref="LanNetworks"/> may do.</summary>
    public ApiRights LanRights { get; init; } = ApiRights.Read;

    /// <summary>
    /// Host names and addresses under which trusted networks and programs on this machine call. Empty: such trust counts only with
    /// <see cref="NoProxy"/>, or through a trusted proxy.
    /// </summary>
    public IReadOnlyList<string> LanHosts { get; init; } = [];

    /// <summary>No reverse proxy reaches this server but trusted ones: then addresses, and names that only a local network knows, need not
    /// be in <see cref="LanHosts"/>.</summary>
    public bool NoProxy { get; init; }

    /// <summary>Origins whose pages may show this server's in a frame. Empty: none.</summary>
    public IReadOnlyList<string> Frames { get; init; } = [];

    /// <summary>The longest life of a link that opens a file without a sign-in.</summary>
    public TimeSpan LinkLifetime { get; init; } = TimeSpan.FromDays(30);

    /// <summary>Tell browsers to use https alone for a year, where they do already.</summary>
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

/// <summary>
/// The <see cref="AccessOptions"/> as they are now. Everything looks here for each request, so that a change counts at once. Thread-safe.
/// </summary>
public sealed class LiveAccess(AccessOptions options)
{
    private volatile AccessOptions _current = options;

    /// <summary>What counts now.</summary>
    public AccessOptions Current => _current;

    /// <summary>Raised after a change, on the thread that made it.</summary>
    public event Action? Changed;

    /// <summary>From now on others count. They must have been checked.</summary>
    public void Replace(AccessOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _current = options;
        Changed?.Invoke();
    }
}

/// <summary>What a page is told of the server before it shows anything. Immutable.</summary>
/// <param name="Version">Of the program, such as <c>0.1.0</c>; told to those who are signed in.</param>
/// <param name="IsDemo">It shows what it can with videos of its own.</param>
/// <param name="IsOpen">Until there is a user, whoever asks from this machine may do everything: the demo without a password, which listens
/// on loopback only.</param>
/// <param name="IsOpenToAll">With <paramref name="IsOpen"/>: whoever reaches it may do everything, because something else, such as the
/// published ports of a container, decides who does.</param>
public sealed record ServerFacts(string Version, bool IsDemo = false, bool IsOpen = false, bool IsOpenToAll = false);
