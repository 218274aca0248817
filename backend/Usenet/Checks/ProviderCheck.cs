using System.Globalization;
using System.Net.Sockets;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Checks;

/// <summary>
/// Checks an account step by step and explains its faults, whether the account is in use or not. Opens its own connections and closes them
/// before it ends. For one use.
/// </summary>
/// <remarks>Its connections are in no share (<see cref="Providers.ConnectionLeases"/>): where several gateways use the account, it may ask
/// the server for more than the account allows, and counts what other gateways have open as refused.</remarks>
public sealed class ProviderCheck
{
    /// <summary>Time limit for the whole check.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan StepLimit = TimeSpan.FromSeconds(10);

    private readonly CheckOptions _options;
    private readonly TimeProvider _time;
    private readonly List<CheckedConnection> _open = [];
    private readonly List<CheckResult> _results = [];
    private int? _connections;
    private TimeSpan? _roundTrip;
    private double? _rate;

    /// <param name="options">The account and its context.</param>
    /// <param name="time">Clock for the limits.</param>
    public ProviderCheck(CheckOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _time = time;
    }

    /// <summary>Number of steps that have ended.</summary>
    internal int StepsDone => _results.Count;

    private ProviderOptions Account => _options.Account;

    /// <summary>Runs the check. Faults of the server are results, not exceptions.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<CheckVerdict> RunAsync(CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(Limit, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        await using var login = new CheckedLogin(_options, _time);
        try
        {
            if (await OpenAsync(login, both.Token) && await StepAsync(CheckStep.Connections, CountAsync, both.Token) && _open.Count > 0)
            {
                if (await StepAsync(CheckStep.RoundTrip, MeasureRoundTripAsync, both.Token))
                    await StepAsync(CheckStep.Speed, MeasureSpeedAsync, both.Token);
            }
        }
        finally
        {
            await Task.WhenAll(_open.Select(static connection => connection.DisposeAsync().AsTask()));
        }

        cancellationToken.ThrowIfCancellationRequested();
        return new CheckVerdict(_results, _connections, _roundTrip, _rate);
    }

    private async Task<bool> OpenAsync(CheckedLogin login, CancellationToken cancellationToken)
    {
        if (!await StepAsync(CheckStep.Resolve, login.ResolveAsync, cancellationToken)
            || !await StepAsync(CheckStep.Connect, login.ConnectAsync, cancellationToken))
            return false;
        if (!Account.UseTls)
            Skip(CheckStep.Tls, "TLS is switched off: others on the way can read the password.");
        else if (!await StepAsync(CheckStep.Tls, login.SecureAsync, cancellationToken))
            return false;
        if (!await StepAsync(CheckStep.Greeting, login.ReadGreetingAsync, cancellationToken)
            || !await StepAsync(CheckStep.Login, login.LogInAsync, cancellationToken))
            return false;
        if (login.DetachConnection() is { } connection)
            _open.Add(connection);
        return true;
    }

    private async Task<(bool Ok, string Message)> CountAsync(CancellationToken cancellationToken)
    {
        var own = _options.OwnConnections;
        var beside = own > 0 ? string.Create(CultureInfo.InvariantCulture, $", the {own} that this server has open included") : "";
        var refusal = _open.Count == 0 ? "" : null;
        var began = _time.GetTimestamp();
        while (refusal is null && own + _open.Count < Account.MaxConnections && _time.GetElapsedTime(began) < StepLimit)
        {
            // Doubled each time, so that a server that allows few is not asked for many at once.
            var wave = Math.Min(Math.Min(_open.Count * 2, 32), Account.MaxConnections - own - _open.Count);
            var opened = await Task.WhenAll(
                Enumerable.Range(0, wave).Select(_ => NntpHandshake.OpenAsync(Account, static () => true, _time, cancellationToken)));
            foreach (var one in opened)
            {
                if (one.Stream is { } stream)
                    _open.Add(new CheckedConnection(stream));
                else
                    refusal ??= one.Reason;
            }
        }

        var granted = own + _open.Count;
        _connections = granted;
        if (granted >= Account.MaxConnections)
            return (true, string.Create(CultureInfo.InvariantCulture, $"All {granted} connections are granted{beside}."));
        return refusal switch
        {
            null => (true, string.Create(CultureInfo.InvariantCulture,
                $"{granted} connections were granted{beside} within ten seconds, and none was refused; the check stopped there.")),
            "" => (true, string.Create(
                CultureInfo.InvariantCulture, $"The account grants {granted} connections, and this server has all of them open.")),
            _ => (true,
                string.Create(
                CultureInfo.InvariantCulture,
                $"{granted} of {Account.MaxConnections} connections are granted{beside}. The next was refused: {refusal} Other programs " +
                $"with this account count too; NzbDav uses as many as it is granted.")),
        };
    }

    private async Task<(bool Ok, string Message)> MeasureRoundTripAsync(CancellationToken cancellationToken)
    {
        var times = new List<TimeSpan>();
        for (var i = 0; i < 5; i++)
        {
            var began = _time.GetTimestamp();
            await _open[0].Lines.ExecuteAsync("DATE\r\n", cancellationToken);
            times.Add(_time.GetElapsedTime(began));
        }

        times.Sort();
        _roundTrip = times[times.Count / 2];
        return (true, string.Create(
            CultureInfo.InvariantCulture, $"An answer takes {_roundTrip.Value.TotalMilliseconds:0.#} ms (median of {times.Count})."));
    }

    private async Task<(bool Ok, string Message)> MeasureSpeedAsync(CancellationToken cancellationToken)
    {
        var articles = (await _options.Articles(SpeedCheck.MostArticles, cancellationToken)).Where(NntpCommandWriter.IsSendable).ToArray();
        if (articles.Length == 0)
        {
            Skip(CheckStep.Speed, "Not measured: the library holds no post yet whose articles could be fetched.");
            return (true, "");
        }

        (_rate, var message) = await new SpeedCheck(_open, articles, _time).RunAsync(cancellationToken);
        if (_rate is not null)
            return (true, message);
        Skip(CheckStep.Speed, message);
        return (true, "");
    }

    private void Skip(CheckStep step, string message) =>
        _results.Add(new CheckResult(step, Ok: true, Skipped: true, TimeSpan.Zero, message));

    /// <summary>Runs a step and records its result, unless the step has done so itself.</summary>
    /// <returns>Whether the check continues.</returns>
    private async Task<bool> StepAsync(
        CheckStep step, Func<CancellationToken, Task<(bool Ok, string Message)>> run, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(StepLimit, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        var began = _time.GetTimestamp();
        bool ok;
        string message;
        try
        {
            (ok, message) = await run(both.Token);
        }
        catch (CheckFailedException failed)
        {
            (ok, message) = (false, failed.Message);
        }
        catch (OperationCanceledException)
        {
            (ok, message) = (false, CheckedLogin.ExplainSilence(Account, step));
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            (ok, message) =
                (false, $"{Account.Host}:{Account.Port} closed the connection: {error.Message.TrimEnd('.')}. Try again; if it stays so, " +
                $"ask the provider.");
        }

        if (message.Length > 0)
            _results.Add(new CheckResult(step, ok, Skipped: false, _time.GetElapsedTime(began), message));
        return ok;
    }
}

/// <summary>Input of a provider check.</summary>
public sealed record CheckOptions
{
    /// <summary>The account, validated. It need not be in use.</summary>
    public required ProviderOptions Account { get; init; }

    /// <summary>
    /// Connections that this server has open with the same host, user and password. They count towards the account's limit.
    /// </summary>
    public int OwnConnections { get; init; }

    /// <summary>
    /// Finds message-ids of articles that the provider should have, at most as many as given. If it finds none, the speed is not measured.
    /// </summary>
    public Func<int, CancellationToken, Task<IReadOnlyList<string>>> Articles { get; init; } = static (_, _) =>
        Task.FromResult<IReadOnlyList<string>>([]);
}

/// <summary>Result of a provider check.</summary>
/// <param name="Results">The steps in order, up to the first that failed.</param>
/// <param name="Connections">Number of connections that the account allows, including those that this server has open; null if
/// unknown.</param>
/// <param name="RoundTrip">Median time from a command to its answer; null if unknown.</param>
/// <param name="Rate">Bytes per second as received from the network; null: not measured.</param>
public sealed record CheckVerdict(IReadOnlyList<CheckResult> Results, int? Connections, TimeSpan? RoundTrip, double? Rate)
{
    /// <summary>True if no step found a fault.</summary>
    public bool Ok => Results.All(static result => result.Ok);
}

/// <summary>Result of one step of a check.</summary>
/// <param name="Step">The step.</param>
/// <param name="Ok">True if the step found no fault.</param>
/// <param name="Skipped">True when it was not run; <paramref name="Message"/> tells why.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Message">One or two sentences: the finding and, if it is a fault, what to do.</param>
public sealed record CheckResult(CheckStep Step, bool Ok, bool Skipped, TimeSpan Time, string Message);

/// <summary>The steps of a provider check, in order.</summary>
public enum CheckStep
{
    /// <summary>The host name has an address.</summary>
    Resolve,

    /// <summary>Something listens there.</summary>
    Connect,

    /// <summary>It speaks TLS, with a trusted certificate.</summary>
    Tls,

    /// <summary>It greets like a news server.</summary>
    Greeting,

    /// <summary>It accepts user name and password.</summary>
    Login,

    /// <summary>Number of connections it allows at once.</summary>
    Connections,

    /// <summary>Time that an answer takes.</summary>
    RoundTrip,

    /// <summary>Rate at which articles of the library arrive.</summary>
    Speed,
}
