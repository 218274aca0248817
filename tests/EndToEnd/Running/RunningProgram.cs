namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A command line that runs, with the lines it has written so far. Thread-safe.</summary>
internal abstract class RunningProgram : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly List<string> _output = [];
    private readonly List<string> _errors = [];
    private TaskCompletionSource _news = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IReadOnlyList<string> Output => Copy(_output);

    public IReadOnlyList<string> Errors => Copy(_errors);

    /// <summary>Completes when it will write no more.</summary>
    protected abstract Task OutputEnd { get; }

    protected string Everything => string.Join('\n', [.. Output, .. Errors]);

    /// <summary>Waits until the server answers.</summary>
    /// <returns>A client with the password.</returns>
    public async Task<DavClient> ClientAsync()
    {
        const string Start = "NzbDav serves WebDAV at ";
        var line = await LineAsync(Start);
        return new DavClient(new Uri(line[Start.Length..]).GetLeftPart(UriPartial.Authority), Gateway.User, Gateway.Password);
    }

    /// <summary>Waits for a line of its output.</summary>
    public async Task<string> LineAsync(string part)
    {
        var limit = Deadline.Token;
        while (true)
        {
            Task news;
            lock (_gate)
            {
                if (_output.Find(line => line.Contains(part, StringComparison.Ordinal)) is { } line)
                    return line;
                news = _news.Task;
            }

            Assert.False(OutputEnd.IsCompleted && !Output.Any(line => line.Contains(part, StringComparison.Ordinal)),
                $"It ended without saying '{part}':\n{Everything}");
            await Task.WhenAny(news, OutputEnd).WaitAsync(limit);
        }
    }

    public abstract ValueTask DisposeAsync();

    protected void Add(string line, bool isError)
    {
        TaskCompletionSource news;
        lock (_gate)
        {
            (isError ? _errors : _output).Add(line);
            news = _news;
            _news = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        news.SetResult();
    }

    private string[] Copy(List<string> lines)
    {
        lock (_gate)
            return [.. lines];
    }
}
