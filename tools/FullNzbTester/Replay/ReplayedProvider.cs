using System.Globalization;
using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>A mock provider that behaves like a recorded one. Until <see cref="RunAsync"/> it serves everything at once.</summary>
internal sealed class ReplayedProvider : IAsyncDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);

    private readonly RecordedProvider _recorded;
    private readonly ProviderPast _past;
    private readonly ProviderScript _script;
    private readonly IReadOnlyList<ProviderMoment> _moments;

    private ReplayedProvider(
        RecordedProvider recorded, MockProvider mock, ProviderPast past, ProviderScript script, IReadOnlyList<ProviderMoment> moments) =>
        (_recorded, Mock, _past, _script, _moments) = (recorded, mock, past, script, moments);

    public MockProvider Mock { get; }

    /// <summary>Connections that a server opens in advance.</summary>
    public int WarmConnections => Math.Min(20, Math.Min(_recorded.Connections, Mock.MaxConnections));

    public static ReplayedProvider Start(RecordedProvider recorded, Recording recording, ArticleStore store,
        IReadOnlyDictionary<int, (RecordedFile Recorded, PostedFile Posted)> files)
    {
        var lines = recording.Articles.Where(line => line.Provider == recorded.Number).OrderBy(line => line.Asked).ToArray();
        var past = new ProviderPast(lines);
        var moments = ProviderMoments.Of(recorded, recording.Connections, recording.Articles);
        var mock = MockProvider.Start(store, new MockProviderOptions
        {
            Name = $"P{recorded.Number}",
            KeepsArticles = false,
            CapRefusal = CapRefusal.AtLogin,

            // A limit known when the recording began applies from the start.
            MaxConnections = moments is [{ Kind: ProviderMomentKind.Cap, At: 0, Value: var cap }, ..] ? cap : recorded.Connections,
        });
        return new ReplayedProvider(recorded, mock, past, new ProviderScript(lines, past, files), moments);
    }

    /// <summary>The account in the settings of a server.</summary>
    /// <param name="index">Place among the accounts, from 0.</param>
    public IReadOnlyDictionary<string, string> Account(int index)
    {
        var account = MockAccount.Create(index, Mock.Name, Mock.Port, tls: false, _recorded.Connections);
        account[MockAccount.Key(index, "Priority")] = _recorded.Priority.ToString(CultureInfo.InvariantCulture);
        if (_recorded.Backbone is { } backbone)
            account[MockAccount.Key(index, "Backbone")] = $"B{backbone}";
        if (_recorded.IsBlock)
        {
            account[MockAccount.Key(index, "QuotaGB")] = "1000000";
            account[MockAccount.Key(index, "QuotaPeriod")] = "never";
        }

        return account;
    }

    /// <summary>Plays the recorded provider's behaviour until the token fires.</summary>
    /// <param name="now">Milliseconds since the recording's beginning.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task RunAsync(Func<double> now, CancellationToken cancellationToken)
    {
        Mock.Script = _script;
        var next = 0;
        try
        {
            while (true)
            {
                var at = now();
                while (next < _moments.Count && _moments[next].At <= at)
                    Do(_moments[next++]);
                Mock.Latency = TimeSpan.FromMilliseconds(_past.RoundTrip(at));
                Mock.ConnectionRate = _past.Rate(at);
                await Task.Delay(Step, cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            // The replay is over.
        }
    }

    public ValueTask DisposeAsync() => Mock.DisposeAsync();

    private void Do(ProviderMoment moment)
    {
        switch (moment.Kind)
        {
            case ProviderMomentKind.Cap:
                Mock.MaxConnections = moment.Value;
                break;
            case ProviderMomentKind.Drop:
                Mock.DropConnections();
                break;
            default:
                Mock.RefuseConnections = moment.Kind == ProviderMomentKind.Down;
                Mock.RefuseLogins = moment.Kind == ProviderMomentKind.NoLogin ? int.MaxValue : 0;
                Mock.RefuseBodies = moment.Kind == ProviderMomentKind.NoService;
                break;
        }
    }
}
