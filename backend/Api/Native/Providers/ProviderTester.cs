using NzbDav.Content.Proxies;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Checks;

namespace NzbDav.Api.Native.Providers;

/// <summary>Tests accounts, one at a time. Thread-safe.</summary>
internal sealed class ProviderTester(UsenetClient usenet, IProviderNumbers numbers, KnownArticles articles, TimeProvider time)
{
    private int _running;

    /// <summary>Builds the account from a request; null with the faults if a value is wrong.</summary>
    public (ProviderOptions? Account, IReadOnlyList<ProviderTestFaultBody> Faults) Read(ProviderTestBody body)
    {
        var faults = new List<ProviderTestFaultBody>();
        var saved = body.Number is { } number ? Find(number) : null;
        if (body.Number is not null && saved is null)
            faults.Add(new ProviderTestFaultBody("number", $"There is no provider {body.Number}."));
        var username = body.Username ?? "";
        var password = body.Password ?? "";
        var proxy = body.Proxy is null ? saved?.Proxy : null;

        // The text is not repeated: it may hold a password.
        if (body.Proxy is { Length: > 0 } text && !ProxyAddress.TryParse(text, out proxy))
            faults.Add(new ProviderTestFaultBody(
                "proxy", "This is not a proxy address such as socks5://user:password@host:1080 or http://host:3128."));
        if (body.Password is null && saved is not null)
        {
            // The saved password is sent only to the server it was saved for: otherwise a caller could capture it with a server of their
            // own.
            if (IsSameServer(saved, body) && (proxy is null || proxy == saved.Proxy || body is { UseTls: true, VerifyCertificate: true }))
                password = saved.Password;
            else if (saved.Password.Length > 0)
                faults.Add(
                    new ProviderTestFaultBody(
                    "password",
                    "The saved password is only sent to the saved host and port, with TLS as it was saved, and through another proxy " +
                    "only with TLS: enter it again."));
        }

        var account = new ProviderOptions
        {
            Host = body.Host,
            Port = body.Port,
            UseTls = body.UseTls,
            VerifyCertificate = body.VerifyCertificate,
            Username = username,
            Password = password,
            MaxConnections = body.MaxConnections,
            Proxy = proxy,
            TrustedRoots = saved?.TrustedRoots,
        };
        const string Path = "account";
        foreach (var fault in account.Validate(Path))
        {
            // "PATH:Host is empty: …" is about one setting, "PATH: the name …" about several.
            var end = fault.IndexOf(' ', StringComparison.Ordinal);
            var name = fault[Path.Length..end].Trim(':');
            faults.Add(new ProviderTestFaultBody(
                name.Length == 0 ? "username" : char.ToLowerInvariant(name[0]) + name[1..], fault[(Path.Length + 1)..].TrimStart()));
        }

        return faults.Count == 0 ? (account, faults) : (null, faults);
    }

    /// <summary>Tests an account.</summary>
    /// <returns>Null while another test is running.</returns>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<ProviderVerdictBody?> TryRunAsync(ProviderOptions account, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _running, 1) != 0)
            return null;
        try
        {
            var options = new CheckOptions { Account = account, OwnConnections = CountOwn(account), Articles = articles.FindAsync };
            var verdict = await new ProviderCheck(options, time).RunAsync(cancellationToken);
            return new ProviderVerdictBody(
                verdict.Ok,
                [.. verdict.Results.Select(static result =>
                    new ProviderStepBody(result.Step, result.Ok, result.Skipped, result.Time.TotalSeconds, result.Message))],
                verdict.Connections,
                verdict.RoundTrip?.TotalSeconds,
                verdict.Rate);
        }
        finally
        {
            Volatile.Write(ref _running, 0);
        }
    }

    /// <summary>
    /// The same rule by which a change of settings keeps a password: the host and port are the same, and the connection is no less
    /// protected. Nor may another proxy read it.
    /// </summary>
    private static bool IsSameServer(ProviderOptions saved, ProviderTestBody body) =>
        string.Equals(saved.Host, body.Host, StringComparison.OrdinalIgnoreCase) && saved.Port == body.Port
        && (body.UseTls || !saved.UseTls) && (body.VerifyCertificate || !saved.VerifyCertificate);

    private ProviderOptions? Find(int number)
    {
        var (known, all) = (numbers.Now, usenet.Providers);
        for (var i = 0; i < all.Count; i++)
        {
            if ((i < known.Count ? known[i] : i) == number)
                return all[i].Options;
        }

        return null;
    }

    /// <summary>
    /// Number of connections that this server has open with the same account. With a different password it may be another account.
    /// </summary>
    private int CountOwn(ProviderOptions account) => usenet.Providers
        .Where(provider => account.Username.Length > 0
            && string.Equals(provider.Options.Host, account.Host, StringComparison.OrdinalIgnoreCase)
            && provider.Options.Username == account.Username && provider.Options.Password == account.Password)
        .Sum(static provider => provider.Status.OpenConnections);
}

/// <summary>A Usenet account to test. It need not be saved.</summary>
internal sealed record ProviderTestBody
{
    /// <summary>
    /// The saved account that is being edited; null for a new one. Its password is used when <see cref="Password"/> is null, but only for
    /// the same host and port, and with TLS as it was saved.
    /// </summary>
    public int? Number { get; init; }

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port, 1 to 65535.</summary>
    public int Port { get; init; }

    /// <summary>TLS from the first byte.</summary>
    public bool UseTls { get; init; }

    /// <summary>The certificate must be valid.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>Null or empty for a server without a login.</summary>
    public string? Username { get; init; }

    /// <summary>Null for the saved one.</summary>
    public string? Password { get; init; }

    /// <summary>The proxy to reach it through, such as socks5://user:password@host:1080; empty for none, null for the saved one.</summary>
    public string? Proxy { get; init; }

    /// <summary>Connections to try, 1 to 500.</summary>
    public int MaxConnections { get; init; }
}

/// <summary>Why an account was not tested.</summary>
/// <param name="Faults">Every fault in the values that were sent.</param>
internal sealed record ProviderTestFaultsBody(IReadOnlyList<ProviderTestFaultBody> Faults);

/// <summary>A fault in a value that was sent.</summary>
/// <param name="Path">The field.</param>
/// <param name="Message">What is wrong with it.</param>
internal sealed record ProviderTestFaultBody(string Path, string Message);

/// <summary>The result of a provider's test.</summary>
/// <param name="Ok">No step found anything wrong.</param>
/// <param name="Steps">In order, up to the first step that failed.</param>
/// <param name="Connections">Connections that the account allows, including those that this server has open; null: not determined.</param>
/// <param name="RoundTripSeconds">Median time from a command to its answer; null: not determined.</param>
/// <param name="Rate">Bytes per second received from the network; null: not measured.</param>
internal sealed record ProviderVerdictBody(
    bool Ok, IReadOnlyList<ProviderStepBody> Steps, int? Connections, double? RoundTripSeconds, double? Rate);

/// <summary>One step of a provider's test.</summary>
/// <param name="Name">The step.</param>
/// <param name="Ok">Nothing is wrong.</param>
/// <param name="Skipped">It was skipped; the message says why.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Message">What was found, and what to do if it is wrong.</param>
internal sealed record ProviderStepBody(CheckStep Name, bool Ok, bool Skipped, double Seconds, string Message);
