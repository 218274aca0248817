using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using NzbDav.Content.Proxies;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Accounts;

/// <summary>One Usenet account, as configured. Immutable; bound from <c>NzbDav:Usenet:Providers:N</c>.</summary>
public sealed record ProviderOptions
{
    /// <summary>Largest quota in gigabytes: a petabyte.</summary>
    public const long MostGigabytes = 1_000_000;

    /// <summary>Longest retention in days: longer than Usenet has existed.</summary>
    public const int MostRetentionDays = 36_500;

    /// <summary>Name in logs and on the health page; the host if empty.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port; 563 is the registered one for NNTP over TLS, 119 without.</summary>
    public int Port { get; init; } = 563;

    /// <summary>True: TLS from the first byte (RFC 8143).</summary>
    public bool UseTls { get; init; } = true;

    /// <summary>True to verify certificates. Switch off only for a server without a valid one.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>Account name; empty for a server without a login.</summary>
    public string Username { get; init; } = "";

    /// <summary>Password of the account.</summary>
    public string Password { get; init; } = "";

    /// <summary>Opens a connection to a server in this process; null: the server is at <see cref="Host"/>.</summary>
    internal Func<Stream>? Connect { get; init; }

    /// <summary>Most connections that the account allows, 1 … 500. If the provider's real cap is lower, it is learned.</summary>
    public int MaxConnections { get; init; } = 20;

    /// <summary>
    /// Connections kept open and logged in, so that the first read does not wait for them; null: as many as allowed, at most 20.
    /// </summary>
    public int? WarmConnections { get; init; }

    /// <summary>
    /// 0 … 99; 0 is asked first. Equal priorities share the load; a higher number is asked only for what lower ones do not have.
    /// </summary>
    public int Priority { get; init; }

    /// <summary>
    /// Share of the load among providers of one priority, 1 … 100: one with 20 gets twice as much as one with 10 while both have a free
    /// connection. No request waits because of it.
    /// </summary>
    public int Weight { get; init; } = 1;

    /// <summary>
    /// True: asked only for what the others do not have or cannot deliver now; before block accounts, and whatever its priority.
    /// </summary>
    public bool BackupOnly { get; init; }

    /// <summary>Days of retention; 0: unknown. Asked last for older articles, because the number may be wrong.</summary>
    public int RetentionDays { get; init; }

    /// <summary>The proxy to connect through; null: none. The proxy resolves the host's name.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>
    /// Name of the provider's backbone, as written by the user; empty: unknown. An article missing at one provider is not requested from
    /// others on the same backbone. Case-insensitive.
    /// </summary>
    public string Backbone { get; init; } = "";

    /// <summary>Quota per period in GB (10⁹ bytes), counted as received from the network; 0: no quota.</summary>
    public long QuotaGigabytes { get; init; }

    /// <summary>When the quota starts over. Never: a block account, which is asked after all others, whatever their priority.</summary>
    public QuotaPeriod QuotaPeriod { get; init; }

    /// <summary>Day on which the quota starts over: for a week 1 (Monday) … 7, for a month 1 … 31.</summary>
    public int QuotaResetDay { get; init; } = 1;

    /// <summary>Roots to trust instead of the system's, for servers with their own certificate.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Name for display: <see cref="Name"/>, or the host.</summary>
    public string DisplayName => Name.Length > 0 ? Name : Host;

    /// <summary>Identifies the account, whatever its name and settings.</summary>
    internal string Account => string.Create(CultureInfo.InvariantCulture, $"{Host.ToUpperInvariant()}:{Port}:{Username}");

    /// <summary>True if both name the same backbone: then they have the same articles.</summary>
    public bool HasSameBackbone(ProviderOptions other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Backbone.Length > 0 && string.Equals(Backbone, other.Backbone, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The quota; null: none.</summary>
    public ProviderQuota? Quota =>
        QuotaGigabytes > 0 ? new ProviderQuota(QuotaGigabytes * 1_000_000_000, QuotaPeriod, QuotaResetDay) : null;

    /// <summary>True for a block account: its volume is paid for once, so it is asked only for articles that nobody else has.</summary>
    public bool IsBlock => QuotaGigabytes > 0 && QuotaPeriod == QuotaPeriod.Never;

    /// <summary>Rank before priority: 0 is used at any time, 1 is backup only, 2 is a block account.</summary>
    internal int FallbackRank => IsBlock ? 2 : BackupOnly ? 1 : 0;

    /// <summary>Connections to keep warm.</summary>
    public int WarmFloor => Math.Min(WarmConnections ?? 20, MaxConnections);

    /// <summary>Returns one line per error; none if the options are valid.</summary>
    /// <param name="path">Their path in the configuration, for the message.</param>
    public IEnumerable<string> Validate(string path)
    {
        if (string.IsNullOrWhiteSpace(Host))
            yield return $"{path}:Host is empty: give the provider's host name.";
        else if (Uri.CheckHostName(Host) == UriHostNameType.Unknown)
            yield return $"{path}:Host is '{Host}', which is no host name or address: leave out scheme, port and path.";
        if (Port is < 1 or > 65535)
            yield return $"{path}:Port is {Port}: it must be 1 … 65535.";
        if (MaxConnections is < 1 or > 500)
            yield return $"{path}:MaxConnections is {MaxConnections}: it must be 1 … 500.";
        if (WarmConnections is < 0)
            yield return $"{path}:WarmConnections is {WarmConnections}: it must be 0 or more.";
        if (Priority is < 0 or > 99)
            yield return $"{path}:Priority is {Priority}: it must be 0 … 99.";
        if (Weight is < 1 or > 100)
            yield return $"{path}:Weight is {Weight}: it must be 1 … 100.";
        if (RetentionDays is < 0 or > MostRetentionDays)
            yield return $"{path}:RetentionDays is {RetentionDays}: it must be 0 … {MostRetentionDays}.";
        if (QuotaGigabytes is < 0 or > MostGigabytes)
            yield return $"{path}:QuotaGB is {QuotaGigabytes}: it must be 0 … {MostGigabytes}.";
        var lastDay = QuotaPeriod == QuotaPeriod.Week ? 7 : 31;
        if (QuotaResetDay < 1 || QuotaResetDay > lastDay)
            yield return $"{path}:QuotaResetDay is {QuotaResetDay}: it must be 1 … {lastDay}.";
        if (Username.Length == 0 && Password.Length > 0)
            yield return $"{path}:Username is empty but a password is given.";
        if (HasControl(Username) || HasControl(Password))
            yield return $"{path}: the user name or password holds a control character, which NNTP cannot send.";
    }

    private static bool HasControl(string text) => text.Any(char.IsControl);
}
