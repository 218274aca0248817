using NzbDav.FullNzbTester.Faults;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>Starts and ends faults, one at a time, at either provider. The seed determines which, where and for how long.</summary>
internal sealed class FaultWeather(ProviderPair pair, int seed, TimeProvider time)
{
    private static readonly TimeSpan ShortestFault = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan LongestFault = TimeSpan.FromSeconds(12);
    private static readonly TimeSpan ShortestCalm = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestCalm = TimeSpan.FromSeconds(5);

    private readonly Random _random = new(seed);

    /// <summary>Creates faults until the token fires, then ends them.</summary>
    /// <param name="began">Called with each fault as it begins.</param>
    /// <param name="cancellationToken">Fires when the time is over.</param>
    public async Task RunAsync(Action<FaultScenario> began, CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                await Task.Delay(Between(ShortestCalm, LongestCalm), time, cancellationToken);
                if (_random.Next(2) == 0)
                    pair.Swap();
                pair.Seed = _random.Next();
                var fault = FaultScenario.All[_random.Next(FaultScenario.All.Count)];
                fault.Begin?.Invoke(pair);
                fault.Midway?.Invoke(pair);

                // Refusing logins affects only new connections, so the open ones are ended.
                if (pair.First.RefuseLogins > 0)
                    pair.First.DropConnections(reset: false);
                began(fault);
                await Task.Delay(Between(ShortestFault, LongestFault), time, cancellationToken);
                pair.Mend();
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The time is over.
        }
        finally
        {
            pair.Mend();
        }
    }

    private TimeSpan Between(TimeSpan least, TimeSpan most) => least + ((most - least) * _random.NextDouble());
}
