using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// Two mock providers of equal priority with the same articles, behind one household's line. Either fills that line alone, so that a provider that is gone takes nothing from it. Both run in this
/// process, where the faults are made: the client beside them only receives and compares.
/// </summary>
internal sealed class ProviderPair : IAsyncDisposable
{
    /// <summary>Connections of each account.</summary>
    public const int Connections = 8;

    /// <summary>320 Mbit/s; the eight connections of one provider carry 384.</summary>
    private const long HouseholdRate = 40_000_000;

    private readonly bool _tls;

    /// <param name="store">What both hold.</param>
    /// <param name="tls">Over TLS.</param>
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

    /// <summary>The one that goes wrong where only one does.</summary>
    public MockProvider First { get; private set; }

    public MockProvider Second { get; private set; }

    /// <summary>In the order of the accounts, whichever goes wrong.</summary>
    public IReadOnlyList<MockProvider> Both { get; }

    /// <summary>Chooses the articles that are struck.</summary>
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

    /// <summary>From now on the other one goes wrong where only one does.</summary>
    public void Swap() => (First, Second) = (Second, First);

    /// <summary>From now on both do everything right.</summary>
    public void Mend()
    {
        foreach (var provider in Both)
        {
            provider.Faults.Clear();
            provider.RefuseLogins = 0;
            provider.RefuseBodies = false;
            provider.RefuseConnections = false;
            provider.MaxConnections = int.MaxValue;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await First.DisposeAsync();
        await Second.DisposeAsync();
    }
}
