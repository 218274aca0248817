using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// Two mock providers with the same articles, of equal priority or a primary and its backup, behind one household's line. Each can fill
/// that line alone, so losing one costs no bandwidth. Both run in this process, which creates the faults; the client here only receives and
/// compares.
/// </summary>
internal sealed class ProviderPair : IAsyncDisposable
{
    /// <summary>Connections of each account.</summary>
    public const int Connections = 8;

    /// <summary>320 Mbit/s; the eight connections of one provider carry 384.</summary>
    private const long HouseholdRate = 40_000_000;

    private readonly bool _tls;

    /// <param name="store">The articles that both have.</param>
    /// <param name="tls">True to use TLS.</param>
    /// <param name="lineRate">Bytes per second of the household's line.</param>
    public ProviderPair(ArticleStore store, bool tls, long lineRate = HouseholdRate)
    {
        _tls = tls;
        var options = new MockProviderOptions
        {
            Latency = TimeSpan.FromMilliseconds(20),
            ConnectionRate = 6_000_000,
            Line = new MockLine(lineRate),
            Tls = tls,
            Username = MockAccount.Username,
            Password = MockAccount.Password,
        };
        First = MockProvider.Start(store, options with { Name = "news-a" });
        Second = MockProvider.Start(store, options with { Name = "news-b" });
        Both = [First, Second];
        Store = store;
    }

    public ArticleStore Store { get; }

    /// <summary>The provider that fails when only one does.</summary>
    public MockProvider First { get; private set; }

    public MockProvider Second { get; private set; }

    /// <summary>Both, in the order of the accounts.</summary>
    public IReadOnlyList<MockProvider> Both { get; }

    /// <summary>Selects the articles to which faults apply.</summary>
    public int Seed { get; set; } = 3;

    /// <summary>Both accounts, as a server reads them from its environment.</summary>
    public Dictionary<string, string> Accounts
    {
        get
        {
            var accounts = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var (provider, index) in Both.Select((provider, index) => (provider, index)))
            {
                foreach (var (key, value) in MockAccount.CreateWithLogin(index, provider.Name, provider.Port, _tls, Connections))
                    accounts[key] = value;
                accounts[MockAccount.Key(index, "VerifyCertificate")] = "false";
                accounts[MockAccount.Key(index, "Priority")] = "0";
            }

            return accounts;
        }
    }

    /// <summary>Exchanges <see cref="First"/> and <see cref="Second"/>.</summary>
    public void Swap() => (First, Second) = (Second, First);

    /// <summary>Ends all faults at both.</summary>
    public void Mend()
    {
        foreach (var provider in Both)
        {
            provider.Faults.Clear();
            provider.RefuseLogins = 0;
            provider.RefuseBodies = false;
            provider.RefuseConnections = false;
            provider.IsFrozen = false;
            provider.MaxConnections = int.MaxValue;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await First.DisposeAsync();
        await Second.DisposeAsync();
    }
}
