using System.CommandLine;
using System.Text;
using Microsoft.Extensions.Configuration;
using NzbDav.Host.Commands;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>
/// The program's command line in this process, with an environment and an output of its own: for tests whose point is not the process, as a
/// process takes seconds of a processor to start. Disposal stops it as SIGTERM does.
/// </summary>
internal sealed class ServerHere : RunningProgram
{
    private static readonly AsyncLocal<ServerHere?> Current = new();

    private readonly CancellationTokenSource _stop = new();
    private readonly Task<int> _run;

    static ServerHere()
    {
        Console.SetOut(new FlowWriter(Console.Out, isError: false));
        Console.SetError(new FlowWriter(Console.Error, isError: true));
    }

    private ServerHere(IReadOnlyDictionary<string, string> environment, string[] arguments) => _run = Task.Run(async () =>
    {
        Current.Value = this;
        SettingSources.Substitute.Value = new ConfigurationBuilder()
            .AddInMemoryCollection(environment.Select(static pair =>
                new KeyValuePair<string, string?>(pair.Key.Replace("__", ":", StringComparison.Ordinal), pair.Value))).Build();
        return await NzbDavCommand.For(arguments).Parse(arguments)
            .InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null }, _stop.Token);
    });

    protected override Task OutputEnd => _run;

    /// <summary>Runs a command line.</summary>
    /// <param name="environment">Settings.</param>
    /// <param name="arguments">The command line.</param>
    public static ServerHere Start(IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        new(ServerProcess.WithCatalog(environment, ServerProcess.FolderOf(arguments)), arguments);

    /// <summary>Serves a configuration on a free loopback port.</summary>
    public static ServerHere Serve(NewsServers news, Folder folder) =>
        Start(ServerProcess.Environment(news), "--config", folder.Path, "--urls", "http://127.0.0.1:0");

    /// <summary>Runs a command to its end.</summary>
    public static async Task<(int ExitCode, IReadOnlyList<string> Output, IReadOnlyList<string> Errors)> RunAsync(
        IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        await using var run = Start(environment, arguments);
        return (await run._run.WaitAsync(Deadline.Long), run.Output, run.Errors);
    }

    /// <summary>Stops the server and asserts that it ended well.</summary>
    public async Task StopAsync()
    {
        await _stop.CancelAsync();
        Assert.Equal(0, await _run.WaitAsync(Deadline.Long));
    }

    public override async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _run.WaitAsync(Deadline.Long);
        _stop.Dispose();
    }

    /// <summary>The console: what a command writes belongs to it, and the rest to the test program.</summary>
    private sealed class FlowWriter(TextWriter others, bool isError) : TextWriter
    {
        private readonly Dictionary<ServerHere, StringBuilder> _begun = [];

        public override Encoding Encoding => others.Encoding;

        public override void Write(char value) => Write([value]);

        public override void Write(string? value) => Write(value.AsSpan());

        public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

        public override void Write(ReadOnlySpan<char> buffer)
        {
            if (Current.Value is not { } run)
            {
                others.Write(buffer);
                return;
            }

            lock (_begun)
            {
                if (!_begun.TryGetValue(run, out var line))
                    _begun[run] = line = new StringBuilder();
                for (int end; (end = buffer.IndexOf('\n')) >= 0; buffer = buffer[(end + 1)..])
                {
                    run.Add(line.Append(buffer[..end]).ToString(), isError);
                    line.Clear();
                }

                line.Append(buffer);
                if (line.Length == 0)
                    _begun.Remove(run);
            }
        }

        public override void Flush()
        {
            if (Current.Value is null)
                others.Flush();
        }
    }
}
